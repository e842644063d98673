import type { SnapshotFile } from '../model/snapshot.ts';
import type { PathMention, StackFrame } from '../model/task-analysis.ts';
import { pathIndexOf } from './path-index.ts';
import { rarity } from './score-terms.ts';
import { variantsOf, type WordForms } from './word-forms.ts';

/** How well the words of each path match the terms of a task. */
export function scorePathWords(
  files: readonly SnapshotFile[],
  terms: readonly { readonly forms: WordForms; readonly weight: number }[],
): Float64Array {
  const index = pathIndexOf(files);
  const scores = new Float64Array(files.length);
  for (const { forms, weight } of terms) {
    if (weight === 0) continue;
    const best = new Map<number, number>();
    for (const { part, weight: likeness } of variantsOf(index.words, forms)) {
      const { files: found, levels } = index.posting(part);
      const gain = likeness * rarity(files.length, found.length);
      found.forEach((file, at) => {
        best.set(file, Math.max(best.get(file) ?? 0, gain * levels[at]!));
      });
    }
    for (const [file, gain] of best) scores[file]! += weight * gain;
  }
  for (let file = 0; file < scores.length; file++) scores[file]! /= 1 + 0.1 * index.stemLengths[file]!;
  return scores;
}

/** How sure a mention of a path is that it means this file, 0..1. */
export function mentionStrength(mention: string, path: string): number {
  if (path === mention) return 1;
  if (path.endsWith(`/${mention}`)) return mention.includes('/') ? 0.95 : 0.8;
  // the task may name the file from above the repository's root
  if (mention.endsWith(`/${path}`)) return path.includes('/') ? 0.95 : 0.5;
  return 0;
}

/** `a.b.c` against the path without its extension; `a/b/c.py`, `a/b/c/__init__.py`, `a/b.py` (c is a name in it). */
export function moduleStrength(module: string, path: string): number {
  const bare = path.replace(/\.[^./]+$/, '').replace(/\/(?:__init__|index|mod|lib)$/, '');
  const asPath = module.replaceAll('::', '/').replaceAll('.', '/');
  if (endsWithPath(bare, asPath)) return asPath.includes('/') ? 1 : 0.3;
  const parent = asPath.slice(0, asPath.lastIndexOf('/'));
  if (parent.includes('/') && endsWithPath(bare, parent)) return 0.7;
  return 0;
}

function endsWithPath(path: string, end: string): boolean {
  return end !== '' && (path === end || path.endsWith(`/${end}`));
}

/** Scores of the files that a task names. A name that fits many files points to none. */
export function scoreMentions(files: readonly SnapshotFile[], paths: readonly PathMention[]): Float64Array {
  const scores = new Float64Array(files.length);
  for (const { path, kind } of paths) {
    const strength = kind === 'module' ? moduleStrength : mentionStrength;
    addShared(scores, files, (file) => strength(path, file));
  }
  return scores;
}

/** Frames near the place of the error count most. */
export function scoreFrames(files: readonly SnapshotFile[], frames: readonly StackFrame[]): Float64Array {
  const scores = new Float64Array(files.length);
  for (const { path, depth } of frames.slice(0, 60))
    addShared(scores, files, (file) => frameStrength(path, file) / (1 + 0.3 * depth));
  return scores;
}

/** Frames are absolute on another machine: the longest common end decides. */
function frameStrength(frame: string, path: string): number {
  if (!frame.includes('/') && !path.endsWith(frame)) return 0;
  const given = frame.split('/').reverse();
  const segments = path.split('/').reverse();
  let same = 0;
  while (same < given.length && same < segments.length && given[same] === segments[same]) same++;
  if (same === 0) return 0;
  return same === segments.length || same === given.length ? 1 : same >= 2 ? 0.5 : 0;
}

function addShared(
  scores: Float64Array,
  files: readonly SnapshotFile[],
  strengthOf: (path: string) => number,
): void {
  const hits: [file: number, strength: number][] = [];
  files.forEach(({ path }, file) => {
    const strength = strengthOf(path);
    if (strength > 0) hits.push([file, strength]);
  });
  const best = Math.max(0, ...hits.map(([, strength]) => strength));
  const top = hits.filter(([, strength]) => strength === best).length;
  for (const [file, strength] of hits)
    scores[file] = Math.max(
      scores[file]!,
      strength === best ? strength / Math.sqrt(top) : strength / (top + hits.length),
    );
}
