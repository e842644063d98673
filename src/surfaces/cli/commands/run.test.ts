import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSafeRoot } from '../../../platform/fs/safe-root.ts';
import { openGit } from '../../../platform/git/git.ts';
import { makeRunFolder, openEventLog } from '../../../workers/run-log.ts';
import { newLease, openTreePlace, writeLease } from '../../../workers/worktrees/tree-place.ts';
import { callCli } from '../call-cli.test-kit.ts';
import { type CommandFixture, commandFixture } from '../command-fixture.test-kit.ts';

const answered = (answer: object) =>
  JSON.stringify({
    ...{ type: 'result', subtype: 'success', is_error: false, session_id: 's1' },
    result: `ok\n\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``,
  });
const REVIEW = answered({
  ...{ status: 'REJECTED', review_status: 'REJECTED', next_step: 'Bind the value' },
  issues: [
    { severity: 'high', file: 'a.txt', line: 1, description: 'SQL INJECTION', suggestion: 'use a parameter' },
  ],
  security_concerns: ['the key is public'],
  suggestions: ['name it better'],
});
const APPROVAL = answered({
  ...{ status: 'APPROVED', review_status: 'APPROVED', next_step: null },
  suggestions: ['shorter names'],
});
const PLAN = answered({
  status: 'COMPLETE',
  phases: [
    { name: 'Parse', description: 'read the\n  file', files: ['a.txt'] },
    { step: 2, actions: ['write'] },
    ...Array.from({ length: 30 }, (_, at) => ({ title: `Phase ${at + 3}` })),
  ],
  estimated_components: 2,
  risks: [`it may be slow ${'and slower '.repeat(100)}`],
  next_step: null,
});
const SHRUG = answered({ status: 'MAYBE', action_taken: 'x', next_step: null });

/** Speaks like the real one, and does what the prompt says after `do:`. */
const CLAUDE = `#!/bin/sh
case "$1" in --version) echo "2.1.0 (Claude Code)"; exit 0;; esac
prompt=$(cat)
if printf '%s' "$prompt" | grep -q 'write it'; then echo written > result.txt; fi
if printf '%s' "$prompt" | grep -qE 'shrug it|MAYBE'; then printf '%s\\n' '${SHRUG}'; exit 0; fi
if printf '%s' "$prompt" | grep -q 'plan it'; then printf '%s\\n' '${PLAN}'; exit 0; fi
if printf '%s' "$prompt" | grep -q 'approve it'; then echo mine > a.txt; printf '%s\\n' '${APPROVAL}'; exit 0; fi
if printf '%s' "$prompt" | grep -q 'judge it'; then printf '%s\\n' '${REVIEW}'; exit 0; fi
printf '%s\\n' '{"type":"result","subtype":"success","is_error":false,"result":"ok\\n\`\`\`json\\n{\\"status\\":\\"SUCCESS\\",\\"action_taken\\":\\"x\\",\\"next_step\\":null}\\n\`\`\`","session_id":"s1","total_cost_usd":0.01,"usage":{"input_tokens":10,"output_tokens":4}}'
`;

let environment: CommandFixture;

beforeAll(() => {
  environment = commandFixture({ 'a.txt': 'a\n', 'src/main.ts': 'export const answer = 42;\n' });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
      cwd: environment.repository,
    });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
  mkdirSync(join(environment.home, 'bin'));
  writeFileSync(join(environment.home, 'bin/claude'), CLAUDE);
  chmodSync(join(environment.home, 'bin/claude'), 0o755);
});
afterAll(() => environment.remove());

function call(...argv: string[]) {
  const { home, repository } = environment;
  const env = {
    HOME: home,
    PATH: `${home}/bin:${process.env.PATH}`,
    LOADOUT_CACHE_DIR: join(home, 'cache'),
    LOADOUT_WARM_SERVER: 'running',
    NO_COLOR: '1',
  };
  return callCli(['--repo', repository, ...argv], { cwd: repository, env });
}

describe('loadout run', () => {
  it('gives the worker extra context, from a value or a file, and the files on disk as a change', async () => {
    writeFileSync(join(environment.home, 'failures.txt'), '1 failed\n');
    writeFileSync(join(environment.repository, 'src/main.ts'), 'export const answer = 43;\n');
    const extra = ['--extra', 'note=by hand', 'test_output=@../failures.txt'];
    const { exitCode } = await call('run', 'look at it', ...extra, '--diff', '--quiet');
    execFileSync('git', ['checkout', '--quiet', '--', '.'], { cwd: environment.repository });
    expect(exitCode).toBe(0);
    const runs = join(environment.repository, '.loadout/runs');
    const [run] = readdirSync(runs)
      .filter((name) => /^\d/.test(name))
      .sort()
      .slice(-1);
    const prompt = readFileSync(join(runs, run!, 'attempt-1.prompt.md'), 'utf8');
    expect(prompt).toContain('## Note\n\nby hand');
    expect(prompt).toContain('## Test Output\n\n1 failed');
    expect(prompt).toContain('+export const answer = 43;');
    const both = await call('run', 'look at it', '--diff', '--staged');
    expect(both).toMatchObject({ exitCode: 2 });
    expect(both.stderr).toContain('only one of --diff, --staged');
  });

  it('builds the prompt for the domain that the task is about, and refuses one that is not there', async () => {
    const line = ['run', 'plan it', '--role', 'planner', '--quiet', '--json'];
    const promptOf = async (...flags: string[]) => {
      const { exitCode, stdout } = await call(...line, ...flags);
      expect(exitCode).toBe(0);
      const { folder } = JSON.parse(stdout.trim().split('\n').at(-1)!);
      return readFileSync(join(folder, 'attempt-1.prompt.md'), 'utf8');
    };
    expect(await promptOf()).not.toContain('### src/main.ts');
    expect(await promptOf('--domain', 'src')).toContain('### src/main.ts');
    const refused = await call(...line, '--domain', 'nowhere');
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('unknown domain "nowhere"');
  });

  it('runs a worker, reports its steps, and delivers the result as requested', async () => {
    const { exitCode, stdout, stderr } = await call(
      'run',
      'write it',
      '--gate',
      'test -f result.txt',
      '--branch',
      '--apply',
    );
    expect(stderr).toContain('attempt 1\n');
    expect(stderr).not.toContain('passed 2');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^passed \d{8}-\d{6}-[0-9a-f]{8}: 1 attempt/);
    for (const line of [
      'answer   SUCCESS',
      'done     x',
      'gate     passed: test -f result.txt',
      '(1 file)',
      'applied  to your files',
    ])
      expect(stdout).toContain(line);
    expect(readFileSync(join(environment.repository, 'result.txt'), 'utf8')).toBe('written\n');
  });

  it('answers no with 1 when a gate says no, and shows the run afterwards', async () => {
    const { exitCode, stdout } = await call('run', 'leave it', '--gate', 'exit 4', '--retries', '0');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('gate    failed (exit code 4): exit 4');
    const list = await call('runs', 'list');
    expect(list.stdout.split('\n')[0]).toMatch(/failed +implementer +claude +1x +leave it/);
    const show = JSON.parse((await call('--json', 'runs', 'show')).stdout);
    expect(show.record).toMatchObject({
      outcome: 'failed',
      reason: 'gate-failed',
      task: 'leave it',
      cliVersion: '2.1.0',
    });
    expect(show.record.promptId).toMatch(/^[0-9a-f]{64}$/);
    expect((await call('runs', 'tail')).exitCode).toBe(1);
    expect(await call('runs', 'show', 'nothing-like-it')).toMatchObject({ exitCode: 2 });
  });

  it('answers no with 1 when the review says no, and shows the verdict with its issues wherever the run is shown', async () => {
    const { exitCode, stdout } = await call('run', 'judge it', '--role', 'reviewer');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^rejected \d{8}-/);
    const show = await call('runs', 'show');
    const rows = [
      'answer      REJECTED',
      'issue       high: a.txt:1: SQL INJECTION (suggestion: use a parameter)',
      'security    the key is public',
      'suggestion  name it better',
      'next        Bind the value',
    ];
    for (const row of rows) for (const text of [stdout, show.stdout]) expect(text).toContain(row);
    expect((await call('runs', 'list')).stdout.split('\n')[0]).toMatch(/rejected +reviewer/);
    const last = (await call('--json', 'run', 'judge it', '--role', 'reviewer')).stdout
      .trim()
      .split('\n')
      .at(-1)!;
    expect(JSON.parse(last)).toMatchObject({
      ...{ outcome: 'failed', reason: 'answered-no' },
      answer: { status: 'REJECTED', issues: [{ description: 'SQL INJECTION' }] },
    });
  });

  it('shows the phases and the risks of a plan, in short', async () => {
    const { exitCode, stdout } = await call('run', 'plan it', '--role', 'planner');
    expect(exitCode).toBe(0);
    const show = await call('runs', 'show');
    const rows = [
      'answer  COMPLETE',
      'phase   1. Parse: read the file',
      'phase   2. {"step":2,"actions":["write"]}',
      'phase   20. Phase 20',
      '        13 more in record.json',
    ];
    for (const row of rows) for (const text of [stdout, show.stdout]) expect(text).toContain(row);
    expect(stdout).not.toContain('Phase 21');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThan(400);
  });

  it('does not apply changes of a read-only agent, and says so', async () => {
    const file = join(environment.repository, 'a.txt');
    const review = ['run', 'approve it', '--role', 'reviewer', '--apply', '--branch'];
    const { exitCode, stdout, stderr } = await call(...review);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('suggestion  shorter names');
    const note = 'The worker was read-only, but its agent changed files: a.txt.';
    expect(stderr).toContain(note);
    expect(readFileSync(file, 'utf8')).toBe('a\n');
    expect(stdout).not.toMatch(/^ *(?:applied|branch) /m);
    expect((await call('runs', 'show', '--patch')).stdout).toContain('+mine');
    const without = await call(...review.slice(0, 4));
    expect(without).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(note) });
    // Who may edit may be applied.
    expect((await call(...review.slice(0, 5), '--permissions', 'edit')).exitCode).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('mine\n');
    execFileSync('git', ['checkout', '--quiet', '--', 'a.txt'], { cwd: environment.repository });
  });

  it('says which target it cannot show before the agent gets its prompt, and says it once', async () => {
    const { exitCode, stderr } = await call('run', 'leave it', '--target', 'nope.py');
    expect(exitCode).toBe(0);
    const note = 'warning: The target nope.py is not shown: it was not found\n';
    expect(stderr.split(note)).toHaveLength(2);
    expect(stderr.indexOf(note)).toBeLessThan(stderr.indexOf('attempt 1\n'));
    const lines = (await call('--json', 'run', 'leave it', '--target', 'nope.py')).stdout.trim().split('\n');
    const types = lines.map((line) => JSON.parse(line).type);
    expect(types.indexOf('diagnostic')).toBeGreaterThan(0);
    expect(types.indexOf('diagnostic')).toBeLessThan(types.indexOf('attempt-start'));
    expect(JSON.parse(lines.at(-1)!).diagnostics).toContainEqual(
      expect.objectContaining({ code: 'target-not-shown', path: 'nope.py' }),
    );
    const quiet = await call('run', 'leave it', '--target', 'nope.py', '--quiet');
    expect(quiet.stderr).toBe('');
  });

  it('says only once why a run failed', async () => {
    const count = (text: string, part: string) => text.split(part).length - 1;
    writeFileSync(join(environment.home, 'bin/codex'), '#!/bin/sh\necho "bad key" >&2\nexit 1\n', {
      mode: 0o755,
    });
    const failed = await call('run', 'leave it', '--cli', 'codex', '--retries', '0');
    rmSync(join(environment.home, 'bin/codex'));
    expect(failed.exitCode).toBe(1);
    expect(count(failed.stdout + failed.stderr, 'bad key')).toBe(1);
    const gate = await call('run', 'leave it', '--gate', 'echo no; exit 9', '--retries', '0');
    // Once when it ended, once in the summary of all gates.
    expect(count(gate.stderr, 'exit 9')).toBe(1);
    expect(count(gate.stdout, 'exit 9')).toBe(1);
    const show = await call('runs', 'show');
    expect(count(show.stdout, 'exit 9')).toBe(2);
    expect(count(show.stdout, 'failed 2')).toBe(1);
    // A failure that is followed by another attempt is told when it happens.
    const again = await call('run', 'leave it', '--gate', 'exit 9', '--retries', '1');
    expect(again.stderr).toContain('attempt 1 failed');
    expect(again.stderr).not.toContain('attempt 2 failed');
  });

  it('shows a refused answer once for each attempt, and in runs show, too', async () => {
    const { exitCode, stdout, stderr } = await call('run', 'shrug it', '--retries', '1');
    expect(exitCode).toBe(1);
    const shown = await call('runs', 'show');
    const [why] = /Output doesn't match \S+ schema: status: .*/.exec(stdout)!;
    // The line of the first attempt is on standard error, and the summary says why the last one failed.
    for (const text of [stderr + stdout, shown.stdout]) expect(text.split(why)).toHaveLength(3);
    expect(stderr).toContain(`attempt 1 failed: ${why}\nattempt 2`);
  });

  it('refuses an empty gate', async () => {
    const { exitCode, stderr } = await call('run', 'leave it', '--gate', '');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('has an empty gate: "". A gate must be a command');
  });

  it('streams events as JSON lines, the result last', async () => {
    const { exitCode, stdout } = await call('--json', 'run', 'write it', '--role', 'implementer');
    expect(exitCode).toBe(0);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ type: 'run-start', seq: 1 });
    expect(lines.at(-1)).toMatchObject({ type: 'result', outcome: 'passed', usage: { inputTokens: 10 } });
    const patch = await call('runs', 'show', lines[0].run, '--patch');
    expect(patch.stdout).toContain('+written');
  });

  it('follows a killed run to its end, which it could not record itself', async () => {
    const run = '20300101-000000-0badc0de';
    const root = openSafeRoot(environment.repository);
    const log = openEventLog(makeRunFolder(root, run), run, Date.now);
    const commit = 'f'.repeat(40);
    log.append({ type: 'run-start', role: 'implementer', cli: 'claude', model: null, task: 'x', commit });
    log.close();
    const opening = await openGit(environment.repository);
    if (opening.kind !== 'git') throw new Error('no git');
    const { leases } = openTreePlace(opening.client, join(environment.home, 'cache'));
    const lease = newLease({ run, tree: 'tree-of-the-dead', commit, root: environment.repository });
    writeLease(leases, { ...lease, owner: { ...lease.owner, pid: 2 ** 22 + 1 } });
    const { exitCode, stdout } = await call('--json', 'runs', 'tail', run);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toMatchObject({
      type: 'run-end',
      outcome: 'crashed',
    });
  });

  it('runs every task of a file, several at a time', async () => {
    writeFileSync(join(environment.home, 'tasks.txt'), '# two tasks\nwrite it\n\nleave it\n');
    writeFileSync(join(environment.home, 'tasks.json'), '[{"task": "write it", "roll": "planner"}]');
    const { exitCode, stdout } = await call(
      'run',
      '--tasks',
      join(environment.home, 'tasks.txt'),
      '--parallel',
      '2',
    );
    expect(exitCode).toBe(0);
    expect(stdout.match(/^passed/gm)).toHaveLength(2);
    const wrong = await call('run', '--tasks', join(environment.home, 'tasks.json'));
    expect(wrong).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('tasks.json:1: this is not a task'),
    });
  });

  it('keeps a tree when asked, and drops it when asked', async () => {
    const run = JSON.parse(
      (await call('--json', 'run', 'write it', '--keep')).stdout.trim().split('\n').at(-1)!,
    );
    expect(existsSync(join(run.keptTree.path, 'result.txt'))).toBe(true);
    expect((await call('runs', 'list')).stdout).toContain(`work tree kept (asked): ${run.keptTree.path}`);
    expect(await call('runs', 'drop', run.run)).toMatchObject({ exitCode: 0 });
    expect(existsSync(run.keptTree.path)).toBe(false);
  });

  it.each([
    [['run', 'x', '--cli', 'none'], '--cli: "none" is not allowed; give claude'],
    [['run', 'x', '--timeout', 'soon'], '--timeout: "soon" is not allowed'],
    [['run', 'x', '--role', 'nobody'], 'nobody'],
    [['run', 'x', '--cli', 'codex'], 'npm install -g @openai/codex'],
    [['run'], 'no task is given'],
    [['runs', 'drop'], 'needs the name of a run'],
  ])('%j is refused with a reason', async (argv, reason) => {
    const { exitCode, stderr } = await call(...argv);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(reason);
  });

  it('starts with or without the staged changes, as requested', async () => {
    environment.write('staged.txt', 'staged\n');
    execFileSync('git', ['add', 'staged.txt'], { cwd: environment.repository });
    const gate = ['--retries', '0', '--gate', 'test -f staged.txt'];
    expect((await call('run', 'leave it', ...gate)).exitCode).toBe(0);
    expect((await call('run', 'leave it', '--no-staged', ...gate)).exitCode).toBe(1);
    execFileSync('git', ['rm', '-q', '-f', 'staged.txt'], { cwd: environment.repository });
  });

  it('refuses gates of an untrusted repository, and says how to trust it', async () => {
    environment.write(
      '.loadout/roles/mine.yaml',
      'name: mine\nextends: implementer\ngates: [touch /nonexistent/x]\n',
    );
    const { exitCode, stderr } = await call('run', 'x', '--role', 'mine');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('loadout trust');
  });
});
