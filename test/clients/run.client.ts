import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type CliCall, callCli } from '../../src/surfaces/cli/call-cli.test-kit.ts';
import type { RunResult, StoredEvent } from '../../src/surfaces/library/run.ts';
import { userState } from '../../src/workers/run.test-kit.ts';
import { processesWith } from '../support/process-tree.ts';
import { type TemporaryRepository, temporaryRepository } from '../support/temporary-repository.ts';
import { type ModelStub, startModelStub } from './stub/model-stub.ts';
import {
  allText,
  endsWithToolResult,
  lastUserText,
  type ModelRequest,
  type Reply,
  type ToolCall,
} from './stub/reply.ts';
import { type Scenario, type ScenarioName, writeFile } from './stub/scenarios.ts';

const CLIS = ['claude', 'codex', 'gemini'] as const;
type Cli = (typeof CLIS)[number];

const FILES = {
  'src/total.ts': 'export const total = (prices: number[]): number => prices.length;\n',
  'README.md': '# Shop\n',
};
const ANSWER = {
  status: 'SUCCESS',
  action_taken: 'wrote it',
  files_created: ['first.txt'],
  files_modified: [],
  tests_written: [],
  blockers: [],
  next_step: null,
};
const WRONG = { status: 'MAYBE', action_taken: 7 };
/** From what goes back to the agent after the answer above. */
const COMPLAINT = 'does not have the form that was asked for';
const WRITE_IT = ['Write the file TASK-MARKER', '--target', 'src/total.ts', '--branch', '--apply'];
const GATE_WORDS = 'GATE-MISSES-SECOND';
const GATE = `test -f second.txt || { echo ${GATE_WORDS}; exit 3; }`;

interface Finished extends CliCall {
  readonly events: readonly StoredEvent[];
  readonly results: readonly RunResult[];
}

interface RunBench {
  readonly repository: TemporaryRepository;
  readonly stub: ModelStub;
  run(cli: Cli, ...argv: string[]): Promise<Finished>;
}

const stubs: ModelStub[] = [];
afterEach(async () => {
  for (const stub of stubs.splice(0)) await stub.close();
});

async function open(scenario: Scenario | ScenarioName): Promise<RunBench> {
  const stub = await startModelStub(scenario);
  stubs.push(stub);
  const repository = temporaryRepository(FILES);
  const env = { ...stub.environment(repository.home), LOADOUT_CACHE_DIR: repository.cache };
  const run: RunBench['run'] = async (cli, ...argv) => {
    // Without the name of a model gemini asks another one which to take.
    const model = cli === 'gemini' ? ['--model', 'gemini-stub'] : [];
    const call = ['--json', 'run', ...argv, '--cli', cli, ...model];
    const called = await callCli(call, { cwd: repository.path, env });
    const lines = called.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return {
      ...called,
      events: lines.filter(({ type }) => type !== 'result'),
      results: lines.filter(({ type }) => type === 'result'),
    };
  };
  return { repository, stub, run };
}

/** Calls a tool and answers after its result, by the structured way where the request asks for that. */
function working(plan: (request: ModelRequest) => { call?: ToolCall; value: unknown }): Scenario {
  return (request): Reply => {
    const { call, value } = plan(request);
    if (call && !endsWithToolResult(request)) return { kind: 'tools', text: 'Let me work.', calls: [call] };
    if (request.wantsStructure && value !== WRONG) return { kind: 'structured', value };
    return { kind: 'text', text: `Done.\n\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\`\n` };
  };
}

const modes = (events: readonly StoredEvent[]) =>
  events.flatMap((event) => (event.type === 'attempt-start' ? [event.mode] : []));

/** Nothing of a run is alive two seconds after its end, and nothing lies around. */
async function expectNothingLeft({ home, cache, git }: TemporaryRepository): Promise<void> {
  for (let waited = 0; waited < 2_000 && processesWith(home).length > 0; waited += 100) await sleep(100);
  expect(processesWith(home)).toEqual([]);
  expect(readdirSync(join(cache, 'tmp'))).toEqual([]);
  const [place = ''] = readdirSync(join(cache, 'runs'));
  expect(readdirSync(join(cache, 'runs', place, 'leases'))).toEqual([]);
  git('fsck', '--strict');
}

