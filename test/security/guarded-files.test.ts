import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openSafeRoot } from '../../src/platform/fs/safe-root.ts';
import { callTool } from '../../src/surfaces/mcp/call-tool.ts';
import { serveMcpStdio } from '../../src/surfaces/mcp/create-mcp-server.ts';
import { type McpContext, openMcpContext } from '../../src/surfaces/mcp/mcp-context.ts';
import { openSettings } from '../../src/surfaces/shared/open-settings.ts';
import { contextOf, hookPlace } from '../support/hook-kit.ts';
import { runCli } from '../support/run-cli.ts';

/** Text in files that a guideline keeps from everyone, and from implementers. */
const FROM_ALL = 'ingredientOfTheVault';
const FROM_IMPLEMENTERS = 'ingredientOfTheCore';
const TASK = `Fix chargeCustomer, which uses ${FROM_ALL} and ${FROM_IMPLEMENTERS}, in src/core/models.ts`;

const FILES = {
  'src/core/models.ts': `export const ${FROM_IMPLEMENTERS} = 1;\nexport function chargeCustomer() {\n  return ${FROM_IMPLEMENTERS};\n}\n`,
  'src/vault/keys.ts': `export const ${FROM_ALL} = 2;\nexport function chargeCustomer() {\n  return ${FROM_ALL};\n}\n`,
  'src/shop/billing.ts':
    'import { chargeCustomer } from "../core/models.ts";\nexport function billing() {\n  return chargeCustomer();\n}\n',
  'src/shop/cart.ts': 'import { billing } from "./billing.ts";\nexport const cart = () => billing();\n',
  'package.json': '{"name":"shop","scripts":{"test":"vitest"}}\n',
};

const rule = (id: string, agents: readonly string[], deny: readonly string[]) =>
  JSON.stringify({ id, name: id, condition: { agents }, action: { type: 'path_restriction', deny } });

/** One guideline of the user, one of the repository. */
function guardedPlace() {
  const place = hookPlace({
    ...FILES,
    '.loadout/guidelines/core.json': rule('core-is-closed', ['implementer'], ['src/core/**']),
  });
  const folder = join(place.env.LOADOUT_CONFIG_DIR!, 'guidelines');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'vault.json'), rule('vault-is-closed', [], ['src/vault/**']));
  // a change in both, for the ways that show a change
  place.write('src/core/models.ts', `${FILES['src/core/models.ts']}// ${FROM_IMPLEMENTERS} again\n`);
  place.write('src/vault/keys.ts', `${FILES['src/vault/keys.ts']}// ${FROM_ALL} again\n`);
  place.write('src/shop/cart.ts', `${FILES['src/shop/cart.ts']}// changed\n`);
  place.git('add', '--all');
  const cli = (...args: string[]) =>
    runCli([...args, '--repo', place.path], { env: place.env, cwd: place.path, cache: place.cache });
  return { ...place, cli };
}

/** A client of the server, over streams as between processes. */
function connect(callContext: McpContext) {
  const [stdin, stdout, stop] = [new PassThrough(), new PassThrough(), new AbortController()];
  const served = serveMcpStdio(callContext, { stdin, stdout, signal: stop.signal });
  const answers = createInterface({ input: stdout })[Symbol.asyncIterator]();
  let id = 0;
  const ask = async (method: string, params: object) => {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
    return JSON.parse(String((await answers.next()).value)) as { result: { content: { text: string }[] } };
  };
  const clientInfo = { name: 'test', version: '1' };
  const ready = ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  return {
    call: async (name: string, given: object) => {
      await ready;
      const { result } = await ask('tools/call', { name, arguments: given });
      return result.content.map(({ text }) => text).join('\n');
    },
    close: () => {
      stop.abort();
      return served;
    },
  };
}

/** The task itself names what it wants, and every answer may repeat it. */
const withoutTask = (text: string) =>
  text.replaceAll(TASK, '').replaceAll(JSON.stringify(TASK).slice(1, -1), '');

