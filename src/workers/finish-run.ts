// The end of a run: the patch, the branch, the record. A patch is only applied when it fits and when none of its links
// leads out of the repository.
import type { Diagnostic } from '../model/diagnostic.ts';
import { OWNER_ONLY, writeFileAtomic } from '../platform/fs/atomic-file.ts';
import { decodePath } from '../platform/fs/path-codec.ts';
import type { GitClient } from '../platform/git/git.ts';
import { gitOutput, splitNul } from '../platform/git/git-runner.ts';
import { type GitWriter, openGitWriter } from '../platform/git/git-writer.ts';
import { safeData, safeJson } from '../redact/index.ts';
import type { AttemptsResult } from './attempts.ts';
import type { PreparedRun } from './prepare-run.ts';
import { addUsage, type RunResult } from './run-record.ts';
import type { RunContext } from './run-request.ts';
import type { KeptTree } from './worktrees/tree-place.ts';

/** A run whose attempts are over. */
interface FinishedRun {
  readonly context: RunContext;
  readonly prepared: PreparedRun;
  readonly attempts: AttemptsResult;
  /** ISO 8601, UTC; for the record. */
  readonly startedAt: string;
  /** Of the monotonic clock, for the duration. */
  readonly started: number;
  /** Null when the program did not print one in time. */
  readonly cliVersion: string | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Names that a message lists at most. */
const MAX_NAMES = 10;

/** Saves the patch, makes the branch or applies the patch if asked to, and writes the record and the end of the run. */
export async function finishRun(finished: FinishedRun): Promise<RunResult> {
  const { context, prepared, attempts: all } = finished;
  const { run, tree, folder, request, environment, emit } = context;
  const writer = openGitWriter(prepared.root.path);
  const diagnostics = [...finished.diagnostics, ...all.diagnostics];
  // A run that was cancelled before its first attempt has none.
  const last = all.attempts.at(-1);
  const { tree: resultTree, nestedRepositories } = last?.snapshot ?? {
    tree: tree.baseTree,
    nestedRepositories: [],
  };
  if (nestedRepositories.length > 0) diagnostics.push(leftOut(nestedRepositories));
  const aside = last?.record.setAside ?? [];
  if (aside.length > 0) diagnostics.push(gatesWithout(aside, all.reason === 'gate-failed'));

  // Save the difference to what the worker started from, and compare the user's repository with what it was.
  const isChanged = resultTree !== tree.baseTree;
  const [patch, outside] = await Promise.all([
    isChanged ? readPatch(prepared.git, tree.baseTree, resultTree) : null,
    tree.changesOutside(),
  ]);
  if (outside.length > 0) diagnostics.push(changedOutside(outside));
  const isTooLarge = patch !== null && patch.bytes === null;
  const patchFile = patch === null || isTooLarge ? null : `${folder}/patch.diff`;
  if (patch?.bytes && patchFile !== null) writeFileAtomic(patchFile, patch.bytes, OWNER_ONLY);
  const isPassed = all.outcome === 'passed';
  // Make the branch and apply the patch. The patch of a read-only worker is only there to read.
  const mayHandOver = isPassed && context.permissions !== 'read-only';
  if (patch !== null && context.permissions === 'read-only') diagnostics.push(wroteAnyway(patch.files));
  const branch =
    patch !== null && mayHandOver && request.branch ? await makeBranch(writer, context, resultTree) : null;
  const applied =
    patch?.bytes && mayHandOver && request.apply
      ? await applyPatch(writer, patch.bytes, diagnostics, () =>
          linksLeadingOut(prepared.git, resultTree, patch.links),
        )
      : false;

  // Keep the work tree if something in it is nowhere else, or if asked to.
  const keep = isTooLarge
    ? 'too-large'
    : keepReason(context, all, isChanged || nestedRepositories.length > 0);
  let keptTree: KeptTree | null = null;
  if (keep !== null) {
    keptTree = await tree.keep(keep);
    emit({ type: 'tree-kept', path: keptTree.path, why: keep });
  } else tree.finish();
  if (isTooLarge && keptTree !== null) diagnostics.push(tooLarge(keptTree.path));

  // Write the record, then the end.
  const { outcome, reason, message } = all;
  const result: RunResult = safeData({
    ...{
      run,
      outcome,
      reason,
      message,
      folder,
      patchFile,
      branch,
      applied,
      keptTree,
      diagnostics,
    },
    changedFiles: patch?.files ?? [],
    role: context.role.name,
    cli: prepared.cli,
    cliVersion: finished.cliVersion,
    model: context.model,
    task: request.task,
    commit: prepared.commit,
    startedAt: finished.startedAt,
    durationMs: Math.round(environment.monotonicMs() - finished.started),
    attempts: all.attempts.map(({ record }) => record),
    answer: all.attempts.findLast(({ answer }) => answer !== null)?.answer ?? null,
    promptId: last?.record.promptId ?? null,
    packageId: last?.record.packageId ?? null,
    usage: all.attempts.map(({ record }) => record.usage).reduce(addUsage, null),
    costUsd: all.attempts.map(({ record }) => record.costUsd).reduce(addCost, null),
  });
  writeFileAtomic(`${folder}/record.json`, `${safeJson(result, 2)}\n`, OWNER_ONLY);
  emit({ type: 'run-end', outcome, reason, message, branch, applied });
  return result;
}

/** A tree whose changes are saved as a patch may go. A cancelled run keeps its tree, so that work can go on there. */
function keepReason(
  { request }: RunContext,
  { outcome }: AttemptsResult,
  isChanged: boolean,
): KeptTree['why'] | null {
  if (request.keep) return 'asked';
  return outcome === 'cancelled' && isChanged ? 'cancelled' : null;
}

/** Makes the branch `loadout/<run>` with the result, on top of what the worker started from. */
async function makeBranch(
  writer: GitWriter,
  { run, tree, isStaged, request, role }: RunContext,
  result: string,
): Promise<string> {
  // The staged changes get a commit of their own, so that the next one shows only the work of the worker.
  const parent = isStaged
    ? await writer.commitTree(
        tree.baseTree,
        tree.commit,
        `${request.change ? 'Changes on disk' : 'Staged changes'}\n\nLoadout-Run: ${run}\n`,
      )
    : tree.commit;
  const title = request.task.trim().split('\n')[0]!.slice(0, 72);
  const commit = await writer.commitTree(
    result,
    parent,
    `${title}\n\nLoadout-Run: ${run}\nLoadout-Role: ${role.name}\n`,
  );
  const name = `loadout/${run}`;
  await writer.createBranch(name, commit);
  return name;
}

/** Applies the patch to the user's files. Adds a diagnostic and returns false when it does not fit or is not safe. */
async function applyPatch(
  writer: GitWriter,
  patch: Buffer,
  diagnostics: Diagnostic[],
  findLinks: () => Promise<readonly string[]>,
): Promise<boolean> {
  const links = await findLinks();
  // A program that writes through such a link later would write outside the repository.
  const why =
    links.length > 0
      ? `it holds links that lead out of the repository: ${namesOf(links)}`
      : await writer.checkPatch(patch);
  if (why === null) {
    await writer.applyPatch(patch);
    return true;
  }
  const message =
    links.length > 0
      ? `The patch was not applied: ${why}`
      : `The patch does not fit the files as they are and was not applied: ${why}`;
  diagnostics.push({ code: 'patch-not-applied', severity: 'warning', message });
  return false;
}

/** The sum of two costs. One that is not known counts as nothing. */
function addCost(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : one + other;
}

/** Read-only agents can still write, because not every client can forbid it. */
function wroteAnyway(names: readonly string[]): Diagnostic {
  const message = `The worker was read-only, but its agent changed files: ${namesOf(names)}. The changes are only in the patch`;
  return { code: 'read-only-changes', severity: 'warning', message };
}

/** A repository inside the repository has its own history, which a patch cannot hold. */
function leftOut(names: readonly string[]): Diagnostic {
  const message = `Not part of the patch, because they are separate repositories: ${names.join(', ')}`;
  return { code: 'nested-repository', severity: 'warning', message };
}

function gatesWithout(names: readonly string[], isFailure: boolean): Diagnostic {
  const message = `The gates ran without files that are not part of the patch: ${namesOf(names)}`;
  return { code: 'files-set-aside', severity: isFailure ? 'warning' : 'info', message };
}

function tooLarge(path: string): Diagnostic {
  const most = MAX_PATCH_BYTES / 1024 / 1024;
  const message = `The patch is larger than ${most} MB and was not saved. The files are in ${path}`;
  return { code: 'patch-too-large', severity: 'warning', message };
}

/** Perhaps the user did it. An agent can do it only by naming the repository's path, and then the user must know. */
function changedOutside(names: readonly string[]): Diagnostic {
  const message = `Your repository changed while the worker ran: ${namesOf(names)}. If you did not do this, check it before you use git there`;
  return { code: 'repository-changed', severity: 'warning', message };
}

/** The first names of a list, and how many more there are. */
export function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown;
}

