import { describe, expect, it } from 'vitest';
import type { StringList } from '../../model/index-view.ts';
import { variantsOf, wordForms } from './word-forms.ts';

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
