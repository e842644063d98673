import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitIn, temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { contentHash } from '../fs/read-file.ts';
import { isSafeTreePath, openScratchWorkTree, type TreeFile } from './scratch-work-tree.ts';

function tree(files: Readonly<Record<string, string>>) {
  const contents = new Map<string, Buffer>();
  const list = Object.entries(files).map(([path, text]): TreeFile => {
    const blob = contentHash(Buffer.from(text));
    contents.set(blob, Buffer.from(text));
    return { path, blob, executable: path.endsWith('.sh') };
  });
  return { list, contents };
}

describe('a scratch work tree', () => {
  it('is a clean work tree to git, wherever it is moved', () => {
    const first = { 'a.txt': 'one\n', 'b/c.txt': 'two\n', 'run.sh': 'echo\n', 'ümläut €': 'x\r\n' };
    const second = { 'a.txt': 'changed\n', b: 'a file now\n' };
    const repository = temporaryRepository(first);
    repository.git('update-index', '--chmod=+x', 'run.sh');
    repository.git('commit', '--quiet', '--message=mode');
    const before = repository.git('rev-parse', 'HEAD').trim();
    repository.git('rm', '--quiet', '-r', '-f', '.');
    for (const [path, text] of Object.entries(second)) repository.write(path, text);
    repository.commit();
    const after = repository.git('rev-parse', 'HEAD').trim();
    const scratch = openScratchWorkTree(join(repository.home, 'scratch'), join(repository.path, '.git'));
    const git = gitIn(scratch.path);
    for (const [commit, files] of [
      [before, first],
      [after, second],
      [before, first],
    ] as const) {
      const { list, contents } = tree(files);
      scratch.moveTo(commit, list, contents);
      expect(git('status', '--porcelain', '--untracked-files=all')).toBe('');
      expect(git('rev-parse', 'HEAD').trim()).toBe(commit);
      expect(git('diff-files')).toBe('');
      expect(scratch.missing(list)).toEqual([]);
    }
    expect(readFileSync(join(scratch.path, 'ümläut €'), 'utf8')).toBe('x\r\n');
    expect(repository.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    scratch.remove();
    expect(existsSync(join(repository.home, 'scratch'))).toBe(false);
  });

  it('writes nothing outside itself and nothing into a git directory', () => {
    const repository = temporaryRepository({ a: 'x' });
    const scratch = openScratchWorkTree(join(repository.home, 'scratch'), join(repository.path, '.git'));
    const { list, contents } = tree({
      '../out': 'x',
      '.git': 'x',
      'a/.GIT/config': 'x',
      'a//b': 'x',
      ok: 'x',
    });
    expect(scratch.missing(list).map(({ path }) => path)).toEqual(['ok']);
    scratch.moveTo('0'.repeat(40), list, contents);
    expect(existsSync(join(repository.home, 'scratch/out'))).toBe(false);
    expect(readFileSync(join(scratch.path, '.git/HEAD'), 'utf8')).toMatch(/^0{40}\n$/);
    expect(existsSync(join(scratch.path, 'a'))).toBe(false);
    expect(existsSync(join(scratch.path, 'ok'))).toBe(true);
  });

  it.each(['a/../b', '.git/x', 'a/GIT~1', '/a', 'a/', './a', 'a\0b'])('takes %j for unsafe', (path) => {
    expect(isSafeTreePath(path)).toBe(false);
  });
});