/** The difference between two trees. */
interface Patch {
  /** Null when it would be larger than a patch may be. */
  readonly bytes: Buffer | null;
  /** Names of all files that are new, gone or different. */
  readonly files: readonly string[];
  /** Symbolic links that it makes. */
  readonly links: readonly string[];
}

/** A larger patch is not saved. The work tree is kept instead. */
const MAX_PATCH_BYTES = 64 * 1024 * 1024;
/** Raw lines with whole object ids, so that files can be told from links by their mode. */
const OPTIONS = ['-r', '--raw', '-z', '--full-index', '--no-renames'];
/** The list of files ends with an empty name. */
const END_OF_LIST = Buffer.from('\0\0');
/** The mode of a symbolic link in a tree of git. */
const LINK_MODE = '120000';
/** The number of links in a row that the system follows. */
const MAX_LINKS = 40;
/** No system follows a longer path. */
const MAX_PATH = 4_096;

/** Reads the difference between two trees and the names in it, with one call of git. */
export async function readPatch(git: GitClient, from: string, to: string): Promise<Patch> {
  const ask = (...options: string[]) =>
    git.run(['diff-tree', ...OPTIONS, ...options, from, to], { maxOutputBytes: MAX_PATCH_BYTES });
  const whole = await ask('-p', '--binary');
  const isTooLarge = whole.outcome === 'output-limit';
  const output = gitOutput('diff-tree', isTooLarge ? await ask() : whole);
  const end = isTooLarge ? output.length - 1 : output.indexOf(END_OF_LIST);
  if (end < 0) return { bytes: Buffer.alloc(0), files: [], links: [] };
  const fields = splitNul(output.subarray(0, end + 1));
  const files = fields.filter((_, at) => at % 2 === 1);
  const kinds = fields.filter((_, at) => at % 2 === 0);
  return {
    bytes: isTooLarge ? null : output.subarray(end + END_OF_LIST.length),
    files,
    links: files.filter((_, at) => kinds[at]!.split(' ')[1] === LINK_MODE),
  };
}

