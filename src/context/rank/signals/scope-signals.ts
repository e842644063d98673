import type { CommitHistory } from '../../../model/commit-history.ts';
import type { SnapshotFile } from '../../../model/snapshot.ts';
import { isStopWord } from '../../../model/stop-words.ts';
import { wordParts } from '../../../model/word-parts.ts';
import { type RankingContext, remember } from '../ranking-context.ts';
import { rarity } from '../search-words.ts';
import { pathIndexOf } from './path-index.ts';
import { quotedWords } from './reason-words.ts';
import { type ReasonContext, type SignalDefinition, shownName, told } from './signal.ts';

/** The file is at the place that the task begins with, such as `net/http: ...`, or in the domain that was named. */
export const scopePlaces: SignalDefinition = {
  name: 'scopePlaces',
  group: 'path',
  isShare: true,
  score: (context) => {
    const { files, task } = context;
    const scores = scorePlaces(files, scopesOfTask(context), task.places);
    scorePlaces(files, scopesOfBullets(task.text)).forEach((score, file) => {
      if (score >= MIN_CLOSE) scores[file] = Math.max(scores[file]!, score * BULLET);
    });
    return scores;
  },
  reason: (file, context) => {
    const { task, files } = context.ranking;
    const folder = task.places.find((one) => isBelow(files[file]!.path, one));
    if (folder !== undefined) return `it is in ${shownName(context, folder)} of the domain that was named`;
    const scopes = namesOfScopes(context);
    return scopes === '' ? '' : `it is at ${scopes}, with which the task begins`;
  },
};

/** Commits that begin with the same place changed the file. */
export const pastScopes: SignalDefinition = {
  name: 'pastScopes',
  group: 'history',
  score: (context) =>
    scorePastScopes(context.history, scopesOfTask(context), context.files.length, context.fileAt),
  reason: (_, context) => told('changed by commits that begin with', namesOfScopes(context), ''),
};

const scopesOfTask = remember(({ task }: RankingContext) => scopesOf(task.text));

function namesOfScopes(context: ReasonContext): string {
  return quotedWords(scopesOfTask(context.ranking).map(({ name }) => shownName(context, name)));
}

/** How well a path fits a scope: its own name or a folder's is the scope, has it among other words, or the whole has. */
const OWN_NAME = 1;
const FOLDER_NAME = 0.9;
const SPREAD = 0.9;
const IN_OWN_NAME = 0.6;
const IN_FOLDER_NAME = 0.5;

/** A folder that the caller named counts at least this much, however many files it has. */
const MIN_NAMED = 0.3;

/** After this many commits a commit counts half as much. */
const HALF = 500;

/** Files at the places that a task names; a place with many files says little about each. 1 is a place of its own. */
export function scorePlaces(
  files: readonly SnapshotFile[],
  scopes: readonly Scope[],
  /** Folders that the caller named. */
  folders: readonly string[] = [],
): Float64Array {
  const scores = new Float64Array(files.length);
  if (folders.length > 0) {
    const found = files.flatMap(({ path }, file) =>
      folders.some((folder) => isBelow(path, folder)) ? [file] : [],
    );
    const telling = rarity(files.length, found.length) / rarity(files.length, 1);
    for (const file of found) scores[file] = Math.max(MIN_NAMED, telling * FOLDER_NAME);
  }
  for (const { parts } of scopes) {
    const found = filesWithAll(files, parts);
    const telling = rarity(files.length, found.length) / rarity(files.length, 1);
    for (const file of found)
      scores[file] = Math.max(scores[file]!, telling * closeness(files[file]!.path, parts));
  }
  return scores;
}

/** Whether a file is in a folder, or is the one that was named. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function filesWithAll(files: readonly SnapshotFile[], parts: readonly string[]): number[] {
  const index = pathIndexOf(files);
  let found: readonly number[] | null = null;
  for (const part of new Set(parts)) {
    const having: readonly number[] = index.posting(part).files;
    const kept = new Set(having);
    found = found === null ? having : found.filter((file) => kept.has(file));
  }
  return [...(found ?? [])];
}

function closeness(path: string, parts: readonly string[]): number {
  const whole = parts.join('');
  const segments = path.split('/');
  const last = segments.length - 1;
  let best = 0;
  segments.forEach((segment, at) => {
    const words = wordsOf(at === last ? stemOf(segment) : segment);
    if (words.join('') === whole) best = Math.max(best, at === last ? OWN_NAME : FOLDER_NAME);
    else if (parts.every((part) => words.includes(part)))
      best = Math.max(best, at === last ? IN_OWN_NAME : IN_FOLDER_NAME);
  });
  // all of it is there, no segment has it alone: `net/http`, or `str expand` for `str_/expand.rs`
  return best === 0 && parts.length > 1 ? SPREAD : best;
}

export function stemOf(name: string): string {
  const dot = name.indexOf('.', 1);
  return dot > 0 ? name.slice(0, dot) : name;
}

/** Files that commits about the same places changed: frequent, recent and small commits count more. */
export function scorePastScopes(
  history: CommitHistory,
  scopes: readonly Scope[],
  fileCount: number,
  fileOf: (path: string) => number,
): Float64Array {
  const scores = new Float64Array(fileCount);
  if (scopes.length === 0) return scores;
  const wanted = new Set(scopes.map(keyOf));
  const numbers = history.paths.map(fileOf);
  history.subjects.forEach((subject, commit) => {
    if (!scopesOf(subject).some((scope) => wanted.has(keyOf(scope)))) return;
    const share = 1 / (1 + commit / HALF) / Math.sqrt(Math.max(1, history.fileCounts[commit]!));
    for (let at = history.fileStarts[commit]!; at < history.fileStarts[commit + 1]!; at++) {
      const file = numbers[history.files[at]!]!;
      if (file >= 0) scores[file]! += share;
    }
  });
  // the tenth such commit says less than the first
  return scores.map(Math.sqrt);
}

