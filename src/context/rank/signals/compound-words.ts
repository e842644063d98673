import type { SnapshotFile } from '../../../model/snapshot.ts';
import { isStopWord } from '../../../model/stop-words.ts';
import type { TaskAnalysis } from '../../../model/task-analysis.ts';
import { wordParts } from '../../../model/word-parts.ts';
import type { Corpus } from '../corpus.ts';
import { type RankingContext, remember } from '../ranking-context.ts';
import { rarity, type TermWords } from '../search-words.ts';
import { pathIndexOf } from './path-index.ts';
import { quotedWords } from './reason-words.ts';
import { stemOf, wordsOf } from './scope-signals.ts';
import { type SignalDefinition, shownName, strongestIn, told } from './signal.ts';

/** The file has a compound of the words of the title, such as `tokenRefresh` for "refresh of the token". */
export const titleCompounds: SignalDefinition = {
  name: 'titleCompounds',
  group: 'lexical',
  isAboutContent: true,
  score: (context) => scoreCompounds(context.corpus, compoundsOf(context)),
  reason: (file, context) => {
    const found = strongestIn(context, compoundsOf(context.ranking), file, ({ word }) => word);
    return `contains ${found || 'something'}, made of words of the title`;
  },
};

const compoundsOf = remember(({ corpus, titleTerms }: RankingContext) => findCompounds(corpus, titleTerms));

/** A written word that is made of several of the task's words, with the files that have it. */
export interface FoundCompound {
  readonly word: string;
  /** What the words of the task count together, times the share of the compound that they cover, times its rarity. */
  readonly gain: number;
  /** How often each file has it. */
  readonly files: ReadonlyMap<number, number>;
}

/** Weaker ones change nothing and take time. */
const MAX_COMPOUNDS = 300;
const SATURATION = 1;

interface Candidate {
  readonly worth: number;
  readonly places: { readonly segment: number; readonly word: number }[];
}

/**
 * Words like `inheritedScopeId` for a task that speaks of inherited scopes: people write with spaces what code
 * writes in one. Strongest first.
 */
export function findCompounds(
  corpus: Corpus,
  terms: readonly { readonly words: TermWords; readonly gain: number }[],
): FoundCompound[] {
  const candidates = new Map<string, Candidate>();
  corpus.fileOf.forEach((_, segment) => {
    const { words } = corpus.index.segment(segment);
    for (const [word, { gain, count }] of matchedWords(segment, terms)) {
      if (count < 2) continue;
      const written = words.at(word);
      const known = candidates.get(written);
      if (known) {
        known.places.push({ segment, word });
        continue;
      }
      // the whole word is one of its parts
      const parts = wordParts(written).length - 1;
      const covered = Math.min(count, parts);
      if (covered < 2) continue;
      candidates.set(written, { worth: (gain * covered) / parts, places: [{ segment, word }] });
    }
  });
  return [...candidates]
    .sort(([a, one], [b, other]) => other.worth - one.worth || (a < b ? -1 : 1))
    .slice(0, MAX_COMPOUNDS)
    .map(([word, { worth, places }]) => {
      const files = filesAt(corpus, places);
      return { word, gain: (worth * rarity(corpus.size, files.size)) / rarity(corpus.size, 1), files };
    });
}

function matchedWords(segment: number, terms: Parameters<typeof findCompounds>[1]) {
  const matched = new Map<number, { gain: number; count: number }>();
  for (const { words: found, gain } of terms) {
    const { words, weights } = found.bySegment[segment]!;
    for (let at = 0; at < words.length; at++) {
      const known = matched.get(words[at]!);
      if (known) {
        known.gain += gain * weights[at]!;
        known.count++;
      } else matched.set(words[at]!, { gain: gain * weights[at]!, count: 1 });
    }
  }
  return matched;
}

function filesAt({ index, fileOf }: Corpus, places: Candidate['places']): Map<number, number> {
  const files = new Map<number, number>();
  for (const { segment, word } of places)
    index.segment(segment).eachPosting(word, (document, count) => {
      const file = fileOf[segment]![document] ?? -1;
      if (file >= 0) files.set(file, (files.get(file) ?? 0) + count);
    });
  return files;
}

export function scoreCompounds(corpus: Corpus, found: readonly FoundCompound[]): Float64Array {
  const scores = new Float64Array(corpus.fileCount);
  for (const { gain, files } of found)
    for (const [file, count] of files) scores[file]! += (gain * count) / (count + SATURATION);
  return scores;
}

