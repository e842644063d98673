// Replays one past commit: writes the state before it into a scratch work tree, scans it, and asks the ranking and a
// plain search for the files that the commit changed.

import type { Settings } from '../../config/index.ts';
import type { IndexView } from '../../model/index-view.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import { decodePath } from '../../platform/fs/path-codec.ts';
import { openSafeRoot, type SafeRoot } from '../../platform/fs/safe-root.ts';
import type { GitClient } from '../../platform/git/git.ts';
import type { ScratchWorkTree, TreeFile } from '../../platform/git/scratch-work-tree.ts';
import { loadHistory } from '../../scan/history/index.ts';
import { type OpenScan, useIndex } from '../../scan/index.ts';
import { type CountTokens, loadTokenCounter } from '../fit/index.ts';
import { rankScan } from '../rank.ts';
import type { PastTask } from './evaluate-repository.ts';
import { type Measures, measure } from './measures.ts';
import { evidenceTable, type SignalTable, signalTable } from './signal-table.ts';

/** Builds a package and returns the paths in it. Files that are only mentioned do not count. */
export type PackPaths = (request: {
  readonly repo: string;
  readonly settings: Settings;
  readonly task: string;
  readonly signal?: AbortSignal;
}) => Promise<readonly string[]>;

/** The result of one way of answering. */
export interface Answer {
  readonly measures: Measures;
  /** By token budget: the share of the changed files that are in the package. */
  readonly packed: Readonly<Record<number, number>>;
}

/** One replayed commit in the report. */
export interface EvaluatedTask {
  readonly commit: string;
  /** The first line of the task. */
  readonly subject: string;
  /** The source files to find, relative to the root. */
  readonly changed: readonly string[];
  readonly ranking: Answer;
  /** Plain BM25 over the source files of the same index, and packages of whole files in that order. */
  readonly plain: Answer;
}

/** The parts that are the same for all commits. */
interface ReplayContext {
  readonly settings: Settings;
  readonly budgets: readonly number[];
  readonly packPaths?: PackPaths;
  readonly signal?: AbortSignal;
  readonly git: GitClient;
  readonly tree: ScratchWorkTree;
  readonly prefix: string;
  /** By path below the work tree: whether it was a source file when last seen. Each replay adds to it. */
  readonly knownSources: Map<string, boolean>;
}

interface Replay {
  /** Null when the commit changed no source file, or too many. */
  readonly result: {
    readonly evaluated: EvaluatedTask;
    readonly tuning: { readonly table: SignalTable; readonly changed: readonly string[] };
  } | null;
  /** Files whose content this clone does not have. */
  readonly missingFiles: number;
}

/** Source files of one commit. */
const MAX_CHANGED = 10;
/** Files of a ranking that are measured. */
const RANKED = 50;

/** Goes back to the state before a commit and asks which files its message needs. */
export async function replayTask(past: PastTask, context: ReplayContext): Promise<Replay> {
  const { settings, git, tree, prefix, signal } = context;
  const missingFiles = await showCommit(git, tree, past.parent, {
    prefix,
    maxFileBytes: settings.maxFileBytes,
  });
  const repo = `${tree.path}/${prefix}`.replace(/\/$/, '');
  const request = { repo, mode: 'incremental' as const, settings, ...(signal ? { signal } : {}) };
  const result = await useIndex(request, (scan) => {
    checkHead(scan, past.parent);
    const { files } = scan.index.snapshot;
    for (const file of files) context.knownSources.set(prefix + file.path, isSource(file));
    const sources = new Set(files.filter(isSource).map(({ path }) => prefix + path));
    const changed = past.changed.filter((path) => sources.has(path)).map((path) => path.slice(prefix.length));
    if (changed.length === 0 || changed.length > MAX_CHANGED) return null;
    return answerTask(past, changed, scan, repo, context);
  });
  return { result, missingFiles };
}

