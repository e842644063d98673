import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHANGES, runKit, say, scriptAgent } from './run.test-kit.ts';
import { runRole } from './run-role.ts';

describe('a run', () => {
  it('gives the agent and its gates a folder for temporary files, which is removed with the run', async () => {
    const script = `cat > /dev/null; file=$(mktemp) && echo x > "$file"; echo "$file" > "$HOME/where"; ${say()}`;
    const { repository, environment, request } = runKit(scriptAgent(script));
    const gates = ['test -n "$(ls "$TMPDIR")"', '! git -C "$TMPDIR" rev-parse'];
    const { outcome } = await runRole({ ...request, gates }, environment).result;
    expect(outcome).toBe('passed');
    const where = readFileSync(join(repository.home, 'where'), 'utf8').trim();
    expect(where.startsWith(`${repository.cache}/tmp/`)).toBe(true);
    expect(readdirSync(join(repository.cache, 'tmp'))).toEqual([]);
  });

  it('names the files that the worker did not see, staged or not', async () => {
    const { repository, environment, request } = runKit(scriptAgent(`cat > /dev/null; ${say()}`));
    repository.write('a.txt', 'mine\n');
    repository.write('staged.txt', 'mine\n');
    repository.git('add', 'staged.txt');
    const said = async (staged: boolean) => {
      const { diagnostics } = await runRole({ ...request, staged }, environment).result;
      return diagnostics.map(({ message }) => message);
    };
    expect(await said(false)).toEqual([
      '2 changed files are not committed: the worker started from the last commit',
    ]);
    expect(await said(true)).toEqual([
      '1 changed file is not staged: the worker started from what is staged',
    ]);
  });

  it.each([
    [
      'a linked work tree',
      'git worktree add -q ../there; mkdir ../elsewhere; git worktree move ../there ../elsewhere/it',
      '../elsewhere/it',
    ],
    [
      'a submodule',
      'git init -q ../top; git -C ../top -c protocol.file.allow=always submodule --quiet add "$PWD" sub',
      '../top/sub',
    ],
    ['a shallow clone', 'git clone -q --depth 1 "file://$PWD" ../clone', '../clone'],
    ['a clone with borrowed objects', 'git clone -q --shared . ../clone', '../clone'],
    [
      'SHA-256',
      'git init -q --object-format=sha256 ../clone; cp -r a.txt b .gitignore ../clone; git -C ../clone add -A; git -C ../clone commit -qm x',
      '../clone',
    ],
    [
      'a sparse checkout',
      'git clone -q . ../clone; git -C ../clone sparse-checkout set --cone b',
      '../clone',
    ],
    ['a split index', 'git clone -q . ../clone; git -C ../clone config core.splitIndex true', '../clone'],
    ['a path with a line end and a quotation mark', 'git clone -q . "../clo\nne \\"x\\""', '../clo\nne "x"'],
  ])('works in %s, and the agent has a git that works', async (_, make, folder) => {
    const script = `cat > /dev/null; git status --porcelain > "$HOME/status"; git log --format=%s -1 > "$HOME/log"; git branch -a > "$HOME/branches"
      git cat-file -p HEAD:a.txt > "$HOME/a"; echo changed > b/c.txt; git -c user.name=T -c user.email=t@e commit -qam mine && git fsck --no-dangling > "$HOME/fsck" 2>&1; ${say()}`;
    const { repository, environment, request } = runKit(scriptAgent(script));
    const env = {
      ...process.env,
      HOME: repository.home,
      GIT_AUTHOR_NAME: 'T',
      GIT_AUTHOR_EMAIL: 't@e',
      GIT_COMMITTER_NAME: 'T',
      GIT_COMMITTER_EMAIL: 't@e',
    };
    execFileSync('sh', ['-c', make.replaceAll('\\n', '\n')], { cwd: repository.path, env, stdio: 'pipe' });
    const path = join(repository.path, folder);
    const listed = () => readdirSync(path, { recursive: true }).sort().join('\n');
    const before = listed();
    const result = await runRole(
      { ...request, repository: path, gates: ['grep changed b/c.txt'] },
      environment,
    ).result;
    expect(result).toMatchObject({ outcome: 'passed', changedFiles: ['b/c.txt'] });
    expect(result.diagnostics.map(({ code }) => code)).not.toContain('repository-changed');
    const told = (name: string) => readFileSync(join(repository.home, name), 'utf8');
    expect(told('status')).toBe('');
    expect(told('log')).not.toBe('');
    expect(told('branches')).toMatch(/main|master|there/);
    expect(told('a')).toBe('one\n');
    expect(told('fsck')).not.toMatch(/missing|broken|error/);
    const isOurs = (name: string) => /^\.loadout|^\.git\/objects/.test(name);
    expect(
      listed()
        .split('\n')
        .filter((name) => !isOurs(name)),
    ).toEqual(before.split('\n').filter((name) => !isOurs(name)));
  });

  it('works in a new clone at the path of an old one', async () => {
    const { repository, environment, request } = runKit(scriptAgent(`${CHANGES} ${say()}`));
    expect((await runRole(request, environment).result).outcome).toBe('passed');
    rmSync(join(repository.path, '.git'), { recursive: true });
    rmSync(join(repository.path, '.loadout'), { recursive: true });
    repository.write('other.txt', 'other\n');
    repository.git('init', '--quiet', '--initial-branch=main');
    repository.commit();
    const { outcome, changedFiles } = await runRole(request, environment).result;
    expect({ outcome, changedFiles }).toEqual({ outcome: 'passed', changedFiles: ['a.txt', 'new.txt'] });
  });
});
