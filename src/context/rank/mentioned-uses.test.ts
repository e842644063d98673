import { describe, expect, it } from 'vitest';
import { analyzeTask } from '../analyze/analyze-task.ts';
import { corpusOf } from './corpus.ts';
import { findUses, scoreUses } from './evidence.ts';
import { byPath, indexOf } from './index.test-kit.ts';

const TEXTS = {
  'bundle.js': 'export function run() {\n  return freezeEnv(freezeEnv(1));\n}\n',
  'runner.js': 'export const x = freezeEnv(2);\n',
  'common.js': 'export const y = getValue();\n',
  'other.js': 'export const z = getValue();\nexport const Word = 1;\n',
};

async function usesFor(task: string, segments = 1) {
  const index = await indexOf(TEXTS, segments);
  const corpus = corpusOf(index);
  return byPath(index, scoreUses(corpus, findUses(corpus, analyzeTask(task).symbols)));
}

describe('uses of the names that a task mentions', () => {
  it('are found where nobody defines them, more often counting more', async () => {
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
