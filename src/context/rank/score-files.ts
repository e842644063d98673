import { CLIENTS } from '../../agents/index.ts';
import type { FileRole } from '../../model/file-entry.ts';
import type { Signal } from '../../model/ranking.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import type { PathMention, SymbolMention, TaskAnalysis } from '../../model/task-analysis.ts';
import type { Corpus } from './corpus.ts';
import { type Evidence, type SideSums, sumSides } from './evidence.ts';
import type { GivenEvidence } from './given-evidence.ts';
import type { RankingContext } from './ranking-context.ts';
import { findMentioned, scoreMentioned } from './signals/name-signals.ts';
import { scoreMentions } from './signals/path-signals.ts';
import { isBelow } from './signals/scope-signals.ts';
import type { ShownTexts } from './signals/signal.ts';
import { RANKING_SIGNALS } from './signals/table.ts';

export interface RankOptions {
  /** How much structure and text count; divided by their sum. */
  readonly weights: { readonly ast: number; readonly semantic: number };
  /** Files that may be returned; all if absent. */
  readonly allow?: (path: string) => boolean;
  /** Called for each relevant file that may not be returned, with its strength. */
  readonly onLeftOut?: (path: string, strength: number) => void;
  /** Called with the weight of the task's words that the repository has: how much the task says about it. */
  readonly onWeighed?: (weight: number) => void;
  /** Found for this repository by `loadout eval --tune`; neighbours are found with the learned weights. */
  readonly multipliers?: Readonly<Record<Signal, number>>;
  /** Files known from elsewhere to matter for tasks like this one. */
  readonly hints?: readonly FileHint[];
  /** Columns that a knowledge store has scored; the index scores the others. */
  readonly given?: GivenEvidence;
  readonly limit: number;
  /** A file that is described wherever it ranks, behind the others if it must be. */
  readonly about?: string;
  /** Called with the place of that file, from 0, or -1, and the number of files with a score. */
  readonly onPlaced?: (place: number, scored: number) => void;
  /** Takes secrets out of shown texts before they are cut. */
  readonly shown?: ShownTexts;
  /** Files with a lower combined score are not returned. */
  readonly minRelevance: number;
}

/** Scores of all files, by file number. */
export interface FileScores {
  /** As printed: rounded. */
  readonly combined: Float64Array;
  readonly ast: Float64Array;
  readonly semantic: Float64Array;
  /** Files that a hint speaks of. */
  readonly hinted: ReadonlyMap<number, HintedFile>;
}

/** The balance that the weights of the evidence were found at: other settings shift from here. */
const LEARNED = { ast: 0.6, semantic: 0.4 };

/** Below 1: weak files come closer to the best one, without passing each other. */
const BEND = 0.6;

/** The most that a hint can add, as a share of the best file: enough to be seen, too little to lead by itself. */
const HINT_SHARE = 0.25;

/** Turns evidence into scores: weigh, add hints, leave out or discount, scale to 0..1. */
export function scoreFiles(context: RankingContext, evidence: Evidence, options: RankOptions): FileScores {
  const sums = sumSides(evidence.columns, context.files.length, options.multipliers);
  const hinted = hintedFiles(context.corpus, options.hints ?? []);
  addHints(sums, hinted);
  discount(context, evidence, sums, hinted, options);
  const scores = toScores(sums, options.weights);
  return { ...scores, combined: scores.combined.map(round), hinted };
}

/** Numbers of the files to return, best first. Readers see rounded scores: equal ones go by path. */
export function orderFiles(
  files: readonly SnapshotFile[],
  { combined }: FileScores,
  { minRelevance, limit }: RankOptions,
): readonly number[] {
  return [...files.keys()]
    .filter((file) => combined[file]! > 0 && combined[file]! >= minRelevance)
    .sort((a, b) => combined[b]! - combined[a]! || (files[a]!.path < files[b]!.path ? -1 : 1))
    .slice(0, limit);
}

/** A score as it is printed. */
export function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function addHints({ structure, text }: SideSums, hinted: FileScores['hinted']): void {
  if (hinted.size === 0) return;
  const best = structure.reduce((most, value, file) => Math.max(most, value + text[file]!), 0);
  for (const [file, { strength }] of hinted) structure[file]! += HINT_SHARE * strength * best;
}

