import { expect, it } from 'vitest';
import { WORD_FIELD } from '../../model/file-words.ts';
import { corpusOf, FIELD_COUNT } from './corpus.ts';
import { fileAt, indexOf } from './index.test-kit.ts';
import { findWords, TermCounter } from './term-hits.ts';
import { wordForms } from './word-forms.ts';

const TEXTS = {
  'a.ts': '// a token, and one more token\nexport function refreshToken() {\n  return "token";\n}\n',
  'b.ts': 'export const tokens = refreshToken;\n',
  'c.ts': 'export const unrelated = 1;\n',
};

async function countsOf(word: string, segments = 1) {
  const index = await indexOf(TEXTS, segments);
  const corpus = corpusOf(index);
  const { files, counts } = new TermCounter(corpus).count(findWords(corpus, wordForms(word)));
  return new Map([...files].map((file, at) => [index.snapshot.files[file]!.path, fields(counts, at)]));
}

function fields(counts: Float32Array, at: number) {
  const of = (field: number) => Math.round(counts[at * FIELD_COUNT + field]! * 1000) / 1000;
  return [WORD_FIELD.code, WORD_FIELD.comment, WORD_FIELD.string, WORD_FIELD.definition].map(of);
}

it('counts a term in each field, alone and as a part of a name', async () => {
  const counts = await countsOf('token');
  expect([...counts.keys()].sort()).toEqual(['a.ts', 'b.ts']);
  expect(counts.get('a.ts')).toEqual([0, 2, 1, 1]);
  // `tokens` is the same word in another number
  expect(counts.get('b.ts')).toEqual([1, 0, 0, 0.6]);
});

it('counts the same over several segments', async () => {
  expect(await countsOf('token', 3)).toEqual(await countsOf('token'));
});

it('finds a name as a whole', async () => {
  expect((await countsOf('refreshtoken')).get('b.ts')).toEqual([1, 0, 0, 0]);
});

it('finds nothing for a word that nobody uses', async () => {
  expect(await countsOf('absent')).toEqual(new Map());
});

it('starts anew for each term', async () => {
  const index = await indexOf(TEXTS);
  const corpus = corpusOf(index);
  const counter = new TermCounter(corpus);
  const words = findWords(corpus, wordForms('token'));
  const first = counter.count(words);
  counter.count(findWords(corpus, wordForms('unrelated')));
  expect(counter.count(words)).toEqual(first);
  expect([...first.files]).toContain(fileAt(index, 'a.ts'));
});

it('has room for more files than it began with', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 1_500 }, (_, at) => [`f${at}.txt`, `common word${at}\n`]),
  );
  const corpus = corpusOf(await indexOf(many));
  const { files, counts } = new TermCounter(corpus).count(findWords(corpus, wordForms('common')));
  expect(files.length).toBe(1_500);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1_500);
});
