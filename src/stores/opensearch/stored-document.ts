// One content as a document: words by field, definitions, and vectors. The id of the document is a hash, so
// that branches with the same content share it.

import type {
  KnownFile,
  StoredFile,
  StoredPassage,
  WordCount,
  WordFieldName,
} from '../../model/knowledge-store.ts';
import { WORD_FIELD } from '../../model/parsed-file.ts';
import { wordParts } from '../../model/word-parts.ts';

/** The fields of words, in the order of their numbers in the index. */
export const FIELDS = Object.keys(WORD_FIELD) as readonly WordFieldName[];

/** Words in each field, in the order of `FIELDS`. */
export type Lengths = readonly number[];

/** The facts about a file, as the server keeps them. */
export type KnownContent = Pick<KnownFile, 'lineCount' | 'symbols' | 'imports'>;

/** The fields of a document besides its content. */
export interface DocumentDraft {
  readonly team: string;
  readonly repository: string;
  readonly layer: string;
  /** Milliseconds; says when it was last of use to an update. */
  readonly at: number;
}

/** The document of a file, in the form that the mapping of `index-layout.ts` expects. */
export function documentOf(file: StoredFile, { team, repository, layer, at }: DocumentDraft) {
  const { path, contentHash, language, lineCount, symbols, imports, passages } = file;
  const lengths = lengthsOf(file);
  const known: KnownContent = { lineCount, symbols, imports };
  return {
    kind: 'file',
    team,
    repository,
    path,
    contentHash,
    ...(language === null ? {} : { language }),
    on: [layer],
    off: [],
    at,
    ...Object.fromEntries(FIELDS.map((field) => [field, textOf(file.words[field])])),
    length: Object.fromEntries(FIELDS.map((field, place) => [field, lengths[place]!])),
    symbolNames: [...new Set(symbols.map(({ name }) => name))],
    dimension: dimensionOf(passages),
    ...(passages.length > 0 ? { vectors: encodePassages(passages) } : {}),
    known,
  };
}

/** Counts of frequent words are shares of a whole: the sum is rounded, not each of them. */
export function lengthsOf({ words, lengths }: StoredFile): Lengths {
  const sumOf = (field: (typeof FIELDS)[number]) => words[field].reduce((sum, [, count]) => sum + count, 0);
  return FIELDS.map((field) => lengths?.[field] ?? Math.round(sumOf(field)));
}

/** Numbers in a vector; 0 without any. */
export const dimensionOf = (passages: readonly StoredPassage[]): number =>
  passages[0]?.vector.codes.length ?? 0;

/** A word that occurs at all is written at least once. */
const whole = (count: number) => Math.max(1, Math.round(count));

/** Scripts without spaces are cut into pairs here: the server's rules would give other words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Words as text: each is written as often as it occurs, because the server counts. */
function textOf(words: readonly WordCount[]): string {
  return words
    .map(([word, count]) => {
      const plain = word.replace(/[\s=]+/g, '');
      const text = UNSPACED.test(plain)
        ? wordParts(plain)
            .map((part) => `=${part}`)
            .join(' ')
        : plain;
      return Array(whole(count)).fill(text).join(' ');
    })
    .join(' ');
}

/** For each passage: first line, last line, scale, then a byte for each number. Big-endian, as the script reads it. */
function encodePassages(passages: readonly StoredPassage[]): string {
  const size = dimensionOf(passages);
  const bytes = Buffer.alloc(passages.length * (PASSAGE_HEAD + size));
  passages.forEach(({ startLine, endLine, vector }, at) => {
    const start = at * (PASSAGE_HEAD + size);
    bytes.writeInt32BE(startLine, start);
    bytes.writeInt32BE(endLine, start + 4);
    bytes.writeFloatBE(vector.scale, start + 8);
    Buffer.from(vector.codes.buffer, vector.codes.byteOffset, size).copy(bytes, start + PASSAGE_HEAD);
  });
  return bytes.toString('base64');
}

/** Bytes in front of the codes of a passage. */
export const PASSAGE_HEAD = 12;