describe('no output shows a file that a guideline hides from an agent', () => {
  it.each([
    ['rank', ['rank', TASK, '--role', 'implementer', '--symbols']],
    ['brief', ['brief', TASK, '--role', 'implementer']],
    ['pack', ['pack', TASK, '--role', 'implementer']],
    [
      'pack for a target',
      ['pack', TASK, '--role', 'implementer', '--target', 'src/core/models.ts', 'src/vault/keys.ts'],
    ],
    ['pack as XML', ['pack', TASK, '--role', 'implementer', '--format', 'xml']],
    ['pack as a summary', ['pack', TASK, '--role', 'implementer', '--format', 'summary']],
    ['pack by relevance', ['pack', TASK, '--role', 'implementer', '--strategy', 'relevance']],
    ['pack of a change', ['pack', '--diff', 'HEAD', '--role', 'implementer']],
    ['pack of everything', ['pack', '--all', '--role', 'implementer']],
    ['pack of all signatures', ['pack', '--all', '--form', 'signatures', '--role', 'implementer']],
    ['pack of everything in parts', ['pack', '--all', '--tree', '--role', 'implementer']],
    ['map', ['map', '--role', 'implementer']],
    ['map of a folder', ['map', '--focus', 'src', '--role', 'implementer']],
    ['prompt', ['prompt', TASK, '--role', 'implementer']],
    [
      'prompt for a target',
      ['prompt', TASK, '--role', 'implementer', '--target', 'src/shop/billing.ts', 'src/vault/keys.ts'],
    ],
  ])('loadout %s', async (_, words) => {
    const { cli } = guardedPlace();
    const { stdout, stderr } = await cli(...words);
    expect(stdout, stderr).toContain('src/shop/');
    for (const hidden of [FROM_ALL, FROM_IMPLEMENTERS]) expect(withoutTask(stdout)).not.toContain(hidden);
  });

  it.each(['reviewer', 'planner'])('a guideline for others does not hold for a %s', async (role) => {
    const { cli } = guardedPlace();
    const { stdout } = await cli('pack', TASK, '--role', role);
    expect(withoutTask(stdout)).toContain(FROM_IMPLEMENTERS);
    expect(withoutTask(stdout)).not.toContain(FROM_ALL);
  });

  it('the receipts name the files that were left out, and the guideline', async () => {
    const { cli } = guardedPlace();
    const words = ['pack', TASK, '--role', 'implementer', '--target', 'src/core/models.ts'];
    const { stdout } = await cli(...words, '--json');
    const { receipts, items, diagnostics } = JSON.parse(stdout) as {
      receipts: { path: string; form: string | null; why: string }[];
      items: { path: string }[];
      diagnostics: { code: string; path?: string }[];
    };
    expect(items.map(({ path }) => path)).not.toContain('src/core/models.ts');
    expect(receipts.filter(({ form }) => form === null).map(({ path, why }) => [path, why])).toEqual(
      expect.arrayContaining([
        ['src/core/models.ts', 'kept out by the guideline core-is-closed'],
        ['src/vault/keys.ts', 'kept out by the guideline vault-is-closed'],
      ]),
    );
    // the user asked for it by name
    expect(diagnostics.filter(({ code }) => code === 'kept-by-guideline').map(({ path }) => path)).toEqual([
      'src/core/models.ts',
    ]);
    const explained = await cli(...words, '--explain');
    expect(explained.stdout).toMatch(/src\/vault\/keys\.ts.*kept out by the guideline vault-is-closed/);
  });

  it('a prompt warns of a target that was left out, and explains it as out', async () => {
    const { cli } = guardedPlace();
    const words = ['prompt', TASK, '--role', 'implementer', '--target', 'src/core/models.ts'];
    const { stdout, stderr } = await cli(...words);
    expect(stderr).toContain(
      'warning: src/core/models.ts is left out: the guideline core-is-closed keeps it from this agent',
    );
    expect(stdout).toContain(
      '### src/core/models.ts\n\n[Not shown: kept out by the guideline core-is-closed]',
    );
    const explained = await cli(...words, '--explain');
    expect(explained.stdout).toMatch(/^target_file +out +\d+ +0 of 1 file, 0 of them whole$/m);
    expect(explained.stdout).toMatch(
      /^src\/core\/models\.ts +out +\[Not shown: kept out by the guideline core-is-closed\]$/m,
    );
    const both = await cli(...words, 'src/shop/cart.ts', '--explain');
    expect(both.stdout).toMatch(/^target_file +in +\d+ +1 of 2 files, 1 of them whole$/m);
  });

  it('MCP', async () => {
    const { path, env } = guardedPlace();
    const root = openSafeRoot(path);
    const loaded = await openSettings({ env, cwd: path }, { config: '' }, {}, root);
    const callContext = openMcpContext({
      root,
      loaded,
      environment: env,
      home: '/',
      version: '1',
      log: () => {},
    });
    const call = { signal: new AbortController().signal, onProgress: () => {} };
    const context = await callTool(callContext, 'get_context', { task: TASK, role: 'implementer' }, call);
    const search = await callTool(callContext, 'search_code', { query: TASK }, call);
    const expanded = await callTool(callContext, 'expand', { reference: 'chargeCustomer' }, call);
    expect(context).toContain('src/shop/billing.ts');
    for (const text of [context, search, expanded]) expect(withoutTask(text)).not.toContain(FROM_ALL);
    expect(withoutTask(context)).not.toContain(FROM_IMPLEMENTERS);
    await expect(callTool(callContext, 'expand', { reference: 'src/vault/keys.ts' }, call)).rejects.toThrow(
      'src/vault/keys.ts is not shown: the guideline vault-is-closed keeps it out',
    );
  });

  it('MCP: a file that was kept out of a package is not shown later on the same connection', async () => {
    const { path, env, write } = guardedPlace();
    // holds for what is to be done, which only the task of the package says
    const forFixes = { actions: ['fix'] };
    const action = { type: 'path_restriction', deny: ['src/shop/cart.ts'] };
    const guideline = { id: 'cart-is-closed', name: 'c', condition: forFixes, action };
    write('.loadout/guidelines/cart.json', JSON.stringify(guideline));
    const root = openSafeRoot(path);
    const loaded = await openSettings({ env, cwd: path }, { config: '' }, {}, root);
    const callContext = openMcpContext({
      root,
      loaded,
      environment: env,
      home: '/',
      version: '1',
      log: () => {},
    });
    const { call, close } = connect(callContext);
    const query = 'core models: chargeCustomer, cart';
    expect(await call('expand', { reference: 'src/core/models.ts' })).toContain(FROM_IMPLEMENTERS);
    expect(await call('search_code', { query })).toContain('src/core/models.ts');
    expect(await call('search_code', { query, role: 'implementer' })).not.toContain('src/core/models.ts');
    await call('get_context', { task: TASK, role: 'implementer' });
    for (const reference of [
      'src/core/models.ts',
      'src/core/models.ts:1-2',
      'src/core/models.ts#chargeCustomer',
    ])
      expect(await call('expand', { reference })).toBe(
        'src/core/models.ts is not shown: the guideline core-is-closed keeps it out',
      );
    expect(await call('expand', { reference: 'src/shop/cart.ts' })).toMatch(/cart-is-closed keeps it out/);
    expect(await call('expand', { reference: 'chargeCustomer' })).not.toContain(FROM_IMPLEMENTERS);
    const found = await call('search_code', { query });
    expect(found).toContain('src/shop/billing.ts');
    expect(found).not.toMatch(/src\/core\/models|src\/shop\/cart/);
    expect(await call('expand', { reference: 'src/core/models.ts', role: 'reviewer' })).toContain(
      FROM_IMPLEMENTERS,
    );
    expect(await call('expand', { reference: 'src/core/models.ts', role: 'nobody' })).toMatch(/nobody/);
    await call('get_context', { task: TASK, role: 'reviewer' });
    expect(await call('expand', { reference: 'src/core/models.ts' })).toContain(FROM_IMPLEMENTERS);
    await close();
  });

  it.each([
    ['brief', 'hookForm: brief'],
    ['summary', 'hookForm: summary'],
    ['full', 'hookPackage: full'],
  ])('hooks with the package as %s', async (_, setting) => {
    const place = guardedPlace();
    writeFileSync(join(place.env.LOADOUT_CONFIG_DIR!, 'config.yaml'), `${setting}\nsessionMap: on\n`);
    const tool_input = { prompt: TASK, description: 'x', subagent_type: 'implementer' };
    const told = contextOf(
      await place.ask('pre-tool-use', { tool_name: 'Task', tool_use_id: 't', tool_input }),
    );
    const map = contextOf(await place.ask('session-start', { source: 'startup' }));
    const prompt = contextOf(await place.ask('user-prompt-submit', { prompt: TASK }));
    for (const file_path of ['src/vault/keys.ts', 'src/shop/cart.ts'])
      await place.ask('post-tool-use', {
        tool_name: 'Read',
        tool_use_id: file_path,
        tool_input: { file_path },
      });
    const restored = contextOf(await place.ask('session-start', { source: 'compact' }));
    expect(told).toContain('src/shop/billing.ts');
    expect(withoutTask(told)).not.toContain(FROM_IMPLEMENTERS);
    expect(withoutTask(told)).not.toMatch(/- src\/core\/models\.ts|src\/core\/models\.ts:\d/);
    expect(map).toContain('src/shop');
    expect(restored).toContain('src/shop/cart.ts - read');
    for (const text of [told, map, prompt, restored]) {
      expect(withoutTask(text)).not.toContain(FROM_ALL);
      expect(withoutTask(text)).not.toContain('src/vault/keys.ts');
    }
  });

  /** Runs a command with an agent that only keeps its prompt. */
  async function promptOfWorker(place: ReturnType<typeof guardedPlace>, ...words: string[]) {
    const bin = join(place.home, 'bin');
    const kept = join(place.home, 'prompt.txt');
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'claude'),
      `#!/bin/sh\ncase "$1" in --version) echo 2.1.0; exit;; esac\ncat > ${kept}.new && mv ${kept}.new ${kept}\nexit 1\n`,
    );
    chmodSync(join(bin, 'claude'), 0o755);
    const env = { ...place.env, PATH: `${bin}${delimiter}${place.env.PATH}` };
    const { stderr } = await runCli([...words, '--cli', 'claude', '--role', 'implementer'], {
      ...{ env, cwd: place.path, cache: place.cache },
    });
    const prompt = readFileSync(kept, 'utf8');
    expect(prompt, stderr).toContain('src/shop/');
    return withoutTask(prompt);
  }

  it.each(['in the commit', 'on disk alone'])(
    'workers, with guidelines that are %s',
    async (where) => {
      const place = guardedPlace();
      place.commit();
      // the worker gets the files of the commit, and the guidelines hold as they are on disk
      if (where === 'on disk alone') {
        place.git('rm', '-r', '--quiet', '--cached', '.loadout');
        place.git('commit', '--quiet', '--message=without guidelines');
      }
      const prompt = await promptOfWorker(place, 'run', TASK, '--retries', '0');
      for (const hidden of [FROM_ALL, FROM_IMPLEMENTERS]) expect(prompt).not.toContain(hidden);
    },
    60_000,
  );

  it('workers of a loop', async () => {
    const place = guardedPlace();
    place.commit();
    await place.cli('loop', 'start', '--goal', `Charge\n\n${TASK}`);
    const prompt = await promptOfWorker(place, 'loop', 'step', '--guard', 'true');
    for (const hidden of [FROM_ALL, FROM_IMPLEMENTERS]) expect(prompt).not.toContain(hidden);
  }, 60_000);
});
