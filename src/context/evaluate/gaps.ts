import { LoadoutError } from '../../model/loadout-error.ts';
import type { TaskAnalysis } from '../../model/task-analysis.ts';
import { CacheFolder } from '../../platform/cache/cache-folder.ts';
import { parseJsonDocument } from '../../schema/parse-json-document.ts';
import { analyzeTask } from '../analyze/index.ts';
import type { FileHint } from '../rank/index.ts';

// Gaps: what agents missed in packages. They are kept for each repository, and similar tasks get hints from them.

/** Something that an agent missed in a package. */
export interface Gap {
  /** Id of the package, as the agent gave it. */
  readonly package: string;
  /** The task that the package was for; empty when the package is not known. */
  readonly task: string;
  /** The missing context, in the agent's words. */
  readonly text: string;
  /** ISO time, for people only. */
  readonly at: string;
}

/** Exists wherever there is an index, so reading gaps creates no folder. */
const FOLDER = 'index';
/** A file of another format counts as empty. */
const FORMAT = 1;
/** The newest are kept. All of them are compared with each task, so there cannot be many. */
const MAX_GAPS = 80;
/** In characters. */
const MAX_TEXT = 400;
/** In characters. */
const MAX_TASK = 400;

/** A repository by the folder of its index, which all its work trees share. */
interface Indexed {
  readonly cache: { readonly path: string };
}

/** The gaps that were reported for a repository, oldest first. A damaged file counts as empty. */
export function readGaps(repository: Indexed, cacheDirectory: string): readonly Gap[] {
  const bytes = new CacheFolder(`${cacheDirectory}/${FOLDER}`).readAll(nameOf(repository));
  if (bytes === null) return [];
  try {
    const { value } = parseJsonDocument(bytes.toString('utf8'), nameOf(repository));
    return isGapFile(value) ? value.gaps : [];
  } catch (error) {
    if (error instanceof LoadoutError) return [];
    throw error;
  }
}

/** Keeps a gap. The same gap counts once. Returns the number of gaps. */
export function recordGap(repository: Indexed, cacheDirectory: string, gap: Gap): number {
  const kept: Gap = {
    ...gap,
    text: gap.text.trim().slice(0, MAX_TEXT),
    task: gap.task.trim().slice(0, MAX_TASK),
  };
  if (kept.text === '')
    throw new LoadoutError('empty-gap', 'the gap description is empty', {
      hint: 'say in a sentence what was missing, with a path or a name if you can',
    });
  const others = readGaps(repository, cacheDirectory).filter(
    (one) => one.text !== kept.text || one.task !== kept.task,
  );
  const gaps = [...others, kept].slice(-MAX_GAPS);
  const text = `${JSON.stringify({ format: FORMAT, gaps })}\n`;
  new CacheFolder(`${cacheDirectory}/${FOLDER}`).write(nameOf(repository), text);
  return gaps.length;
}

/** Removes all gaps of a repository. Returns how many there were. */
export function forgetGaps(repository: Indexed, cacheDirectory: string): number {
  const count = readGaps(repository, cacheDirectory).length;
  new CacheFolder(`${cacheDirectory}/${FOLDER}`).remove(nameOf(repository));
  return count;
}

function nameOf({ cache }: Indexed): string {
  return `${cache.path.split(/[\\/]/).at(-1)}.gaps.json`;
}

function isGapFile(value: unknown): value is { readonly gaps: readonly Gap[] } {
  if (typeof value !== 'object' || value === null) return false;
  const { format, gaps } = value as { format?: unknown; gaps?: unknown };
  return format === FORMAT && Array.isArray(gaps) && gaps.length <= MAX_GAPS && gaps.every(isGap);
}

function isGap(value: unknown): value is Gap {
  if (typeof value !== 'object' || value === null) return false;
  const { package: id, task, text, at } = value as Partial<Record<keyof Gap, unknown>>;
  return [id, task, text, at].every((one) => typeof one === 'string');
}

/** 0..1. Gaps of a task that resembles the current one less give no hint. */
const MIN_RESEMBLANCE = 0.3;
const MAX_HINTS = 8;

/** Hints for the ranking from the gaps of similar tasks, the most similar first. */
export function gapHints(task: TaskAnalysis, gaps: readonly Gap[]): readonly FileHint[] {
  const hints = gaps.flatMap((gap): FileHint[] => {
    if (gap.task === '') return [];
    const strength = resemblance(task, analyzeTask(gap.task));
    if (strength < MIN_RESEMBLANCE) return [];
    const { paths, symbols } = analyzeTask(gap.text);
    if (paths.length === 0 && symbols.length === 0) return [];
    return [{ strength, paths, symbols, reason: `an earlier task like this lacked it: “${cut(gap.text)}”` }];
  });
  return hints.sort((a, b) => b.strength - a.strength).slice(0, MAX_HINTS);
}

/** The weight of the common keywords as a share of the weight of all keywords of both tasks. */
function resemblance(one: TaskAnalysis, other: TaskAnalysis): number {
  const weights = new Map(one.keywords.map(({ word, weight }) => [word, weight]));
  let common = 0;
  let all = one.keywords.reduce((sum, { weight }) => sum + weight, 0);
  for (const { word, weight } of other.keywords) {
    const shared = Math.min(weight, weights.get(word) ?? 0);
    common += shared;
    all += weight - shared;
  }
  return all === 0 ? 0 : common / all;
}

/** In characters, of the gap in a reason. */
const MAX_SHOWN = 80;

function cut(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}
