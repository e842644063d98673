import { describe, expect, it } from 'vitest';
import { COMPILE_AT_ONCE, workerOptions } from './segment-pool.ts';

const files = (count: number, ending: string, light = false) =>
  Array.from({ length: count }, (_, at) => ({ path: `src/file-${at}${ending}`, light, plain: false }));

describe('workerOptions', () => {
  it('leaves grammars unoptimized that read few files', () => {
    const queued = [...files(300, '.py'), ...files(5_000, '.ts'), ...files(5_000, '.yaml', true)];
    expect(workerOptions(queued, ['--given'], false)).toEqual(['--given', '--liftoff-only']);
  });

  it('optimizes them for many files in any language', () => {
    const queued = [...files(400, '.py'), ...files(400, '.go'), ...files(400, '.rs')];
    expect(workerOptions(queued, ['--given'], false)).toEqual(['--given']);
  });

  it('waits for no other thread where every core has a worker', () => {
    const queued = [...files(600, '.py'), ...files(600, '.py')];
    expect(workerOptions(queued, ['--given'], true)).toEqual(['--given', COMPILE_AT_ONCE]);
  });

  it('says nothing twice', () => {
    expect(workerOptions(files(1, '.py'), ['--liftoff-only'], false)).toEqual(['--liftoff-only']);
  });
});
