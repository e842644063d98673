import { describe, expect, it } from 'vitest';
import { corpusOf } from '../corpus.ts';
import { byPath, indexOf } from '../index.test-kit.ts';
import { wordForms } from '../query-terms.ts';
import { findWords } from '../search-words.ts';
import { findCompounds, scoreCompounds } from './compound-words.ts';

const TEXTS = {
  'a.js': 'use(inheritedScopeIds);\n',
  'b.js': 'use(inheritedScopeIdsOfAllOtherThings);\n',
  'c.js': 'use(inherited); use(scope); use(ids);\n',
  'd.js': 'use(scope_id, scope_id);\n',
};

async function compoundsFor(title: string, segments = 1) {
  const index = await indexOf(TEXTS, segments);
  const corpus = corpusOf(index);
  const terms = title.split(' ').map((word) => ({ words: findWords(corpus, wordForms(word)), gain: 1 }));
  const found = findCompounds(corpus, terms);
  return { words: found.map(({ word }) => word), scores: byPath(index, scoreCompounds(corpus, found)) };
}

describe('words made of several of the title’s words', () => {
  it('count by how much of them the title has', async () => {
    const { words, scores } = await compoundsFor('inherited scope ids');
    expect(words).toEqual(['inheritedScopeIds', 'inheritedScopeIdsOfAllOtherThings']);
    expect(scores['a.js']).toBeGreaterThan(scores['b.js']!);
    expect(Object.keys(scores)).toEqual(['a.js', 'b.js']);
  });

  it('are found in any way of writing', async () => {
    expect((await compoundsFor('scope id')).words).toContain('scope_id');
  });

  it('are the same however the index is cut', async () => {
    expect(await compoundsFor('inherited scope id', 4)).toEqual(await compoundsFor('inherited scope id'));
  });

  it('are none for a single word', async () => {
    expect(await compoundsFor('inherited')).toEqual({ words: [], scores: {} });
  });
});
