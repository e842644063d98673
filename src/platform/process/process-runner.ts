// Runs programs to their end, within limits of time and output, in a process group that ends with them.
// Agents, gates, git and other programs are started here; Loadout's own processes are started elsewhere.

import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { win32 } from 'node:path';
import { errorCode, LoadoutError } from '../../model/loadout-error.ts';
import { startOf } from './find-program.ts';
import { KeptOutput, type OutputLimits } from './kept-output.ts';
import { processState } from './process-identity.ts';

/** Limits and input of a program that is run to its end. */
export interface ProcessOptions {
  readonly cwd?: string;
  /** The WHOLE environment when given. */
  readonly env?: Readonly<Record<string, string>>;
  /** The child waits for a promise, and ends when the promise is rejected. */
  readonly input?: string | Buffer | Promise<string>;
  /** For a program that serves until its input ends; the caller aborts it once it has the answer. */
  readonly keepsInputOpen?: boolean;
  readonly timeoutMs?: number;
  /** Of standard output and standard error together. */
  readonly maxOutputBytes?: number;
  /** Instead of stopping the child at a limit, keeps the beginning and the end of each stream and drops the middle. */
  readonly keepOutput?: OutputLimits;
  /** Sees everything as it comes. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', chunk: Buffer) => void;
  /** Called when the leader has ended and when the group is killed: ends processes that left the group. */
  readonly endStrays?: () => void;
  readonly signal?: AbortSignal;
}

/** How a program ended. All but `exited` mean that it was stopped or never ran. */
export type ProcessOutcome = 'exited' | 'timed-out' | 'output-limit' | 'aborted' | 'not-found';

/** The end of a program and its output, within the limits. */
export interface ProcessResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly outcome: ProcessOutcome;
  readonly outputTruncated: boolean;
  /** With `keepOutput`: bytes of both streams that were left out. */
  readonly omittedBytes: number;
}

const DEFAULT_MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** Between asking a group to end and ending it. */
const GRACE_MS = 500;
/** How long output may still arrive after the end, from a process that holds the pipes. */
const DRAIN_MS = 250;
/** `setTimeout` treats a larger number as 1 ms. */
const MAX_TIMER_MS = 0x7fff_ffff;
const EVERYTHING: OutputLimits = { headBytes: Number.POSITIVE_INFINITY, tailBytes: 0 };

/**
 * Runs a program without a shell, in its own process group, which has ended when the promise settles. The
 * promise is rejected only when the machine cannot start processes, never for anything that the child does.
 */
export function runProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions = {},
  onStart: (pid: number) => void = () => {},
): Promise<ProcessResult> {
  if (options.signal?.aborted) return Promise.resolve(notStarted('aborted', ''));
  let child: ChildProcess;
  try {
    const [program, ...words] = startOf(command, args);
    child = spawn(program, words, {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.env === undefined ? {} : { env: options.env }),
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      shell: false,
      windowsHide: true,
    });
  } catch (error) {
    return failedStart(command, error);
  }
  return new Promise((resolveResult, reject) => {
    child.once('error', (error) => {
      if (child.pid === undefined) failedStart(command, error).then(resolveResult, reject);
    });
    if (child.pid === undefined) return;
    superviseChild(child, child.pid, options, resolveResult);
    onStart(child.pid);
  });
}

/** Watches a child from its start to the result: output, limits, the end of the group. */
function superviseChild(
  child: ChildProcess,
  group: number,
  options: ProcessOptions,
  resolveResult: (result: ProcessResult) => void,
): void {
  const limit = options.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES;
  const kept = {
    stdout: new KeptOutput(options.keepOutput ?? EVERYTHING),
    stderr: new KeptOutput(options.keepOutput ?? EVERYTHING),
  };
  const timers = new Set<NodeJS.Timeout>();
  const releaseGuard = guardProcessGroup(group);
  let outcome: ProcessOutcome = 'exited';
  let received = 0;
  let truncated = false;
  let stopping = false;
  let settled = false;

  const after = (milliseconds: number, action: () => void): void => {
    timers.add(setTimeout(action, Math.min(milliseconds, MAX_TIMER_MS)));
  };
  const finish = (): void => {
    if (settled) return;
    settled = true;
    for (const timer of timers) clearTimeout(timer);
    options.signal?.removeEventListener('abort', abort);
    releaseGuard();
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
    child.unref();
    resolveResult({
      exitCode: child.exitCode,
      signal: child.signalCode,
      stdout: kept.stdout.bytes(),
      stderr: kept.stderr.bytes(),
      outcome,
      outputTruncated: truncated || kept.stdout.omittedBytes + kept.stderr.omittedBytes > 0,
      omittedBytes: kept.stdout.omittedBytes + kept.stderr.omittedBytes,
    });
  };
  const endGroup = (): void => {
    killProcessGroup(group, 'SIGKILL');
    options.endStrays?.();
    after(DRAIN_MS, finish);
  };
  const stop = (reason: ProcessOutcome): void => {
    if (stopping) return;
    stopping = true;
    outcome = reason;
    killProcessGroup(group, 'SIGTERM');
    after(GRACE_MS, endGroup);
  };
  const abort = (): void => stop('aborted');
  const collect = (name: 'stdout' | 'stderr'): void => {
    child[name]?.on('data', (chunk: Buffer) => {
      options.onOutput?.(name, chunk);
      if (options.keepOutput) {
        received += chunk.length;
        kept[name].add(chunk);
        return;
      }
      const room = limit - received;
      received += Math.min(chunk.length, room);
      if (room > 0) kept[name].add(chunk.length <= room ? chunk : chunk.subarray(0, room));
      if (chunk.length <= room) return;
      truncated = true;
      // Reading stops, so that a flooding child blocks instead of filling our memory.
      child[name]?.pause();
      stop('output-limit');
    });
    child[name]?.on('error', () => {});
  };

  collect('stdout');
  collect('stderr');
  // A child that ends without reading its input breaks the pipe. Its exit code shows what happened.
  child.stdin?.on('error', () => {});
  const { input } = options;
  if (input instanceof Promise) input.then((text) => child.stdin?.end(text), abort);
  else if (options.keepsInputOpen) child.stdin?.write(input ?? '');
  else child.stdin?.end(input);
  if (options.timeoutMs !== undefined) after(options.timeoutMs, () => stop('timed-out'));
  options.signal?.addEventListener('abort', abort, { once: true });
  let exited = false;
  let closed = false;
  const finishWhenGone = (): void => {
    if (!exited) return;
    if (processGroupIsAlive(group)) {
      // The leader ended and left others behind: they go too.
      stop(outcome);
    } else if (closed || stopping) finish();
    else drain();
  };
  // A process outside the group holds the pipes. A busy event loop runs timers before it reads, so the pipes
  // count as empty only when a round of reading brought nothing.
  const drain = (): void =>
    after(DRAIN_MS, () => {
      const before = received;
      setImmediate(() => (received === before ? finish() : drain()));
    });
  child.once('exit', () => {
    exited = true;
    // A process outside the group that floods the pipes would keep us reading.
    options.endStrays?.();
    finishWhenGone();
  });
  child.once('close', () => {
    closed = true;
    finishWhenGone();
  });
}