function keyOf({ parts }: Scope): string {
  return parts.join('/');
}

/** The place that a title begins with: `fix(net): …`, `net/http: …`, `[net] …`, `str expand: …`. */
export interface Scope {
  /** Lower case, as written: what a person would call it. */
  readonly name: string;
  /** Its words, lower case; equal parts make equal scopes whatever is between them. */
  readonly parts: readonly string[];
}

const MAX_LINE = 300;
const MAX_TEXT = 8_000;
const COMMIT_TYPE = /^[a-z]{2,12}\(([^()]{1,80})\)!?:\s/i;
const BRACKETS = /^\[([^\]]{2,40})\]:?\s*/;
/** Up to three words, or a list of places, and what is to be done behind the colon. */
const PREFIX = /^((?:[\w./@*+`$-]{1,40}(?:,\s?|\s)?){1,3}):\s+\S/;
const MAX_PREFIX = 40;
/** Kinds of work, not places. */
const KINDS =
  /^(?:fix(?:es|ed)?|feat(?:ure)?s?|chore|bug(?:fix)?|docs?|tests?|refactor|perf|build|ci|style|revert|release|backport.*|pr\b.*|wip|security|deps.*|note|todo|breaking)$/;

/** The places that the first line of a task or of a commit's message names before it says what is to be done. */
export function scopesOf(text: string): Scope[] {
  const line = text.trimStart().slice(0, MAX_LINE).split('\n', 1)[0]!;
  const found = new Map<string, Scope>();
  for (const written of placesIn(line)) {
    const name = written.replaceAll('`', '').trim().toLowerCase();
    if (name.length < 2 || KINDS.test(name)) continue;
    const parts = wordsOf(written);
    if (parts.length > 0) found.set(parts.join('/'), { name, parts });
  }
  return [...found.values()];
}

function placesIn(line: string): string[] {
  const brackets = BRACKETS.exec(line);
  const rest = line.slice(brackets?.[0].length ?? 0);
  const inBrackets = brackets ? [brackets[1]!] : [];
  const commit = COMMIT_TYPE.exec(rest);
  if (commit) return [...inBrackets, ...commit[1]!.split(/[,;|]/)];
  const prefix = PREFIX.exec(rest)?.[1] ?? '';
  return prefix.length > MAX_PREFIX ? inBrackets : [...inBrackets, ...prefix.split(',')];
}

/** What a place at the beginning of a point counts against one at the beginning of the title. */
const BULLET = 0.5;
/** Points begin with many words that are no places: only files and folders that are called so count. */
const MIN_CLOSE = 0.35;
const MAX_BULLETS = 20;
/** `- net/http: keep the header`: one word, and behind the colon a sentence of its own. */
const BULLET_PLACE = /^\s{0,6}[-*+] `?([a-z][\w./-]{1,40})`?: +`?[a-z][\w`'-]*(?: +\S+){2}/gm;

/** The places that the points of a list begin with. */
export function scopesOfBullets(text: string): Scope[] {
  const found = new Map<string, Scope>();
  const rest = text.slice(0, MAX_TEXT);
  for (const [, written] of rest.matchAll(BULLET_PLACE)) {
    const name = written!.toLowerCase();
    const parts = wordsOf(written!);
    if (parts.length === 0 || KINDS.test(name) || isStopWord(name)) continue;
    if (found.size < MAX_BULLETS) found.set(parts.join('/'), { name, parts });
  }
  return [...found.values()];
}

/** The words of a name or a path, in order: `htmlReporter`, `html-reporter` and `html_reporter` have the same. */
export function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{M}\p{N}]+/u).flatMap((word) => {
    const [whole, ...parts] = wordParts(word);
    return parts.length > 0 ? parts : whole ? [whole] : [];
  });
}