/** The links of a tree that lead out of it, into a git directory or in circles, with their targets. */
export async function linksLeadingOut(
  git: GitClient,
  tree: string,
  links: readonly string[],
): Promise<readonly string[]> {
  if (links.length === 0) return [];
  const targets = await readLinks(git, tree);
  return links
    .filter((link) => !staysInside(link, targets))
    .map((link) => `${link} -> ${targets.get(link) ?? '?'}`);
}

/** All links of a tree, because one may lead out through another. */
async function readLinks(git: GitClient, tree: string): Promise<ReadonlyMap<string, string>> {
  const listed = splitNul(gitOutput('ls-tree', await git.run(['ls-tree', '-r', '-z', tree])));
  const links = listed.flatMap((line) => {
    const [mode, , blob = ''] = line.slice(0, line.indexOf('\t')).split(' ');
    return mode === LINK_MODE ? [{ blob, path: line.slice(line.indexOf('\t') + 1) }] : [];
  });
  const input = Buffer.from(links.map(({ blob }) => `${blob}\n`).join(''));
  const output = gitOutput('cat-file', await git.run(['cat-file', '--batch=%(objectsize)'], { input }));
  const targets = new Map<string, string>();
  let at = 0;
  for (const { path } of links) {
    const lineEnd = output.indexOf('\n', at);
    const start = lineEnd + 1;
    const end = start + Number(output.toString('latin1', at, lineEnd));
    targets.set(path, decodePath(output.subarray(start, end)));
    at = end + 1;
  }
  return targets;
}

/** Follows a link as the system would, by names alone: no file is read. */
function staysInside(link: string, targets: ReadonlyMap<string, string>): boolean {
  // A stack: the next part is its last.
  const ahead = link.split('/').reverse();
  /** The path of each folder on the way. */
  const at: string[] = [];
  let followed = 0;
  for (let part = ahead.pop(); part !== undefined; part = ahead.pop()) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (at.pop() === undefined) return false;
      continue;
    }
    if (part.toLowerCase() === '.git') return false;
    const path = at.length === 0 ? part : `${at.at(-1)}/${part}`;
    if (path.length > MAX_PATH) return false;
    const target = targets.get(path);
    if (target === undefined) {
      at.push(path);
      continue;
    }
    followed += 1;
    if (followed > MAX_LINKS || target === '' || target.length > MAX_PATH) return false;
    if (/^(?:[\\/]|[a-z]:)/i.test(target)) return false;
    ahead.push(...target.split('/').reverse());
  }
  return true;
}
