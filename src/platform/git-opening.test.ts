import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitIn, gitRepository } from '../../test/security/support/git-repository.ts';
import { openDoor } from '../../test/security/support/open-door.ts';
import { temporaryDirectory } from '../../test/security/support/temporary-directory.ts';
import { openGit } from './git.ts';

describe('openGit', () => {
  it('finds the work tree from a folder inside it', async () => {
    const { path } = gitRepository({ 'a/b/c.ts': '' });
    const door = await openDoor(join(path, 'a/b'));
    expect(door).toMatchObject({
      workTree: path,
      gitDirectory: `${path}/.git`,
      commonDirectory: `${path}/.git`,
    });
  });

  it('understands worktrees, submodules and a repository reached by a link', async () => {
    const { path, git } = gitRepository({ 'a.ts': '' });
    const other = join(temporaryDirectory(), 'tree');
    git('worktree', 'add', '--quiet', other);
    expect(await openDoor(other)).toMatchObject({
      workTree: other,
      gitDirectory: `${path}/.git/worktrees/tree`,
      commonDirectory: `${path}/.git`,
    });
    const main = gitRepository({ 'b.ts': '' });
    main.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', path, 'sub');
    expect(await openDoor(join(main.path, 'sub'))).toMatchObject({
      workTree: `${main.path}/sub`,
      gitDirectory: `${main.path}/.git/modules/sub`,
    });
    const link = join(temporaryDirectory(), 'link');
    symlinkSync(path, link);
    expect((await openDoor(link)).workTree).toBe(path);
  });

  it('says why there is no git', async () => {
    const folder = temporaryDirectory();
    expect(await openGit(folder)).toMatchObject({ kind: 'none', reason: 'not-a-repository' });
    expect(await openGit(join(folder, 'none'))).toMatchObject({ reason: 'not-a-repository' });
    gitIn(folder)('init', '--quiet', '--bare', 'bare.git');
    expect(await openGit(join(folder, 'bare.git'))).toMatchObject({ reason: 'bare-repository' });
    const { path, git } = gitRepository({ a: '' });
    expect(await openGit(join(path, '.git'))).toMatchObject({ reason: 'bare-repository' });
    git('config', 'core.bare', 'true');
    expect(await openGit(path)).toMatchObject({ reason: 'bare-repository' });
    writeFileSync(join(path, '.git/config'), '[broken');
    expect(await openGit(path)).toMatchObject({
      reason: 'refused',
      detail: expect.stringContaining('config'),
    });
  });

  it('passes over a .git folder that is not one', async () => {
    const { path } = gitRepository({ 'fixture/a': '' });
    mkdirSync(join(path, 'fixture/.git'));
    expect((await openDoor(join(path, 'fixture'))).workTree).toBe(path);
  });

  it.skipIf(process.getuid?.() !== 0)('refuses the repository of another user', async () => {
    const { path } = gitRepository({ a: '' });
    chownSync(path, 12345, 12345);
    chownSync(join(path, '.git'), 12345, 12345);
    expect(await openGit(path)).toMatchObject({
      reason: 'refused',
      detail: expect.stringContaining('ownership'),
    });
  });

  it('refuses a work tree that the configuration put elsewhere', async () => {
    const { path, git } = gitRepository({ a: '' });
    git('config', 'core.worktree', '/');
    expect(await openGit(path)).toMatchObject({ kind: 'none', reason: 'refused' });
  });

  it('works in a folder with spaces, line ends and bytes that are not UTF-8', async () => {
    const base = temporaryDirectory();
    for (const name of ['with space', 'line\nend', '-dash', 'üñí']) {
      const path = join(base, name);
      mkdirSync(path);
      gitIn(path)('init', '--quiet');
      expect((await openDoor(path)).workTree).toBe(path);
    }
  });
});

describe.skipIf(process.platform !== 'linux')('a FIFO where git looks', () => {
  it.each(['HEAD', 'config', 'index', 'commondir', 'info/exclude'])(
    'as .git/%s makes openGit refuse at once',
    async (name) => {
      const { path } = gitRepository({ a: '' });
      rmSync(join(path, '.git', name), { force: true });
      execFileSync('mkfifo', [join(path, '.git', name)]);
      expect(await openGit(path)).toMatchObject({
        reason: 'refused',
        detail: expect.stringContaining('not a regular file'),
      });
    },
  );
});
