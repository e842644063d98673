import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildMessage, Fault, Work } from './messages.ts';

export interface FuzzRequest {
  readonly name: string;
  readonly seed: number;
  readonly from: number;
  readonly count: number;
  /** In the place of generated inputs; base64. */
  readonly input?: string;
}

export interface FoundFault extends Fault {
  readonly at: number;
  /** Base64. */
  readonly input: string;
}

export interface FuzzReport {
  readonly name: string;
  readonly seed: number;
  readonly inputs: number;
  readonly results: number;
  readonly errors: number;
  readonly slowestMs: number;
  readonly slowestAt: number;
  readonly faults: readonly FoundFault[];
}

export interface RunnerOptions {
  /** The bundled program that runs inputs. */
  readonly program: string;
  /** Longest time for one input. */
  readonly limitMs?: number;
  readonly onProgress?: (done: number) => void;
}

export const LIMIT_MS = 2_000;
/** Making a repository and its index takes a while; an input does not. */
const SET_UP_MS = 60_000;
/** More faults of the same class are not reported. */
const MAX_FAULTS = 10;

interface Tally {
  /** Inputs that were begun. */
  inputs: number;
  results: number;
  errors: number;
  slowestMs: number;
  slowestAt: number;
  faults: FoundFault[];
}

/** How a child ended: all inputs done, or stopped in the middle of one (-1: before the first). */
type Ending =
  | { readonly kind: 'done' }
  | { readonly kind: 'hang' | 'exit'; readonly at: number; readonly detail: string };

/**
 * Runs inputs of one class in processes of their own. This one only watches: an input that never ends, or that takes its
 * process with it, is reported like any other fault, and the next process goes on behind it.
 */
export async function runFuzzClass(request: FuzzRequest, options: RunnerOptions): Promise<FuzzReport> {
  const tally: Tally = {
    inputs: 0,
    results: 0,
    errors: 0,
    slowestMs: 0,
    slowestAt: request.from,
    faults: [],
  };
  const end = request.from + request.count;
  let from = request.from;
  while (from < end && tally.faults.length < MAX_FAULTS) {
    const ending = await runChild(request, from, end - from, options, tally);
    if (ending.kind === 'done') break;
    if (ending.at < 0) throw new Error(`${request.name}: the set-up failed: ${ending.detail}`);
    const fault = ending.kind === 'hang' ? await tryAlone(request, ending, options) : ending;
    if (fault !== null) {
      const input = await showInput(request, ending.at, options);
      tally.faults.push({ kind: fault.kind, detail: fault.detail, at: ending.at, input });
    }
    from = ending.at + 1;
  }
  return { name: request.name, seed: request.seed, ...tally };
}

/** A busy machine can make any input late once: it counts as a hang when it is late again, alone. */
async function tryAlone(
  request: FuzzRequest,
  ending: Extract<Ending, { kind: 'hang' | 'exit' }>,
  options: RunnerOptions,
): Promise<Extract<Ending, { kind: 'hang' | 'exit' }> | null> {
  const tally: Tally = { inputs: 0, results: 0, errors: 0, slowestMs: 0, slowestAt: 0, faults: [] };
  const again = await runChild(request, ending.at, 1, options, tally);
  return again.kind === 'done' ? null : { ...again, at: ending.at };
}

function startChild(
  request: FuzzRequest,
  work: Pick<Work, 'kind' | 'from' | 'count'>,
  program: string,
): ChildProcess {
  const { name, seed, input = null } = request;
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-fuzz-')));
  const child = fork(program, [], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: ['--max-old-space-size=1024', '--enable-source-maps'],
    // nothing of this machine's settings, as in every other test
    env: { PATH: process.env.PATH ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
  });
  // here, because a child that is killed leaves it behind
  const clean = () => rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  // an interrupt of this process is meant for the child as well
  const stop = () => {
    child.kill('SIGKILL');
    clean();
  };
  process.once('exit', stop);
  child.once('close', () => {
    process.off('exit', stop);
    clean();
  });
  child.send({ ...work, name, seed, input, home } satisfies Work);
  return child;
}

function runChild(
  request: FuzzRequest,
  from: number,
  count: number,
  { program, limitMs = LIMIT_MS, onProgress = () => {} }: RunnerOptions,
  tally: Tally,
): Promise<Ending> {
  const child = startChild(request, { kind: 'run', from, count }, program);
  let at = -1;
  let complaint = '';
  let isDone = false;
  let isLate = false;
  let timer: NodeJS.Timeout;
  const watch = (limit: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, limit);
  };
  watch(SET_UP_MS);
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-2_000);
  });
  child.on('message', (message: ChildMessage) => {
    if (message.kind === 'begin') {
      at = message.at;
      tally.inputs = at + 1 - request.from;
      onProgress(at - request.from);
      watch(limitMs);
    } else if (message.kind === 'fault') {
      tally.faults.push({ ...message.fault, at: message.at, input: message.input });
      if (tally.faults.length >= MAX_FAULTS) child.kill('SIGKILL');
    } else if (message.kind === 'done') {
      isDone = true;
      // all inputs are done; the child only has to close its files
      watch(SET_UP_MS);
      tally.results += message.results;
      tally.errors += message.errors;
      if (message.slowestMs > tally.slowestMs)
        [tally.slowestMs, tally.slowestAt] = [message.slowestMs, message.slowestAt];
    }
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (isDone || tally.faults.length >= MAX_FAULTS) resolve({ kind: 'done' });
      else if (isLate) resolve({ kind: 'hang', at, detail: `no end within ${limitMs} ms` });
      else resolve({ kind: 'exit', at, detail: `the process ended (${signal ?? code})\n${complaint}` });
    });
  });
}

function showInput(request: FuzzRequest, at: number, { program }: RunnerOptions): Promise<string> {
  const child = startChild(request, { kind: 'show', from: at, count: 1 }, program);
  return new Promise((resolve) => {
    let input = '';
    child.on('message', (message: ChildMessage) => {
      if (message.kind === 'input') input = message.input;
    });
    child.on('close', () => resolve(input));
  });
}
