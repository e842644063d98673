import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostilePack, itemOf, packOf } from './pack.test-kit.ts';
import { renderSummary } from './render-summary.ts';

const characters = (text: string) => text.length;
/** Counts like a tokenizer, roughly: not every character more is a token more. */
const words = (text: string) => text.match(/\w+|[^\w\s]/g)?.length ?? 0;

const PACK = packOf({
  task: 'Implement token budget enforcement',
  tokenBudget: 100_000,
  tokenCount: 42_000,
  items: [
    itemOf({ path: 'src/token_counter.py', combinedScore: 0.95, symbols: ['TokenCounter', 'count_tokens'] }),
    itemOf({ path: 'src/models.py', combinedScore: 0.85, symbols: ['ContextPack'] }),
    itemOf({ path: 'src/far.py', combinedScore: 0.2, form: 'mention', content: '' }),
  ],
  dependencies: [{ from: 'src/token_counter.py', to: 'src/models.py' }],
});

describe('renderSummary', () => {
  it('lists files, symbols and dependencies, without contents', () => {
    expect(renderSummary(PACK, { limit: 4_000, measure: words })).toBe(
      [
        '## Context Package',
        'Task: Implement token budget enforcement',
        'Files listed: 2 (42,000 tokens to read)',
        'Budget: 100,000 tokens',
        '',
        '### Key Files',
        '- src/token_counter.py (relevance: 0.95)',
        '  Symbols: TokenCounter, count_tokens',
        '- src/models.py (relevance: 0.85)',
        '  Symbols: ContextPack',
        '- src/far.py (relevance: 0.20)',
        '',
        '### Dependencies',
        '- src/token_counter.py -> src/models.py',
        '',
      ].join('\n'),
    );
  });

  it('names a symbol once, however often the file defines it', () => {
    const items = [
      itemOf({ path: 'src/settings.py', symbols: ['SETTINGS', 'load', 'SETTINGS', 'SETTINGS'] }),
    ];
    const text = renderSummary({ ...PACK, items }, { limit: 4_000, measure: words });
    expect(text).toContain('  Symbols: SETTINGS, load\n');
  });

  it('drops the least important facts first and counts the files that it does not name', () => {
    const whole = renderSummary(PACK, { limit: 4_000, measure: characters });
    const shorter = renderSummary(PACK, { limit: whole.length - 1, measure: characters });
    expect(shorter).not.toContain('### Dependencies');
    expect(shorter).toContain('src/far.py');
    const least = renderSummary(PACK, { limit: 210, measure: characters });
    expect(least).toContain('- src/token_counter.py (relevance: 0.95)\n- 2 more\n');
  });

  it('never exceeds its limit and never breaks out of its lines', () => {
    fc.assert(
      fc.property(
        hostilePack,
        fc.integer({ min: 0, max: 900 }),
        fc.constantFrom(characters, words),
        (pack, limit, measure) => {
          const text = renderSummary(pack, { limit, measure });
          expect(measure(text)).toBeLessThanOrEqual(limit);
          for (const line of text.split('\n'))
            expect(line).toMatch(
              /^(?:## Context Package|Task: .*|Files listed: .*|Budget: .*|### Key Files|### Dependencies|- .*| {2}Symbols: .*|)$/,
            );
        },
      ),
      { numRuns: 500 },
    );
  });
});
