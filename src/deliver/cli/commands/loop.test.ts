import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type TemporaryRepository,
  temporaryRepository,
} from '../../../../test/support/temporary-repository.ts';
import { tryLock } from '../../../platform/file-lock.ts';
import { callCli } from '../call-cli.test-kit.ts';

/** Says done for every node and writes a file with its name; `--version` is asked as well. */
const AGENT = `#!/bin/sh
if [ "$1" = --version ]; then echo 2.0.0; exit 0; fi
id=$(sed -n 's/^id: //p' | head -n 1)
echo "made" > "$id.txt"
echo '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"session_id":"s","result":"",'
echo '"structured_output":{"status":"done","summary":"worked on '"$id"'"}}'
`;

function setUp({ withPackage = false } = {}) {
  const repository = temporaryRepository({ 'src/login.ts': 'export function login() { return 1; }\n' });
  const bin = join(repository.home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'claude'), AGENT.replaceAll('\n"structured', '"structured'));
  chmodSync(join(bin, 'claude'), 0o755);
  repository.git('switch', '--quiet', '-c', 'work');
  const env = {
    ...{
      PATH: `${bin}:${process.env.PATH}`,
      HOME: repository.home,
      LOADOUT_LOOP_PACKAGE: String(withPackage),
    },
    ...{ LOADOUT_CACHE_DIR: repository.cache, LOADOUT_CONFIG_DIR: join(repository.home, 'config') },
    LOADOUT_WARM_SERVER: 'running',
  };
  const call = (...argv: string[]) => callCli(['loop', ...argv], { cwd: repository.path, env });
  return { repository, call, env };
}

const subjects = ({ git }: TemporaryRepository) => git('log', '--format=%s', 'main..HEAD').trim().split('\n');

describe('loadout loop', () => {
  it('starts, runs to the end and shows what happened', async () => {
    const { repository, call } = setUp({ withPackage: true });
    const started = await call('start', '--goal', 'Make login work', '--attempts', '2');
    expect(started).toMatchObject({ exitCode: 0, stderr: '' });
    expect(started.stdout).toContain('began a loop in .loadout/loop: Make login work');

    const open = await call('status');
    expect(open.stdout).toContain('open: 0 of 1 leaves pass, next iteration 1');
    expect(open.stdout).toContain('[>] root  Make login work');

    const ran = await call('run', '--guard', 'test -f root.txt');
    expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
    expect(ran.stdout).toContain('1  done, guard pass  root  Make login work');
    expect(ran.stdout).toContain('the tree passes');
    expect(subjects(repository)).toEqual(['loadout loop: root done, guard pass', 'loadout loop: start']);

    expect((await call('run')).exitCode).toBe(0);
    const status = JSON.parse((await call('status', '--json')).stdout);
    expect(status).toMatchObject({
      outcome: 'passed',
      next: null,
      leaves: { passed: 1, all: 1 },
      isRunning: false,
    });
    const shown = JSON.parse((await call('show', '1', '--json')).stdout);
    expect(shown.meta).toMatchObject({ node: 'root', outcome: 'passed', guard: 'pass', dropped: [] });
    expect(shown.output).toEqual({ status: 'done', summary: 'worked on root' });
    expect((await call('show', '1')).stdout).toContain('outcome  passed (status done, guard pass)');
    const prompt = readFileSync(join(repository.path, shown.folder, 'prompt.md'), 'utf8');
    expect(prompt).toContain('src/login.ts');
    expect(prompt.match(/^# Context package$/gm)).toHaveLength(1);
  });

  it('is stuck with exit code 1 when the guard keeps saying no', async () => {
    const { call } = setUp();
    await call('start', '--goal', 'Make login work', '--attempts', '2');
    const step = await call('step', '--guard', 'echo no such thing; exit 3', '--json');
    expect(step.exitCode).toBe(0);
    expect(JSON.parse(step.stdout)).toMatchObject({
      outcome: 'open',
      steps: [{ guard: 'fail', attempts: 1 }],
    });
    expect((await call('run', '--max', '1', '--guard', 'exit 3')).exitCode).toBe(1);
    const stuck = await call('run', '--guard', 'exit 3');
    expect(stuck).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('stuck') });
    const { stdout } = await call('status');
    expect(stdout).toContain('[!] root');
    expect(stdout).toContain('$ exit 3');
  });

  it('says that nothing checks the worker when there is no guard', async () => {
    const { call } = setUp();
    await call('start', '--goal', 'Make login work');
    const ran = await call('run');
    expect(ran.exitCode).toBe(0);
    expect(ran.stderr).toContain('there is no guard');
  });

  it('follows a running loop on a terminal until it ends', async () => {
    const { repository, call, env } = setUp();
    await call('start', '--goal', 'Make login work');
    const lock = tryLock(join(repository.path, '.loadout/loop/iterations/lock'));
    setTimeout(() => lock?.release(), 300);
    const followed = await callCli(['loop', 'status'], { cwd: repository.path, env, isTerminal: true });
    const drawn = followed.stdout.split('\u001b[2J\u001b[H').slice(1);
    expect(drawn.length).toBeGreaterThan(1);
    expect(drawn[0]).toContain('working');
    expect(drawn.at(-1)).not.toContain('working');
  });

  it.each<[string, string[], RegExp]>([
    ['without a loop', ['run'], /there is no loop in \.loadout\/loop/],
    ['without a goal', ['start'], /neither a goal nor a task tree/],
    ['with a file that is not there', ['start', '--goal', 'goal.md'], /there is no file goal\.md/],
    ['with a folder outside', ['start', '--dir', '../x', '--goal', 'x'], /cannot hold a loop/],
    ['with a bad number', ['run', '--max', '0'], /--max: "0" is not allowed/],
    ['with an unknown agent', ['run', '--cli', 'clod'], /--cli: "clod" is not allowed/],
    ['with an unknown action', ['stop'], /there is no action "stop" for loop/],
    ['without an iteration', ['show'], /needs an iteration/],
  ])('exits with 2 %s', async (_, argv, message) => {
    const { call } = setUp();
    const { exitCode, stderr, stdout } = await call(...argv);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('takes a goal in words of any length, or from a file', async () => {
    const { repository, call } = setUp();
    const long = `Make login work ${'and nothing else '.repeat(100)}`;
    expect(await call('start', '--goal', long)).toMatchObject({ exitCode: 0, stderr: '' });
    const file = join(repository.home, 'goal.md');
    writeFileSync(file, '# Goal\n\ntitle: Log in\ngoal: With a token\nacceptance:\n- it works\n');
    await call('start', '--goal', file, '--replace');
    const { tree } = JSON.parse((await call('status', '--json')).stdout);
    expect(tree).toMatchObject({ title: 'Log in', goal: 'With a token', acceptance: ['it works'] });
  });

  it('refuses the main branch and says how to go on', async () => {
    const { repository, call } = setUp();
    repository.git('switch', '--quiet', 'main');
    const { exitCode, stderr } = await call('start', '--goal', 'Make login work');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('git switch -c loop');
  });
});
