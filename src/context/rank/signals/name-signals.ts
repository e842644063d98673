import { DEFINITION_COLUMNS, type SegmentView, TOP_LEVEL } from '../../../model/index-view.ts';
import { kindsWith, SYMBOL_KINDS } from '../../../model/symbol.ts';
import type { SymbolMention } from '../../../model/task-analysis.ts';
import { wordParts } from '../../../model/word-parts.ts';
import type { Corpus } from '../corpus.ts';
import { formWeight } from '../query-terms.ts';
import { type LookedUpTerm, type RankingContext, remember } from '../ranking-context.ts';
import type { TermWords } from '../search-words.ts';
import { rarity } from '../search-words.ts';
import { namedTerms } from './reason-words.ts';
import { MAX_NAMED, type ReasonContext, type SignalDefinition, shownName, strongestIn } from './signal.ts';

/** One definition of the file is named like the task. */
export const names: SignalDefinition = {
  name: 'names',
  group: 'symbol',
  isAboutContent: true,
  score: ({ corpus, terms }) => scoreNames(corpus, terms),
  reason: (file, context) => {
    const name = shownName(context, bestDefinition(context.namesIn(file), namedTerms(context)));
    return `defines ${name || 'something'}, named like the task`;
  },
};

/** One definition of the file is named like the title. */
export const titleNames: SignalDefinition = {
  ...names,
  name: 'titleNames',
  toldAs: 'names',
  score: ({ corpus, titleTerms }) => scoreNames(corpus, titleTerms),
};

/** The file defines a name that the task mentions. */
export const mentionedNames: SignalDefinition = {
  name: 'mentionedNames',
  group: 'symbol',
  isAboutContent: true,
  score: (context) => scoreMentioned(context.corpus, mentionedIn(context)),
  reason: (file, context) =>
    `defines ${mentionedNamesOf(file, context) || 'something'}, which the task mentions`,
};

/** The file has a name that the task mentions. If it defines the name too, the definition is the reason to tell. */
export const mentionedUses: SignalDefinition = {
  name: 'mentionedUses',
  group: 'symbol',
  isAboutContent: true,
  toldAs: 'mentionedNames',
  score: (context) => scoreUses(context.corpus, usesOf(context)),
  reason: (file, context) => {
    const found = strongestIn(context, usesOf(context.ranking), file, ({ name }) => name);
    return `contains ${found || 'something'}, which the task mentions`;
  },
};

/** The definitions that the task mentions by name. */
export const mentionedIn = remember(({ corpus, task }: RankingContext) =>
  findMentioned(corpus, task.symbols),
);
const usesOf = remember(({ corpus, task }: RankingContext) => findUses(corpus, task.symbols));

function mentionedNamesOf(file: number, context: ReasonContext): string {
  const twin = context.ranking.corpus.twinOf[file]!;
  return mentionedIn(context.ranking)
    .filter(({ definers }) => definers.some((one) => one.file === twin))
    .sort((a, b) => b.weight / b.definers.length - a.weight / a.definers.length)
    .slice(0, MAX_NAMED)
    .map(({ name }) => shownName(context, name))
    .join(', ');
}

/** The definition whose name has most of the task's words. */
function bestDefinition(names: readonly string[], terms: readonly LookedUpTerm[]): string {
  const gains = new Map<string, number>();
  const gainOf = (part: string): number => {
    const known = gains.get(part);
    if (known !== undefined) return known;
    const gain = terms.reduce((most, term) => Math.max(most, term.gain * formWeight(term.forms, part)), 0);
    gains.set(part, gain);
    return gain;
  };
  let best = '';
  let most = 0;
  for (const name of names) {
    const parts = wordParts(name);
    const matched = parts.map(gainOf).filter((gain) => gain > 0);
    const sum = matched.reduce((total, gain) => total + gain, 0);
    const worth = sum * (matched.length / Math.max(1, parts.length));
    if (worth <= most) continue;
    most = worth;
    best = name;
  }
  return best;
}

/** How much a mention counts by the way it is written. */
const FORM_WEIGHT: Readonly<Record<SymbolMention['form'], number>> = {
  backtick: 1,
  call: 1,
  qualified: 1,
  compound: 0.9,
  capitalized: 0.5,
};
const ZONE_WEIGHT: Readonly<Record<SymbolMention['zone'], number>> = {
  title: 1.5,
  lead: 1.1,
  prose: 1,
  code: 0.5,
  trace: 0.6,
  boilerplate: 0.3,
};

/** A definition, by the numbers of its file and its kind, and its own in the file. */
interface Definer {
  readonly file: number;
  readonly kind: number;
  readonly symbol: number;
}

