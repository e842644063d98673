import type { CommitHistory } from '../../model/commit-history.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import { pathIndexOf } from './path-index.ts';
import { type Scope, scopesOf, wordsOf } from './scopes.ts';
import { rarity } from './score-terms.ts';

/** How well a path fits a scope: its own name or a folder's is the scope, has it among other words, or the whole has. */
const OWN_NAME = 1;
const FOLDER_NAME = 0.9;
const SPREAD = 0.9;
const IN_OWN_NAME = 0.6;
const IN_FOLDER_NAME = 0.5;

/** A folder that somebody named on purpose means something, however much is in it. */
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

function stemOf(name: string): string {
  const dot = name.indexOf('.', 1);
  return dot > 0 ? name.slice(0, dot) : name;
}

/** Files that commits about the same places changed: more often, more lately, and with fewer others count more. */
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
