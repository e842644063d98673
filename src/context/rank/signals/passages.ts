import type { SnapshotFile } from '../../../model/snapshot.ts';
import { type Corpus, FIELD_COUNT } from '../corpus.ts';
import { type RankingContext, remember, strongestFiles } from '../ranking-context.ts';
import { eachOccurrence, type TermWords } from '../search-words.ts';
import { contentReason } from './reason-words.ts';
import type { SignalDefinition } from './signal.ts';
import { titleOnlyWords, wholeTaskWords } from './word-signals.ts';

/** The best passage of the file has many words of the task close together. */
export const passage: SignalDefinition = {
  name: 'passage',
  group: 'lexical',
  isAboutContent: true,
  score: (context) => columnOf(context, ({ first }) => first),
  reason: contentReason,
};

/** So does another passage of the file. */
export const secondPassage: SignalDefinition = {
  ...passage,
  name: 'secondPassage',
  toldAs: 'passage',
  score: (context) => columnOf(context, ({ second }) => second),
};

/** Files whose passages are looked at; further down nothing comes up again. */
const MAX_CANDIDATES = 300;

interface FoundPassages {
  readonly scores: PassageScores;
  readonly best: ReturnType<typeof bestTwo>;
}

/** By file: its passages, for the files that have most words of the task. */
const passagesOf = remember((context: RankingContext): ReadonlyMap<number, FoundPassages> => {
  const candidates = candidatesOf(context.files, wholeTaskWords(context), titleOnlyWords(context));
  const found = scorePassages(context.corpus, candidates, context.terms);
  return new Map(
    candidates.map((file, at) => [file, { scores: found[at]!, best: bestTwo(found[at]!) }] as const),
  );
});

function candidatesOf(
  files: readonly SnapshotFile[],
  whole: Float64Array,
  title: Float64Array,
): readonly number[] {
  const strength = new Float64Array(files.length);
  for (let file = 0; file < files.length; file++)
    if (whole[file]! > 0 && isCode(files[file]!)) strength[file] = whole[file]! + title[file]!;
  return strongestFiles(strength, MAX_CANDIDATES);
}

function isCode({ classification }: SnapshotFile): boolean {
  return classification.role !== 'docs' && classification.role !== 'data';
}

function columnOf(context: RankingContext, value: (best: FoundPassages['best']) => number): Float64Array {
  const column = new Float64Array(context.files.length);
  for (const [file, { best }] of passagesOf(context)) column[file] = value(best);
  return column;
}

/** Lines of a block; a passage is `PASSAGE_BLOCKS` blocks in a row. */
export const BLOCK_LINES = 20;
export const PASSAGE_BLOCKS = 3;

/** Repetition inside a passage says little more than one occurrence. */
const SATURATION = 0.8;
/** A passage that defines the name is worth more than one that uses it. */
const FIELD_GAIN = [1, 1, 1, 2.5];

export interface PassageTerm {
  readonly words: TermWords;
  /** Weight in the task times rarity. */
  readonly gain: number;
}

/** By block: what the passage that begins there scores. */
export type PassageScores = Float32Array;

/** Scores the passages of some files. */
export function scorePassages(
  corpus: Corpus,
  candidates: readonly number[],
  terms: readonly PassageTerm[],
): PassageScores[] {
  const place = new Int32Array(corpus.fileCount).fill(-1);
  candidates.forEach((file, at) => {
    place[file] = at;
  });
  const scores = candidates.map((): PassageScores => new Float32Array(8));
  const blocks = candidates.map((): Float32Array => new Float32Array(8));
  for (const { words, gain } of terms) {
    const touched = new Set<number>();
    eachOccurrence(corpus, words, (file, weight, _count, positions, kept) => {
      const at = place[file]!;
      if (at < 0) return;
      touched.add(at);
      const last = Math.floor((positions[kept - 1]! >>> 2) / BLOCK_LINES);
      if (last >= blocks[at]!.length) blocks[at] = grown(blocks[at]!, last + 1);
      const counts = blocks[at]!;
      for (let one = 0; one < kept; one++) {
        const position = positions[one]!;
        counts[Math.floor((position >>> 2) / BLOCK_LINES)]! +=
          weight * FIELD_GAIN[position & (FIELD_COUNT - 1)]!;
      }
    });
    for (const at of touched) {
      const counts = blocks[at]!;
      if (scores[at]!.length < counts.length) scores[at] = grown(scores[at]!, counts.length);
      const sums = scores[at]!;
      for (let block = 0; block < counts.length; block++) {
        let count = 0;
        for (let next = block; next < block + PASSAGE_BLOCKS && next < counts.length; next++)
          count += counts[next]!;
        if (count > 0) sums[block]! += (gain * count * (SATURATION + 1)) / (count + SATURATION);
      }
      counts.fill(0);
    }
  }
  return scores;
}

function grown(from: Float32Array, length: number): Float32Array<ArrayBuffer> {
  const to = new Float32Array(Math.max(length, from.length * 2));
  to.set(from);
  return to;
}

/** The best passage and the best that does not overlap it. */
export function bestTwo(scores: PassageScores): {
  readonly first: number;
  readonly second: number;
  readonly block: number;
} {
  let block = 0;
  for (let at = 1; at < scores.length; at++) if (scores[at]! > scores[block]!) block = at;
  let second = 0;
  for (let at = 0; at < scores.length; at++)
    if (Math.abs(at - block) >= PASSAGE_BLOCKS && scores[at]! > second) second = scores[at]!;
  return { first: scores[block] ?? 0, second, block };
}
