import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SymbolDefinition } from '../../model/symbol.ts';
import { loadTokenCounter } from '../fit/count-tokens.ts';
import { itemOf, packOf } from '../render/pack.test-kit.ts';
import { cutItem, splitPack } from './split-pack.ts';

const count = await loadTokenCounter('o200k_base');

function symbolAt(startLine: number, endLine: number): SymbolDefinition {
  const nothing = { container: -1, start: 0, nameStart: 0, headerEnd: 0, bodyEnd: 0, end: 0, doc: '' };
  return { ...nothing, name: `s${startLine}`, kind: 'function', startLine, endLine, signature: '' };
}

/** Definitions of random lengths one after the other, some with a free line between them. */
const definitions = fc
  .array(fc.record({ lines: fc.integer({ min: 1, max: 30 }), gap: fc.boolean() }), {
    minLength: 1,
    maxLength: 25,
  })
  .map((sizes) => {
    let line = 1;
    return sizes.map(({ lines, gap }) => {
      const symbol = symbolAt(line, line + lines - 1);
      line += lines + (gap ? 1 : 0);
      return symbol;
    });
  });

function fileOf(symbols: readonly SymbolDefinition[]) {
  const last = symbols.at(-1)!.endLine;
  const content = Array.from({ length: last }, (_, at) => `line ${at + 1} of this file\n`).join('');
  return itemOf({ path: 'src/a.ts', content, lineRuns: [{ startLine: 1, count: last }] });
}

it('cuts a file between definitions and loses no line', () => {
  fc.assert(
    fc.property(definitions, fc.integer({ min: 30, max: 60 }), (symbols, most) => {
      const item = fileOf(symbols);
      const cut = cutItem(item, symbols, ({ content }) => content.split('\n').length - 1 <= most)!;
      expect(cut.pieces.map(({ content }) => content).join('')).toBe(item.content);
      expect(cut.splitsSymbol).toBe(false);
      let line = 1;
      for (const { content, lineRuns } of cut.pieces) {
        const length = content.split('\n').length - 1;
        expect(lineRuns).toEqual([{ startLine: line, count: length }]);
        line += length;
        for (const { startLine, endLine } of symbols) expect(startLine < line && line <= endLine).toBe(false);
      }
    }),
  );
});

it('says when a definition is larger than a piece, and gives up on a line that is', () => {
  const symbols = [symbolAt(1, 2), symbolAt(3, 20)];
  const item = fileOf(symbols);
  const cut = cutItem(item, symbols, ({ content }) => content.split('\n').length - 1 <= 8)!;
  expect(cut.splitsSymbol).toBe(true);
  expect(cut.pieces.map(({ content }) => content).join('')).toBe(item.content);
  expect(cut.pieces[0]!.lineRuns).toEqual([{ startLine: 1, count: 2 }]);
  expect(cutItem(item, symbols, () => false)).toBeNull();
});

it('gives whole documents, none above the limit, with everything in them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(definitions, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 700, max: 2_000 }),
      fc.constantFrom('markdown' as const, 'xml' as const),
      async (files, limit, format) => {
        const items = files.map((symbols, at) => ({ ...fileOf(symbols), path: `src/f${at}.ts` }));
        const pack = packOf({ items, tree: 'src\n' });
        const parts: string[] = [];
        const write = (part: number, text: string) => {
          parts[part - 1] = (parts[part - 1] ?? '') + text;
        };
        const render = { format, lineNumbers: false };
        const symbolsOf = (path: string) => files[Number(path.slice(5, -3))]!;
        const summary = await splitPack(pack, symbolsOf, { limit, count, render, write });
        expect(summary.parts).toBe(parts.length);
        expect(summary.tokens).toBe(parts.reduce((sum, text) => sum + count(text), 0));
        for (const [at, text] of parts.entries()) {
          expect(count(text)).toBeLessThanOrEqual(limit);
          expect(text).toContain(format === 'xml' ? `<part number="${at + 1}"/>` : `Part ${at + 1} of`);
          if (format === 'xml') expect(text.trimEnd().endsWith('</context_package>')).toBe(true);
        }
        const all = parts.join('');
        expect(all.match(/line \d+ of this file/g)).toHaveLength(
          files.reduce((sum, symbols) => sum + symbols.at(-1)!.endLine, 0),
        );
        expect(all).toContain('Fix the token refresh race');
      },
    ),
    { numRuns: 25 },
  );
});

it('refuses parts that have no room for their own frame', async () => {
  const render = { format: 'markdown' as const, lineNumbers: false };
  const options = { limit: 20, count, render, write: () => {} };
  await expect(splitPack(packOf({}), () => [], options)).rejects.toMatchObject({ code: 'bad-flag' });
});