/** A name that a task mentions, with the definitions that have it. */
export interface FoundDefinition {
  readonly name: string;
  readonly weight: number;
  /** All of them; where the task says what the name belongs to, only those that may belong there. */
  readonly definers: readonly Definer[];
}

/** Looks up the names that a task mentions, as written. */
export function findMentioned(corpus: Corpus, mentions: readonly SymbolMention[]): FoundDefinition[] {
  const weights = new Map<string, number>();
  const owners = new Map<string, Set<string>>();
  for (const { name, qualifiers, form, zone } of mentions) {
    const weight = FORM_WEIGHT[form] * ZONE_WEIGHT[zone];
    weights.set(name, Math.max(weight, weights.get(name) ?? 0));
    const owner = qualifiers.at(-1);
    if (owner !== undefined) owners.set(name, (owners.get(name) ?? new Set()).add(owner));
  }
  const found: FoundDefinition[] = [];
  for (const [name, weight] of weights) {
    const definers = ownedBy(corpus, definersOf(corpus, name), owners.get(name));
    if (definers.length > 0) found.push({ name, weight, definers });
  }
  return found;
}

/** The definitions that have a name, as written. */
export function definersOf({ index, fileOf }: Corpus, name: string): Definer[] {
  const definers: Definer[] = [];
  fileOf.forEach((documents, number) => {
    const segment = index.segment(number);
    const word = segment.words.find(name);
    if (word < 0) return;
    eachDefinition(segment, word, (document, symbol, kind) => {
      const file = documents[document] ?? -1;
      if (file >= 0) definers.push({ file, kind, symbol });
    });
  });
  return definers.sort((a, b) => a.file - b.file || a.symbol - b.symbol);
}

/**
 * Of the definitions of `only`, those that `QuerySet.only` means: the members of a `QuerySet`, else those in a file
 * that defines a `QuerySet` or is named like it, else all: `qs.only` says nothing about where it belongs.
 */
function ownedBy(
  corpus: Corpus,
  definers: readonly Definer[],
  owners: ReadonlySet<string> = new Set(),
): readonly Definer[] {
  if (owners.size === 0 || definers.length < 2) return definers;
  const { files } = corpus.index.snapshot;
  const named = new Set([...owners].map(plainName));
  const defining = new Set([...owners].flatMap((owner) => definersOf(corpus, owner).map(({ file }) => file)));
  const near = definers.filter(({ file }) => defining.has(file) || named.has(stemOf(files[file]!.path)));
  const members = near.filter((one) => isMember(corpus, one, owners));
  return members.length > 0 ? members : near.length > 0 ? near : definers;
}

function isMember({ index }: Corpus, { file, symbol }: Definer, owners: ReadonlySet<string>): boolean {
  const { segment, document } = index.snapshot.files[file]!;
  const symbols = index.segment(segment).symbols(document);
  for (let one = symbols[symbol]?.container ?? -1; one >= 0; one = symbols[one]!.container)
    if (owners.has(symbols[one]!.name)) return true;
  return false;
}

const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const stemOf = (path: string): string =>
  plainName(path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, ''));

/** Share of each found name among the files that define it: a name that one file defines points there. */
export function scoreMentioned(corpus: Corpus, found: readonly FoundDefinition[]): Float64Array {
  const scores = new Float64Array(corpus.fileCount);
  for (const { weight, definers } of found) {
    const best = new Map<number, number>();
    for (const { file, kind } of definers) best.set(file, Math.max(best.get(file) ?? 0, kindWeight(kind)));
    for (const [file, most] of best) scores[file]! += (weight * most) / best.size;
  }
  return scores;
}

/**
 * The best match between the task and the name of a single definition of each file: the summed gain of the parts
 * that the task has, times the share of the name that they cover.
 */
export function scoreNames(
  corpus: Corpus,
  terms: readonly { readonly words: TermWords; readonly gain: number }[],
): Float64Array {
  const scores = new Float64Array(corpus.fileCount);
  corpus.fileOf.forEach((documents, number) => {
    const segment = corpus.index.segment(number);
    const partCount = partCounterOf(segment);
    const gains = new Float32Array(segment.words.length);
    const matched = new Uint8Array(segment.words.length);
    const touched: number[] = [];
    for (const { words: found, gain } of terms) {
      const { words: ids, weights } = found.bySegment[number]!;
      for (let at = 0; at < ids.length; at++) {
        const id = ids[at]!;
        if (matched[id] === 0) touched.push(id);
        gains[id]! += gain * weights[at]!;
        matched[id]!++;
      }
    }
    for (const word of touched) {
      const gain = gains[word]!;
      if (gain === 0) continue;
      eachDefinition(segment, word, (document, _, kind) => {
        const file = documents[document] ?? -1;
        if (file < 0) return;
        const covered = Math.min(1, matched[word]! / partCount(word));
        const score = gain * covered * kindWeight(kind);
        if (score > scores[file]!) scores[file] = score;
      });
    }
  });
  return scores;
}

