import fc from 'fast-check';
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { hostilePack } from './pack.test-kit.ts';
import { PACK_FORMATS, renderPieces } from './render-pack.ts';

const plain = { disallowedSpecial: new Set<string>() };

describe('pieces of a package', () => {
  it.each([
    ['o200k_base', countO200k],
    ['cl100k_base', countCl100k],
  ] as const)('have tokens that add up to those of the whole in %s', (_, countTokens) => {
    fc.assert(
      fc.property(
        hostilePack,
        fc.constantFrom(...PACK_FORMATS),
        fc.boolean(),
        (pack, format, lineNumbers) => {
          const texts = renderPieces(pack, { format, lineNumbers }).map(({ text }) => text);
          const sum = texts.reduce((total, text) => total + countTokens(text, plain), 0);
          expect(countTokens(texts.join(''), plain)).toBe(sum);
        },
      ),
      { numRuns: 200 },
    );
  });
});