describe.each(CLIS)('loadout run with %s', (cli) => {
  it('saves the work of the agent as a patch and a branch, and applies it to the files', async () => {
    const model = working(() => ({ call: writeFile('first.txt', 'written\n'), value: ANSWER }));
    const { repository, stub, run } = await open(model);
    const before = userState(repository);
    const { exitCode, results } = await run(cli, ...WRITE_IT);
    const [result] = results;
    expect(exitCode).toBe(0);
    expect(result).toMatchObject({
      ...{ outcome: 'passed', cli, answer: ANSWER, changedFiles: ['first.txt'], applied: true },
      ...{
        promptId: expect.stringMatching(/^[0-9a-f]{64}$/),
        packageId: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      ...{ cliVersion: expect.stringMatching(/^\d+\.\d+\.\d+/), usage: { inputTokens: expect.any(Number) } },
    });
    expect(readFileSync(result!.patchFile!, 'utf8')).toContain('+written');
    expect(repository.git('show', `loadout/${result!.run}:first.txt`)).toBe('written\n');
    expect(readFileSync(join(repository.path, 'first.txt'), 'utf8')).toBe('written\n');
    expect(userState(repository)).toEqual({ ...before, 'first.txt': 'written\n' });
    const asked = allText(stub.work()[0]!);
    for (const part of ['TASK-MARKER', FILES['src/total.ts']]) expect(asked).toContain(part);
    // Its memory is the user's: a worker neither reads nor writes it.
    expect(asked).not.toContain('persistent file-based memory');
    expect(stub.strays).toEqual([]);
    await expectNothingLeft(repository);
  });

  it('tells the agent in its own session what was wrong with its answer', async () => {
    const isTold = (request: ModelRequest) => lastUserText(request).includes(COMPLAINT);
    const { stub, run } = await open(working((request) => ({ value: isTold(request) ? ANSWER : WRONG })));
    const { exitCode, events, results } = await run(cli, 'Do it TASK-MARKER');
    expect({ exitCode, modes: modes(events) }).toEqual({ exitCode: 0, modes: ['fresh', 'resume'] });
    expect(events.find(({ type }) => type === 'answer-refused')).toMatchObject({
      message: expect.stringContaining('status'),
    });
    expect(results[0]).toMatchObject({ answer: ANSWER, patchFile: null });
    const [first, second] = results[0]!.attempts;
    expect(second!.sessionId).toBe(first!.sessionId);
    expect(allText(stub.work().at(-1)!)).toContain('TASK-MARKER');
  });

  it('ends at once, and says why, when the key is wrong', async () => {
    const { repository, run } = await open('401');
    const started = performance.now();
    const { exitCode, results } = await run(cli, 'Do it');
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(exitCode).toBe(1);
    expect(results[0]).toMatchObject({
      ...{ outcome: 'failed', reason: 'agent-failed', patchFile: null },
      message: expect.stringMatching(new RegExp(`^${cli}: auth: .`)),
    });
    expect(results[0]!.attempts).toHaveLength(1);
    await expectNothingLeft(repository);
  });

  it('gives the agent the output of a failed gate, and the next attempt passes', async () => {
    const model = working((request) => {
      const knows = allText(request).includes(GATE_WORDS);
      return { call: writeFile(knows ? 'second.txt' : 'first.txt', 'written\n'), value: ANSWER };
    });
    const { run } = await open(model);
    const { exitCode, events, results } = await run(cli, 'Write the files', '--gate', GATE);
    expect({ exitCode, modes: modes(events) }).toEqual({ exitCode: 0, modes: ['fresh', 'resume'] });
    const gates = results[0]!.attempts.flatMap((attempt) => attempt.gates);
    expect(gates).toMatchObject([
      { passed: false, why: 'exit-code', exitCode: 3, output: GATE_WORDS },
      { passed: true },
    ]);
    expect(results[0]!.changedFiles).toEqual(['first.txt', 'second.txt']);
  });

  it('runs two tasks at the same time, each in its own work tree', async () => {
    const model = working((request) => {
      const [, name = 'none'] = /WRITE-(\w+)/.exec(allText(request)) ?? [];
      return { call: writeFile(`${name}.txt`, `${name}\n`), value: ANSWER };
    });
    const { repository, run } = await open(model);
    writeFileSync(join(repository.home, 'tasks.txt'), 'Now WRITE-one\nNow WRITE-two\n');
    const tasks = join(repository.home, 'tasks.txt');
    const { exitCode, events, results } = await run(cli, '--tasks', tasks, '--parallel', '2');
    expect(exitCode).toBe(0);
    expect(results.map(({ changedFiles }) => changedFiles)).toEqual([['one.txt'], ['two.txt']]);
    const trees = events.flatMap((event) => (event.type === 'tree-ready' ? [event.path] : []));
    expect(new Set(trees).size).toBe(2);
    const firstEnd = events.findIndex(({ type }) => type === 'agent-end');
    const starts = events.slice(0, firstEnd).filter(({ type }) => type === 'agent-start');
    expect(starts).toHaveLength(2);
    expect(existsSync(join(repository.path, 'one.txt'))).toBe(false);
    await expectNothingLeft(repository);
  });
});

it('gemini takes nothing from an environment file of the repository', async () => {
  const look: ToolCall = {
    names: ['run_shell_command'],
    input: () => ({ command: 'env', description: 'look' }),
  };
  const { repository, stub, run } = await open(working(() => ({ call: look, value: ANSWER })));
  repository.write('.env', 'NODE_OPTIONS=evil\nGEMINI_MODEL=evil\nOTHER_VALUE=evil\n');
  repository.write('.gemini/.env', 'GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:9/evil\n');
  repository.commit();
  const { exitCode } = await run('gemini', 'Look around', '--permissions', 'full');
  expect(exitCode).toBe(0);
  const seen = stub
    .work()
    .at(-1)!
    .messages.findLast(({ role }) => role === 'tool')!.text;
  // The lines are those of a text inside JSON.
  expect(seen).toContain('\\nOTHER_VALUE=\\n');
  expect(seen).toContain(`TMPDIR=${repository.cache}/tmp/`);
  expect(seen).not.toContain('evil');
});

it('all of them are ended when the model hangs, and leave nothing alive', async () => {
  await Promise.all(
    CLIS.map(async (cli) => {
      const { repository, stub, run } = await open('hang');
      const started = performance.now();
      const { exitCode, results } = await run(cli, 'Do it', '--timeout', '12s', '--retries', '0');
      const milliseconds = performance.now() - started;
      expect(stub.requests.length).toBeGreaterThan(0);
      expect({ cli, exitCode }).toEqual({ cli, exitCode: 1 });
      expect(results[0]).toMatchObject({ outcome: 'timed-out', message: 'no answer within 12 s' });
      expect(milliseconds).toBeLessThan(20_000);
      await expectNothingLeft(repository);
    }),
  );
});
