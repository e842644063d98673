import { LoadoutError } from '../../model/loadout-error.ts';
import type { TaskAnalysis } from '../../model/task-analysis.ts';
import { CacheFolder } from '../../platform/cache/cache-folder.ts';
import { parseJsonDocument } from '../../schema/parse-json-document.ts';
import { analyzeTask } from '../analyze/index.ts';
import type { FileHint } from '../rank/index.ts';

/** What an agent missed in a package. */
export interface Gap {
  /** Id of the package, as the agent gave it. */
  readonly package: string;
  /** The task that the package was for; empty when the package is not known. */
  readonly task: string;
  readonly text: string;
  /** ISO time, for people. */
  readonly at: string;
}

/** Exists wherever there is an index, so that reading creates nothing. */
const FOLDER = 'index';
const FORMAT = 1;
/** The newest are kept: a hint for the ranker must not cost more than a moment. */
const MAX_GAPS = 80;
const MAX_TEXT = 400;
const MAX_TASK = 400;

/** Of the index folder: the same for all work trees of a repository. */
interface Indexed {
  readonly cache: { readonly path: string };
}

/** The gaps that were reported for this repository, oldest first. A file that says anything else counts as none. */
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

/** Keeps a gap; the same one twice counts once. Returns how many there are. */
export function recordGap(repository: Indexed, cacheDirectory: string, gap: Gap): number {
  const kept: Gap = {
    ...gap,
    text: gap.text.trim().slice(0, MAX_TEXT),
    task: gap.task.trim().slice(0, MAX_TASK),
  };
  if (kept.text === '')
    throw new LoadoutError('empty-gap', 'nothing is said to be missing', {
      hint: 'say in a line what the package lacked, best with a path or a name',
    });
  const others = readGaps(repository, cacheDirectory).filter(
    (one) => one.text !== kept.text || one.task !== kept.task,
  );
  const gaps = [...others, kept].slice(-MAX_GAPS);
  const text = `${JSON.stringify({ format: FORMAT, gaps })}\n`;
  new CacheFolder(`${cacheDirectory}/${FOLDER}`).write(nameOf(repository), text);
  return gaps.length;
}

/** How many there were. */
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

/** Share of the words of one task that the other must have for its gaps to be worth a hint. */
const MIN_RESEMBLANCE = 0.3;
const MAX_HINTS = 8;

/** What earlier tasks like this one lacked, the most alike first. */
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

/** Of the weight of both tasks' keywords, the share that they have in common. */
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

const MAX_SHOWN = 80;

function cut(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}
