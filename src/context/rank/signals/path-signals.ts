import type { SnapshotFile } from '../../../model/snapshot.ts';
import type { PathMention, StackFrame } from '../../../model/task-analysis.ts';
import { wordParts } from '../../../model/word-parts.ts';
import { allForms, formWeight, type WordForms } from '../query-terms.ts';
import { rarity } from '../search-words.ts';
import { definersOf } from './name-signals.ts';
import { type PathIndex, type PathPosting, pathIndexOf } from './path-index.ts';
import { namedTerms, quotedWords } from './reason-words.ts';
import { MAX_NAMED, type ReasonContext, type SignalDefinition, shownName, told } from './signal.ts';

/** The path has words of the task. */
export const pathWords: SignalDefinition = {
  name: 'pathWords',
  group: 'path',
  score: ({ files, terms }) => scorePathWords(files, terms),
  reason: (file, context) => {
    const words = wordsOfPath(file, context);
    return told(
      'path contains',
      quotedWords(words),
      words.length === 0 ? 'path contains words of the task' : '',
    );
  },
};

/** The path has words of the title. */
export const titlePath: SignalDefinition = {
  ...pathWords,
  name: 'titlePath',
  toldAs: 'pathWords',
  score: ({ files, terms }) =>
    scorePathWords(
      files,
      terms.map(({ forms, titleWeight }) => ({ forms, weight: titleWeight })),
    ),
};

/** The task names the file or its module. */
export const mentionedPaths: SignalDefinition = {
  name: 'mentionedPaths',
  group: 'path',
  namesTheFile: true,
  score: ({ files, task }) => scoreMentions(files, task.paths),
  reason: () => 'the task names this file',
};

/** The file is in a stack trace of the task. */
export const frames: SignalDefinition = {
  name: 'frames',
  group: 'path',
  namesTheFile: true,
  score: ({ files, task, corpus }) =>
    scoreFrames(files, task.frames, (name) => [...new Set(definersOf(corpus, name).map(({ file }) => file))]),
  reason: (file, context) =>
    told('the stack trace has its', lineOrFunction(file, context), 'it is in the stack trace'),
};

/** The words of the task that a path has. */
function wordsOfPath(file: number, context: ReasonContext): readonly string[] {
  const { path } = context.ranking.files[file]!;
  const words = path.split(/[^\p{L}\p{M}\p{N}_]+/u).flatMap(wordParts);
  const matching = namedTerms(context).filter(({ forms }) =>
    words.some((word) => formWeight(forms, word) > 0),
  );
  return matching.slice(0, MAX_NAMED).map(({ part }) => part);
}

/** The line that a frame gives, or the functions of the file in frames that give no path. */
function lineOrFunction(file: number, context: ReasonContext): string {
  const { task, files } = context.ranking;
  const hit = task.frames.find(
    ({ path, line }) => line !== null && frameStrength(path, files[file]!.path) === 1,
  );
  if (hit) return `line ${hit.line}`;
  const bare = task.frames.filter(({ path }) => path === '');
  const names = new Set(bare.map(({ symbol }) => functionName(symbol)));
  const own = names.size === 0 ? [] : context.namesIn(file).filter((name) => names.has(functionName(name)));
  return own
    .slice(0, MAX_NAMED)
    .map((name) => shownName(context, name))
    .join(', ');
}

/** A long name is matched by chance more often. */
const STEM_LENGTH_DAMPING = 0.1;

/** How well the words of each path match the terms of a task. */
export function scorePathWords(
  files: readonly SnapshotFile[],
  terms: readonly { readonly forms: WordForms; readonly weight: number }[],
): Float64Array {
  const index = pathIndexOf(files);
  const scores = new Float64Array(files.length);
  const best = new Float64Array(files.length);
  for (const { forms, weight } of terms) {
    if (weight === 0) continue;
    const postings: PathPosting[] = [];
    for (const { word, weight: likeness } of allForms(forms)) {
      const posting = index.posting(word);
      const { files: found, levels } = posting;
      if (found.length === 0) continue;
      postings.push(posting);
      const gain = likeness * rarity(files.length, found.length);
      for (let at = 0; at < found.length; at++)
        best[found[at]!] = Math.max(best[found[at]!]!, gain * levels[at]!);
    }
    for (const { files: found } of postings)
      for (const file of found) {
        scores[file]! += weight * best[file]!;
        best[file] = 0;
      }
  }
  for (let file = 0; file < scores.length; file++)
    scores[file]! /= 1 + STEM_LENGTH_DAMPING * index.stemLengths[file]!;
  return scores;
}

