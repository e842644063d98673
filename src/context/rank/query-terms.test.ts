import { describe, expect, it } from 'vitest';
import type { StringList } from '../../model/index-view.ts';
import type { TaskWord } from '../../model/task-analysis.ts';
import { MAX_TERMS, queryTerms, variantsOf, wordForms } from './query-terms.ts';

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

  it('have the words between backticks too that say nothing in a sentence', () => {
    expect(partsOf(word('take'), word('until'))).toEqual([]);
    expect(partsOf({ ...word('take'), isCode: true }, { ...word('until'), isCode: true })).toEqual([
      'take',
      'until',
    ]);
    // a sign or a short number is no name even there
    expect(partsOf({ ...word('x'), isCode: true }, { ...word('42'), isCode: true })).toEqual([]);
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

function listOf(...values: string[]): StringList {
  const sorted = values.sort();
  const lowerBound = (value: string) => sorted.filter((one) => one < value).length;
  return {
    length: sorted.length,
    at: (index) => sorted[index]!,
    find: (value) => sorted.indexOf(value),
    lowerBound,
  };
}

const found = (list: StringList, word: string) =>
  variantsOf(list, wordForms(word)).map(({ part, weight }) => [list.at(part), weight]);

describe('the forms of a word', () => {
  it.each([
    ['serializers', 'serializ'],
    ['migration', 'migr'],
    ['caching', 'cach'],
    ['queries', 'quer'],
    ['cache', 'cach'],
    ['user', 'user'],
    ['url', ''],
    ['sha256', ''],
    ['größe', ''],
  ])('%s has the stem "%s"', (word, stem) => {
    expect(wordForms(word)).toEqual({ word, stem });
  });

  it('are found among the words of an index, the word itself counting most', () => {
    const list = listOf('migrate', 'migrates', 'migration', 'migrations', 'migrant', 'zebra');
    expect(found(list, 'migration')).toEqual([
      ['migrate', 0.6],
      ['migrates', 0.6],
      ['migration', 1],
      ['migrations', 0.6],
    ]);
  });

  it('are found at the end of the list as well', () => {
    expect(found(listOf('alpha', 'validate', 'validators'), 'validator')).toEqual([
      ['validate', 0.6],
      ['validators', 0.6],
    ]);
  });

  it('are found as well where very many words begin alike', () => {
    const many = Array.from({ length: 400 }, (_, at) => `test${String(at).padStart(3, '0')}x`);
    expect(found(listOf(...many, 'tests', 'tested', 'testbed'), 'tests').sort()).toEqual([
      ['tested', 0.6],
      ['tests', 1],
    ]);
    expect(found(listOf(...many), 'tests')).toEqual([]);
  });

  it('are the word alone when it is too short or no plain word', () => {
    expect(found(listOf('url', 'urls', 'urlconf'), 'url')).toEqual([['url', 1]]);
    expect(found(listOf('urls'), 'url')).toEqual([]);
  });
});
