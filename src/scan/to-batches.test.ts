import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileEntry } from '../model/file-entry.ts';
import { toBatches } from './to-batches.ts';

const MEGABYTE = 1_000_000;

const entry = (path: string, language: string | null, size: number, role: string): FileEntry =>
  ({ path, language, size, classification: { role } }) as unknown as FileEntry;
const sources = (count: number, language: string | null, size: number) =>
  Array.from({ length: count }, (_, at) => entry(`${language}/${at}`, language, size, 'source'));
const parserOf = (language: string | null) => language ?? '';

describe('toBatches', () => {
  it('holds every file once, in batches that are not too large', () => {
    const files = fc.array(
      fc.record({
        language: fc.constantFrom('python', 'go', null),
        size: fc.integer({ min: 0, max: 9 * MEGABYTE }),
        role: fc.constantFrom('source', 'data'),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(files, fc.integer({ min: 1, max: 4 }), (given, workers) => {
        const listed = given.map(({ language, size, role }, at) => entry(`f${at}`, language, size, role));
        const sizes = new Map(listed.map(({ path, size }) => [path, size]));
        const batches = toBatches(listed, workers, parserOf);
        expect(
          batches
            .flat()
            .map(({ path }) => path)
            .sort(),
        ).toEqual(listed.map(({ path }) => path).sort());
        for (const batch of batches) {
          expect(batch.length).toBeGreaterThan(0);
          const bytes = batch.reduce((sum, { path }) => sum + sizes.get(path)!, 0);
          if (batch.length > 1) expect(bytes).toBeLessThanOrEqual(32 * MEGABYTE);
        }
      }),
    );
  });

  it('gives each worker as much to do, whatever its files are', () => {
    const files = [...sources(100, null, 80_000), ...sources(200, 'python', 50_000)];
    const batches = toBatches(files, 2, parserOf);
    expect(batches).toHaveLength(2);
    // 2 of 12 million are plain: one batch has them and four of python, the other the rest
    const [python, mixed] = batches as [(typeof batches)[0], (typeof batches)[0]];
    expect(python.every(({ path }) => path.startsWith('python/'))).toBe(true);
    expect(python).toHaveLength(120);
    expect(mixed).toHaveLength(180);
  });

  it('gives each worker as many batches', () => {
    expect(toBatches(sources(200, 'python', 100_000), 2, parserOf)).toHaveLength(4);
    expect(toBatches(sources(1_000, 'python', 100_000), 2, parserOf)).toHaveLength(8);
  });

  it('starts no second worker for little', () => {
    expect(toBatches(sources(10, 'python', 20_000), 4, parserOf)).toHaveLength(1);
    expect(toBatches([], 4, parserOf)).toEqual([]);
  });
});