const partCounters = new WeakMap<SegmentView, (word: number) => number>();

/** How many parts a word of a segment has; the whole name counts as one of its own. Few words are asked for. */
function partCounterOf(segment: SegmentView): (word: number) => number {
  const known = partCounters.get(segment);
  if (known) return known;
  const counts = new Uint8Array(segment.words.length);
  const counter = (word: number) => {
    if (counts[word] === 0) counts[word] = Math.min(255, wordParts(segment.words.at(word)).length);
    return counts[word]!;
  };
  partCounters.set(segment, counter);
  return counter;
}

/** Calls back for each definition that a word of a segment names. */
export function eachDefinition(
  { definitions }: SegmentView,
  word: number,
  visit: (document: number, symbol: number, kind: number) => void,
): void {
  let low = 0;
  let high = definitions.length / DEFINITION_COLUMNS;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (definitions[middle * DEFINITION_COLUMNS]! < word) low = middle + 1;
    else high = middle;
  }
  for (let at = low * DEFINITION_COLUMNS; definitions[at] === word; at += DEFINITION_COLUMNS)
    visit(definitions[at + 1]!, definitions[at + 2]!, definitions[at + 3]!);
}

/** 1 for what a file is made of, less for members and values, little for keys and headings. */
export function kindWeight(kind: number): number {
  return KIND_WEIGHTS[kind]!;
}

const STRUCTURAL = kindsWith('structural');
const VALUES = kindsWith('value');

/** By kind, with and without `TOP_LEVEL`: it is asked for every definition that a word of the task names. */
const KIND_WEIGHTS = Float64Array.from({ length: 2 * TOP_LEVEL }, (_, kind) => {
  const name = SYMBOL_KINDS[kind & ~TOP_LEVEL];
  const isTop = (kind & TOP_LEVEL) !== 0;
  if (name !== undefined && STRUCTURAL.has(name)) return isTop ? 1 : 0.8;
  if (name !== undefined && VALUES.has(name)) return isTop ? 0.6 : 0.4;
  return 0.1;
});

/** A name that a task mentions, as written, with the files that have it. */
interface FoundUse {
  readonly name: string;
  /** Rarity times what the place of the mention counts. */
  readonly gain: number;
  /** How often each file has it. */
  readonly files: ReadonlyMap<number, number>;
}

const USE_ZONE_WEIGHT: Readonly<Record<SymbolMention['zone'], number>> = {
  title: 1.5,
  lead: 1,
  prose: 1,
  code: 0.5,
  trace: 0.5,
  boilerplate: 0,
};
/** The third use in a file says little more than the second. */
const SATURATION = 1.5;
/** A pasted log names thousands of things. */
const MAX_NAMES = 100;

/** Files that have the names of a task, defined there or not; a capital letter alone makes no name. */
export function findUses(corpus: Corpus, mentions: readonly SymbolMention[]): FoundUse[] {
  const weights = new Map<string, number>();
  for (const { name, form, zone } of mentions) {
    const weight = form === 'capitalized' ? 0 : USE_ZONE_WEIGHT[zone];
    if (weight > 0 && (weights.has(name) || weights.size < MAX_NAMES))
      weights.set(name, Math.max(weight, weights.get(name) ?? 0));
  }
  const found: FoundUse[] = [];
  for (const [name, weight] of weights) {
    const files = filesWith(corpus, name);
    if (files.size > 0) found.push({ name, gain: weight * rarity(corpus.size, files.size), files });
  }
  return found;
}

function filesWith({ index, fileOf }: Corpus, name: string): Map<number, number> {
  const files = new Map<number, number>();
  fileOf.forEach((documents, number) => {
    const segment = index.segment(number);
    const word = segment.words.find(name);
    if (word < 0) return;
    segment.eachPosting(word, (document, count) => {
      const file = documents[document] ?? -1;
      if (file >= 0) files.set(file, (files.get(file) ?? 0) + count);
    });
  });
  return files;
}

/** Files that have the rare ones of these names. */
export function scoreUses(corpus: Corpus, found: readonly FoundUse[]): Float64Array {
  const scores = new Float64Array(corpus.fileCount);
  for (const { gain, files } of found)
    for (const [file, count] of files) scores[file]! += (gain * count) / (count + SATURATION);
  return scores;
}
