import { readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { answersOf, PATIENT, SCALE, scanInProcess } from '../support/scan-kit.ts';
import { type TemporaryRepository, temporaryRepository } from '../support/temporary-repository.ts';

const DAY_SECONDS = 86_400;
const FILES = Array.from({ length: 30 }, (_, index) => `src/part${index % 5}/file${index}.py`);

/** Always the same number of bytes, so that the size gives nothing away. */
const contentOf = (index: number, round: number) =>
  `def name${String(index).padStart(3, '0')}of${String(round).padStart(4, '0')}(): pass\n`;

const TIME_TRICKS: Readonly<Record<string, (path: string, round: number) => void>> = {
  'left as they fall': () => {},
  'frozen at one moment': (path) => utimesSync(path, 1_600_000_000, 1_600_000_000),
  'put back to what they were': (path, round) => utimesSync(path, 1_500_000_000 + (round % 2), 1_500_000_000),
  'a day ahead': (path) => utimesSync(path, now() + DAY_SECONDS, now() + DAY_SECONDS),
  'a day behind': (path) => utimesSync(path, now() - DAY_SECONDS, now() - DAY_SECONDS),
};

const now = () => Date.now() / 1000;

async function symbolNames(repository: TemporaryRepository): Promise<string[]> {
  const { files } = answersOf(await scanInProcess(repository));
  return files.flatMap(({ symbols }) => symbols.map(({ name }) => name));
}

describe('an edit is never missed', PATIENT, () => {
  const rounds = SCALE;

  it.each(Object.entries(TIME_TRICKS))('times %s: same-size edits of 30 files', async (name, trick) => {
    const initial = Object.fromEntries(FILES.map((path, index) => [path, contentOf(index, 0)]));
    const repository = temporaryRepository(initial);
    for (const path of FILES) trick(join(repository.path, path), 0);
    // old enough that the scan trusts what the file system says, where it can at all
    await delay(2100);
    const { index } = await scanInProcess(repository);
    const isTrusted = index.snapshot.files.every(({ hint }) => hint !== null);
    expect(isTrusted).toBe(!name.includes('ahead'));
    for (let round = 1; round <= rounds; round++) {
      FILES.forEach((path, index) => {
        repository.write(path, contentOf(index, round));
        trick(join(repository.path, path), round);
      });
      const found = await symbolNames(repository);
      const wanted = FILES.map(
        (path) => /def (\w+)/.exec(readFileSync(join(repository.path, path), 'utf8'))![1],
      );
      expect(found.sort()).toEqual(wanted.sort());
    }
  });

  it('when it comes right behind the scan, in the same tick, with the old time stamp', async () => {
    const repository = temporaryRepository({ 'a.py': contentOf(0, 0) });
    for (let round = 1; round <= 3 * SCALE; round++) {
      const path = join(repository.path, 'a.py');
      const before = statSync(path);
      await scanInProcess(repository);
      repository.write('a.py', contentOf(0, round));
      utimesSync(path, before.atime, before.mtime);
      expect(await symbolNames(repository)).toEqual([`name000of${String(round).padStart(4, '0')}`]);
    }
  });

  it('when a file changes during the scan', async () => {
    const repository = temporaryRepository({ 'a.py': contentOf(0, 0), 'b.py': contentOf(1, 0) });
    for (let round = 1; round <= 4 * SCALE; round++) {
      const scanning = scanInProcess(repository);
      await delay((round * 37) % 220);
      repository.write('a.py', contentOf(0, round));
      answersOf(await scanning);
      expect(await symbolNames(repository)).toContain(`name000of${String(round).padStart(4, '0')}`);
    }
  });
});
