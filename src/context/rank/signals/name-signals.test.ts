import { describe, expect, it } from 'vitest';
import type { SymbolMention } from '../../../model/task-analysis.ts';
import { analyzeTask } from '../../analyze/analyze-task.ts';
import { corpusOf } from '../corpus.ts';
import { byPath, indexOf } from '../index.test-kit.ts';
import { wordForms } from '../query-terms.ts';
import { findWords } from '../search-words.ts';
import { findMentioned, findUses, scoreMentioned, scoreNames, scoreUses } from './name-signals.ts';

const TEXTS = {
  'store.ts': 'export class TokenStore {\n  read() {\n    return 1;\n  }\n}\n',
  'file.ts': 'export function read() {\n  return 2;\n}\n',
  'disk.ts': 'export function read() {\n  return 3;\n}\nexport const tokenLimit = 5;\n',
  'user.ts': 'import { TokenStore } from "./store";\nnew TokenStore().read();\n',
};

function mention(name: string, changes: Partial<SymbolMention> = {}): SymbolMention {
  return { name, qualifiers: [], form: 'backtick', zone: 'prose', count: 1, ...changes };
}

describe('names that a task mentions', () => {
  it('lead to the file that defines them, not to those that use them', async () => {
    const corpus = corpusOf(await indexOf(TEXTS));
    const found = findMentioned(corpus, [mention('TokenStore')]);
    expect(found).toHaveLength(1);
    expect(byPath(corpus.index, scoreMentioned(corpus, found))).toEqual({ 'store.ts': 1 });
  });

  it('count less the more files define them, and less for members than for top-level definitions', async () => {
    const corpus = corpusOf(await indexOf(TEXTS, 2));
    const scores = byPath(corpus.index, scoreMentioned(corpus, findMentioned(corpus, [mention('read')])));
    expect(Object.keys(scores).sort()).toEqual(['disk.ts', 'file.ts', 'store.ts']);
    expect(scores['disk.ts']).toBeCloseTo(1 / 3, 10);
    expect(scores['file.ts']).toBeCloseTo(1 / 3, 10);
    expect(scores['store.ts']).toBeCloseTo(0.8 / 3, 10);
  });

  it('count once, in the best of the forms and places they are written in', async () => {
    const corpus = corpusOf(await indexOf(TEXTS));
    const found = findMentioned(corpus, [
      mention('TokenStore', { form: 'capitalized', zone: 'code' }),
      mention('TokenStore', { form: 'backtick', zone: 'title' }),
      mention('TokenStore', { form: 'compound', zone: 'boilerplate' }),
    ]);
    expect(found.map(({ name, weight }) => [name, weight])).toEqual([['TokenStore', 1.5]]);
  });

  it('that no file defines are left out, and so are words that are only used', async () => {
    const corpus = corpusOf(await indexOf(TEXTS));
    expect(findMentioned(corpus, [mention('absent'), mention('tokenstore')])).toEqual([]);
  });
});

describe('names that a task mentions with what they belong to', () => {
  const OWNED = {
    'query-set.ts': 'export class QuerySet {\n  only() {}\n}\nexport class Other {\n  only() {}\n}\n',
    'query.ts': 'export class Query {\n  only() {}\n}\n',
    'dates.ts': 'export function only() {}\n',
  };
  async function definersOf(...qualifiers: string[]) {
    const corpus = corpusOf(await indexOf(OWNED));
    const found = findMentioned(corpus, [mention('only', { qualifiers, form: 'qualified' })]);
    return found.flatMap(({ definers }) =>
      definers.map(({ file, symbol }) => `${corpus.index.snapshot.files[file]!.path} ${symbol}`),
    );
  }

  it('are the members of it', async () => {
    expect(await definersOf('QuerySet')).toEqual(['query-set.ts 1']);
    expect(await definersOf('models', 'Query')).toEqual(['query.ts 1']);
  });

  it('are else those in a file that is named like it', async () => {
    expect(await definersOf('dates')).toEqual(['dates.ts 0']);
  });

  it('are all of that name where it is a variable', async () => {
    expect(await definersOf('qs')).toEqual(['dates.ts 0', 'query-set.ts 1', 'query-set.ts 3', 'query.ts 1']);
  });
});

describe('definitions whose names match words of a task', () => {
  async function scoresOf(...words: string[]) {
    const corpus = corpusOf(await indexOf(TEXTS));
    const terms = words.map((word) => ({ words: findWords(corpus, wordForms(word)), gain: 1 }));
    return byPath(corpus.index, scoreNames(corpus, terms));
  }

  it('count by how much of the name the words cover', async () => {
    const scores = await scoresOf('token', 'store');
    // two of three: the whole name is one of its own parts
    expect(scores['store.ts']).toBeCloseTo(2 * (2 / 3), 5);
    expect(scores['disk.ts']).toBeCloseTo(1 * (1 / 3) * 0.6, 5);
    expect(scores['user.ts']).toBeUndefined();
  });

  it('count most when the whole name is there', async () => {
    const scores = await scoresOf('token', 'store', 'tokenstore');
    expect(scores['store.ts']).toBeCloseTo(3, 5);
  });
});

const USING = {
  'bundle.js': 'export function run() {\n  return freezeEnv(freezeEnv(1));\n}\n',
  'runner.js': 'export const x = freezeEnv(2);\n',
  'common.js': 'export const y = getValue();\n',
  'other.js': 'export const z = getValue();\nexport const Word = 1;\n',
};

async function usesFor(task: string, segments = 1) {
  const index = await indexOf(USING, segments);
  const corpus = corpusOf(index);
  return byPath(index, scoreUses(corpus, findUses(corpus, analyzeTask(task).symbols)));
}

describe('uses of the names that a task mentions', () => {
  it('are found even if no file defines them, and more uses count more', async () => {
    const uses = await usesFor('call `freezeEnv()` once');
    expect(Object.keys(uses).sort()).toEqual(['bundle.js', 'runner.js']);
    expect(uses['bundle.js']).toBeGreaterThan(uses['runner.js']!);
  });

  it('are the same however the index is cut', async () => {
    expect(await usesFor('call `freezeEnv()` and `getValue()`', 3)).toEqual(
      await usesFor('call `freezeEnv()` and `getValue()`'),
    );
  });

  it('need more than a capital letter, and the name as written', async () => {
    expect(await usesFor('Word is missing')).toEqual({});
    expect(await usesFor('call `freezeenv`')).toEqual({});
  });
});
