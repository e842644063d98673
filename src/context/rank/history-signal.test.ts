import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommitHistory } from '../../model/commit-history.ts';
import { coChange } from './co-change.ts';
import { type HistoryCommit, historyOf } from './history.test-kit.ts';
import { historyScores } from './history-signal.ts';

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

  it('lets newer commits count more when asked', () => {
    const commits = ['lexer.ts', 'x', 'x', 'parser.ts'].map((file) => ({ subject: 'parser', files: [file] }));
    const { scores } = historyScores(historyOf(commits), task('parser'), fileOf, { halfLife: 3 });
    expect(scores.get(1)! / scores.get(0)!).toBeCloseTo(2);
  });

  it('hears the others when the task is the message of one commit', () => {
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
        const first = historyScores(history, new Map(words), fileOf, { halfLife: 5 });
        for (const [file, score] of first.scores) {
          expect(file).toBeGreaterThanOrEqual(0);
          expect(score).toBeGreaterThan(0);
          expect(Number.isFinite(score)).toBe(true);
          const reasons = first.reasons.get(file)!;
          expect(reasons.length).toBeGreaterThan(0);
          for (const { similarity } of reasons) expect(similarity > 0 && similarity <= 1).toBe(true);
        }
        expect(historyScores(history, new Map(words), fileOf, { halfLife: 5 })).toEqual(first);
      }),
    );
  });
});

describe('coChange', () => {
  it('finds what changes together with a seed, not what changes always', () => {
    const history = historyOf([
      { subject: '1', files: ['parser.ts', 'lexer.ts', 'docs.md'] },
      { subject: '2', files: ['parser.ts', 'lexer.ts', 'docs.md'] },
      { subject: '3', files: ['cache.ts', 'docs.md'] },
      { subject: '4', files: ['cache.ts', 'docs.md'] },
      { subject: '5', files: ['cache.ts', 'parser.ts', 'docs.md'] },
    ]);
    const found = coChange(history, new Map([[0, 1]]), fileOf);
    // docs.md is in every commit: no more than chance; cache.ts changed with it once
    expect([...found.keys()]).toEqual([1]);
    expect(found.get(1)).toMatchObject({ seed: 0, together: 2 });
    expect(found.get(1)!.score).toBeGreaterThan(0);
    expect(found.get(1)!.score).toBeLessThanOrEqual(1);
  });

  it('trusts small commits more, and seeds by their weight', () => {
    const padding = ['p', 'q', 'r', 's', 't', 'u'];
    const history = historyOf([
      ...[1, 2].map(() => ({ subject: '', files: ['parser.ts', 'lexer.ts'] })),
      ...[1, 2].map(() => ({ subject: '', files: ['parser.ts', 'cache.ts', ...padding] })),
      ...[1, 2, 3, 4].map(() => ({ subject: '', files: ['p', 'other'] })),
    ]);
    const found = coChange(history, new Map([[0, 1]]), fileOf);
    expect(found.get(1)!.score).toBeGreaterThan(found.get(2)!.score);
    const half = coChange(history, new Map([[0, 0.5]]), fileOf);
    expect(half.get(1)!.score).toBeCloseTo(found.get(1)!.score / 2);
    expect(coChange(history, new Map([[0, 0]]), fileOf).size).toBe(0);
    expect(coChange(history, new Map([[3, 1]]), fileOf).size).toBe(0);
  });
});
