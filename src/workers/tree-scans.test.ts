import { expect, it } from 'vitest';
import { temporaryRepository } from '../../test/support/temporary-repository.ts';
import { librarySettings } from '../config/library-settings.ts';
import { createTreeScans } from './tree-scans.ts';

it('says that an index is open, as long as nobody else uses one', async () => {
  const { path, cache } = temporaryRepository({ 'a.py': 'x = 1\n' });
  const settings = librarySettings({ cacheDir: cache });
  const request = { repo: path, settings, mode: settings.scanMode };
  const scans = createTreeScans();
  const expected: number[] = [];
  const use = (work: () => Promise<void> = async () => {}) =>
    scans.withScan('state', request, work, (expectedMs) => void expected.push(expectedMs));
  await use();
  expect(expected).toEqual([]);
  let release = () => {};
  const first = use(() => new Promise((resolve) => (release = resolve)));
  await expect.poll(() => expected).toHaveLength(1);
  await use();
  expect(expected).toHaveLength(1);
  release();
  await first;
  await use();
  expect(expected).toHaveLength(2);
  await scans.withScan(
    'another state',
    request,
    async () => {},
    () => void expected.push(0),
  );
  await scans.withScan(
    null,
    request,
    async () => {},
    () => void expected.push(0),
  );
  expect(expected).toHaveLength(2);
});
