import { describe, expect, it } from 'vitest';
import { analyzeTask } from '../../../context/analyze/analyze-task.ts';
import type { RankedFile, Ranking } from '../../../model/ranking.ts';
import { createColors } from '../views/output.ts';
import { formatRanking } from '../views/package-view.ts';

const RANK = { likelihood: 0.5, isMentioned: false, words: [] };

const FILE: RankedFile = {
  path: 'src/a.ts',
  combinedScore: 0.934,
  astScore: 0.9,
  semanticScore: 0.97,
  signals: { path: 0, symbol: 1, lexical: 0.97, semantic: 0, graph: 0.6, history: 0.2 },
  symbols: [
    { name: 'Foo.bar', startLine: 10, endLine: 42, ...RANK, score: 1 },
    { name: 'Foo.baz', startLine: 50, endLine: 50, ...RANK, score: 0.4 },
  ],
  blocks: [],
  spans: [{ startLine: 10, endLine: 42 }],
  reasons: ['defines Foo, which the task mentions', 'path contains “a”'],
};

const PLAIN = createColors(false);
const rankingOf = (...files: RankedFile[]): Ranking => ({
  task: 'x',
  analysis: analyzeTask('x'),
  files,
  diagnostics: [],
});

describe('a ranking for people', () => {
  it('is a line for each file: score, path, the strongest reason', () => {
    const other = { ...FILE, path: 'src/longer/name.ts', combinedScore: 0.2, reasons: [] };
    expect(formatRanking(rankingOf(FILE, other), PLAIN)).toEqual([
      '0.93  src/a.ts            defines Foo, which the task mentions',
      '0.20  src/longer/name.ts',
    ]);
  });

  it('has the definitions that matter below each file, if wanted', () => {
    expect(formatRanking(rankingOf(FILE), PLAIN, { withSymbols: true }).slice(1)).toEqual([
      '        10-42  Foo.bar',
      '        50-50  Foo.baz',
    ]);
  });

  it('prints no name of a file, a definition or a commit that moves the cursor', () => {
    const hostile = '\u001b[2Jx\u202e\r';
    const symbols = [{ name: hostile, startLine: 1, endLine: 1, ...RANK, score: 1 }];
    const lines = formatRanking(rankingOf({ ...FILE, path: hostile, reasons: [hostile], symbols }), PLAIN, {
      withSymbols: true,
    });
    expect(lines.join('')).not.toMatch(/\p{C}/u);
  });
});
