import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DOCUMENT, TOP_LEVEL } from '../../model/index-view.ts';
import { type ParsedFile, WORD_FIELD } from '../../model/parsed-file.ts';
import { SYMBOL_KINDS } from '../../model/symbol.ts';
import { wordParts } from '../../model/word-parts.ts';
import { MAX_POSITIONS } from './record-codec.ts';
import { SegmentBuilder } from './segment-builder.ts';
import { SegmentReader } from './segment-reader.ts';

const nothingParsed: ParsedFile = {
  language: null,
  lineCount: 3,
  symbols: [],
  imports: [],
  problem: null,
  hasSyntaxErrors: false,
};

type Occurrence = readonly [word: string, line: number, field: number];

/** A vocabulary that grows as documents are made, as the tokenizer's does. */
function createWords() {
  const words: string[] = [];
  const idOf = (word: string) => (words.includes(word) ? words.indexOf(word) : undefined);
  const wordsOf = (occurrences: readonly Occurrence[]) => {
    const own = [...new Set(occurrences.map(([word]) => word))];
    for (const word of own) if (!words.includes(word)) words.push(word);
    return {
      distinct: Uint32Array.from(own, (word) => words.indexOf(word)),
      occurrences: Uint32Array.from(occurrences, ([word]) => own.indexOf(word)),
      lines: Uint32Array.from(occurrences, ([, line]) => line),
      fields: Uint8Array.from(occurrences, ([, , field]) => field),
    };
  };
  return { vocabulary: { words, idOf }, wordsOf };
}

function segmentOf(documents: readonly (readonly Occurrence[])[]): SegmentReader {
  const { vocabulary, wordsOf } = createWords();
  const builder = new SegmentBuilder(vocabulary);
  documents.forEach((occurrences, index) => {
    builder.add({
      key: `k${index}`,
      byteLength: 10,
      generated: false,
      parsed: nothingParsed,
      words: wordsOf(occurrences),
    });
  });
  const bytes = Buffer.concat(builder.finish());
  return new SegmentReader({
    size: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
    close: () => {},
  });
}

const occurrence = fc.tuple(
  fc.constantFrom('parse', 'parseHeaders', 'HTTPServer', 'snake_case', 'Grüße', '数据库', 'x2'),
  fc.integer({ min: 1, max: 5_000 }),
  fc.constantFrom(...Object.values(WORD_FIELD)),
);
const documents = fc.array(
  fc.array(occurrence, { maxLength: 120 }).map((list) => list.sort((a, b) => a[1] - b[1])),
  { minLength: 1, maxLength: 8 },
);

describe('segments', () => {
  it('find every occurrence of every word, with line and field', () => {
    fc.assert(
      fc.property(documents, (given) => {
        const segment = segmentOf(given);
        const found = given.map(() => new Map<string, { count: number; kept: string[] }>());
        for (let word = 0; word < segment.words.length; word++) {
          segment.eachPosting(word, (document, count, positions, kept) => {
            const places = [...positions.subarray(0, kept)].map((place) => `${place >>> 2}:${place & 3}`);
            found[document]!.set(segment.words.at(word), { count, kept: places });
          });
        }
        given.forEach((occurrences, document) => {
          for (const word of new Set(occurrences.map(([one]) => one))) {
            const expected = occurrences
              .filter(([one]) => one === word)
              .map(([, line, field]) => `${line}:${field}`);
            expect(found[document]!.get(word)).toEqual({
              count: expected.length,
              kept: expected.slice(0, MAX_POSITIONS),
            });
          }
          expect(found[document]!.size).toBe(new Set(occurrences.map(([word]) => word)).size);
        });
      }),
    );
  });

  it('lead from the parts of a word to the word', () => {
    fc.assert(
      fc.property(documents, (given) => {
        const segment = segmentOf(given);
        for (const [word] of given.flat()) {
          for (const part of wordParts(word)) {
            const words = [...segment.wordsWithPart(segment.parts.find(part))].map((id) =>
              segment.words.at(id),
            );
            expect(words).toContain(word);
          }
        }
      }),
    );
  });

  it('know how often the code of a document uses a word', () => {
    const segment = segmentOf([
      [
        ['alpha', 1, WORD_FIELD.code],
        ['alpha', 2, WORD_FIELD.comment],
        ['beta', 3, WORD_FIELD.string],
        ['alpha', 4, WORD_FIELD.code],
      ],
      [['alpha', 1, WORD_FIELD.definition]],
    ]);
    const uses: [string, number][] = [];
    segment.eachUse(0, (word, count) => uses.push([segment.words.at(word), count]));
    segment.eachUse(1, (word, count) => uses.push([segment.words.at(word), count]));
    expect(uses).toEqual([['alpha', 2]]);
    expect(segment.document(0, DOCUMENT.stringWords)).toBe(1);
    expect(segment.keys).toEqual(['k0', 'k1']);
  });

  it('keep symbols, imports and definitions by name', () => {
    const { vocabulary, wordsOf } = createWords();
    const builder = new SegmentBuilder(vocabulary);
    const symbol = {
      name: 'Store',
      kind: 'class',
      container: -1,
      start: 0,
      nameStart: 6,
      headerEnd: 11,
      bodyEnd: 20,
      end: 20,
      startLine: 1,
      endLine: 3,
      signature: 'class Store',
      doc: 'Keeps things.',
      docLines: { startLine: 2, endLine: 2 },
    } as const;
    const imported = { kind: 'import', specifier: './x', names: ['a\nb'], line: 1, endLine: 2 } as const;
    builder.add({
      key: 'k',
      byteLength: 20,
      generated: true,
      parsed: { ...nothingParsed, symbols: [symbol], imports: [imported] },
      words: wordsOf([['Store', 1, WORD_FIELD.definition]]),
    });
    const bytes = Buffer.concat(builder.finish());
    const segment = new SegmentReader({
      size: bytes.length,
      read: (offset, length) => bytes.subarray(offset, offset + length),
      close: () => {},
    });
    expect(segment.symbols(0)).toEqual([symbol]);
    expect(segment.imports(0)).toEqual([imported]);
    expect(segment.exports(0)).toEqual(['Store']);
    expect([...segment.definitions]).toEqual([
      segment.words.find('Store'),
      0,
      0,
      SYMBOL_KINDS.indexOf('class') | TOP_LEVEL,
    ]);
  });
});
