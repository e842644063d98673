import { WORD_FIELD } from '../../model/file-words.ts';
import type { StoredFile } from '../../model/knowledge-store.ts';
import type { LexicalSearch, WordFieldName } from '../../model/lexical-search.ts';
import { wordParts } from '../../model/word-parts.ts';

const FIELDS = Object.keys(WORD_FIELD) as WordFieldName[];

interface CountedFile {
  /** By word part: how often in each field. */
  readonly parts: ReadonlyMap<string, readonly number[]>;
  readonly lengths: readonly number[];
}

const counted = new WeakMap<StoredFile, CountedFile>();

function countsOf(file: StoredFile): CountedFile {
  const known = counted.get(file);
  if (known) return known;
  const parts = new Map<string, number[]>();
  const lengths = FIELDS.map((field, at) => {
    let length = 0;
    for (const [word, count] of file.words[field]) {
      length += count;
      for (const part of wordParts(word)) {
        const counts = parts.get(part) ?? FIELDS.map(() => 0);
        counts[at]! += count;
        parts.set(part, counts);
      }
    }
    return length;
  });
  const made = { parts, lengths };
  counted.set(file, made);
  return made;
}

/** BM25 over fields, written down as plainly as it goes: what the other stores are measured against. */
export function searchWords(files: readonly StoredFile[], query: LexicalSearch): readonly number[] {
  const twins = new Map(files.map((file) => [contentKey(file), file]));
  const documents = [...twins].map(([key, file]) => ({ key, ...countsOf(file) }));
  const weights = FIELDS.map((field) => query.fields[field]);
  const weighted = (counts: readonly number[]) =>
    counts.reduce((sum, count, field) => sum + weights[field]! * count, 0);
  const averages = FIELDS.map((_, field) =>
    Math.max(
      1,
      documents.reduce((sum, { lengths }) => sum + lengths[field]!, 0) / Math.max(1, documents.length),
    ),
  );
  const mean = weighted(averages) || 1;
  const scores = new Map<string, number>();
  for (const { words, weight } of query.terms) {
    const hits = documents.flatMap(({ key, parts, lengths }) => {
      const counts = FIELDS.map((_, field) =>
        words.reduce((sum, form) => sum + form.weight * (parts.get(form.word)?.[field] ?? 0), 0),
      );
      return counts.some((count) => count > 0) ? [{ key, lengths, counts }] : [];
    });
    const rarity = Math.log(1 + (documents.length - hits.length + 0.5) / (hits.length + 0.5));
    for (const { key, lengths, counts } of hits) {
      const norm = 1 - query.lengthShare + (query.lengthShare * weighted(lengths)) / mean;
      const normal = weighted(counts) / norm;
      const gain = (weight * rarity * (query.saturation + 1) * normal) / (normal + query.saturation);
      if (gain > 0) scores.set(key, (scores.get(key) ?? 0) + gain);
    }
  }
  return files.map((file) => scores.get(contentKey(file)) ?? 0);
}

const contentKey = ({ contentHash, language }: StoredFile) => `${contentHash} ${language}`;
