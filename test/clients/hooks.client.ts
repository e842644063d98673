import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { gitIn } from '../support/temporary-repository.ts';
import { allText, type ModelRequest } from './stub/reply.ts';
import { delegating, isTask, SUBAGENT_REPORT } from './stub/scenarios.ts';
import { CONNECTED_CLIENTS, ConnectedBench } from './support/connected-bench.ts';
import {
  INVOICE,
  INVOICE_TASK,
  SESSION,
  SESSION_TASK,
  SHOP,
  WIDE_TASK,
  wideShop,
} from './support/shop-repository.ts';

const ESCAPED = /&(lt|gt|amp|quot|#\d+);/;
const SUMMARY = '## Context Package';
const MAP = '# Repository map';
const SIGNATURE =
  'computeInvoiceTotal<T extends InvoiceLine>(lines: ReadonlyArray<T>, discount: number): number';

const PLUGIN = join(import.meta.dirname, '../../plugin');

let bench: ConnectedBench;
afterEach(() => bench.close());

/** Everything of ours in a request. */
function packs(request: ModelRequest): readonly string[] {
  return allText(request).match(/<context-pack source="loadout">[\s\S]*?<\/context-pack>/g) ?? [];
}
const packsWith = (request: ModelRequest, words: string) =>
  packs(request).filter((text) => text.includes(words));

/** Those whose hooks are programs of a list in a file, which are tried in more ways. */
const WITH_HOOK_LISTS = ['claude', 'codex', 'gemini'] as const;
type ListClient = (typeof WITH_HOOK_LISTS)[number];

const SETTINGS: Readonly<Record<ListClient, string>> = {
  claude: '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
};

/** What breaks a hook, with what the environment of the client needs for it. */
const FAULTS = {
  'there is no time': (client: ListClient): Record<string, string> => {
    const path = join(bench.repository, SETTINGS[client]);
    const text = readFileSync(path, 'utf8').replace(/(loadout hook [\w-]+)/g, '$1 --timeout 1ms');
    writeFileSync(path, text);
    return {};
  },
  'the cache cannot be written': (): Record<string, string> => {
    const file = join(bench.home, 'a-file');
    writeFileSync(file, '');
    return { LOADOUT_CACHE_DIR: join(file, 'cache') };
  },
};

describe.each(CONNECTED_CLIENTS)('%s', (client) => {
  it('gives the model the package of a task, once a request, with code as it is', async () => {
    bench = await ConnectedBench.open('tool', SHOP);
    bench.connect(client);
    const { exitCode } = await bench.ask(client, `${INVOICE_TASK} when discount > 0 && discount < 1`);
    expect(exitCode).toBe(0);
    const requests = bench.stub.work();
    expect(requests.length).toBeGreaterThanOrEqual(2);
    for (const request of requests) {
      const [summary, ...more] = packsWith(request, SUMMARY);
      expect(more, bench.hookLog()).toEqual([]);
      expect(summary, bench.hookLog()).toContain(`- ${INVOICE} (relevance`);
      expect(summary).toContain('when discount > 0 && discount < 1');
      // Gemini has no place where a map would arrive as it is.
      const maps = packsWith(request, MAP);
      expect(maps.map((text) => text.includes(SIGNATURE))).toEqual(client === 'gemini' ? [] : [true]);
      expect(packs(request).join('\n')).not.toMatch(ESCAPED);
    }
    expect(packs(requests.at(-1)!)).toEqual(packs(requests[0]!));
  });

  it('gives two subagents at the same time a package each, of their own task', async () => {
    bench = await ConnectedBench.open(delegating(INVOICE_TASK, SESSION_TASK), SHOP);
    bench.connect(client);
    bench.guideline('subagents', { events: ['subagent-start'] }, 'GUIDELINE-FOR-SUBAGENTS');
    const { exitCode } = await bench.ask(client, 'Please look after this shop, with helpers');
    expect(exitCode).toBe(0);
    const own = (task: string, path: string, other: string) => {
      const requests = bench.stub
        .work()
        .filter(({ messages }) => messages.some((one) => one.role === 'user' && isTask(one.text, task)));
      expect(requests.length).toBeGreaterThan(0);
      for (const request of requests) {
        const summaries = packsWith(request, SUMMARY);
        expect(summaries, bench.hookLog()).toHaveLength(1);
        expect(summaries[0]).toContain(`- ${path} (relevance`);
        expect(summaries[0]).not.toContain(other);
        expect(packsWith(request, MAP)).toEqual([]);
        // Gemini tells of the start of a subagent by the call of a tool alone.
        const rules = packsWith(request, 'GUIDELINE-FOR-SUBAGENTS');
        expect(rules).toHaveLength(client === 'gemini' ? 0 : 1);
      }
    };
    own(INVOICE_TASK, INVOICE, SESSION);
    own(SESSION_TASK, SESSION, INVOICE);
    const heard = bench.stub.work().map((request) => JSON.stringify(request.body));
    expect(heard.some((body) => body.split(SUBAGENT_REPORT).length > 2)).toBe(true);
  });

  it('is told nothing twice when it is set up twice', async () => {
    bench = await ConnectedBench.open(delegating(INVOICE_TASK), SHOP);
    bench.connect(client);
    bench.connect(client, 'user');
    const flags = client === 'claude' ? ['--plugin-dir', PLUGIN] : [];
    const { exitCode } = await bench.ask(client, 'Please look after this shop, with a helper', { flags });
    expect(exitCode).toBe(0);
    const counts = bench.stub.work().map((request) => packsWith(request, SUMMARY).length);
    expect(new Set(counts), bench.hookLog()).toEqual(new Set([1]));
    const maps = bench.stub.work().map((request) => packsWith(request, MAP).length);
    expect(Math.max(...maps)).toBe(client === 'gemini' ? 0 : 1);
  });

  it('needs no file of the repository when it is set up for the user, and nothing stays when that is undone', async () => {
    bench = await ConnectedBench.open('plain', SHOP);
    bench.connect(client, 'user');
    expect((await bench.ask(client, INVOICE_TASK)).exitCode).toBe(0);
    expect(packsWith(bench.stub.work().at(-1)!, SUMMARY), bench.hookLog()).toHaveLength(1);
    expect(bench.stub.work().at(-1)!.toolNames.join(' ')).toMatch(/loadout[-_]+get_context/);
    expect(gitIn(bench.repository)('status', '--porcelain')).toBe('');
    const before = bench.stub.work().length;
    bench.loadout('init', client, '--remove', '--yes', '--scope', 'user');
    expect((await bench.ask(client, INVOICE_TASK)).exitCode).toBe(0);
    const after = bench.stub.work().slice(before);
    expect(after.length).toBeGreaterThan(0);
    expect(after.flatMap(packs)).toEqual([]);
    expect(JSON.stringify(after.map(({ body }) => body))).not.toContain('get_context');
  });

  it('continues without context when the program is missing', async () => {
    bench = await ConnectedBench.open('plain', SHOP);
    bench.connect(client);
    rmSync(join(bench.home, 'bin/loadout'));
    expect((await bench.ask(client, INVOICE_TASK)).exitCode).toBe(0);
    const [request] = bench.stub.work();
    expect(allText(request!)).toContain(INVOICE_TASK);
    expect(packs(request!)).toEqual([]);
  });
});

describe.each(WITH_HOOK_LISTS)('%s', (client) => {
  it('gets nothing in a worker, whose prompt has its package already', async () => {
    bench = await ConnectedBench.open('plain', SHOP);
    bench.connect(client);
    const { exitCode } = await bench.ask(client, INVOICE_TASK, { env: { LOADOUT_WORKER: '1' } });
    expect(exitCode).toBe(0);
    expect(bench.stub.work().length).toBeGreaterThan(0);
    expect(bench.stub.work().flatMap(packs)).toEqual([]);
    expect(bench.hookLog()).toBe('');
  });

  it.each(Object.keys(FAULTS) as (keyof typeof FAULTS)[])(
    'continues without context when %s',
    async (fault) => {
      bench = await ConnectedBench.open('plain', SHOP);
      bench.connect(client);
      const env = FAULTS[fault](client);
      const { exitCode } = await bench.ask(client, INVOICE_TASK, { env });
      expect(exitCode).toBe(0);
      const [request] = bench.stub.work();
      expect(allText(request!)).toContain(INVOICE_TASK);
      if (fault !== 'the cache cannot be written') expect(packs(request!)).toEqual([]);
    },
  );
});

it.each(['claude', 'codex'] as const)('%s gets as much as it takes in one piece', async (client) => {
  bench = await ConnectedBench.open('plain', wideShop());
  bench.connect(client);
  expect((await bench.ask(client, WIDE_TASK)).exitCode).toBe(0);
  const [request] = bench.stub.work();
  const [summary] = packsWith(request!, SUMMARY);
  expect(summary?.length, bench.hookLog()).toBeGreaterThan(8_000);
  expect(summary?.length).toBeLessThan(10_000);
  expect(packsWith(request!, MAP)).toHaveLength(1);
  expect(JSON.stringify(request!.body)).not.toMatch(/persisted-output|Output too large|tokens truncated/);
});

describe('claude', () => {
  it('gets the map again after a compaction, but not when it resumes', async () => {
    bench = await ConnectedBench.open('plain', SHOP);
    bench.connect('claude');
    const turn = async (prompt: string, ...flags: string[]) => {
      const before = bench.stub.work().length;
      expect((await bench.ask('claude', prompt, { flags })).exitCode).toBe(0);
      return bench.stub.work().slice(before);
    };
    await turn(INVOICE_TASK);
    const resumed = await turn('Go on with what you were doing', '--continue');
    expect(packsWith(resumed.at(-1)!, MAP)).toHaveLength(1);
    await turn('/compact', '--continue');
    const after = await turn('Go on with what you were doing', '--continue');
    expect(allText(after.at(-1)!)).not.toContain(INVOICE_TASK);
    expect(packsWith(after.at(-1)!, MAP)).toHaveLength(1);
  });

  it('works the same as a plugin', async () => {
    bench = await ConnectedBench.open(delegating(INVOICE_TASK), SHOP);
    bench.loadout('scan', '--quiet');
    const flags = ['--plugin-dir', PLUGIN];
    expect(
      (await bench.ask('claude', 'Please look after this shop, with a helper', { flags })).exitCode,
    ).toBe(0);
    const [main] = bench.stub.work();
    expect(packsWith(main!, MAP), bench.hookLog()).toHaveLength(1);
    expect(main!.toolNames.join(' ')).toMatch(/mcp__\w*loadout\w*__get_context/);
    const [request] = bench.stub.work().filter(({ messages }) => messages[0]!.text.endsWith(INVOICE_TASK));
    expect(packsWith(request!, SUMMARY)).toHaveLength(1);
  });

  it('gives a subagent the files themselves when the user wants that, byte for byte', async () => {
    bench = await ConnectedBench.open(delegating(INVOICE_TASK), SHOP);
    bench.connect('claude');
    bench.userFile('config.yaml', 'hookPackage: full\n');
    expect((await bench.ask('claude', 'Please look after this shop, with a helper')).exitCode).toBe(0);
    const [request] = bench.stub.work().filter(({ messages }) => messages[0]!.text.endsWith(INVOICE_TASK));
    const own = packs(request!).filter((text) => text.includes(SHOP[INVOICE]!.trimEnd()));
    expect(own, bench.hookLog()).toHaveLength(1);
  });
});