/** Takes files out that may not be returned, and a share from files that are rarely needed. */
function discount(
  { files, task }: RankingContext,
  { columns }: Evidence,
  { structure, text }: SideSums,
  hinted: FileScores['hinted'],
  { allow, onLeftOut }: RankOptions,
): void {
  const naming = RANKING_SIGNALS.filter(({ namesTheFile }) => namesTheFile).map(({ name }) => columns[name]!);
  files.forEach((file, number) => {
    if (structure[number] === 0 && text[number] === 0) return;
    const isLeftOut = allow?.(file.path) === false;
    if (isLeftOut) onLeftOut?.(file.path, structure[number]! + text[number]!);
    // there is nothing to see in an empty file: only a task that names the file itself brings it in
    const isEmpty = file.size === 0 && !hinted.has(number) && naming.every((column) => column[number]! <= 0);
    const prior = file.segment < 0 || isLeftOut || isEmpty ? 0 : filePrior(file, task);
    structure[number]! *= prior;
    text[number]! *= prior;
  });
}

/**
 * Scores of a task's files in 0..1. A file's score is its summed evidence as a share of the best file's, bent so that
 * a fifth of the best still counts as relevant, and split between the sides as the evidence is. With the default
 * weights the order is that of the sums; no side goes above 1.
 */
function toScores({ structure, text }: SideSums, weights: RankOptions['weights']) {
  const sums = structure.map((value, file) => value + text[file]!);
  const best = highest(sums) || 1;
  const bend = sums.map((sum) => (sum > 0 ? (sum / best) ** BEND / sum : 0));
  const ast = structure.map((value, file) => (value * bend[file]!) / LEARNED.ast);
  const semantic = text.map((value, file) => (value * bend[file]!) / LEARNED.semantic);
  const largest = Math.max(1, highest(ast), highest(semantic));
  const whole = weights.ast + weights.semantic || 1;
  for (let file = 0; file < sums.length; file++) {
    ast[file]! /= largest;
    semantic[file]! /= largest;
  }
  const combined = ast.map(
    (value, file) => (weights.ast * value + weights.semantic * semantic[file]!) / whole,
  );
  return { ast, semantic, combined };
}

function highest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

/** The share of its score that a file keeps when the task is not about files of its role. */
const BY_ROLE: Readonly<Record<FileRole, number>> = {
  source: 1,
  test: 0.15,
  docs: 0.15,
  config: 0.25,
  data: 0.15,
  example: 0.2,
  other: 0.4,
};
const GENERATED = 0.8;
const VENDORED = 0.5;

/** A step of a database was right on the day it was written. The next step is another file. */
const MIGRATION = 0.5;
const MIGRATION_WORD = /^(?:migrat(?:e[ds]?|ions?|ing)|schemas?|alembic|flyway|liquibase)$/i;

/** Words of tasks about settings and builds. Each of them also stands in tasks about a program's own options. */
const CONFIG_WORD =
  /^(?:configs?|configur(?:e[ds]?|ing|ations?)|settings?|ci|workflows?|pipelines?|docker(?:file)?|makefile|cmake|lint(?:er|ing)?|packag(?:e|ing)|dependenc(?:y|ies)|manifests?|tool(?:ing|chain)|build|ya?ml|toml|ini|bump)$/i;
/** What a configuration file is worth when the task speaks of configuration, and when it also speaks of this file. */
const ABOUT_CONFIG = 0.3;
const ABOUT_THIS_CONFIG = 1;

const AGENT_SET_UP = 0.3;

/** Files outside of the domain that the caller named. They stay in the list: a domain says where to begin. */
const OUTSIDE_DOMAIN = 0.4;
/** Where coding agents and this tool keep their own set-up. */
const SET_UP_FOLDERS = [
  '.loadout',
  '.windsurf',
  ...CLIENTS.flatMap(({ settingsFolder }) => settingsFolder ?? []),
];
/** The same as an expression, with the word that a task calls the set-up by. */
const SET_UP_PATH = new RegExp(
  `^\\.(${SET_UP_FOLDERS.map((folder) => folder.slice(1)).join('|')})/|^\\.(mcp)\\.json$`,
);

