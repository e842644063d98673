// A repository of 27,000 files, measured by the bench: the same figures as in the guide.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';

const BENCH = join(import.meta.dirname, '../../bench/inspect.mjs');
/** What a person feels as at once, in milliseconds; the issue of the page promises it. */
const MAX_INTERACTION_MS = 200;
const MAX_FIRST_PAINT_MS = 500;
const MAX_PAGE_BYTES = 60_000;

let figures: Record<string, number>;
beforeAll(() => {
  figures = JSON.parse(
    execFileSync(process.execPath, [BENCH, '--files', '27000', '--rounds', '3', '--json'], {
      encoding: 'utf8',
    }),
  );
}, 170_000);

it('answers every interaction at once', () => {
  const frames = Object.entries(figures).filter(([name]) => /^(?:open|scroll|filter)/.test(name));
  expect(frames.length).toBe(8);
  expect(frames.filter(([, ms]) => ms > MAX_INTERACTION_MS)).toEqual([]);
});

it('is small, paints early and has few rows', () => {
  expect(figures['page, bytes gzip']).toBeLessThan(MAX_PAGE_BYTES);
  expect(figures['first paint, ms']).toBeLessThan(MAX_FIRST_PAINT_MS);
  expect(figures['rows in the page']).toBeLessThan(200);
});
