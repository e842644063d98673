import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kitFor, runKit, say, scriptAgent, userState } from './run.test-kit.ts';
import { createRunEnvironment } from './run-environment.ts';
import { runRole } from './run-role.ts';

const FILES = { 'a.txt': 'one\n', 'b/c.txt': 'two\n', 'gone.txt': 'three\n', 'd/e.txt': 'four\n' };
/** Writes down what the agent finds. */
const LOOK =
  'cat > "$HOME/prompt"; git diff --cached --name-status > "$HOME/staged"; git diff --name-only > "$HOME/unstaged"; cat a.txt > "$HOME/a"';

function staged(script = `${LOOK}; ${say()}`) {
  const kit = runKit(scriptAgent(script), FILES);
  const { repository } = kit;
  repository.write('a.txt', 'staged\n');
  repository.write('new file.txt', 'new\n');
  repository.git('rm', '--quiet', 'gone.txt', 'd/e.txt');
  repository.write('d', 'a file where a folder was\n');
  repository.git('add', '-A');
  repository.write('a.txt', 'staged, then changed\n');
  repository.write('promised.txt', 'not staged yet\n');
  repository.git('add', '--intent-to-add', 'promised.txt');
  repository.git('status');
  const found = (name: string) => readFileSync(join(repository.home, name), 'utf8');
  return { ...kit, found };
}

describe('a run that is given a change', () => {
  it('starts from the files on disk, and is shown them as a change since the base', async () => {
    const { repository, request, found } = staged();
    repository.write('untracked.txt', 'untracked\n');
    const before = userState(repository);
    const environment = createRunEnvironment({
      env: { PATH: process.env.PATH, HOME: repository.home },
      settings: { cacheDir: repository.cache },
    });
    const kit = kitFor(repository, scriptAgent(`${LOOK}; cat untracked.txt >> "$HOME/a"; ${say()}`));
    const real = { ...kit.environment, buildPrompt: environment.buildPrompt };
    const result = await runRole({ ...request, role: 'reviewer', change: { base: 'HEAD' } }, real).result;
    expect(result.diagnostics.map(({ code }) => code)).not.toContain('uncommitted-changes');
    expect(found('a')).toBe('staged, then changed\nuntracked\n');
    expect(found('prompt')).toContain('## Git Diff (Work Tree)');
    for (const line of ['+staged, then changed', '+untracked', '+not staged yet', '-three'])
      expect(found('prompt')).toContain(line);
    expect(userState(repository)).toEqual(before);
  });

  it("gives only the worker's changes to the files on disk", async () => {
    const { repository, request } = staged();
    const { environment } = kitFor(repository, scriptAgent(`cat > /dev/null; echo more >> a.txt; ${say()}`));
    const result = await runRole({ ...request, change: { base: 'HEAD' }, apply: true }, environment).result;
    expect(result).toMatchObject({ outcome: 'passed', changedFiles: ['a.txt'], applied: true });
    expect(readFileSync(join(repository.path, 'a.txt'), 'utf8')).toBe('staged, then changed\nmore\n');
  });
});

