import { describe, expect, it } from 'vitest';
import { workerOptions } from './worker-options.ts';

const files = (count: number, ending: string, light = false) =>
  Array.from({ length: count }, (_, at) => ({ path: `src/file-${at}${ending}`, light }));

describe('workerOptions', () => {
  it('leaves grammars unoptimized that read few files', () => {
    const batches = [files(300, '.py'), files(5_000, '.ts'), files(5_000, '.yaml', true)];
    expect(workerOptions(batches, ['--given'])).toEqual(['--given', '--liftoff-only']);
  });

  it('optimizes them for many files, however they are batched', () => {
    const batches = [files(400, '.py'), files(400, '.go'), files(400, '.rs')];
    expect(workerOptions(batches, ['--given'])).toEqual(['--given']);
  });

  it('says nothing twice', () => {
    expect(workerOptions([files(1, '.py')], ['--liftoff-only'])).toEqual(['--liftoff-only']);
  });
});
