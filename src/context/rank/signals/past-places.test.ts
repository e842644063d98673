import { describe, expect, it } from 'vitest';
import type { SnapshotFile } from '../../../model/snapshot.ts';
import { queryTerms } from '../query-terms.ts';
import { type HistoryCommit, historyOf } from './history.test-kit.ts';
import { scorePastPlaces } from './past-places.ts';

const OTHERS = Array.from({ length: 30 }, (_, at) => `other/part${at}.ts`);
const PATHS = ['net/agent.ts', 'net/agent.test.ts', 'net/socket.ts', 'tools/agentList.ts', ...OTHERS].sort();
const files = PATHS.map((path) => ({
  path,
  classification: { role: path.includes('.test.') ? 'test' : 'source' },
})) as unknown as SnapshotFile[];

/** Most of what a project does is something else. */
const REST: readonly HistoryCommit[] = OTHERS.map((path, at) => ({
  subject: `subject${at} tidy`,
  files: [path],
}));

function placesFor(commits: readonly HistoryCommit[], title: string) {
  const terms = queryTerms({
    words: title.split(' ').map((word) => ({ word, zone: 'title' as const, count: 1 })),
  });
  // an index of its own: one index has one history with the same newest commit
  const own = [...files];
  const { scores, words } = scorePastPlaces(historyOf([...commits, ...REST]), terms, own, (path) =>
    PATHS.indexOf(path),
  );
  const found = PATHS.flatMap((path, file) => (scores[file]! > 0 ? [[path, scores[file]!] as const] : []));
  return { scores: Object.fromEntries(found), wordOf: (path: string) => words.get(PATHS.indexOf(path)) };
}

describe('files at places where the words of a task have led before', () => {
  const commits: readonly HistoryCommit[] = [
    { subject: 'proxy one', files: ['net/agent.ts'] },
    { subject: 'proxy two', files: ['net/agent.ts', 'net/agent.test.ts'] },
    { subject: 'something else', files: ['net/socket.ts', 'tools/agentList.ts'] },
  ];

  it('are those in the same folder and those of the same name, also if no such commit changed them', () => {
    const { scores, wordOf } = placesFor(commits, 'proxy fails');
    expect(scores['net/agent.ts']).toBeGreaterThan(0);
    expect(scores['net/socket.ts']).toBeGreaterThan(0);
    expect(scores['tools/agentList.ts']).toBeGreaterThan(0);
    expect(scores['net/agent.ts']).toBeGreaterThanOrEqual(scores['net/socket.ts']!);
    expect(wordOf('net/socket.ts')).toBe('proxy');
  });

  it('are source files, and nothing at other places', () => {
    expect(Object.keys(placesFor(commits, 'proxy fails').scores).sort()).toEqual([
      'net/agent.ts',
      'net/socket.ts',
      'tools/agentList.ts',
    ]);
  });

  it('answer to the word in another number or tense', () => {
    expect(placesFor(commits, 'proxies').scores['net/agent.ts']).toBeGreaterThan(0);
  });

  it('are none for a word that led there once, that no message has, or that leads everywhere', () => {
    expect(placesFor(commits, 'something').scores).toEqual({});
    expect(placesFor(commits, 'unheard').scores).toEqual({});
    expect(placesFor(commits, 'tidy').scores).toEqual({});
  });

  it('count less for a word in the body of the messages', () => {
    const inBody = commits.map(({ subject, files: changed }) => ({
      subject: 'change',
      body: subject,
      files: changed,
    }));
    const weak = placesFor(inBody, 'proxy').scores['net/agent.ts']!;
    expect(weak).toBeGreaterThan(0);
    expect(weak).toBeLessThan(placesFor(commits, 'proxy').scores['net/agent.ts']!);
  });

  it('are not learned from commits that went everywhere', () => {
    const wide = [1, 2, 3].map((at) => ({ subject: `proxy ${at}`, files: ['net/agent.ts', ...OTHERS] }));
    expect(placesFor(wide, 'proxy').scores).toEqual({});
  });

  it('are looked for again when the history of an index has changed', () => {
    const terms = queryTerms({ words: [{ word: 'proxy', zone: 'title', count: 1 }] });
    const fileOf = (path: string) => PATHS.indexOf(path);
    const sumAt = (history: readonly HistoryCommit[]) =>
      scorePastPlaces(historyOf(history), terms, files, fileOf).scores.reduce((sum, score) => sum + score, 0);
    const before = sumAt(REST);
    expect(before).toBe(0);
    expect(sumAt([...commits, ...REST])).toBeGreaterThan(0);
    expect(sumAt(REST)).toBe(before);
  });

  it('are none without a history', () => {
    const { scores, words } = scorePastPlaces(historyOf([]), [], files, () => -1);
    expect([...scores].every((score) => score === 0)).toBe(true);
    expect(words.size).toBe(0);
  });
});