describe('a run of a role that is shown staged changes', () => {
  it("has it staged in its work tree, and the user's files stay as they were", async () => {
    const { repository, environment, request, found } = staged();
    const before = userState(repository);
    const result = await runRole(request, environment).result;
    expect(result).toMatchObject({ outcome: 'passed', patchFile: null, keptTree: null });
    expect(found('staged')).toBe('M\ta.txt\nA\td\nD\td/e.txt\nD\tgone.txt\nA\tnew file.txt\n');
    expect(found('unstaged')).toBe('');
    expect(found('a')).toBe('staged\n');
    expect(userState(repository)).toEqual(before);
    expect(repository.git('fsck', '--no-dangling')).toBe('');
  });

  it("gives only the worker's changes, and a branch with both", async () => {
    const { repository, environment, request } = staged(`cat > /dev/null; echo more >> b/c.txt; ${say()}`);
    const result = await runRole({ ...request, branch: true }, environment).result;
    expect(result.changedFiles).toEqual(['b/c.txt']);
    expect(readFileSync(result.patchFile!, 'utf8')).not.toContain('staged');
    const names = repository.git('log', '--format=%s', '--name-only', `${result.commit}..${result.branch}`);
    expect(names.trim().split(/\n+/)).toEqual([
      ...['Change a.txt', 'b/c.txt'],
      ...['Staged changes', 'a.txt', 'd', 'd/e.txt', 'gone.txt', 'new file.txt'],
    ]);
  });

  it('starts from it again after a failure that may pass', async () => {
    const script = `if [ -f "$HOME/tried" ]; then ${LOOK}; ${say()}; else cat > /dev/null; touch "$HOME/tried"; echo half > a.txt; exit 75; fi`;
    const { environment, request, found } = staged(script);
    expect((await runRole(request, environment).result).outcome).toBe('passed');
    expect(found('a')).toBe('staged\n');
    expect(found('unstaged')).toBe('');
  });

  it('leaves the tree as it is in the commit for the next run', async () => {
    const { environment, request, found } = staged();
    await runRole(request, environment).result;
    await runRole({ ...request, staged: false }, environment).result;
    expect(found('a')).toBe('one\n');
    expect(found('staged') + found('unstaged')).toBe('');
    await runRole({ ...request, role: 'planner', maxRetries: 0 }, environment).result;
    expect(found('staged')).toBe('');
  });

  it('shows the diff in the prompt, and no diff where nothing is staged', async () => {
    const { repository, environment, request, found } = staged();
    const { buildPrompt } = createRunEnvironment({
      env: environment.env,
      settings: { cacheDir: repository.cache, historyLimit: 0 },
    });
    const review = { ...request, role: 'reviewer', task: 'May this go in?', maxRetries: 0 };
    await runRole(review, { ...environment, buildPrompt }).result;
    expect(found('prompt')).toContain('## Git Diff (Staged)');
    expect(found('prompt')).toMatch(/-one\n\+staged\n/);
    expect(found('prompt')).not.toContain('staged, then changed');
    repository.git('reset', '--quiet', '--hard');
    const { diagnostics } = await runRole(review, { ...environment, buildPrompt }).result;
    expect(found('prompt')).not.toContain('## Git Diff (Staged)');
    expect(diagnostics.map(({ message }) => message)).toContain(
      'nothing is staged: the worker started from the last commit',
    );
  });

  it('runs no filter that the repository names, not even for staged files', async () => {
    const { repository, environment, request, found } = staged();
    const marker = join(repository.home, 'filter-ran');
    repository.write('.gitattributes', '*.txt filter=evil\n');
    repository.git('add', '.gitattributes');
    for (const name of ['clean', 'smudge', 'process'])
      repository.git('config', `filter.evil.${name}`, `touch ${marker}; cat`);
    for (let round = 0; round < 2; round += 1)
      expect((await runRole({ ...request, branch: true }, environment).result).outcome).toBe('passed');
    expect(existsSync(marker)).toBe(false);
    expect(found('a')).toBe('staged\n');
  });

  it('starts from the commit while files are in conflict, unless that was asked for', async () => {
    const { repository, environment, request, found } = runConflict();
    const { diagnostics } = await runRole(request, environment).result;
    expect(diagnostics.map(({ message }) => message)).toContain(
      'files are in conflict: the worker started from the last commit',
    );
    expect(found('a')).toBe('mine\n');
    await expect(runRole({ ...request, staged: true }, environment).result).rejects.toMatchObject({
      code: 'index-in-conflict',
      hint: expect.stringContaining('--no-staged'),
    });
    expect(repository.git('status', '--porcelain', '--', 'a.txt')).toBe('UU a.txt\n');
  });
});

function runConflict() {
  const kit = runKit(scriptAgent(`${LOOK}; ${say()}`), FILES);
  const { repository } = kit;
  repository.git('checkout', '--quiet', '-b', 'other');
  repository.write('a.txt', 'theirs\n');
  repository.git('commit', '--quiet', '-am', 'theirs');
  repository.git('checkout', '--quiet', '-');
  repository.write('a.txt', 'mine\n');
  repository.git('commit', '--quiet', '-am', 'mine');
  expect(() => repository.git('merge', '--quiet', 'other')).toThrow();
  const found = (name: string) => readFileSync(join(repository.home, name), 'utf8');
  return { ...kit, found };
}
