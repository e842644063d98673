import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { advanceBranch, finishMove } from './loop-branch.ts';
import { openLoopPlace } from './loop-files.ts';
import { openLoopGit } from './loop-git.ts';

const NEXT = { 'a.txt': 'new\n', 'folder/b.txt': 'new\n' } as const;

/** A repository with a second commit that its branch is not at yet, and `gone.txt` is not in. */
function setUp() {
  const repository = temporaryRepository({ 'a.txt': 'old\n', 'gone.txt': 'old\n', 'c.txt': 'same\n' });
  const { git, path } = repository;
  git('switch', '--quiet', '-c', 'work');
  const from = git('rev-parse', 'HEAD').trim();
  for (const [name, content] of Object.entries(NEXT)) repository.write(name, content);
  git('rm', '--quiet', '--cached', 'gone.txt');
  git('add', 'a.txt', 'folder');
  const tree = git('write-tree').trim();
  const to = git('commit-tree', tree, '-p', from, '-m', 'next').trim();
  git('reset', '--quiet', '--hard', from);
  git('clean', '-fdq');
  const place = openLoopPlace(openSafeRoot(path), undefined);
  const move = { branch: 'refs/heads/work', from, to };
  const journal = join(path, place.iterations, 'pending.json');
  const interrupt = () => {
    repository.write(`${place.folder}/.gitignore`, '*\n');
    repository.write(`${place.iterations}/pending.json`, JSON.stringify(move));
  };
  const expectMoved = () => {
    expect(git('rev-parse', 'work').trim()).toBe(to);
    expect(git('status', '--porcelain', '--untracked-files=no')).toBe('');
    for (const [name, content] of Object.entries(NEXT))
      expect(readFileSync(join(path, name), 'utf8')).toBe(content);
    expect(existsSync(join(path, 'gone.txt'))).toBe(false);
    expect(existsSync(journal)).toBe(false);
  };
  return { ...repository, loopGit: openLoopGit(path), place, move, journal, interrupt, expectMoved };
}

describe('moving the branch', () => {
  it('brings files, index and branch to the commit', async () => {
    const { loopGit, place, move, expectMoved } = setUp();
    await advanceBranch(loopGit, place, move);
    expectMoved();
  });

  it('moves nothing when a file that git does not know of is in the way', async () => {
    const { loopGit, place, move, write, path, git, journal } = setUp();
    write('folder/b.txt', 'mine\n');
    await expect(advanceBranch(loopGit, place, move)).rejects.toMatchObject({ code: 'would-overwrite' });
    expect(readFileSync(join(path, 'folder/b.txt'), 'utf8')).toBe('mine\n');
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('old\n');
    expect(git('rev-parse', 'work').trim()).toBe(move.from);
    expect(existsSync(journal)).toBe(false);
  });
});

describe('after a crash', () => {
  type Crashed = ReturnType<typeof setUp>;
  it.each<[string, (crashed: Crashed) => void]>([
    ['before any file has changed', () => {}],
    ['with some files changed', ({ write }) => write('a.txt', NEXT['a.txt'])],
    ['with a new file', ({ write }) => write('folder/b.txt', NEXT['folder/b.txt'])],
    ['with a file removed', ({ git }) => git('update-index', '--refresh') && git('rm', '-q', 'gone.txt')],
    [
      'with all files and the index moved',
      ({ git, move }) => git('read-tree', '-m', '-u', move.from, move.to),
    ],
    [
      'with the branch moved',
      ({ git, move }) => {
        git('read-tree', '-m', '-u', move.from, move.to);
        git('update-ref', 'refs/heads/work', move.to, move.from);
      },
    ],
  ])('%s, the move is ended', async (_, crash) => {
    const crashed = setUp();
    crashed.interrupt();
    crash(crashed);
    expect(await finishMove(crashed.loopGit, crashed.place)).toEqual([]);
    crashed.expectMoved();
    expect(await finishMove(crashed.loopGit, crashed.place)).toEqual([]);
  });

  it.each([
    ['a file of the move', 'a.txt'],
    ['another file', 'c.txt'],
    ['a new file', 'mine.txt'],
  ])('nothing is overwritten when the user has changed %s since', async (_, name) => {
    const { interrupt, write, loopGit, place, path, git, move, journal } = setUp();
    interrupt();
    write(name, 'mine\n');
    await expect(finishMove(loopGit, place)).rejects.toMatchObject({ code: 'dirty-tree', subject: name });
    expect(readFileSync(join(path, name), 'utf8')).toBe('mine\n');
    expect(git('rev-parse', 'work').trim()).toBe(move.from);
    expect(existsSync(journal)).toBe(true);
  });

  it('says so when the user is on another branch or has made commits', async () => {
    const { interrupt, loopGit, place, git, move } = setUp();
    interrupt();
    git('switch', '--quiet', '-c', 'other');
    await expect(finishMove(loopGit, place)).rejects.toMatchObject({ code: 'loop-interrupted' });
    git('switch', '--quiet', 'work');
    git('commit', '--quiet', '--allow-empty', '-m', 'went on');
    const [told] = await finishMove(loopGit, place);
    expect(told).toMatchObject({ code: 'loop-step-lost', message: expect.stringContaining(move.to) });
    expect(await finishMove(loopGit, place)).toEqual([]);
  });

  it('a damaged journal does not stop it', async () => {
    const { interrupt, journal, loopGit, place } = setUp();
    interrupt();
    writeFileSync(journal, '{"branch": "ref');
    expect(await finishMove(loopGit, place)).toEqual([]);
    expect(existsSync(journal)).toBe(false);
  });
});
