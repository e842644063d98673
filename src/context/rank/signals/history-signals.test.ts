import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommitHistory } from '../../../model/commit-history.ts';
import { type HistoryCommit, historyOf } from './history.test-kit.ts';
import { changeActivity, historyScores, referencesOf, scoreNumbered } from './history-signals.ts';

const FILES = ['parser.ts', 'lexer.ts', 'cache.ts', 'docs.md'];
const fileOf = (path: string): number => FILES.indexOf(path);

const task = (text: string): Map<string, number> => new Map(text.split(' ').map((word) => [word, 1]));

function ranked(history: CommitHistory, text: string): string[] {
  const { scores } = historyScores(history, task(text), fileOf);
  return [...scores].sort(([, a], [, b]) => b - a).map(([file]) => FILES[file]!);
}

const HISTORY = historyOf([
  { subject: 'fix the parser for empty lines', files: ['parser.ts'] },
  { subject: 'speed up the cache', files: ['cache.ts'] },
  { subject: 'rework', body: 'parser and lexer share empty tokens', files: ['lexer.ts', 'gone.ts'] },
  { subject: 'explain everything', files: ['docs.md'] },
]);

describe('historyScores', () => {
  it('points to what commits like the task changed, first lines counting more', () => {
    expect(ranked(HISTORY, 'parser fails on empty lines')).toEqual(['parser.ts', 'lexer.ts']);
    expect(ranked(HISTORY, 'cache')).toEqual(['cache.ts']);
    expect(ranked(HISTORY, 'nothing of this kind')).toEqual([]);
  });

  it('says which commits, best first', () => {
    const { reasons } = historyScores(HISTORY, task('parser empty lines'), fileOf);
    expect(reasons.get(0)).toEqual([
      { commit: HISTORY.ids[0], subject: 'fix the parser for empty lines', similarity: 1 },
    ]);
    const [lexer] = reasons.get(1)!;
    expect(lexer?.subject).toBe('rework');
    expect(lexer?.similarity).toBeGreaterThan(0);
    expect(lexer?.similarity).toBeLessThan(1);
  });

  it('shares among the files of a commit, unknown ones too, and gives nothing for bulk', () => {
    const history = historyOf([
      { subject: 'parser', files: ['parser.ts'] },
      { subject: 'parser', files: ['lexer.ts', 'gone.ts'] },
      { subject: 'parser', files: [], fileCount: 5000 },
    ]);
    const { scores } = historyScores(history, task('parser'), fileOf);
    expect(scores.get(0)! / scores.get(1)!).toBeCloseTo(Math.sqrt(2));
    expect(scores.size).toBe(2);
  });

  it('uses the other commits when the task is the message of one', () => {
    const text = 'a long and very exact message about how the parser treats empty lines at the end';
    const commits: HistoryCommit[] = [
      { subject: text, files: ['docs.md'] },
      ...Array.from({ length: 5 }, () => ({ subject: 'parser', files: ['parser.ts'] })),
      ...Array.from({ length: 20 }, () => ({ subject: 'other work', files: ['cache.ts'] })),
    ];
    const { scores } = historyScores(historyOf(commits), task(text), fileOf);
    expect(scores.get(3)! / scores.get(0)!).toBeCloseTo(1.4 ** 4 / 5);
  });

  it('gives finite scores above 0, the same each time, whatever is asked', () => {
    const word = fc.constantFrom('parser', 'lexer', 'cache', 'empty');
    const commit = fc.record({
      subject: fc.array(word, { maxLength: 4 }).map((words) => words.join(' ')),
      body: fc.array(word, { maxLength: 20 }).map((words) => words.join(' ')),
      files: fc.uniqueArray(fc.constantFrom(...FILES, 'gone.ts')),
    });
    const weight = fc.oneof(fc.double({ min: 0.01, max: 100 }), fc.constantFrom(0, -1, Number.NaN));
    fc.assert(
      fc.property(fc.array(commit), fc.array(fc.tuple(word, weight)), (commits, words) => {
        const history = historyOf(commits);
        const first = historyScores(history, new Map(words), fileOf);
        for (const [file, score] of first.scores) {
          expect(file).toBeGreaterThanOrEqual(0);
          expect(score).toBeGreaterThan(0);
          expect(Number.isFinite(score)).toBe(true);
          const reasons = first.reasons.get(file)!;
          expect(reasons.length).toBeGreaterThan(0);
          for (const { similarity } of reasons) expect(similarity > 0 && similarity <= 1).toBe(true);
        }
        expect(historyScores(history, new Map(words), fileOf)).toEqual(first);
      }),
    );
  });
});

