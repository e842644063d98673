import type { Settings } from '../../config/settings.ts';
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

interface ReplayContext {
  readonly settings: Settings;
  readonly budgets: readonly number[];
  readonly packPaths?: PackPaths;
  readonly signal?: AbortSignal;
  readonly git: GitClient;
  readonly tree: ScratchWorkTree;
  readonly prefix: string;
  /** By path from the work tree's root: whether it was a source file when last seen. Filled on the way. */
  readonly knownSources: Map<string, boolean>;
}

interface Replay {
  readonly result: {
    readonly evaluated: EvaluatedTask;
    readonly tuning: { readonly table: SignalTable; readonly changed: readonly string[] };
  } | null;
  readonly missingFiles: number;
}

const MAX_CHANGED = 10;
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
  const plain = plainOrder(index, evidence.columns.words!);
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

/** Files that are looked at: beyond them nothing small enough is worth having. */
const MAX_FILES = 100;
/** No encoding makes a token of more bytes of code on average: what is larger does not fit, uncounted. */
const BYTES_PER_TOKEN = 8;

/** Whole files in the given order while they fit; one that does not is passed over. */
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

const MAX_BATCH_BYTES = 32 * 1024 * 1024;
const MAX_BATCH_BLOBS = 2_000;

/** Makes the scratch tree that of a commit, below `prefix`; says how many files have no content here. */
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

async function listTree(git: GitClient, commit: string): Promise<TreeFile[]> {
  const output = await ask(git, ['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', commit]);
  const files: TreeFile[] = [];
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0, start);
    const tab = output.indexOf(9, start);
    const [mode = '', , blob = ''] = output.toString('latin1', start, tab).split(' ');
    // links and submodules are never read, so they need not be there
    if (mode === '100644' || mode === '100755' || mode === '100664')
      files.push({ path: decodePath(output.subarray(tab + 1, end)), blob, executable: mode === '100755' });
    start = end + 1;
  }
  return files;
}

/** Without those that this clone does not have. */
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

async function ask(git: GitClient, args: readonly string[], lines?: readonly string[]): Promise<Buffer> {
  const input = lines && Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const { outcome, exitCode, stdout, stderr } = await git.run(args, input ? { input } : {});
  if (outcome === 'exited' && exitCode === 0) return stdout;
  const why = stderr.toString().trim() || outcome;
  throw new LoadoutError('git-failed', `git ${args[0]} failed: ${why}`, { subject: args[0]! });
}
