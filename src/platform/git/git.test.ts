import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitIn, gitRepository } from '../../../test/security/support/git-repository.ts';
import { openClient } from '../../../test/security/support/open-client.ts';
import { temporaryDirectory } from '../../../test/security/support/temporary-directory.ts';
import { writeFiles } from '../../../test/security/support/write-files.ts';
import { contentHash } from '../fs/read-file.ts';

describe('GitClient', () => {
  it('knows the commit, or that there is none', async () => {
    expect(await (await openClient(gitRepository().path)).head()).toBeNull();
    const { path, git } = gitRepository({ a: '' });
    expect(await (await openClient(path)).head()).toBe(git('rev-parse', 'HEAD').trim());
  });

  it('lists tracked files with mode and blob', async () => {
    const { path, git } = gitRepository({
      'a.ts': 'a',
      'run.sh': 'b',
      'ü\t"\n.ts': 'c',
      'hidden.ts': 'd',
      'skip.ts': 'e',
    });
    chmodSync(join(path, 'run.sh'), 0o755);
    symlinkSync('a.ts', join(path, 'link'));
    git('add', '--all');
    git('update-index', '--assume-unchanged', 'hidden.ts');
    git('update-index', '--skip-worktree', 'skip.ts');
    git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
    const files = new Map((await (await openClient(path)).trackedFiles()).map((file) => [file.path, file]));
    expect([...files.keys()].sort()).toEqual([
      'a.ts',
      'hidden.ts',
      'link',
      'run.sh',
      'skip.ts',
      'sub',
      'ü\t"\n.ts',
    ]);
    expect(files.get('a.ts')).toEqual({
      path: 'a.ts',
      blob: contentHash(Buffer.from('a')),
      mode: 'file',
      trustStat: true,
      isSparse: false,
    });
    expect(files.get('run.sh')?.mode).toBe('executable');
    expect(files.get('link')?.mode).toBe('symlink');
    expect(files.get('sub')?.mode).toBe('submodule');
    expect(files.get('hidden.ts')?.trustStat).toBe(false);
    expect(files.get('hidden.ts')?.isSparse).toBe(false);
    expect(files.get('skip.ts')).toMatchObject({ trustStat: false, isSparse: true });
  });

  it('carries file names that are not UTF-8 through every question', async () => {
    const { path, git } = gitRepository({ '.gitattributes': '*.bin mark=yes\n' });
    const name = (letter: string) =>
      Buffer.concat([Buffer.from(`${path}/${letter}`), Buffer.from([0xe9]), Buffer.from('.bin')]);
    writeFileSync(name('t'), '1');
    git('add', '--all');
    writeFileSync(name('t'), '22');
    writeFileSync(name('u'), '');
    const client = await openClient(path);
    expect((await client.trackedFiles()).map((file) => file.path)).toContain('t\udce9.bin');
    expect(await client.untrackedFiles()).toEqual(['u\udce9.bin']);
    expect(await client.modifiedFiles()).toEqual(['t\udce9.bin']);
    expect((await client.attributes(['mark'], ['t\udce9.bin'])).get('t\udce9.bin')?.get('mark')).toBe('yes');
  });

  it('lists a file in conflict once and trusts nothing about it', async () => {
    const { path, git } = gitRepository({ 'a.ts': 'base\n', 'z.ts': '' });
    git('checkout', '--quiet', '-b', 'side');
    writeFileSync(join(path, 'a.ts'), 'side\n');
    git('commit', '--quiet', '--all', '--message=side');
    git('checkout', '--quiet', 'main');
    writeFileSync(join(path, 'a.ts'), 'main\n');
    git('commit', '--quiet', '--all', '--message=main');
    expect(() => git('merge', '--quiet', 'side')).toThrow();
    const files = await (await openClient(path)).trackedFiles();
    expect(files).toMatchObject([
      { path: 'a.ts', blob: contentHash(Buffer.from('main\n')), trustStat: false },
      { path: 'z.ts', trustStat: true },
    ]);
    expect(await (await openClient(path)).modifiedFiles()).toEqual(['a.ts']);
  });

  it('lists untracked files as git status does', async () => {
    const { path } = gitRepository({ '.gitignore': '*.log\nbuild/\n!keep.log\n', 'a.ts': '' });
    writeFiles(path, { 'new.ts': '', 'x.log': '', 'keep.log': '', 'build/out.js': '', 'deep/er/new.ts': '' });
    mkdirSync(join(path, 'nested'));
    gitIn(join(path, 'nested'))('init', '--quiet');
    writeFiles(path, { 'nested/inside.ts': '' });
    expect(await (await openClient(path)).untrackedFiles()).toEqual([
      'deep/er/new.ts',
      'keep.log',
      'nested/',
      'new.ts',
    ]);
  });

  it('lists what differs from the index', async () => {
    const { path, git } = gitRepository({ 'a.ts': 'a', 'b.ts': 'b', 'c.ts': 'c', 'd.ts': 'd' });
    writeFileSync(join(path, 'a.ts'), 'changed');
    rmSync(join(path, 'b.ts'));
    writeFileSync(join(path, 'c.ts'), 'C');
    writeFileSync(join(path, 'planned.ts'), '');
    git('add', '--intent-to-add', 'planned.ts');
    expect(await (await openClient(path)).modifiedFiles()).toEqual(['a.ts', 'b.ts', 'c.ts', 'planned.ts']);
  });

  it('tells what changed since a commit', async () => {
    const { path, git } = gitRepository({ 'a.ts': 'a', 'b.ts': 'b', 'c.ts': 'c' });
    const first = git('rev-parse', 'HEAD').trim();
    writeFileSync(join(path, 'a.ts'), 'changed');
    renameSync(join(path, 'b.ts'), join(path, 'renamed.ts'));
    git('add', '--all');
    git('commit', '--quiet', '--message=second');
    const client = await openClient(path);
    expect(await client.changedSince(first)).toEqual(['a.ts', 'b.ts', 'renamed.ts']);
    expect(await client.changedSince('HEAD')).toEqual([]);
    for (const unknown of [
      'f'.repeat(40),
      'no-such-branch',
      '--output=x',
      '',
      'a b',
      'HEAD\nHEAD',
      first.slice(0, 3),
    ]) {
      expect(await client.changedSince(unknown)).toBeNull();
    }
  });

  it('gives the attributes that are specified', async () => {
    const { path } = gitRepository({ '.gitattributes': 'gen/** linguist-generated\n*.x -text mark=a=b\n' });
    const answer = await (await openClient(path)).attributes(
      ['linguist-generated', 'text', 'mark'],
      ['gen/a.x', 'b.x', 'plain'],
    );
    expect(Object.fromEntries(answer.get('gen/a.x') ?? [])).toEqual({
      'linguist-generated': 'set',
      text: 'unset',
      mark: 'a=b',
    });
    expect(Object.fromEntries(answer.get('b.x') ?? [])).toEqual({ text: 'unset', mark: 'a=b' });
    expect(answer.has('plain')).toBe(false);
  });

  it('follows the ignore file of the user, not one the repository names', async () => {
    const { path, git } = gitRepository({ 'a.ts': '' });
    writeFiles(path, { 'user.tmp': '', 'repo.tmp': '' });
    const home = temporaryDirectory();
    writeFiles(home, {
      '.gitconfig': '[core]\n\texcludesFile = ~/my-ignore\n',
      'my-ignore': 'user.tmp\n',
      theirs: 'repo.tmp\n',
    });
    git('config', 'core.excludesFile', join(home, 'theirs'));
    const before = process.env.HOME;
    process.env.HOME = home;
    try {
      expect(await (await openClient(path)).untrackedFiles()).toEqual(['repo.tmp']);
    } finally {
      process.env.HOME = before;
    }
  });

  it('writes nothing', async () => {
    const { path } = gitRepository({ 'a.ts': 'a', 'b.ts': 'b' });
    writeFileSync(join(path, 'a.ts'), 'a');
    const state = () =>
      readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => [
        name,
        statSync(join(path, name)).mtimeMs,
      ]);
    const before = state();
    const client = await openClient(path);
    await client.head();
    await client.trackedFiles();
    await client.untrackedFiles();
    await client.modifiedFiles();
    await client.changedSince('HEAD');
    await client.attributes(['text'], ['a.ts']);
    await client.run(['log', '--format=%H']);
    expect(state()).toEqual(before);
  });

  it('says what failed when the index is damaged', async () => {
    const { path } = gitRepository({ 'a.ts': 'a' });
    writeFileSync(join(path, '.git/index'), 'nonsense');
    const client = await openClient(path);
    await expect(client.trackedFiles()).rejects.toMatchObject({
      code: 'git-failed',
      message: expect.stringContaining('index'),
    });
  });

  it('runs read-only commands and no others', async () => {
    const { path } = gitRepository({ 'a.ts': 'text' });
    const client = await openClient(path);
    expect((await client.run(['cat-file', 'blob', 'HEAD:a.ts'])).stdout.toString()).toBe('text');
    await expect(client.run(['gc'])).rejects.toMatchObject({ code: 'git-command-refused' });
  });
});

describe.skipIf(process.platform !== 'linux')('a FIFO where git looks', () => {
  it.each(['.gitignore', '.gitattributes'])('as %s ends the question with an error, soon', async (name) => {
    const { path } = gitRepository({ 'folder/a': '' });
    execFileSync('mkfifo', [join(path, 'folder', name)]);
    const client = await openClient(path);
    const started = performance.now();
    const question =
      name === '.gitignore' ? client.untrackedFiles() : client.attributes(['text'], ['folder/a']);
    await expect(question).rejects.toMatchObject({
      code: 'git-failed',
      message: expect.stringContaining('FIFO'),
    });
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