/** Asks the ranking and the plain search, and measures both. */
async function answerTask(
  { commit, task }: PastTask,
  changed: readonly string[],
  scan: OpenScan,
  repo: string,
  { settings, budgets, packPaths, signal }: ReplayContext,
): Promise<NonNullable<Replay['result']>> {
  const { index, repository, result } = scan;
  const abort = signal ? { signal } : {};
  // A low score must not hide a file from the measures.
  const everything = { ...settings, minRelevance: 0 };
  const { files: ranked, analysis } = await rankScan(scan, {
    task,
    settings: everything,
    limit: RANKED,
    ...abort,
  });
  const history = await loadHistory(repository, result.gitSha, { limit: settings.historyLimit, ...abort });
  const evidence = evidenceTable(index, analysis, history);
  const plain = plainOrder(index, evidence.columns.words!);
  // Build one package for each budget, and the plain one beside it.
  const packed: Record<number, number> = {};
  const plainlyPacked: Record<number, number> = {};
  for (const budget of packPaths ? budgets : []) {
    const inside = await packPaths!({ repo, settings: { ...settings, tokenBudget: budget }, task, ...abort });
    packed[budget] = shareOf(changed, inside);
    const count = await loadTokenCounter();
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

/** The baseline: source files by their score for words alone. */
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

/** The scan must see the parent as the current commit. Otherwise the ranking would know later commits, or none. */
function checkHead({ result }: OpenScan, parent: string): void {
  if (result.gitSha === parent) return;
  throw new LoadoutError(
    'eval-unsupported',
    `git does not report ${parent} as the commit of the scratch work tree`,
    {
      subject: parent,
      hint: 'this repository stores its references in a way that is not supported',
    },
  );
}

/** Files that the plain package tries. Later ones hardly matter. */
const MAX_FILES = 100;
/** Code never has more bytes for a token on average. A larger file cannot fit, and is not counted. */
const BYTES_PER_TOKEN = 8;

/** Whole files in the given order. A file that does not fit is skipped. */
function packWholeFiles(
  root: SafeRoot,
  order: readonly string[],
  budget: number,
  maxFileBytes: number,
  count: CountTokens,
): string[] {
  const packed: string[] = [];
  let left = budget;
  for (const path of order.slice(0, MAX_FILES)) {
    const read = root.read(path, Math.min(maxFileBytes, left * BYTES_PER_TOKEN));
    if (read.kind !== 'content') continue;
    const tokens = count(read.bytes.toString('utf8'));
    if (tokens > left) continue;
    left -= tokens;
    packed.push(path);
  }
  return packed;
}

/** Of one call of git. */
const MAX_BATCH_BYTES = 32 * 1024 * 1024;
const MAX_BATCH_BLOBS = 2_000;

/**
 * Writes the files of a commit below `prefix` into the scratch work tree. Files that have not changed since the last
 * commit stay. Returns the number of files without content in this clone.
 */
async function showCommit(
  git: GitClient,
  tree: ScratchWorkTree,
  commit: string,
  { prefix, maxFileBytes }: { readonly prefix: string; readonly maxFileBytes: number },
): Promise<number> {
  const files = (await listTree(git, commit)).filter(({ path }) => path.startsWith(prefix));
  const wanted = tree.missing(files);
  const sizes = await sizesOf(git, [...new Set(wanted.map(({ blob }) => blob))]);
  const small = [...sizes].filter(([, size]) => size <= maxFileBytes);
  tree.moveTo(commit, files, await readBlobs(git, small));
  return wanted.filter(({ blob }) => !sizes.has(blob)).length;
}

/** The plain files of a commit. */
async function listTree(git: GitClient, commit: string): Promise<TreeFile[]> {
  const output = await ask(git, ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', commit]);
  const files: TreeFile[] = [];
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0, start);
    const tab = output.indexOf(9, start);
    const [mode = '', , blob = ''] = output.toString('latin1', start, tab).split(' ');
    // Links and submodules are never read, so they are left out.
    if (mode === '100644' || mode === '100755' || mode === '100664')
      files.push({ path: decodePath(output.subarray(tab + 1, end)), blob, executable: mode === '100755' });
    start = end + 1;
  }
  return files;
}

/** Sizes in bytes. Blobs that this clone does not have are absent. */
async function sizesOf(git: GitClient, blobs: readonly string[]): Promise<Map<string, number>> {
  if (blobs.length === 0) return new Map();
  const output = await ask(git, ['cat-file', '--batch-check=%(objectname) %(objectsize)'], blobs);
  const lines = output.toString('latin1').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [blob = '', size = ''] = line.split(' ');
      return /^\d+$/.test(size) ? [[blob, Number(size)] as const] : [];
    }),
  );
}

/** The contents by blob id. The output of git is a line with the size, then the bytes and a line end. */
async function readBlobs(
  git: GitClient,
  blobs: readonly (readonly [blob: string, size: number])[],
): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  for (const batch of inBatches(blobs)) {
    const output = await ask(git, ['cat-file', '--batch'], batch);
    for (let at = 0; at < output.length; ) {
      const lineEnd = output.indexOf(10, at);
      const [blob = '', , size] = output.toString('latin1', at, lineEnd).split(' ');
      at = lineEnd + 1;
      if (size === undefined) continue;
      contents.set(blob, output.subarray(at, at + Number(size)));
      at += Number(size) + 1;
    }
  }
  return contents;
}

/** Groups blobs, so that the output of one call stays within its limit. A single large blob is a batch of its own. */
function inBatches(blobs: readonly (readonly [string, number])[]): string[][] {
  const batches: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const [blob, size] of blobs) {
    const last = batches.at(-1);
    if (!last || bytes + size > MAX_BATCH_BYTES || last.length === MAX_BATCH_BLOBS) {
      batches.push([blob]);
      bytes = size;
    } else {
      last.push(blob);
      bytes += size;
    }
  }
  return batches;
}

/** Runs git and returns its output; throws when it fails. */
async function ask(git: GitClient, args: readonly string[], lines?: readonly string[]): Promise<Buffer> {
  const input = lines && Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const { outcome, exitCode, stdout, stderr } = await git.run(args, input ? { input } : {});
  if (outcome === 'exited' && exitCode === 0) return stdout;
  const why = stderr.toString().trim() || outcome;
  throw new LoadoutError('git-failed', `git ${args[0]} failed: ${why}`, { subject: args[0]! });
}