/** Files that are rarely what a task needs count less, unless the task is about them. */
export function filePrior(
  { classification, path }: SnapshotFile,
  {
    about,
    words,
    places = [],
  }: Pick<TaskAnalysis, 'about' | 'words'> & Partial<Pick<TaskAnalysis, 'places'>>,
): number {
  const { role, generated, vendored, migration } = classification;
  const origin = generated ? GENERATED : vendored ? VENDORED : 1;
  const share = migration && !speaksOf(MIGRATION_WORD, words) ? origin * MIGRATION : origin;
  const isOutside = places.length > 0 && !places.some((place) => isBelow(path, place));
  const domain = isOutside ? OUTSIDE_DOMAIN : 1;
  const aboutIt = role === 'config' ? aboutConfig(path, words) : aboutRole(role, about);
  return towardsOne(BY_ROLE[role], aboutIt) * share * setUpShare(path, words) * domain;
}

/** Where a task says what it wants. Logs and listings are full of the words of builds. */
const TOLD: ReadonlySet<string> = new Set(['title', 'lead', 'prose']);

/** By the words of a task, which are the same object for all of its files. */
const spoken = new WeakMap<TaskAnalysis['words'], Map<RegExp, boolean>>();

function speaksOf(subject: RegExp, words: TaskAnalysis['words']): boolean {
  const known = spoken.get(words) ?? new Map<RegExp, boolean>();
  const found = known.get(subject) ?? words.some(({ word, zone }) => TOLD.has(zone) && subject.test(word));
  spoken.set(words, known.set(subject, found));
  return found;
}

/** How much a task is about a configuration file: it speaks of configuration, and of the subject in the file's name. */
function aboutConfig(path: string, words: TaskAnalysis['words']): number {
  if (!speaksOf(CONFIG_WORD, words)) return 0;
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const parts = name.split(/[^a-z\d]+/).filter((part) => part.length > 2 && !GENERAL_PART.test(part));
  const isNamed = words.some(
    ({ word, zone }) => TOLD.has(zone) && (word.toLowerCase() === name || parts.includes(word.toLowerCase())),
  );
  return isNamed ? ABOUT_THIS_CONFIG : ABOUT_CONFIG;
}

/** Parts of names that say the format, not the subject. */
const GENERAL_PART =
  /^(?:json|jsonc|ya?ml|toml|ini|cfg|conf|config|properties|xml|txt|settings?|main|app|index|test|base|js|ts|mjs|cjs)$/;

function setUpShare(path: string, words: TaskAnalysis['words']): number {
  const found = SET_UP_PATH.exec(path);
  if (!found) return 1;
  const name = found[1] ?? found[2];
  return words.some(({ word }) => word.toLowerCase() === name) ? 1 : AGENT_SET_UP;
}

function aboutRole(role: FileRole, about: TaskAnalysis['about']): number {
  if (role === 'test') return about.tests;
  if (role === 'docs') return about.docs;
  return role === 'example' ? about.examples : 0;
}

function towardsOne(prior: number, about: number): number {
  return prior + (1 - prior) * about;
}

/** Something that is known from elsewhere to matter for tasks like this one. */
export interface FileHint {
  /** 0..1. */
  readonly strength: number;
  readonly paths: readonly PathMention[];
  readonly symbols: readonly SymbolMention[];
  /** For people. */
  readonly reason: string;
}

interface HintedFile {
  /** 0..1. */
  readonly strength: number;
  readonly reason: string;
}

/** The files that hints speak of, each with its strongest hint. */
function hintedFiles(corpus: Corpus, hints: readonly FileHint[]): ReadonlyMap<number, HintedFile> {
  const { files } = corpus.index.snapshot;
  const found = new Map<number, HintedFile>();
  for (const { strength, paths, symbols, reason } of hints) {
    const columns = [scoreMentions(files, paths), scoreMentioned(corpus, findMentioned(corpus, symbols))];
    for (const column of columns) {
      const most = column.reduce((highest, value) => Math.max(highest, value), 0);
      if (most === 0) continue;
      for (let file = 0; file < column.length; file++) {
        const own = (strength * column[file]!) / most;
        if (own > (found.get(file)?.strength ?? 0)) found.set(file, { strength: own, reason });
      }
    }
  }
  return found;
}
