import { expect, it } from 'vitest';
import { WORD_FIELD } from '../../model/parsed-file.ts';
import { corpusOf, FIELD_COUNT } from './corpus.ts';
import { fileAt, indexOf } from './index.test-kit.ts';

const TEXT = 'export function alpha() {\n  return beta;\n}\n';

it.each([1, 2, 3])('takes files with equal content for one document, in %i segments', async (segments) => {
  const texts = { 'a.ts': TEXT, 'b.ts': 'export const other = 1;\n', 'c/copy.ts': TEXT };
  const index = await indexOf(texts, segments);
  const corpus = corpusOf(index);
  expect(corpus.fileCount).toBe(3);
  expect(corpus.size).toBe(2);
  expect([...corpus.twinOf]).toEqual([0, 1, 0]);
  expect(corpus.lengths[fileAt(index, 'c/copy.ts') * FIELD_COUNT + WORD_FIELD.code]).toBe(0);
});

it('knows the lengths by field and their mean over the documents', async () => {
  const index = await indexOf({ 'a.ts': '// one two three\nlet x = 1;\n', 'b.ts': '// one\n' }, 2);
  const { lengths, averages } = corpusOf(index);
  expect(lengths[WORD_FIELD.comment]).toBe(3);
  expect(lengths[FIELD_COUNT + WORD_FIELD.comment]).toBe(1);
  expect(averages[WORD_FIELD.comment]).toBe(2);
  expect(averages[WORD_FIELD.string]).toBe(1);
});

it('is made once for an index', async () => {
  const index = await indexOf({ 'a.ts': TEXT });
  expect(corpusOf(index)).toBe(corpusOf(index));
});

it('has nothing in it for an empty repository', async () => {
  const corpus = corpusOf(await indexOf({}));
  expect(corpus).toMatchObject({ fileCount: 0, size: 0, averages: [1, 1, 1, 1] });
});
