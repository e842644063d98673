import { describe, expect, it } from 'vitest';
import type { TaskWord } from '../../model/task-analysis.ts';
import { MAX_TERMS, queryTerms } from './query-terms.ts';

const word = (text: string, zone: TaskWord['zone'] = 'prose', count = 1): TaskWord => ({
  word: text,
  zone,
  count,
});
const partsOf = (...words: TaskWord[]) => queryTerms({ words }).map(({ part }) => part);

describe('the terms of a task', () => {
  it('are its words, whole and in parts, the whole first', () => {
    expect(partsOf(word('refreshToken'))).toEqual(['refreshtoken', 'refresh', 'token']);
  });

  it('leave out stop words, single letters and small numbers', () => {
    expect(partsOf(word('the'), word('x'), word('42'), word('404'), word('数'))).toEqual(['404', '数']);
  });

  it('count more in the title than in a log, and more often a little more', () => {
    expect(
      partsOf(word('logged', 'trace', 3), word('prose'), word('title', 'title'), word('often', 'prose', 9)),
    ).toEqual(['often', 'title', 'prose', 'logged']);
    const [title] = queryTerms({ words: [word('token', 'title'), word('token', 'trace')] });
    expect(title!.titleWeight).toBeGreaterThan(0);
    expect(title!.weight).toBeGreaterThan(title!.titleWeight);
  });

  it('are as many as can be looked up in time, and in the same order whatever the order of the words', () => {
    const many = Array.from({ length: 500 }, (_, at) =>
      word(`w${String.fromCharCode(97 + (at % 26))}${at}q`),
    );
    const parts = partsOf(...many);
    expect(parts).toHaveLength(MAX_TERMS);
    expect(partsOf(...many.reverse())).toEqual(parts);
  });
});