/** A program that is missing is a result; a machine that cannot start any is an error. */
function failedStart(command: string, error: unknown): Promise<ProcessResult> {
  const code = errorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  if (['ENOENT', 'ENOTDIR', 'EACCES', 'ENOEXEC'].includes(code)) {
    return Promise.resolve(notStarted('not-found', message));
  }
  return Promise.reject(
    new LoadoutError('cannot-start-process', `cannot start ${command}: ${message}`, {
      subject: command,
      cause: error,
    }),
  );
}

function notStarted(outcome: ProcessOutcome, message: string): ProcessResult {
  return {
    exitCode: null,
    signal: null,
    stdout: Buffer.alloc(0),
    stderr: Buffer.from(message),
    outcome,
    outputTruncated: false,
    omittedBytes: 0,
  };
}

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const guarded = new Set<number>();

/** By its full path: Windows looks for a bare name in the current folder first, where a repository could have its own. */
export function treeKiller(pid: number, systemRoot: string | undefined): { command: string; args: string[] } {
  const command = win32.join(systemRoot ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  return { command, args: ['/pid', String(pid), '/T', '/F'] };
}

/** Sends a signal to every member of the group; a group that is already gone is fine. */
function killProcessGroup(group: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    // Windows has no groups: taskkill walks the tree, and only by force.
    if (signal !== 'SIGKILL') return;
    const { command, args } = treeKiller(group, process.env.SystemRoot);
    spawn(command, args, { stdio: 'ignore', windowsHide: true })
      .on('error', () => {})
      .unref();
    return;
  }
  try {
    process.kill(-group, signal);
  } catch {
    // Gone already.
  }
}

function processGroupIsAlive(group: number): boolean {
  if (process.platform === 'win32') return false;
  try {
    process.kill(-group, 0);
  } catch {
    return false;
  }
  return process.platform !== 'linux' || hasLivingMember(group);
}

/** In a container there may be no parent that reaps zombies, and a signal reaches zombies too. */
function hasLivingMember(group: number): boolean {
  try {
    return readdirSync('/proc').some((name) => {
      const state = /^\d+$/.test(name) ? processState(Number(name)) : null;
      return state?.group === group && !state.isDead;
    });
  } catch {
    return true;
  }
}

/**
 * A group of its own does not get the terminal's Ctrl-C, so it would outlive this process. Until the returned function
 * is called, the end of this process ends the group.
 */
function guardProcessGroup(group: number): () => void {
  if (guarded.size === 0) {
    process.on('exit', killGuarded);
    for (const name of ENDING_SIGNALS) process.on(name, endWithGroups);
  }
  guarded.add(group);
  return () => {
    if (!guarded.delete(group) || guarded.size > 0) return;
    process.off('exit', killGuarded);
    for (const name of ENDING_SIGNALS) process.off(name, endWithGroups);
  };
}

/** Called when this process ends. */
function killGuarded(): void {
  for (const group of guarded) killProcessGroup(group, 'SIGKILL');
}

function endWithGroups(signal: NodeJS.Signals): void {
  // Another handler takes this signal and will end us, or abort the run, in an orderly way.
  if (process.listenerCount(signal) > 1) return;
  killGuarded();
  for (const name of ENDING_SIGNALS) process.off(name, endWithGroups);
  process.kill(process.pid, signal);
}
