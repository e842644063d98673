import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { openRepository } from '../repository.ts';
import { commit, historyIn, told } from './history.test-kit.ts';
import { loadHistory } from './load-history.ts';

function cacheFile(cache: string): string {
  const found = readdirSync(cache, { recursive: true, encoding: 'utf8' });
  return join(cache, found.find((name) => name.endsWith('commits.history'))!);
}

describe('the kept history', () => {
  it('asks git nothing while the head stays', async () => {
    const repository = temporaryRepository({ 'a.ts': '1' });
    const before = await historyIn(repository.path, repository.cache);
    const opened = await openRepository(repository.path, repository.cache);
    const head = (await opened.git!.head())!;
    rmSync(join(repository.path, '.git/objects'), { recursive: true });
    expect(await loadHistory(opened, head, { limit: 100 })).toEqual(before);
  });

  it('reads only the commits it does not know', async () => {
    const repository = temporaryRepository({ 'a.ts': '1', 'b.ts': '1' });
    repository.write('a.ts', '2');
    commit(repository, 'Change a');
    await historyIn(repository.path, repository.cache);
    // gone, so that reading it again would show
    const tree = repository.git('rev-parse', 'HEAD~^{tree}').trim();
    repository.write('b.ts', '2');
    commit(repository, 'Change b');
    rmSync(join(repository.path, '.git/objects', tree.slice(0, 2), tree.slice(2)));
    const history = await historyIn(repository.path, repository.cache);
    expect(told(history)).toEqual(['Change b: b.ts', 'Change a: a.ts', 'step: a.ts b.ts']);
    expect(history.diagnostics).toEqual([]);
  });

  it('is shared by work trees, each of which sees what its own head reaches', async () => {
    const repository = temporaryRepository({ 'a.ts': '1' });
    const other = join(repository.home, 'other');
    repository.git('worktree', 'add', '--quiet', '-b', 'side', other);
    repository.write('a.ts', 'secret');
    commit(repository, 'Unpublished words');
    expect((await historyIn(repository.path, repository.cache)).words).toContain('unpublished');
    const seen = await historyIn(other, repository.cache);
    expect(told(seen)).toEqual(['step: a.ts']);
    expect(seen.words).toEqual(['step']);
    expect(readdirSync(join(repository.cache, 'index'), { recursive: true }).map(String)).toEqual(
      expect.arrayContaining([expect.stringMatching(/commits\.history$/)]),
    );
    expect(await historyIn(other, repository.cache)).toEqual(seen);
  });

  it('is built again when it is damaged', async () => {
    const repository = temporaryRepository({ 'a.ts': '1', 'b.ts': '2' });
    const fresh = await historyIn(repository.path, repository.cache);
    const file = cacheFile(repository.cache);
    const good = readFileSync(file);
    for (const damaged of [
      Buffer.alloc(0),
      Buffer.from('not a history'),
      good.subarray(0, good.length - 1),
      good.subarray(10),
      ...Array.from({ length: 20 }, (_, step) => {
        const flipped = Buffer.from(good);
        flipped[Math.floor((step / 20) * good.length)]! ^= 0x10;
        return flipped;
      }),
    ]) {
      writeFileSync(file, damaged);
      expect(await historyIn(repository.path, repository.cache)).toEqual(fresh);
    }
    expect(readFileSync(file).equals(good)).toBe(true);
  });

  it('is not needed where it cannot be written', async () => {
    const repository = temporaryRepository({ 'a.ts': '1' });
    await historyIn(repository.path, repository.cache);
    const file = cacheFile(repository.cache);
    rmSync(file);
    const opened = await openRepository(repository.path, repository.cache);
    const head = (await opened.git!.head())!;
    rmSync(join(file, '..'), { recursive: true });
    writeFileSync(join(file, '..'), 'in the way');
    const history = await loadHistory(opened, head, { limit: 10 });
    expect(told(history)).toEqual(['step: a.ts']);
    expect(history.diagnostics).toMatchObject([{ code: 'history-not-kept', severity: 'info' }]);
  });
});
