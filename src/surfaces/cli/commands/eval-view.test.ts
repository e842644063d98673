import { describe, expect, it } from 'vitest';
import type { Evaluation } from '../../../context/evaluate/evaluate-repository.ts';
import { AS_LEARNED } from '../../../context/evaluate/signal-table.ts';
import { createColors } from '../views/output.ts';
import { formatEvaluation } from './eval.ts';

const answer = (share: number) => ({
  within1: share,
  within3: share,
  within5: share,
  within10: share,
  recall10: share,
  reciprocalRank: share,
  budgets: [{ budget: 8_000, all: share, share }],
});
const evaluation: Evaluation = {
  head: 'a'.repeat(40),
  tasks: [],
  summary: { commits: 7, ranking: answer(0.914), plain: answer(0.5) },
  tuning: null,
  diagnostics: [],
};
const format = (more: Partial<Evaluation> = {}) =>
  formatEvaluation({ ...evaluation, ...more }, createColors(false));

describe('formatEvaluation', () => {
  it('shows the ranking next to plain BM25', () => {
    expect(format()).toMatchInlineSnapshot(`
      [
        "7 commits, each asked for by its message at the state before it",
        "",
        "                                  loadout  plain BM25",
        "all changed files first           91 %     50 %",
        "all among the first 5             91 %     50 %",
        "all among the first 10            91 %     50 %",
        "changed files among the first 10  91 %     50 %",
        "all in a package of 8000 tokens   91 %     50 %",
        "a package counts a file of which it holds a part; plain BM25 packs whole files",
      ]
    `);
  });

  it('says which weights are kept, and how to forget them', () => {
    const multipliers = { ...AS_LEARNED, history: 2, lexical: 0.7 };
    const lines = format({ tuning: { multipliers, before: 0.6, heldOut: 0.64, isBetter: true } });
    expect(lines.slice(-2)).toEqual([
      'weights kept for this repository: lexical x 0.7, history x 2',
      'on commits they were not chosen on the rankings are worth 60 % to 64 %; loadout eval --reset forgets them',
    ]);
  });

  it('says so when no weights were kept', () => {
    const tuning = { multipliers: AS_LEARNED, before: 0.6, heldOut: 0.58, isBetter: false };
    expect(format({ tuning }).at(-1)).toMatch(/^weights stay as they are.*60 % to 58 %/);
  });
});