/** The file is called like a name of several words in the task: `db_bench_tool.cc` for `db_bench`. */
export const namedStems: SignalDefinition = {
  name: 'namedStems',
  group: 'path',
  isShare: true,
  score: (context) => stemsOf(context).scores,
  reason: (file, context) => {
    const name = stemsOf(context.ranking).names.get(file);
    return told('is called like', name ? quotedWords([shownName(context, name)]) : '', '');
  },
};

const stemsOf = remember(({ files, task }: RankingContext) => scoreNamedStems(files, compoundNames(task)));

/** A name of several words that the task has. */
export interface CompoundName {
  /** As a person would call it. */
  readonly name: string;
  readonly parts: readonly string[];
  /** Written in one: `db_bench`, `libfmt-c`. Words with spaces between them have to be the whole name of the file. */
  readonly isWritten: boolean;
  readonly weight: number;
}

/** How well a name fits that of a file: it is the whole, its beginning, or within. */
const WHOLE = 1;
const BEGINNING = 0.8;
const WITHIN = 0.5;

const MAX_NAMES = 60;
/** Words of a title that may be a name together. */
const MAX_SPACED = 3;
const ZONES: Readonly<Record<string, number>> = { title: 1, lead: 0.7, prose: 0.6 };
/** Words joined by signs, as in the title of a task. */
const JOINED = /[\p{L}\p{N}]{1,40}(?:[-_.][\p{L}\p{N}]{1,40}){1,5}/gu;

type Named = Pick<TaskAnalysis, 'title' | 'symbols' | 'words'>;

/** The names of several words in a task: in its title however they are written, elsewhere those written as names. */
export function compoundNames({ title, symbols, words: all }: Named): CompoundName[] {
  const found = new Map<string, CompoundName>();
  const add = (name: string, parts: readonly string[], isWritten: boolean, weight: number) => {
    if (parts.length < 2 || found.size >= MAX_NAMES) return;
    const key = parts.join('/');
    const known = found.get(key);
    if (known && known.weight >= weight && (known.isWritten || !isWritten)) return;
    found.set(key, { name, parts, isWritten: isWritten || (known?.isWritten ?? false), weight });
  };
  for (const [name] of title.matchAll(JOINED)) {
    const parts = wordsOf(name);
    add(name, parts, true, 1);
    // the product `libfmt` has files called `fmt`
    if (/^lib./.test(parts[0] ?? '')) add(name, [parts[0]!.slice(3), ...parts.slice(1)], true, 1);
  }
  for (const { name, zone, form } of symbols)
    if (form !== 'capitalized' && zone in ZONES) add(name, wordsOf(name), true, ZONES[zone]!);
  // between backticks even words that say nothing are a name: `take until`
  const inCode = new Set(all.flatMap(({ word, isCode }) => (isCode ? [word.toLowerCase()] : [])));
  const words = wordsOf(title);
  for (let length = 2; length <= MAX_SPACED; length++)
    for (let at = 0; at + length <= words.length; at++) {
      const parts = words.slice(at, at + length);
      if (!parts.every((part) => isStopWord(part) && !inCode.has(part)))
        add(parts.join(' '), parts, false, 1);
    }
  return [...found.values()];
}

export interface NamedStems {
  /** By file number, 0..1. */
  readonly scores: Float64Array;
  /** By file: the name that fits best. */
  readonly names: ReadonlyMap<number, string>;
}

/** Files that are called like these names; a name that fits many files says little about each. */
export function scoreNamedStems(files: readonly SnapshotFile[], wanted: readonly CompoundName[]): NamedStems {
  const index = pathIndexOf(files);
  const scores = new Float64Array(files.length);
  const names = new Map<number, string>();
  for (const { name, parts, isWritten, weight } of wanted) {
    const postings = parts.map((part) => index.posting(part).files).sort((a, b) => a.length - b.length);
    const hits: { file: number; fit: number }[] = [];
    for (const file of postings[0]!) {
      const fit = fitOf(files[file]!.path, parts, isWritten);
      if (fit > 0) hits.push({ file, fit });
    }
    const telling = weight * (rarity(files.length, hits.length) / rarity(files.length, 1));
    for (const { file, fit } of hits) {
      if (telling * fit <= scores[file]!) continue;
      scores[file] = telling * fit;
      names.set(file, name);
    }
  }
  return { scores, names };
}

function fitOf(path: string, parts: readonly string[], isWritten: boolean): number {
  const words = wordsOf(stemOf(path.slice(path.lastIndexOf('/') + 1)));
  if (words.length < parts.length) return 0;
  const whole = parts.join('');
  if (words.join('') === whole) return WHOLE;
  if (!isWritten) return 0;
  for (let at = 0; at + parts.length <= words.length; at++)
    if (parts.every((part, place) => words[at + place] === part)) return at === 0 ? BEGINNING : WITHIN;
  return 0;
}