const PATHS = ['a', 'b', 'c'];
const numberOf = (path: string) => PATHS.indexOf(path);

it('gives most to the files that changed last', () => {
  const history = historyOf([
    { subject: 'one', files: ['b'] },
    { subject: 'two', files: ['a', 'b'] },
  ]);
  const { recently } = changeActivity(history, 3, numberOf);
  expect(recently[1]).toBe(1);
  expect(recently[0]).toBeCloseTo(1 / (1 + 1 / 200), 12);
  expect(recently[2]).toBe(0);
});

it('knows how often, large commits counting less', () => {
  const history = historyOf([
    { subject: 'one', files: ['a'] },
    { subject: 'two', files: ['a', 'b'] },
  ]);
  const { often } = changeActivity(history, 3, numberOf);
  expect(often[0]).toBeCloseTo(1 + 0.5 / (1 + 1 / 500), 12);
  expect(often[1]).toBeCloseTo(0.5 / (1 + 1 / 500), 12);
});

it('passes over files that are gone, and has nothing to say without a history', () => {
  const gone = changeActivity(historyOf([{ subject: 'one', files: ['gone'] }]), 3, numberOf);
  expect([...gone.recently, ...gone.often]).toEqual([0, 0, 0, 0, 0, 0]);
  expect([...changeActivity(historyOf([]), 3, numberOf).often]).toEqual([0, 0, 0]);
});

describe('commits that the task names', () => {
  it.each<[string, readonly string[]]>([
    ['fix #11773', ['11773']],
    ['regressed with GH-1234 and #0456.', ['1234', '456']],
    ['see https://github.com/o/n/pull/88 for more', ['88']],
    ['on the branch fix/issue-4711-late', ['4711']],
    ['#1 0x00 in main, #12 of the list, color #a12345, x#123', []],
  ])('%j has the numbers %j', (text, numbers) => {
    expect([...referencesOf(text).numbers].sort()).toEqual(numbers);
  });

  it('are found by their id, which has a digit and a letter', () => {
    expect(referencesOf('broken since 4f3a2b1, not 1234567 or defaced').commits).toEqual(['4f3a2b1']);
  });

  const commits = historyOf([
    { subject: 'Fixed #11773 -- Kept the body', files: ['net.ts'] },
    { subject: 'Follow up (#117730)', files: ['other.ts'] },
    { subject: 'Refs #11773 -- Moved all', files: ['net.ts', 'wide.ts', 'c.ts', 'd.ts'] },
  ]);
  const paths = ['net.ts', 'wide.ts', 'other.ts'];
  const fileOf = (path: string) => paths.indexOf(path);

  it('speak for the files that they changed, a wide commit less', () => {
    const { scores, commits: told } = scoreNumbered(
      commits,
      referencesOf('Still fails after #11773'),
      3,
      fileOf,
    );
    expect([...scores]).toEqual([1, 0.5, 0]);
    expect([told.get(0), told.get(1)]).toEqual([0, 2]);
  });

  it('speak for nothing when the task has no number', () => {
    expect([...scoreNumbered(commits, referencesOf('Still fails'), 3, fileOf).scores]).toEqual([0, 0, 0]);
  });

  it('may be named by their id', () => {
    const known = { ...commits, ids: ['4f3a2b1c00', ...commits.ids.slice(1)] };
    expect([...scoreNumbered(known, referencesOf('since 4f3a2b1'), 3, fileOf).scores]).toEqual([1, 0, 0]);
  });
});
