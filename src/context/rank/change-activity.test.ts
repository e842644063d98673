import { expect, it } from 'vitest';
import { changeActivity } from './evidence.ts';
import { historyOf } from './history.test-kit.ts';

const PATHS = ['a', 'b', 'c'];
const fileOf = (path: string) => PATHS.indexOf(path);

it('knows how lately each file was changed, newest most', () => {
  const history = historyOf([
    { subject: 'one', files: ['b'] },
    { subject: 'two', files: ['a', 'b'] },
  ]);
  const { recently } = changeActivity(history, 3, fileOf);
  expect(recently[1]).toBe(1);
  expect(recently[0]).toBeCloseTo(1 / (1 + 1 / 200), 12);
  expect(recently[2]).toBe(0);
});

it('knows how often, large commits counting less', () => {
  const history = historyOf([
    { subject: 'one', files: ['a'] },
    { subject: 'two', files: ['a', 'b'] },
  ]);
  const { often } = changeActivity(history, 3, fileOf);
  expect(often[0]).toBeCloseTo(1 + 0.5 / (1 + 1 / 500), 12);
  expect(often[1]).toBeCloseTo(0.5 / (1 + 1 / 500), 12);
});

it('passes over files that are gone, and has nothing to say without a history', () => {
  const gone = changeActivity(historyOf([{ subject: 'one', files: ['gone'] }]), 3, fileOf);
  expect([...gone.recently, ...gone.often]).toEqual([0, 0, 0, 0, 0, 0]);
  expect([...changeActivity(historyOf([]), 3, fileOf).often]).toEqual([0, 0, 0]);
});
