import type { Settings } from '../../config/settings.ts';
import type { IndexView } from '../../model/index-view.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import type { GitDoor } from '../../platform/git/git.ts';
import type { ScratchWorkTree } from '../../platform/git/scratch-work-tree.ts';
import { loadHistory } from '../../scan/history/load-history.ts';
import { type OpenScan, withIndex } from '../../scan/run-scan.ts';
import { loadTokenCounter } from '../fit/count-tokens.ts';
import { rankScan } from '../rank.ts';
import { showCommit } from './commit-tree.ts';
import { type Measures, measure } from './measures.ts';
import { packWholeFiles } from './pack-whole-files.ts';
import type { PastTask } from './past-tasks.ts';
import { evidenceTable, type SignalTable, signalTable } from './signal-table.ts';

/** The paths of a package for a task; mentions do not count. */
export type PackPaths = (request: {
  readonly repo: string;
  readonly settings: Settings;
  readonly task: string;
  readonly signal?: AbortSignal;
}) => Promise<readonly string[]>;

/** How one way of answering did. */
export interface Answer {
  readonly measures: Measures;
  /** By token budget: the share of the changed files that are in the package. */
  readonly packed: Readonly<Record<number, number>>;
}

export interface EvaluatedTask {
  readonly commit: string;
  readonly subject: string;
  readonly changed: readonly string[];
  readonly ranking: Answer;
  /** Plain BM25 over the source files of the same index; packages of whole files in that order. */
  readonly plain: Answer;
}

export interface ReplayContext {
  readonly settings: Settings;
  readonly budgets: readonly number[];
  readonly packPaths?: PackPaths;
  readonly signal?: AbortSignal;
  readonly git: GitDoor;
  readonly tree: ScratchWorkTree;
  readonly prefix: string;
  /** By path from the work tree's root: whether it was a source file when last seen. Filled on the way. */
  readonly knownSources: Map<string, boolean>;
}

export interface Replay {
  readonly result: {
    readonly evaluated: EvaluatedTask;
    readonly tuning: { readonly table: SignalTable; readonly changed: readonly string[] };
  } | null;
  readonly missingFiles: number;
}

const MOST_CHANGED = 10;
const RANKED = 50;

/** Goes back to the state before a commit and asks for what its message needs. */
export async function replayTask(past: PastTask, context: ReplayContext): Promise<Replay> {
  const { settings, git, tree, prefix, signal } = context;
  const missingFiles = await showCommit(git, tree, past.parent, {
    prefix,
    maxFileBytes: settings.maxFileBytes,
  });
  const repo = `${tree.path}/${prefix}`.replace(/\/$/, '');
  const request = { repo, mode: 'incremental' as const, settings, ...(signal ? { signal } : {}) };
  const result = await withIndex(request, (scan) => {
    checkHead(scan, past.parent);
    const { files } = scan.index.snapshot;
    for (const file of files) context.knownSources.set(prefix + file.path, isSource(file));
    const sources = new Set(files.filter(isSource).map(({ path }) => prefix + path));
    const changed = past.changed.filter((path) => sources.has(path)).map((path) => path.slice(prefix.length));
    if (changed.length === 0 || changed.length > MOST_CHANGED) return null;
    return answerTask(past, changed, scan, repo, context);
  });
  return { result, missingFiles };
}

async function answerTask(
  { commit, task }: PastTask,
  changed: readonly string[],
  scan: OpenScan,
  repo: string,
  { settings, budgets, packPaths, signal }: ReplayContext,
): Promise<NonNullable<Replay['result']>> {
  const { index, repository, result } = scan;
  const abort = signal ? { signal } : {};
  const everything = { ...settings, minRelevance: 0 };
  const { files: ranked, analysis } = await rankScan(scan, {
    task,
    settings: everything,
    limit: RANKED,
    ...abort,
  });
  const history = await loadHistory(repository, result.gitSha, { limit: settings.historyLimit, ...abort });
  const evidence = evidenceTable(index, analysis, history);
  const plain = plainOrder(index, evidence.columns.words);
  const packed: Record<number, number> = {};
  const plainlyPacked: Record<number, number> = {};
  for (const budget of packPaths ? budgets : []) {
    const inside = await packPaths!({ repo, settings: { ...settings, tokenBudget: budget }, task, ...abort });
    packed[budget] = shareOf(changed, inside);
    const count = await loadTokenCounter('o200k_base');
    const whole = packWholeFiles(openSafeRoot(repo), plain, budget, settings.maxFileBytes, count);
    plainlyPacked[budget] = shareOf(changed, whole);
  }
  const paths = index.snapshot.files.map(({ path }) => path);
  const order = ranked.map(({ path }) => path);
  return {
    evaluated: {
      commit,
      subject: task.split('\n', 1)[0]!,
      changed,
      ranking: { measures: measure(order, changed), packed },
      plain: { measures: measure(plain.slice(0, RANKED), changed), packed: plainlyPacked },
    },
    tuning: { table: signalTable(paths, evidence, changed), changed },
  };
}

function plainOrder({ snapshot: { files } }: IndexView, words: Float64Array): string[] {
  return [...files.keys()]
    .filter((file) => words[file]! > 0 && isSource(files[file]!))
    .sort((a, b) => words[b]! - words[a]! || a - b)
    .map((file) => files[file]!.path);
}

function isSource({ segment, classification: { role, generated, vendored } }: SnapshotFile): boolean {
  return segment >= 0 && role === 'source' && !generated && !vendored;
}

function shareOf(changed: readonly string[], inside: readonly string[]): number {
  const known = new Set(inside);
  return changed.filter((path) => known.has(path)).length / changed.length;
}

/** Otherwise the ranking would know what came later, or nothing of the past. */
function checkHead({ result }: OpenScan, parent: string): void {
  if (result.gitSha === parent) return;
  throw new LoadoutError('eval-unsupported', `git does not take ${parent} for the state that was written`, {
    subject: parent,
    hint: 'the way this repository stores its references is not known here',
  });
}
