import { type FileWords, type Vocabulary, WORD_FIELD } from '../../model/file-words.ts';
import type { StoredFile, StoredSymbol } from '../../model/knowledge-store.ts';
import type { WordFieldName } from '../../model/lexical-search.ts';
import type { ParsedFile } from '../../model/parsed-file.ts';
import { SegmentBuilder } from '../../scan/format/segment-builder.ts';

class GrowingVocabulary implements Vocabulary {
  readonly words: string[] = [];
  readonly #ids = new Map<string, number>();

  idOf(word: string): number | undefined {
    return this.#ids.get(word);
  }

  add(word: string): number {
    const known = this.#ids.get(word);
    if (known !== undefined) return known;
    this.#ids.set(word, this.words.length);
    return this.words.push(word) - 1;
  }
}

/** Lays stored files out as a segment of the index. */
export class StoredSegment {
  readonly #vocabulary = new GrowingVocabulary();
  readonly #builder = new SegmentBuilder(this.#vocabulary);

  get size(): number {
    return this.#builder.size;
  }

  /** Number of the document in the segment. */
  add(file: StoredFile): number {
    for (const { name } of file.symbols) this.#vocabulary.add(name);
    return this.#builder.add({
      key: `${file.contentHash} ${file.language}`,
      byteLength: 0,
      generated: false,
      parsed: parsedOf(file),
      words: this.#wordsOf(file),
    });
  }

  finish(): Buffer[] {
    return this.#builder.finish();
  }

  #wordsOf({ words }: StoredFile): FileWords {
    const places = new Map<number, number>();
    const occurrences: number[] = [];
    const fields: number[] = [];
    for (const [name, field] of Object.entries(WORD_FIELD))
      for (const [word, count] of words[name as WordFieldName]) {
        const id = this.#vocabulary.add(word);
        const place = places.get(id) ?? places.size;
        places.set(id, place);
        for (let times = Math.max(1, Math.round(count)); times > 0; times--) {
          occurrences.push(place);
          fields.push(field);
        }
      }
    return {
      distinct: Uint32Array.from(places.keys()),
      occurrences: Uint32Array.from(occurrences),
      lines: new Uint32Array(occurrences.length).fill(1),
      fields: Uint8Array.from(fields),
    };
  }
}

function parsedOf({ language, lineCount, symbols, imports }: StoredFile): ParsedFile {
  return {
    language,
    lineCount,
    symbols: symbols.map(definitionOf),
    imports,
    problem: null,
    hasSyntaxErrors: false,
  };
}

/** Offsets into the text mean nothing without the text. */
function definitionOf({ name, kind, signature, doc, line, endLine, container }: StoredSymbol) {
  const offsets = { start: 0, nameStart: 0, headerEnd: 0, bodyEnd: 0, end: 0 };
  return { name, kind, signature, doc, container, ...offsets, startLine: line, endLine };
}
