import { describe, expect, it } from 'vitest';
import type { SnapshotFile } from '../../../model/snapshot.ts';
import { analyzeTask } from '../../analyze/index.ts';
import { corpusOf } from '../corpus.ts';
import { byPath, indexOf } from '../index.test-kit.ts';
import { wordForms } from '../query-terms.ts';
import { findWords } from '../search-words.ts';
import { compoundNames, findCompounds, scoreCompounds, scoreNamedStems } from './compound-words.ts';

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

describe('files that are called like a name of several words', () => {
  const PATHS = [
    'include/fmt-c.h',
    'src/take.rs',
    'src/take_until.rs',
    'tools/bench_tool.cc',
    'tools/db_bench.cc',
    'tools/db_bench_tool.cc',
    'tools/old_db_bench.cc',
  ];
  const files = PATHS.map((path) => ({ path })) as unknown as SnapshotFile[];
  const stemsFor = (task: string) => {
    const { scores, names } = scoreNamedStems(files, compoundNames(analyzeTask(task)));
    return {
      found: Object.fromEntries(
        PATHS.map((path, at) => [path, scores[at]!] as const).filter(([, score]) => score > 0),
      ),
      nameOf: (path: string) => names.get(PATHS.indexOf(path)),
    };
  };

  it('are those with the whole name, then those that begin with it, then those that have it', () => {
    const { found, nameOf } = stemsFor('db_bench: print the seed');
    expect(Object.keys(found)).toEqual([
      'tools/db_bench.cc',
      'tools/db_bench_tool.cc',
      'tools/old_db_bench.cc',
    ]);
    expect(found['tools/db_bench.cc']).toBeGreaterThan(found['tools/db_bench_tool.cc']!);
    expect(found['tools/db_bench_tool.cc']).toBeGreaterThan(found['tools/old_db_bench.cc']!);
    expect(nameOf('tools/db_bench.cc')).toBe('db_bench');
  });

  it('may leave out the `lib` of a product', () => {
    expect(Object.keys(stemsFor('Install the header of libfmt-c').found)).toEqual(['include/fmt-c.h']);
  });

  it('must have the whole of words with spaces between them', () => {
    expect(Object.keys(stemsFor('make `take until` stop early').found)).toEqual(['src/take_until.rs']);
    expect(stemsFor('a bench of the db').found).toEqual({});
  });

  it('count less when the name is far from the title', () => {
    const inTitle = stemsFor('take_until stops late').found['src/take_until.rs']!;
    const below = stemsFor('Stops late\n\nIt begins.\n\nI call take_until twice.').found[
      'src/take_until.rs'
    ]!;
    expect(below).toBeGreaterThan(0);
    expect(below).toBeLessThan(inTitle);
  });
});
