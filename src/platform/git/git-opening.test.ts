import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitIn, gitRepository, type TestRepository } from '../../../test/security/support/git-repository.ts';
import { openClient } from '../../../test/security/support/open-client.ts';
import { temporaryDirectory } from '../../../test/security/support/temporary-directory.ts';
import { openGit } from './git.ts';

describe('openGit', () => {
  it('finds the work tree from a folder inside it', async () => {
    const { path } = gitRepository({ 'a/b/c.ts': '' });
    const client = await openClient(join(path, 'a/b'));
    expect(client).toMatchObject({
      workTree: path,
      gitDirectory: `${path}/.git`,
      commonDirectory: `${path}/.git`,
    });
  });

  it('understands linked work trees, submodules and a repository reached by a link', async () => {
    const { path, git } = gitRepository({ 'a.ts': '' });
    const other = join(temporaryDirectory(), 'tree');
    git('worktree', 'add', '--quiet', other);
    expect(await openClient(other)).toMatchObject({
      workTree: other,
      gitDirectory: `${path}/.git/worktrees/tree`,
      commonDirectory: `${path}/.git`,
    });
    const main = gitRepository({ 'b.ts': '' });
    main.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', path, 'sub');
    expect(await openClient(join(main.path, 'sub'))).toMatchObject({
      workTree: `${main.path}/sub`,
      gitDirectory: `${main.path}/.git/modules/sub`,
    });
    const link = join(temporaryDirectory(), 'link');
    symlinkSync(path, link);
    expect((await openClient(link)).workTree).toBe(path);
  });

  describe('a .git that leads to another repository', () => {
    const victim = () => gitRepository({ 'secret.txt': 'of the other repository\n' });
    const fileTo = (target: string) => (path: string) =>
      writeFileSync(join(path, '.git'), `gitdir: ${target}\n`);
    const WAYS: readonly (readonly [string, (path: string, other: TestRepository) => void])[] = [
      ['a file', (path, other) => fileTo(`${other.path}/.git`)(path)],
      ['a link', (path, other) => symlinkSync(`${other.path}/.git`, join(path, '.git'))],
      [
        'a file that names a linked work tree',
        (path, other) => {
          other.git('worktree', 'add', '--quiet', `${other.path}-tree`);
          fileTo(`${other.path}/.git/worktrees/${other.path.split('/').at(-1)}-tree`)(path);
        },
      ],
      [
        'a folder that shares the directory of the other',
        (path, other) => {
          mkdirSync(join(path, '.git'));
          writeFileSync(join(path, '.git/commondir'), `${other.path}/.git\n`);
          writeFileSync(join(path, '.git/HEAD'), 'ref: refs/heads/main\n');
          writeFileSync(join(path, '.git/gitdir'), `${path}/.git\n`);
        },
      ],
      [
        'a file that names a folder of the tree that shares it',
        (path, other) => {
          mkdirSync(join(path, 'meta'));
          writeFileSync(join(path, 'meta/commondir'), `${other.path}/.git\n`);
          writeFileSync(join(path, 'meta/HEAD'), 'ref: refs/heads/main\n');
          writeFileSync(join(path, 'meta/gitdir'), `${path}/.git\n`);
          fileTo('meta')(path);
        },
      ],
      ...['HEAD', 'refs', 'packed-refs', 'index', 'refs/heads', 'refs/heads/main'].map(
        (name) =>
          [
            `a folder with borrowed objects and a link for ${name}`,
            (path: string, other: TestRepository) => {
              other.git('pack-refs');
              gitIn(path)('init', '--quiet', '--initial-branch=main');
              writeFileSync(join(path, '.git/objects/info/alternates'), `${other.path}/.git/objects\n`);
              rmSync(join(path, '.git', name), { recursive: true, force: true });
              other.git('commit', '--quiet', '--allow-empty', '--message=loose');
              symlinkSync(`${other.path}/.git/${name}`, join(path, '.git', name));
            },
          ] as const,
      ),
    ];
    it.each(WAYS)('is refused: %s', async (_, lead) => {
      const path = realpathSync(temporaryDirectory());
      const other = victim();
      lead(path, other);
      expect(await openGit(path)).toMatchObject({
        kind: 'none',
        reason: 'refused',
        detail: expect.stringMatching(/another (?:repository|work tree)/),
      });
    });

    it('is none when the other names this work tree, is inside it, or only lends objects', async () => {
      const path = realpathSync(temporaryDirectory());
      const elsewhere = join(temporaryDirectory(), 'elsewhere.git');
      gitIn(path)('init', '--quiet', `--separate-git-dir=${elsewhere}`);
      expect(await openGit(path)).toMatchObject({ detail: expect.stringContaining('core.worktree') });
      gitIn(path)('config', 'core.worktree', path);
      expect((await openClient(path)).gitDirectory).toBe(realpathSync(elsewhere));
      const inside = gitRepository({ a: '' });
      renameSync(join(inside.path, '.git'), join(inside.path, 'meta'));
      symlinkSync('meta', join(inside.path, '.git'));
      expect((await openClient(inside.path)).workTree).toBe(inside.path);
      const lender = victim();
      const borrower = join(realpathSync(temporaryDirectory()), 'borrower');
      lender.git('clone', '--quiet', '--shared', lender.path, borrower);
      expect((await openClient(borrower)).workTree).toBe(borrower);
    });
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
    expect((await openClient(join(path, 'fixture'))).workTree).toBe(path);
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
      expect((await openClient(path)).workTree).toBe(path);
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
