import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOOK_EVENTS, type HookEvent } from '../../src/agents/hook-dialect.ts';
import { HOOK_CLIENTS, hooksOf } from '../../src/agents/table.ts';
import { PACK_FORMATS } from '../../src/context/render/render-pack.ts';
import { createLoadout, map, scan } from '../../src/index.ts';
import { callCli } from '../../src/surfaces/cli/call-cli.test-kit.ts';
import { COMMANDS } from '../../src/surfaces/cli/command-list.ts';
import { answerHook } from '../../src/surfaces/hook/answer-hook.ts';
import { TOOLS } from '../../src/surfaces/mcp/tool-list.ts';
import { CLI } from '../support/run-cli.ts';
import { FORGED_LINE, type HostileRepository, hostileRepository } from './support/hostile-repository.ts';

let hostile: HostileRepository;
beforeAll(() => {
  hostile = hostileRepository();
});
afterAll(() => hostile.remove());

/** Characters that no output may contain unchanged. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]/u;

/** Which of the planted secrets stand in a text, told without the secrets themselves. */
function secretsIn(text: string): string[] {
  return hostile.secrets.flatMap((secret, at) => {
    const found = text.indexOf(secret);
    if (found === -1) return [];
    return [`secret ${at} after ${JSON.stringify(text.slice(Math.max(0, found - 40), found))}`];
  });
}

/** Everything that is wrong with a text. */
function faultsOf(text: string, { isJson = false } = {}): string[] {
  const faults = secretsIn(text);
  if (!isJson && text.includes(hostile.secretInName)) faults.push('the secret in the name of a file');
  const hidden = HIDDEN.exec(text);
  if (hidden)
    faults.push(
      `hidden character after ${JSON.stringify(text.slice(Math.max(0, hidden.index - 40), hidden.index + 2))}`,
    );
  if (text.split('\n').some((line) => line.startsWith(FORGED_LINE)))
    faults.push('a name begins a line of its own');
  return faults;
}

const TASK = 'Fix the login session';

/** Every command in every format, with what it needs before. A command that shows no repository text says so. */
const CALLS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  scan: [[], ['--json'], ['--ast-context', '@AST'], ['--mode', 'full', '--verify']],
  map: [[], ['--json'], ['--budget', '900'], ['--focus', 'src/login']],
  pack: [
    [TASK],
    [TASK, '--json'],
    [TASK, '--format', 'xml'],
    [TASK, '--format', 'summary'],
    [TASK, '--explain'],
    [TASK, '--tree'],
    [TASK, '--diff', 'HEAD~1'],
    ['--all'],
    ['--all', '--json'],
    ['--all', '--tree'],
    [TASK, '--budget', '500'],
    [TASK, '--target', 'config/login.yaml'],
    [TASK, '--target', 'not/there.ts'],
  ],
  brief: [[TASK], [TASK, '--json'], [TASK, '--max-chars', '20000'], ['openSession LoginKey']],
  rank: [[TASK], [TASK, '--symbols'], [TASK, '--json'], ['openSession LoginKey', '--symbols']],
  prompt: [
    [TASK, '--target', 'src/login/session.ts'],
    [TASK, '--json'],
    [TASK, '--explain'],
    [TASK, '--role', 'reviewer'],
    [TASK, '--role', 'keeper'],
    [TASK, '--extra', 'test_output=@EXTRA'],
    [TASK, '--template', 'review_strict', '--extra', 'test_output=@EXTRA'],
  ],
  trust: [['--show'], ['--show', '--json']],
  roles: [
    ['list'],
    ['list', '--json'],
    ['show', 'keeper'],
    ['show', 'keeper', '--json'],
    ['check'],
    ['show', 'broken'],
  ],
  run: [
    [TASK, '--gate', 'leaky-gate', '--retries', '1'],
    [TASK, '--gate', 'leaky-gate', '--retries', '1', '--json'],
  ],
  runs: [['list'], ['list', '--json'], ['show'], ['show', '--json'], ['tail'], ['tail', '--json']],
  loop: [
    ['start', '--goal', TASK],
    ['step', '--guard', 'leaky-gate'],
    ['step', '--guard', 'leaky-gate', '--json'],
    ['status'],
    ['status', '--json'],
    ['show', '1'],
    ['show', '1', '--json'],
  ],
  eval: [
    ['--commits', '2', '--no-pack'],
    ['--commits', '2', '--no-pack', '--json'],
  ],
  init: [
    ['claude', '--dry-run'],
    ['claude', '--dry-run', '--json'],
  ],
  mcp: [],
  serve: [],
  // The page exists only in the built program: test/browser reads what it shows.
  inspect: [],
  hook: [],
  guardrails: [
    ['list'],
    ['list', '--json'],
    ['check', '--agent', 'keeper'],
    ['check', '--path', 'src/login/session.ts', '--json'],
  ],
  gap: [['--package', '4f1c22ab90d3e617', '--task', TASK, 'the password of src/login/session.ts']],
  settings: [[], ['--json']],
  store: [['status'], ['status', '--json']],
  doctor: [[], ['--json']],
  stats: [[], ['--json']],
  uninstall: [['--dry-run'], ['--dry-run', '--json']],
  completion: [['bash'], ['zsh'], ['fish'], ['powershell']],
  config: [['init']],
};

