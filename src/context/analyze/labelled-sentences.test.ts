import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TASK_ACTIONS } from '../../model/task-analysis.ts';
import { analyzeTask } from './analyze-task.ts';

/** The sentences of a fixture with their labels. */
function labelled(name: string): readonly (readonly [action: string, sentence: string])[] {
  const text = readFileSync(new URL(`../../../test/fixtures/actions/${name}.tsv`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [action = '', sentence = ''] = line.split('\t');
      return [action, sentence];
    });
}

const DEVELOPED = labelled('developed-with');
const HELD_OUT = labelled('held-out');

/** The share of sentences that are read as they are labelled. */
function shareRight(sentences: typeof DEVELOPED): number {
  const right = sentences.filter(([action, sentence]) => (analyzeTask(sentence).action ?? 'none') === action);
  return right.length / sentences.length;
}

describe('the action of labelled sentences', () => {
  it('has each label, and no sentence in both parts', () => {
    const known = new Set<string>([...TASK_ACTIONS, 'none']);
    for (const part of [DEVELOPED, HELD_OUT]) expect(new Set(part.map(([action]) => action))).toEqual(known);
    const developed = new Set(DEVELOPED.map(([, sentence]) => sentence));
    expect(HELD_OUT.filter(([, sentence]) => developed.has(sentence))).toEqual([]);
    expect(DEVELOPED.length).toBeGreaterThan(500);
  });

  it('is read from those that the rules were made with', () => {
    expect(shareRight(DEVELOPED)).toBeGreaterThan(0.93);
  });

  it('is read from those that were held out', () => {
    expect(shareRight(HELD_OUT)).toBeGreaterThan(0.82);
  });
});
