// Copies of remote repositories for `--repo ADDRESS`: made once, brought up to date with every use, removed
// when they are not used any more.

import { existsSync, lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { parseJson } from '../../model/read-json.ts';
import { wallClockMs } from '../clock.ts';
import { type Environment, processId } from '../environment.ts';
import { writeFileAtomic } from '../fs/atomic-file.ts';
import { tryLock, withLock } from '../fs/file-lock.ts';
import { makeFolder, removeFolder } from '../fs/make-folder.ts';
import { contentHash, readRegularFile } from '../fs/read-file.ts';
import { findProgram, trustedPathEntries } from '../process/find-program.ts';
import { type ProcessResult, runProcess } from '../process/process-runner.ts';
import { withoutGitVariables } from './git-hardening.ts';
import { type RepositorySource, withoutCredentials } from './locate-repository.ts';

/** How a remote repository is copied. */
export interface RemoteOptions {
  /** Where copies are kept. */
  readonly folder: string;
  readonly env: Environment;
  readonly signal?: AbortSignal;
}

/** A local copy of a remote repository. */
export interface RemoteCopy {
  /** A work tree of the newest commit. */
  readonly path: string;
  readonly diagnostics: readonly Diagnostic[];
}

const FETCH_TIMEOUT_MS = 10 * 60_000;
const LOCK_WAIT_MS = 10 * 60_000;
const UPDATES_BETWEEN_CLEANING = 20;
/** Filters, hooks and file watchers come from settings; a copy has none, and these keep those of its content away. */
const NEUTRAL = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'submodule.recurse=false', 'gc.auto=0'];

/**
 * A work tree of a repository elsewhere, brought up to date: one commit deep, nothing of it run. Without the network
 * the copy of the last time is used, with a warning.
 */