/** Calls that fail with an error. */
const REFUSED: ReadonlySet<string> = new Set([
  `pack ${TASK} --target not/there.ts`,
  'store status',
  'store status --json',
]);

function call(argv: readonly string[]) {
  const extra = join(hostile.home, 'extra.txt');
  return callCli(
    [
      '--repo',
      hostile.path,
      ...argv.map((word) => word.replace('@EXTRA', `@${extra}`).replace('@AST', join(hostile.home, 'ast'))),
    ],
    {
      cwd: hostile.path,
      env: hostile.env,
    },
  );
}

/** Every text in an answer. */
function textsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? Object.values(value).map(textsIn).join('\n') : '';
}

/** All files below a folder, by path. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('what leaves Loadout holds no secret of the repository and nothing that steers a reader', () => {
  it('every command has its outputs in this list', () => {
    expect(Object.keys(CALLS).sort()).toEqual([...COMMANDS.keys()].sort());
  });

  for (const [command, calls] of Object.entries(CALLS)) {
    for (const words of calls) {
      it(`loadout ${[command, ...words].join(' ')}`, { timeout: 60_000 }, async () => {
        const passwords = hostile.secrets.slice(-2);
        writeFileSync(
          join(hostile.home, 'extra.txt'),
          `failed: DB_PASSWORD=${passwords[0]}\npassword: ${passwords[1]}\nscreen \u001b[2J cleared\n`,
        );
        if (command === 'loop' && words[0] === 'start') hostile.git('commit', '--quiet', '-m', 'All is in');
        const { exitCode, stdout, stderr } = await call([command, ...words]);
        expect(exitCode).toBe(REFUSED.has([command, ...words].join(' ')) ? 2 : exitCode & 1);
        expect(stdout + stderr).not.toBe('');
        const isJson = words.includes('--json');
        expect(faultsOf(stdout, { isJson })).toEqual([]);
        expect(faultsOf(stderr)).toEqual([]);
      });
    }
  }

  it('errors about names of the repository', async () => {
    for (const name of hostile.hostileNames) {
      const missing = `${name}.gone`;
      for (const argv of [
        ['pack', TASK, '--target', missing],
        ['map', '--focus', missing],
        ['prompt', TASK, '--role', missing],
      ]) {
        const { stderr } = await call(argv);
        expect(stderr).not.toBe('');
        expect(faultsOf(stderr)).toEqual([]);
      }
    }
  });

  it('a path in JSON is the true path, for programs that open it', async () => {
    const { stdout } = await call(['rank', TASK, '--json', '--limit', '100']);
    const ranked = (JSON.parse(stdout) as { files: { path: string }[] }).files.map(({ path }) => path);
    expect(ranked).toEqual(expect.arrayContaining([...hostile.hostileNames]));
    const packed = JSON.parse((await call(['pack', TASK, '--json'])).stdout) as { items: { path: string }[] };
    const paths = packed.items.map(({ path }) => path);
    expect(paths.some((path) => hostile.hostileNames.includes(path))).toBe(true);
    for (const path of paths) expect(lstatSync(join(hostile.path, path)).isFile()).toBe(true);
  });

  it('every event of a hook', { timeout: 60_000 }, async () => {
    const inputs: Readonly<Record<HookEvent, Readonly<Record<string, unknown>>>> = {
      'session-start': { source: 'startup' },
      'user-prompt-submit': { prompt: TASK },
      'pre-tool-use': {
        tool_name: 'Task',
        tool_use_id: 't1',
        tool_input: { prompt: TASK, description: 'login', subagent_type: 'keeper' },
      },
      'post-tool-use': {
        tool_name: 'Read',
        tool_use_id: 't2',
        tool_input: { file_path: 'src/login/session.ts' },
      },
      'subagent-start': { agent_type: 'keeper' },
      'before-agent': { prompt: TASK },
      'before-model': {
        llm_request: { messages: [{ role: 'user', content: TASK }] },
      },
    };
    expect(Object.keys(inputs)).toEqual([...HOOK_EVENTS]);
    const forms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      brief: { LOADOUT_HOOK_GATE: 'off', LOADOUT_SESSION_MAP: 'on' },
      summary: { LOADOUT_HOOK_FORM: 'summary' },
      full: { LOADOUT_HOOK_PACKAGE: 'full' },
    };
    let answered = 0;
    for (const client of HOOK_CLIENTS)
      for (const [form, variables] of Object.entries(forms)) {
        const ask = async (event: string, input: Readonly<Record<string, unknown>>) => {
          const given = { session_id: `${client}-${form}`, cwd: hostile.path, ...input };
          const environment = { ...hostile.env, ...variables };
          const signal = new AbortController().signal;
          const answer = textsIn(
            await answerHook(event, given, { client, environment, cwd: hostile.path, signal }),
          );
          if (answer.includes('login')) answered++;
          expect({ client, event, faults: faultsOf(answer) }).toEqual({ client, event, faults: [] });
        };
        for (const [event, input] of Object.entries(inputs)) await ask(event, input);
        for (const name of hostile.hostileNames) {
          const tool = Object.keys(hooksOf(client).fileTools!)[0];
          await ask('post-tool-use', {
            tool_name: tool,
            tool_input: { file_path: name, command: `cat ${name}` },
          });
        }
        await ask('session-start', { source: 'compact' });
      }
    expect(answered).toBeGreaterThan(10);
  });

  it('every tool of the MCP server', { timeout: 60_000 }, async () => {
    const inputs: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
      get_context: [
        { task: TASK },
        { task: TASK, role: 'keeper' },
        { task: TASK, targets: ['config/login.yaml'] },
      ],
      search_code: [{ query: TASK, limit: 50 }, { query: 'openSession' }],
      expand: [
        { reference: 'src/login/session.ts' },
        { reference: 'src/login/session.ts:1-3' },
        { reference: 'openSession' },
        { reference: 'src/login/legacy.py' },
        { reference: 'config/.env' },
        ...hostile.hostileNames.map((reference) => ({ reference })),
        ...hostile.hostileNames.map((reference) => ({ reference: `${reference}.gone` })),
      ],
      report_gap: [{ package: '4f1c22ab90d3e617', missing: 'the password' }],
    };
    expect(Object.keys(inputs).sort()).toEqual(TOOLS.map(({ name }) => name).sort());
    const client = new Client({ name: 'test', version: '1' });
    const { path, env } = hostile;
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'mcp', '--repo', path],
      env,
      stderr: 'ignore',
    });
    await client.connect(transport);
    for (const [name, calls] of Object.entries(inputs))
      for (const given of calls) {
        const { content } = await client.callTool({ name, arguments: given });
        const [{ text }] = content as unknown as [{ text: string }];
        expect(text).not.toBe('');
        expect({ name, given, faults: faultsOf(text) }).toEqual({ name, given, faults: [] });
      }
    await client.close();
  });

  it('results of the library', { timeout: 60_000 }, async () => {
    const settings = { cacheDir: hostile.env.LOADOUT_CACHE_DIR! };
    const secretsInData = (value: unknown) => secretsIn(JSON.stringify(value));
    const repo = hostile.path;
    const outline = await map({ repo, settings });
    expect(faultsOf(outline.text)).toEqual([]);
    expect(secretsInData(outline)).toEqual([]);
    expect(secretsInData(await scan({ repo, settings }))).toEqual([]);
    const loadout = await createLoadout({ repo, settings });
    expect(secretsInData(await loadout.rank({ task: TASK, limit: 50 }))).toEqual([]);
    const pack = await loadout.pack({ task: TASK, budget: 8_000 });
    expect(secretsInData(pack)).toEqual([]);
    for (const format of [...PACK_FORMATS, 'summary'] as const)
      expect({ format, faults: faultsOf(pack.text(format), { isJson: format === 'json' }) }).toEqual({
        format,
        faults: [],
      });
    loadout.close();
  });

  it('records on disk, which only their owner may read', { timeout: 60_000 }, async () => {
    await call(['run', TASK, '--gate', 'leaky-gate', '--retries', '1']);
    await call(['scan', '--ast-context', '@AST']);
    const folders = [join(hostile.path, '.loadout/runs'), join(hostile.path, '.loadout/loop')];
    const records = [...folders, join(hostile.home, 'ast')].flatMap(filesBelow);
    for (const wanted of [
      'record.json',
      'events.jsonl',
      'prompt.md',
      'output.txt',
      'guard.log',
      'failure.md',
      'ast_context.json',
    ])
      expect(
        records.some((path) => path.endsWith(wanted)),
        wanted,
      ).toBe(true);
    const isPatch = (path: string) => path.endsWith('patch.diff');
    for (const path of records.filter((one) => !isPatch(one))) {
      const isJson = /\.jsonl?$/.test(path);
      expect({ path, faults: faultsOf(readFileSync(path, 'utf8'), { isJson }) }).toEqual({
        path,
        faults: [],
      });
    }
    // what hooks remember is for themselves: it holds names, and no text of a file with a secret in it
    for (const path of filesBelow(join(hostile.env.LOADOUT_CACHE_DIR!, 'hook')))
      expect({ path, secrets: secretsIn(readFileSync(path, 'utf8')) }).toEqual({ path, secrets: [] });
    for (const path of records.filter((one) => /\/(?:runs|iterations)\/.*\//.test(one)))
      expect({ path, mode: (lstatSync(path).mode & 0o777).toString(8) }).toEqual({ path, mode: '600' });
  });
});
