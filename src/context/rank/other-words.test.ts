import { describe, expect, it } from 'vitest';
import { corpusOf } from './corpus.ts';
import { indexOf } from './index.test-kit.ts';
import { withOtherWords } from './other-words.ts';
import { queryTerms } from './query-terms.ts';

const TEXTS = {
  'visit.ts': 'export class Visit {\n  slot = 1;\n}\n',
  'clinic.ts': 'export function clinic() {}\n',
};

async function termsOf(texts: Readonly<Record<string, string>>, ...words: readonly string[]) {
  const corpus = corpusOf(await indexOf(texts));
  const analysis = { words: words.map((word) => ({ word, zone: 'title' as const, count: 1 })) };
  return withOtherWords(corpus, queryTerms(analysis));
}

describe('a word of a task', () => {
  it('is looked up by other words when the repository does not have it, for less', async () => {
    const [own, ...others] = await termsOf(TEXTS, 'appointment');
    expect(own).toMatchObject({ part: 'appointment' });
    expect(own).not.toHaveProperty('insteadOf');
    expect(others.map(({ part }) => part)).toContain('visit');
    for (const other of others) {
      expect(other.insteadOf).toBe('appointment');
      expect(other.weight).toBeLessThan(own!.weight);
    }
  });

  it('is found in each of its forms', async () => {
    const terms = await termsOf(TEXTS, 'appointments');
    expect(terms.map(({ part }) => part)).toContain('visit');
  });

  it('stands for itself where the repository has it', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 5 }, (_, at) => [
        `src/${at}.ts`,
        `export const appointment${at} = { appointment: ${at} };\n`,
      ]),
    );
    const terms = await termsOf(files, 'appointment');
    expect(terms.map(({ part }) => part)).toEqual(['appointment']);
  });

  it('is not joined by a word that the task has already', async () => {
    const terms = await termsOf(TEXTS, 'appointment', 'visit');
    expect(terms.filter(({ part }) => part === 'visit')).toHaveLength(1);
  });
});