export async function openRemoteRepository(
  source: RepositorySource,
  options: RemoteOptions,
): Promise<RemoteCopy> {
  makeFolder(options.folder);
  const name = basename(source.url.replace(/[/\\]+$/, '')).replace(/\.git$/, '');
  const key = contentHash(Buffer.from(`${source.url}\0${source.ref}`)).slice(0, 16);
  const path = `${options.folder}/${name.replace(/[^\w.-]/g, '_').slice(0, 60) || 'repository'}-${key}`;
  const git = gitAt(options);
  const copy = await withLock(`${path}.lock`, LOCK_WAIT_MS, async () => {
    if (existsSync(path)) {
      const diagnostics = await refresh(git, source, path);
      const updates = noteUse(path, wallClockMs(), diagnostics.length === 0);
      if (diagnostics.length === 0 && updates % UPDATES_BETWEEN_CLEANING === 0) await forgetOld(git, path);
      return { path, diagnostics };
    }
    const fresh = `${path}.${processId()}.tmp`;
    rmSync(fresh, { recursive: true, force: true });
    try {
      mustSucceed(source, await git(['init', '--quiet', '--template=', '--', fresh], options.folder));
      mustSucceed(source, await fetchNewest(git, source, fresh));
      mustSucceed(source, await checkOut(git, fresh));
      renameSync(fresh, path);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
    noteUse(path, wallClockMs(), true);
    return { path, diagnostics: [] };
  });
  cleanCopies(options.folder, path, wallClockMs());
  return copy;
}

/** Runs git in a folder; with `network` under the user's own settings. */
type Git = (args: readonly string[], cwd: string, network?: boolean) => Promise<ProcessResult>;

/** Brings a copy up to date. When the server cannot be reached, the copy stays as it is, with a warning. */
async function refresh(git: Git, source: RepositorySource, path: string): Promise<Diagnostic[]> {
  const answer = await fetchNewest(git, source, path);
  if (answer.outcome === 'aborted') throw stopped();
  if (answer.exitCode === 0) {
    mustSucceed(source, await checkOut(git, path));
    return [];
  }
  const head = (await git(['rev-parse', '--short', 'HEAD'], path)).stdout.toString().trim();
  const message = `${withoutCredentials(source.url)} cannot be reached (${reasonOf(answer)}): using the copy of commit ${head}`;
  return [{ code: 'repository-not-reached', severity: 'warning', message }];
}

/** Earlier updates stay in the copy until it is cleaned. */
async function forgetOld(git: Git, path: string): Promise<void> {
  await git(['reflog', 'expire', '--expire=now', '--all'], path);
  await git(['gc', '--quiet', '--prune=now'], path);
}

/** One commit, no tags, no submodules. */
function fetchNewest(git: Git, source: RepositorySource, cwd: string): Promise<ProcessResult> {
  const options = ['--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--force'];
  return git(['fetch', ...options, '--', source.url, source.ref || 'HEAD'], cwd, true);
}

function checkOut(git: Git, cwd: string): Promise<ProcessResult> {
  return git(['checkout', '--quiet', '--force', '--detach', 'FETCH_HEAD'], cwd);
}

/**
 * The network gets the user's own settings (credentials, proxies, keys); everything else gets none at all, so that no
 * filter of the user can be called by the attributes of a foreign repository.
 */
function gitAt({ folder, env, signal }: RemoteOptions): Git {
  const program = findProgram('git', env, folder);
  if (program === null)
    throw new LoadoutError('no-git', 'no git program is on the PATH: it is needed to copy a repository');
  const own = {
    ...withoutGitVariables(env),
    PATH: trustedPathEntries(env, folder).join(delimiter),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file',
  };
  const apart = { ...own, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  const settings = NEUTRAL.flatMap((setting) => ['-c', setting]);
  return (args, cwd, network = false) =>
    runProcess(program, ['--no-pager', ...settings, ...args], {
      cwd,
      env: network ? own : apart,
      timeoutMs: FETCH_TIMEOUT_MS,
      ...(signal ? { signal } : {}),
    });
}

/** Throws the error that says why a copy cannot be made. */
function mustSucceed(source: RepositorySource, answer: ProcessResult): void {
  if (answer.outcome === 'aborted') throw stopped();
  if (answer.exitCode === 0) return;
  const shown = withoutCredentials(source.url);
  const which = source.ref ? ` (${source.ref})` : '';
  throw new LoadoutError('repository-not-reached', `cannot clone ${shown}${which}: ${reasonOf(answer)}`, {
    subject: shown,
    hint: 'check the address, the branch after "#", and whether git can reach it: git ls-remote ADDRESS',
  });
}

/** The last line of git's message, without passwords in addresses. */
function reasonOf({ stderr, outcome, exitCode }: ProcessResult): string {
  if (outcome === 'timed-out') return `no answer within ${FETCH_TIMEOUT_MS / 60_000} minutes`;
  const lines = stderr.toString().trim().split('\n');
  const line = lines.find((one) => /^(fatal|error):/.test(one)) ?? lines.at(-1) ?? '';
  return withoutCredentials(line.replace(/^(fatal|error): /, '')) || `git ended with ${exitCode}`;
}

/** The error of a run that the user has stopped. */
function stopped(): LoadoutError {
  return new LoadoutError('stopped', 'stopped while the repository was being copied');
}

/** The record of a copy, in a file beside it. */
interface CopyRecord {
  /** Milliseconds since the epoch. */
  readonly usedAt: number;
  readonly bytes: number;
  /** How often it was brought up to date. */
  readonly updates: number;
}

/** When copies are removed. */
interface CopyLimits {
  /** Copies that were not used for longer are removed. */
  readonly unusedMs: number;
  /** Of all copies; those that were used last stay. */
  readonly bytes: number;
}

const HOUR_MS = 3_600_000;
const COPY_LIMITS: CopyLimits = { unusedMs: 30 * 24 * HOUR_MS, bytes: 5_000_000_000 };
/** Another process may still be reading it. */
const IN_USE_MS = HOUR_MS;
/** A copy in the making, or on its way out, that takes longer was left by a process that died. */
const UNFINISHED_MS = 24 * HOUR_MS;
const COPY = /-[0-9a-f]{16}$/;
const UNFINISHED = /-[0-9a-f]{16}\.\d+\.tmp$/;

/** Says how often the copy was brought up to date, this time included. */
export function noteUse(path: string, nowMs: number, isUpdated: boolean): number {
  const known = readRecord(path);
  const updates = (known?.updates ?? 0) + (isUpdated ? 1 : 0);
  const bytes = isUpdated || known === null ? sizeOf(path) : known.bytes;
  const record: CopyRecord = { usedAt: nowMs, bytes, updates };
  quietly(() => writeFileAtomic(recordOf(path), JSON.stringify(record)));
  return updates;
}

/** Removes copies that are over the limits, but never the copy in use or one that was used just now. */
export function cleanCopies(folder: string, keep: string, nowMs: number, limits = COPY_LIMITS): void {
  const names = namesIn(folder);
  for (const name of names.filter((one) => UNFINISHED.test(one)))
    if (nowMs - changedAt(join(folder, name), nowMs) > UNFINISHED_MS) removeFolder(join(folder, name));
  const copies = names
    .filter((name) => COPY.test(name))
    .map((name) => {
      const path = join(folder, name);
      // copies of an earlier version have no record
      return { path, ...(readRecord(path) ?? { usedAt: changedAt(path, nowMs), bytes: sizeOf(path) }) };
    })
    .sort((one, other) => other.usedAt - one.usedAt || (one.path < other.path ? -1 : 1));
  let total = 0;
  for (const { path, usedAt, bytes } of copies) {
    total += bytes;
    const isOver = nowMs - usedAt > limits.unusedMs || total > limits.bytes;
    if (isOver && path !== keep && nowMs - usedAt > IN_USE_MS) remove(path);
  }
}

/** Renamed first, so that no other process opens a copy that is half removed. */
function remove(path: string): void {
  const lock = tryLock(`${path}.lock`);
  if (lock === null) return;
  quietly(() => {
    const leaving = `${path}.${process.pid}.tmp`;
    renameSync(path, leaving);
    removeFolder(leaving);
    removeFolder(recordOf(path));
  });
  lock.release();
}

/** A failed clean-up never fails the caller; the next update tries again. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // a full disk, or another process that cleans up
  }
}

const MAX_RECORD_BYTES = 64_000;
const recordOf = (path: string): string => `${path}.json`;

function readRecord(path: string): CopyRecord | null {
  try {
    const text = readRegularFile(recordOf(path), MAX_RECORD_BYTES).toString();
    const { usedAt, bytes, updates } = parseJson(text, recordOf(path)) as CopyRecord;
    return [usedAt, bytes, updates].every(Number.isFinite) ? { usedAt, bytes, updates } : null;
  } catch {
    return null;
  }
}

function changedAt(path: string, otherwise: number): number {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? otherwise;
}

/** Bytes of a folder with everything in it. */
function sizeOf(folder: string): number {
  let bytes = 0;
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const name of namesIn(next)) {
      const stats = lstatSync(join(next, name), { throwIfNoEntry: false });
      if (stats?.isDirectory()) pending.push(join(next, name));
      else bytes += stats?.size ?? 0;
    }
  }
  return bytes;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
