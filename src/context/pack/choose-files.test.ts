import { expect, it } from 'vitest';
import type { FileClass } from '../../model/file-entry.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import { choosingOrder } from './choose-files.ts';

const file = (path: string, classification: Partial<FileClass>) =>
  ({
    path,
    classification: { role: 'source', generated: false, vendored: false, reasons: [], ...classification },
  }) as SnapshotFile;

it('gives room to files written by hand first, and to source before the rest', () => {
  const files = [
    file('a/generated.ts', { generated: true }),
    file('a/table.csv', { role: 'data' }),
    file('a/x.test.ts', { role: 'test' }),
    file('b/x.ts', {}),
    file('a/x.ts', {}),
    file('package.json', { role: 'config' }),
  ];
  expect(choosingOrder(files).map(({ path }) => path)).toEqual([
    'a/x.ts',
    'b/x.ts',
    'package.json',
    'a/x.test.ts',
    'a/table.csv',
    'a/generated.ts',
  ]);
});
