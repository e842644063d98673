import { closeSync, openSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSafeRoot } from '../../src/platform/fs/safe-root.ts';
import { fastestOf } from '../support/fastest-of.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

function sparseFile(path: string, size: number): void {
  closeSync(openSync(path, 'w'));
  truncateSync(path, size);
}

describe('files that are too large', () => {
  it.each([
    ['a sparse gigabyte', 2 ** 30],
    ['a line of 200 MB', 200e6],
    ['one byte too many', 2e6 + 1],
  ])('are skipped without being read: %s', (_, size) => {
    const path = temporaryDirectory();
    sparseFile(join(path, 'bomb.js'), size);
    const root = openSafeRoot(path);
    const before = process.memoryUsage();
    const read = () =>
      expect(root.read('bomb.js', 2e6)).toEqual({ kind: 'skipped', reason: 'too-large', size });
    expect(fastestOf(read)).toBeLessThan(50);
    expect(process.memoryUsage().arrayBuffers - before.arrayBuffers).toBeLessThan(1e6);
  });

  it('show their first bytes only', () => {
    const path = temporaryDirectory();
    sparseFile(join(path, 'bomb.js'), 2 ** 30);
    const outcome = openSafeRoot(path).readHead('bomb.js', 4096);
    expect(outcome).toMatchObject({ kind: 'content', hint: { size: 2 ** 30 } });
    expect(outcome.kind === 'content' && outcome.bytes.length).toBe(4096);
  });
});
