import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { gitIn } from '../support/temporary-repository.ts';
import { allText, type ModelRequest } from './stub/reply.ts';
import { delegating, isTask, reading, SUBAGENT_REPORT } from './stub/scenarios.ts';
import { CONNECTED_CLIENTS, ConnectedBench } from './support/connected-bench.ts';
import { INVOICE, INVOICE_TASK, SESSION_TASK, SHOP, WIDE_TASK, wideShop } from './support/shop-repository.ts';

const ESCAPED = /&(lt|gt|amp|quot|#\d+);/;
const BRIEF = 'Places in this repository';
const SUMMARY = '## Context Package';
const MAP = '# Repository map';
/** Lines of the two definitions that the tasks are about, with their numbers. */
const INVOICE_LINES = `10 export function computeInvoiceTotal<T extends InvoiceLine>(lines: ReadonlyArray<T>, discount: number): number {
11   const sum = lines.reduce((total, { price, count }) => total + price * count, 0);
12   return discount > 0 && discount < 1 ? roundCents(sum * (1 - discount)) : roundCents(sum);`;
const SESSION_LINES =
  '8   const expired = [...sessions].filter(([, { since }]) => now - since > limitSeconds);';

const PLUGIN = join(import.meta.dirname, '../../plugin');

let bench: ConnectedBench;
afterEach(() => bench.close());

/** Everything in a request that Loadout added. */
function packs(request: ModelRequest): readonly string[] {
  const text = allText(request).replace(ESCAPED_PACK, withBrackets);
  return text.match(/<context-pack source="loadout">[\s\S]*?<\/context-pack>/g) ?? [];
}
/** Qwen Code escapes the brackets of everything that hooks add. */
const ESCAPED_PACK = /&lt;context-pack source="loadout"&gt;[\s\S]*?&lt;\/context-pack&gt;/g;
const withBrackets = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
const packsWith = (request: ModelRequest, words: string) =>
  packs(request).filter((text) => text.includes(words));

/** Whether a request is from the agent that was given this task. */
const isFor = ({ messages }: ModelRequest, task: string) =>
  messages.some((one) => one.role === 'user' && isTask(one.text, task));

/** Those whose hooks are programs of a list in a file, which are tried in more ways. */
const WITH_HOOK_LISTS = ['claude', 'codex', 'gemini', 'qwen'] as const;
type ListClient = (typeof WITH_HOOK_LISTS)[number];

const SETTINGS: Readonly<Record<ListClient, string>> = {
  claude: '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
  qwen: '.qwen/settings.json',
};

/** Ways to break a hook, with the environment that each needs. */
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
  it('gives the model the brief of a task, once a request, with code as it is', async () => {
    bench = await ConnectedBench.open('tool', SHOP);
    bench.connect(client);
    const { exitCode } = await bench.ask(client, `${INVOICE_TASK} when discount > 0 && discount < 1`);
    expect(exitCode).toBe(0);
    const requests = bench.stub.work();
    expect(requests.length).toBeGreaterThanOrEqual(2);
    for (const request of requests) {
      const [brief, ...more] = packsWith(request, BRIEF);
      expect(more, bench.hookLog()).toEqual([]);
      expect(brief, bench.hookLog()).toContain(`\n${INVOICE}:9-13 computeInvoiceTotal  (`);
      expect(brief).toContain(INVOICE_LINES);
      expect(brief!.length).toBeLessThanOrEqual(6_000);
      expect(packs(request)).toHaveLength(1);
      expect(packs(request).join('\n')).not.toMatch(ESCAPED);
    }
    expect(packs(requests.at(-1)!)).toEqual(packs(requests[0]!));
  });

  it('gives the model nothing for "thanks"', async () => {
    bench = await ConnectedBench.open('plain', SHOP);
    bench.connect(client);
    expect((await bench.ask(client, 'thanks')).exitCode).toBe(0);
    expect(bench.stub.work().length).toBeGreaterThan(0);
    expect(bench.stub.work().flatMap(packs)).toEqual([]);
    expect(bench.records()).toMatchObject([{ kind: 'answer', verdict: 'silent', prompt: 'thanks' }]);
  });

  it('tells which lines the model has read, and nothing else', async () => {
    bench = await ConnectedBench.open(reading(INVOICE, 2, 4), SHOP);
    bench.connect(client);
    expect((await bench.ask(client, INVOICE_TASK)).exitCode).toBe(0);
    // Some clients do not wait for this hook.
    const files = () => bench.records().filter(({ kind }) => kind === 'file');
    await expect
      .poll(files, { timeout: 10_000 })
      .toMatchObject([{ how: 'read', path: INVOICE, lines: [2, 4] }]);
    expect(JSON.stringify(files())).not.toContain('interface');
  });

  it('gets nothing twice when it is set up twice', async () => {
    bench = await ConnectedBench.open(delegating(INVOICE_TASK), SHOP);
    bench.connect(client);
    bench.connect(client, 'user');
    const flags = client === 'claude' ? ['--plugin-dir', PLUGIN] : [];
    const { exitCode } = await bench.ask(client, `With a helper: ${SESSION_TASK}, please`, { flags });
    expect(exitCode).toBe(0);
    const requests = bench.stub.work().filter((one) => client !== 'qwen' || !isFor(one, INVOICE_TASK));
    const counts = requests.map((request) => packsWith(request, BRIEF).length);
    expect(new Set(counts), bench.hookLog()).toEqual(new Set([1]));
  });

  it('needs no file of the repository when it is set up for the user, and nothing stays when that is undone', async () => {
    bench = await ConnectedBench.open('plain', SHOP);
    bench.connect(client, 'user');
    expect((await bench.ask(client, INVOICE_TASK)).exitCode).toBe(0);
    // The last request of Qwen Code asks what to remember of the session, and offers fewer tools.
    const request = bench.stub.work().at(client === 'qwen' ? 0 : -1)!;
    expect(packsWith(request, BRIEF), bench.hookLog()).toHaveLength(1);
    expect(request.toolNames.join(' ')).toMatch(/loadout[-_]+get_context/);
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

describe.each(CONNECTED_CLIENTS.filter((client) => client !== 'qwen'))('%s', (client) => {
  it('gives two subagents at the same time a package each, of their own task', async () => {
    bench = await ConnectedBench.open(delegating(INVOICE_TASK, SESSION_TASK), SHOP);
    bench.connect(client);
    bench.guideline('subagents', { events: ['subagent-start'] }, 'GUIDELINE-FOR-SUBAGENTS');
    const { exitCode } = await bench.ask(client, 'Please look after this shop, with helpers');
    expect(exitCode).toBe(0);
    const own = (task: string, lines: string, other: string) => {
      const requests = bench.stub.work().filter((request) => isFor(request, task));
      expect(requests.length).toBeGreaterThan(0);
      for (const request of requests) {
        const briefs = packsWith(request, BRIEF);
        expect(briefs, bench.hookLog()).toHaveLength(1);
        expect(briefs[0]).toContain(lines);
        expect(briefs[0]).not.toContain(other);
        // Gemini tells of the start of a subagent by the call of a tool alone.
        const rules = packsWith(request, 'GUIDELINE-FOR-SUBAGENTS');
        expect(rules).toHaveLength(client === 'gemini' ? 0 : 1);
      }
    };
    own(INVOICE_TASK, INVOICE_LINES, SESSION_LINES);
    own(SESSION_TASK, SESSION_LINES, INVOICE_LINES);
    const heard = bench.stub.work().map((request) => JSON.stringify(request.body));
    expect(heard.some((body) => body.split(SUBAGENT_REPORT).length > 2)).toBe(true);
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

it.each(['claude', 'codex'] as const)('%s gets as much as it accepts in one piece', async (client) => {
  bench = await ConnectedBench.open('plain', wideShop());
  bench.connect(client);
  bench.userFile('config.yaml', 'hookForm: summary\nsessionMap: on\n');
  expect((await bench.ask(client, WIDE_TASK)).exitCode).toBe(0);
  const [request] = bench.stub.work();
  const [summary] = packsWith(request!, SUMMARY);
  expect(summary?.length, bench.hookLog()).toBeGreaterThan(8_000);
  expect(summary?.length).toBeLessThan(10_000);
  expect(packsWith(request!, MAP)).toHaveLength(1);
  expect(JSON.stringify(request!.body)).not.toMatch(/persisted-output|Output too large|tokens truncated/);
});

describe('claude', () => {
  it('gets the brief and its files again after a compaction', async () => {
    bench = await ConnectedBench.open(reading(INVOICE, 2, 4), SHOP);
    bench.connect('claude');
    const turn = async (prompt: string, ...flags: string[]) => {
      const before = bench.stub.work().length;
      expect((await bench.ask('claude', prompt, { flags })).exitCode).toBe(0);
      return bench.stub.work().slice(before);
    };
    await turn(INVOICE_TASK);
    await expect.poll(() => bench.records().length, { timeout: 10_000 }).toBe(2);
    const resumed = await turn('Go on with what you were doing', '--continue');
    expect(packsWith(resumed.at(-1)!, BRIEF)).toHaveLength(2);
    await turn('/compact', '--continue');
    const after = await turn('Go on with what you were doing', '--continue');
    expect(allText(after.at(-1)!)).not.toContain(INVOICE_TASK);
    const [brief, ...more] = packsWith(after.at(-1)!, BRIEF);
    expect(more).toEqual([]);
    expect(brief, bench.hookLog()).toContain(INVOICE_LINES);
    expect(packsWith(after.at(-1)!, `${INVOICE} - read 2-4`)).toHaveLength(1);
    expect(packs(after.at(-1)!).join('').length).toBeLessThan(3_000);
  });

  it('works the same as a plugin', async () => {
    bench = await ConnectedBench.open(delegating(INVOICE_TASK), SHOP);
    bench.loadout('scan', '--quiet');
    const flags = ['--plugin-dir', PLUGIN];
    expect(
      (await bench.ask('claude', 'Please look after this shop, with a helper', { flags })).exitCode,
    ).toBe(0);
    const [main] = bench.stub.work();
    expect(main!.toolNames.join(' ')).toMatch(/mcp__\w*loadout\w*__get_context/);
    const [request] = bench.stub.work().filter(({ messages }) => messages[0]!.text.endsWith(INVOICE_TASK));
    expect(packsWith(request!, BRIEF), bench.hookLog()).toHaveLength(1);
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

describe('qwen', () => {
  it('escapes the brackets of code, and is told so in the first line', async () => {
    bench = await ConnectedBench.open('plain', SHOP);
    bench.connect('qwen');
    expect((await bench.ask('qwen', INVOICE_TASK)).exitCode).toBe(0);
    const text = allText(bench.stub.work()[0]!);
    expect(text).toContain('&lt;context-pack source="loadout"&gt;\nQwen Code writes angle brackets ');
    expect(text).toContain('\n12   return discount &gt; 0 && discount &lt; 1 ? roundCents(');
  });

  it('leaves nothing in the repository when it has run and is taken out again', async () => {
    bench = await ConnectedBench.open('plain', SHOP);
    bench.connect('qwen');
    expect((await bench.ask('qwen', INVOICE_TASK)).exitCode).toBe(0);
    expect(readFileSync(join(bench.repository, SETTINGS.qwen), 'utf8')).toContain('"$version"');
    bench.loadout('init', 'qwen', '--remove', '--yes');
    expect(gitIn(bench.repository)('status', '--porcelain')).toBe('');
  });

  it('gets the brief and its files again when a session is continued', async () => {
    bench = await ConnectedBench.open(reading(INVOICE, 2, 4), SHOP);
    bench.connect('qwen');
    expect((await bench.ask('qwen', INVOICE_TASK)).exitCode).toBe(0);
    await expect.poll(() => bench.records().length, { timeout: 10_000 }).toBe(2);
    const before = bench.stub.work().length;
    const flags = ['--continue'];
    expect((await bench.ask('qwen', 'Go on with what you were doing', { flags })).exitCode).toBe(0);
    const [request] = bench.stub.work().slice(before);
    expect(packsWith(request!, INVOICE_LINES), bench.hookLog()).toHaveLength(2);
    expect(packsWith(request!, `${INVOICE} - read 2-4`)).toHaveLength(1);
  });

  // When this fails, subagents can get their briefs.
  it('gives a subagent nothing of what a hook says at its start', async () => {
    bench = await ConnectedBench.open(delegating(INVOICE_TASK), SHOP);
    const started = join(bench.home, 'started');
    const answer = { hookEventName: 'SubagentStart', additionalContext: 'FROM-A-HOOK' };
    writeFileSync(join(bench.home, 'answer.json'), JSON.stringify({ hookSpecificOutput: answer }));
    const command = `touch ${started}; cat ${join(bench.home, 'answer.json')}`;
    mkdirSync(join(bench.repository, '.qwen'));
    const hooks = { SubagentStart: [{ hooks: [{ type: 'command', command }] }] };
    writeFileSync(join(bench.repository, '.qwen/settings.json'), JSON.stringify({ hooks }));
    expect((await bench.ask('qwen', 'Please look after this shop, with a helper')).exitCode).toBe(0);
    expect(existsSync(started)).toBe(true);
    expect(bench.stub.work().some((request) => isFor(request, INVOICE_TASK))).toBe(true);
    expect(JSON.stringify(bench.stub.work().map(({ body }) => body))).not.toContain('FROM-A-HOOK');
  });
});