/**
 * A path in a trace is often one of many, and has the column of frames. What a program imports, and the extensions that
 * are switched on, are right no more often than wrong.
 */
const MANNER_WEIGHT: Readonly<Record<PathMention['manner'], number>> = {
  text: 1,
  trace: 0.6,
  import: 0,
  list: 0,
};

/** Scores of the files that a task names. A name that fits many files points to none. */
export function scoreMentions(
  files: readonly SnapshotFile[],
  mentions: readonly PathMention[],
): Float64Array {
  const index = pathIndexOf(files);
  const scores = new Float64Array(files.length);
  for (const { path, kind, manner } of mentions) {
    const weight = MANNER_WEIGHT[manner];
    if (weight === 0) continue;
    const hits = kind === 'module' ? filesOfModule(index, files, path) : filesOfPath(index, files, path);
    share(scores, weight === 1 ? hits : hits.map(([file, strength]): Hit => [file, strength * weight]));
  }
  return scores;
}

const MAX_FRAMES = 60;

/** Frames near the place of the error count most. A frame without a path is where its function is defined. */
export function scoreFrames(
  files: readonly SnapshotFile[],
  frames: readonly StackFrame[],
  definersOf: (name: string) => readonly number[] = () => [],
): Float64Array {
  const index = pathIndexOf(files);
  const scores = new Float64Array(files.length);
  for (const { path, symbol, depth } of frames.slice(0, MAX_FRAMES)) {
    const weight = 1 / (1 + 0.3 * depth);
    const hits =
      path === ''
        ? definersOf(functionName(symbol)).map((file): Hit => [file, weight])
        : (index.named.get(lastSegment(path)) ?? []).map(
            (file): Hit => [file, frameStrength(path, files[file]!.path) * weight],
          );
    share(
      scores,
      hits.filter(([, strength]) => strength > 0),
    );
  }
  return scores;
}

/** The last segment of `foo::bar`. */
function functionName(symbol: string | null): string {
  return symbol?.split(/::|\./).at(-1) ?? '';
}

type Hit = readonly [file: number, strength: number];

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A path in full, its end, or with something above the repository's root in front. */
function filesOfPath({ named }: PathIndex, files: readonly SnapshotFile[], mention: string): Hit[] {
  const hits: Hit[] = [];
  for (const file of named.get(lastSegment(mention)) ?? []) {
    const { path } = files[file]!;
    if (path === mention) hits.push([file, 1]);
    else if (path.endsWith(`/${mention}`)) hits.push([file, mention.includes('/') ? 0.95 : 0.8]);
    else if (mention.endsWith(`/${path}`)) hits.push([file, path.includes('/') ? 0.95 : 0.5]);
  }
  return hits;
}

/** `a.b.c` means `a/b/c.py`, `a/b/c/__init__.py`, or what `c` is called in `a/b.py`. */
function filesOfModule({ modules }: PathIndex, files: readonly SnapshotFile[], module: string): Hit[] {
  const whole = module.replaceAll('::', '/').replaceAll('.', '/');
  const parent = whole.slice(0, Math.max(0, whole.lastIndexOf('/')));
  const exact = (modules.get(lastSegment(whole)) ?? []).filter(({ bare }) => endsWithPath(bare, whole));
  if (exact.length > 0) return exact.map(({ file }) => [file, whole.includes('/') ? 1 : 0.3]);
  if (!parent.includes('/')) return [];
  return (modules.get(lastSegment(parent)) ?? [])
    .filter(({ bare }) => endsWithPath(bare, parent))
    .map(({ file }) => [file, files[file]!.classification.role === 'test' ? 0.4 : 0.7]);
}

function endsWithPath(path: string, end: string): boolean {
  return end !== '' && (path === end || path.endsWith(`/${end}`));
}

/** Frames are absolute on another machine: the longest common end decides. */
function frameStrength(frame: string, path: string): number {
  const given = frame.split('/').reverse();
  const segments = path.split('/').reverse();
  let same = 0;
  while (same < given.length && same < segments.length && given[same] === segments[same]) same++;
  if (same === segments.length || same === given.length) return 1;
  return same >= 2 ? 0.5 : 0;
}

function share(scores: Float64Array, hits: readonly Hit[]): void {
  // not by spreading: thousands of files may have the same name
  const best = hits.reduce((most, [, strength]) => Math.max(most, strength), 0);
  const top = hits.filter(([, strength]) => strength === best).length;
  for (const [file, strength] of hits) {
    const part = strength === best ? strength / Math.sqrt(top) : strength / (top + hits.length);
    scores[file] = Math.max(scores[file]!, part);
  }
}
