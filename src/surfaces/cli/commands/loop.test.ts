import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type TemporaryRepository,
  temporaryRepository,
} from '../../../../test/support/temporary-repository.ts';
import { tryLock } from '../../../platform/fs/file-lock.ts';
import { callCli } from '../call-cli.test-kit.ts';

/** Says done for every node and writes a file with its name; `--version` is asked as well. */
const AGENT = `#!/bin/sh
if [ "$1" = --version ]; then echo 2.0.0; exit 0; fi
id=$(sed -n 's/^id: //p' | head -n 1)
echo "made" > "$id.txt"
cp .loadout/loop/context/failure.log seen.log 2>/dev/null
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

const TREE = {
  ...{ id: 'root', order: 0, title: 't', goal: 'g', acceptance: [] },
  ...{ passes: false, attempts: 0, max_attempts: 3, children: [] },
};
const RUN_STATE = { run_id: 'r1', next_iter: 1, last_status: null, last_summary: null, last_guard: null };
const GOAL = '\ufeffTitle\r\n\r\nA goal with a tail: \u00e9\r\n';

describe('loadout loop', () => {
  it('starts, runs to the end and shows what happened', async () => {
    const { repository, call } = setUp({ withPackage: true });
    const started = await call('start', '--goal', 'Make login work', '--attempts', '2');
    expect(started).toMatchObject({ exitCode: 0, stderr: '' });
    expect(started.stdout).toContain('started a loop in .loadout/loop: Make login work');

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

  it('is stuck with exit code 1 when the guard keeps failing', async () => {
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
    const { stdout, exitCode } = await call('status');
    expect(exitCode).toBe(1);
    expect((await call('status', '--json')).exitCode).toBe(1);
    expect(stdout).toContain('[!] root');
    expect(stdout).toContain('$ exit 3');
  });

  it('warns that nothing checks the worker when there is no guard', async () => {
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
    ['with a file that is not there', ['start', '--goal', 'goal.md'], /the file goal\.md does not exist/],
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

  it('starts on its own branch, and a step refuses the main branch', async () => {
    const { repository, call } = setUp();
    const branch = () => repository.git('branch', '--show-current').trim();
    repository.git('switch', '--quiet', 'main');
    const before = repository.git('rev-parse', 'main');
    const started = await call('start', '--goal', 'Make login work: now!');
    expect(started).toMatchObject({ exitCode: 0, stderr: '' });
    expect(started.stdout).toContain('on the new branch loadout/loop-make-login-work-now\n');
    expect(branch()).toBe('loadout/loop-make-login-work-now');
    expect(repository.git('rev-parse', 'main')).toBe(before);
    expect((await call('run', '--guard', 'test -f root.txt')).exitCode).toBe(0);
    expect(repository.git('status', '--porcelain')).toBe('');

    repository.git('switch', '--quiet', 'main');
    await call('start', '--goal', 'Make login work: now!');
    expect(branch()).toBe('loadout/loop-make-login-work-now-2');
    const refused = await call('start', '--replace', '--goal', 'Other', '--branch', 'work');
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('"work" exists already') });
    const odd = await call('start', '--replace', '--goal', 'Other', '--branch', 'a..b');
    expect(odd).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('not a name for a branch') });
    await call('start', '--replace', '--goal', 'Other', '--branch', 'mine');
    expect(branch()).toBe('mine');

    repository.git('switch', '--quiet', '--detach');
    expect((await call('step')).stderr).toContain('no branch is checked out');
    repository.git('switch', '--quiet', 'main');
    repository.git('merge', '--quiet', 'mine');
    const step = await call('step');
    expect(step).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('main is the main branch') });
  });

  it('starts no worker when the guard does not exist', async () => {
    const { repository, call } = setUp();
    await call('start', '--goal', 'Make login work');
    for (const guard of ['nmp test', 'CI=1 nmp test']) {
      const ran = await call('run', '--guard', guard);
      expect(ran.exitCode).toBe(2);
      expect(ran.stderr).toContain(`the guard "${guard}" cannot run: there is no program nmp`);
    }
    expect(existsSync(join(repository.path, '.loadout/loop/iterations', 'lock'))).toBe(false);
    expect(subjects(repository)).toEqual(['loadout loop: start']);
    // Only the shell can tell of this one: it stops the loop at the first try.
    const late = await call('run', '--guard', 'true && nmp test');
    expect(late.exitCode).toBe(2);
    expect(late.stderr).toContain('cannot run: exit code 127');
    const { tree } = JSON.parse((await call('status', '--json')).stdout);
    expect(tree).toMatchObject({ attempts: 0, passes: false });
    expect(subjects(repository)).toEqual(['loadout loop: start']);
  });

  it.each(['', '  ', '\n'])('refuses the empty guard %j before it starts a worker', async (guard) => {
    const { repository, call } = setUp();
    await call('start', '--goal', 'Make login work');
    for (const action of ['run', 'step']) {
      const ran = await call(action, '--guard', guard);
      const value = JSON.stringify(guard);
      expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
      expect(ran.stderr).toContain(
        `--guard: ${value} is not a valid loopGuard; allowed is text that is not empty or blank`,
      );
    }
    expect(subjects(repository)).toEqual(['loadout loop: start']);
  });

  it('continues with a committed .runner without an ignore file, and refuses one whose context is in git', async () => {
    const { repository, call } = setUp();
    repository.write('.runner/state/tree.json', JSON.stringify(TREE));
    repository.write('.runner/state/run_state.json', JSON.stringify(RUN_STATE));
    repository.write('.runner/context/goal.md', 'of another runner\n');
    repository.commit();
    const tracked = await call('step', '--guard', 'true');
    expect(tracked.exitCode).toBe(2);
    expect(tracked.stderr).toContain('git tracks .runner/context/goal.md, which the loop rewrites');
    expect(tracked.stderr).toContain('git rm -r --cached');
    expect(existsSync(join(repository.path, '.runner/iterations/r1'))).toBe(false);
    repository.git('rm', '--quiet', '-r', '--cached', '.runner/context');
    repository.git('commit', '--quiet', '--message=untrack');
    const step = await call('step', '--guard', 'true');
    expect(step).toMatchObject({ exitCode: 0, stderr: '' });
    expect(repository.git('ls-files', '.runner').trim().split('\n')).toEqual(
      [
        '.gitignore',
        'state/assumptions.md',
        'state/questions.md',
        'state/run_state.json',
        'state/tree.json',
      ].map((name) => `.runner/${name}`),
    );
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('refuses a goal that leaves no room in the prompt, and says when one is cut', async () => {
    const { repository, call } = setUp();
    const goal = (bytes: number) => {
      const file = join(repository.home, 'goal.md');
      writeFileSync(file, `Title\n\n${'a line of the goal\n'.repeat(Math.ceil(bytes / 19))}`);
      return file;
    };
    const large = await call('start', '--goal', goal(60_000));
    expect(large).toMatchObject({ exitCode: 2, stdout: '' });
    expect(large.stderr).toMatch(/the prompt for "root" needs at least \d+ bytes, and the limit is 40960/);
    expect(repository.git('branch', '--show-current').trim()).toBe('work');
    expect((await call('start', '--goal', goal(30_000))).exitCode).toBe(0);
    const small = await call('step', '--prompt-bytes', '20000');
    expect(small).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('and the limit is 20000') });
    const step = await call('step', '--guard', 'true');
    expect(step.exitCode).toBe(0);
    expect(step.stderr).toContain('the goal is cut in the prompt');
    expect(step.stderr).toContain('has no room for: tree');
    const { folder } = JSON.parse((await call('show', '1', '--json')).stdout);
    const prompt = readFileSync(join(repository.path, folder, 'prompt.md'), 'utf8');
    for (const heading of ['# Runner contract', '# Goal', '# Selected node', '# Output contract'])
      expect(prompt.match(new RegExp(`^${heading}$`, 'gm'))).toHaveLength(1);
    expect(prompt.trimEnd().endsWith('```')).toBe(true);
    expect(Buffer.byteLength(prompt)).toBeLessThanOrEqual(40_960);
  });

  it('keeps the whole output of a guard, and shows the next worker where it is', async () => {
    const { repository, call } = setUp();
    await call('start', '--goal', 'Make login work');
    await call('step', '--guard', 'echo FIRST; seq 1 200000; echo LAST; exit 1');
    const { folder } = JSON.parse((await call('show', '1', '--json')).stdout);
    const log = readFileSync(join(repository.path, folder, 'guard.log'), 'utf8');
    for (const line of ['FIRST', '1', '100000', '200000', 'LAST']) expect(log).toContain(`\n${line}\n`);
    await call('step', '--guard', 'grep -q 100000 seen.log');
    const failure = readFileSync(join(repository.path, '.loadout/loop/context/failure.md'), 'utf8');
    expect(failure).toContain('FIRST');
    expect(failure).toContain('LAST');
    expect(failure).toMatch(/\[\d+ bytes left out; all of it is in \.loadout\/loop\/context\/failure\.log\]/);
    const second = JSON.parse((await call('show', '2', '--json')).stdout);
    expect(second.meta).toMatchObject({ guard: 'pass' });
  });

  it('gives a useful hint for a goal that is not a task tree', async () => {
    const { call } = setUp();
    const { exitCode, stderr } = await call('start', '--goal', '{"id": 1}');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('correct the JSON of the goal');
    expect(stderr).not.toContain('git checkout');
  });

  it.each([
    ['untracked', '', false],
    ['ignored', '.runner\n', false],
    ['ignored in part', '.runner/state/run_state.json\n', false],
    ['committed', '', true],
  ])(
    'takes over the state of a .runner that is %s, before it starts a worker',
    async (_, ignore, isCommitted) => {
      const { repository, call } = setUp();
      repository.write('.gitignore', ignore);
      repository.commit();
      repository.write('.runner/state/tree.json', JSON.stringify(TREE));
      repository.write('.runner/state/run_state.json', JSON.stringify(RUN_STATE));
      repository.write('.runner/iterations/r0/1/guard.log', 'of another runner\n');
      if (isCommitted) {
        repository.git('add', '--all', '.runner/state');
        repository.git('commit', '--quiet', '--message=state');
      }
      const step = await call('step', '--guard', 'true');
      expect(step).toMatchObject({ exitCode: 0, stderr: '' });
      expect(step.stdout).toContain('the tree passes');
      expect(repository.git('status', '--porcelain')).toBe('');
      const { tree } = JSON.parse((await call('status', '--json')).stdout);
      expect(tree).toMatchObject({ attempts: 0, passes: true });
      expect(repository.git('ls-files', '.runner').split('\n')).toContain('.runner/state/run_state.json');
    },
  );

  it('refuses a guard that is blank', async () => {
    const { repository, call } = setUp();
    await call('start', '--goal', 'Make login work');
    const ran = await call('run', '--guard', '  ');
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran.stderr).toContain('--guard: "  " is not a valid');
    expect(subjects(repository)).toEqual(['loadout loop: start']);
  });

  it('shows the guard only the content of the commit, and names the files that it did not see', async () => {
    const { repository, call } = setUp();
    repository.write('.gitignore', 'root.txt\n');
    repository.commit();
    await call('start', '--goal', 'Make login work');
    await call('step', '--guard', 'test -f root.txt');
    const { meta, folder } = JSON.parse((await call('show', '1', '--json')).stdout);
    expect(meta).toMatchObject({ guard: 'fail' });
    const log = readFileSync(join(repository.path, folder, 'guard.log'), 'utf8');
    expect(log).toContain('The check ran without files that are not part of the commit: root.txt');
  });

  it('returns to the previous branch when its first commit fails', async () => {
    const { repository, call } = setUp();
    const where = () => [
      repository.git('rev-parse', '--symbolic-full-name', 'HEAD').trim(),
      repository.git('rev-parse', 'HEAD').trim(),
      repository.git('branch', '--list', 'loadout/*').trim(),
    ];
    for (const place of [['main'], ['--detach', 'main']]) {
      repository.git('switch', '--quiet', ...place);
      const before = where();
      mkdirSync(join(repository.path, '.loadout/loop/.gitignore'), { recursive: true });
      expect((await call('start', '--goal', 'Make login work')).exitCode).toBe(2);
      expect(where()).toEqual(before);
    }
  });

  it.each([
    ['new', () => {}],
    ['staged', ({ git }: TemporaryRepository) => git('add', 'goal.md')],
    [
      'changed',
      (repository: TemporaryRepository) => {
        repository.write('goal.md', 'Older\n');
        repository.commit();
        repository.write('goal.md', GOAL);
      },
    ],
  ])('takes a %s goal file of the repository along, byte for byte', async (_, prepare) => {
    const { repository, call } = setUp();
    repository.write('goal.md', GOAL);
    prepare(repository);
    repository.write('other.txt', 'mine\n');
    const dirty = await call('start', '--goal', 'goal.md');
    expect(dirty).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('uncommitted changes: other.txt'),
    });
    expect(dirty.stderr).not.toContain('goal.md');
    rmSync(join(repository.path, 'other.txt'));
    expect(await call('start', '--goal', 'goal.md')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readFileSync(join(repository.path, 'goal.md'), 'utf8')).toBe(GOAL);
    expect(repository.git('status', '--porcelain')).toBe('');
    expect((await call('run', '--guard', 'grep -q Title goal.md')).exitCode).toBe(0);
  });

  it('treats a note that was deleted by hand as empty', async () => {
    const { repository, call } = setUp();
    await call('start', '--goal', 'Make login work');
    rmSync(join(repository.path, '.loadout/loop/state/questions.md'));
    expect(await call('step', '--guard', 'true')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readFileSync(join(repository.path, '.loadout/loop/state/questions.md'), 'utf8')).toBe('');
  });

  it('accepts a tree that was written by hand with only the required fields', async () => {
    const { repository, call } = setUp();
    const words = (id: string) => ({ id, title: `Do ${id}`, goal: id, acceptance: [] });
    const goal = {
      ...words('root'),
      children: [words('zeta'), { ...words('alpha'), order: 5 }, words('beta')],
    };
    expect(await call('start', '--goal', JSON.stringify(goal))).toMatchObject({ exitCode: 0, stderr: '' });
    const { tree } = JSON.parse((await call('status', '--json')).stdout);
    const numbers = { passes: false, attempts: 0, max_attempts: 3 };
    expect(tree).toEqual({
      ...{ ...words('root'), order: 0, ...numbers },
      children: [
        { ...words('zeta'), order: 0, ...numbers, children: [] },
        { ...words('beta'), order: 2, ...numbers, children: [] },
        { ...words('alpha'), order: 5, ...numbers, children: [] },
      ],
    });
    expect((await call('run', '--guard', 'true')).exitCode).toBe(0);
    expect(repository.git('status', '--porcelain')).toBe('');
  });
});
