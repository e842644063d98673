import { createHash } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { cacheDirectory } from '../../platform/cache/user-directories.ts';
import { monotonicMs, wallClockMs } from '../../platform/clock.ts';
import type { Environment } from '../../platform/environment.ts';
import { createFolders } from '../../platform/fs/make-folder.ts';
import { locateRepository } from '../../platform/git/locate-repository.ts';
import { readHookArguments } from './hook-arguments.ts';
import { readEvent } from './hook-call.ts';
import { logHook } from './hook-log.ts';
import type { HookJob } from './hook-message.ts';
import type { HookOutcome, HookThread } from './hook-thread.ts';

/** The world of one hook process. */
export interface HookWorld {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly environment: Environment;
  readonly cwd: string;
  readonly hasServer: () => boolean;
  /** Asks a server that has everything open already; null when there is none or it does not answer. */
  readonly askServer: (
    event: string,
    client: string,
    input: string,
    timeoutMs: number,
  ) => Promise<string | null>;
  /** Starts what answers: in a thread of its own, or here where that is known to be quick. */
  readonly start: (job: HookJob, isQuick: boolean) => HookThread;
  /** Builds the index when nobody waits, for the next time. */
  readonly warmUp: (root: string, cacheDirectory: string) => void;
  /** Keeps the index open for the hooks to come; ends by itself when there are none. */
  readonly startServer: (root: string, cacheDirectory: string) => void;
}

const NOTHING = '{}';
/** Of the whole, what is left for starting and ending the process. */
const MARGIN_MS = 150;
/** With less, whoever answers must be one who can be cut short at any moment. */
const AMPLE_MS = 3_000;

/** Answers one event on standard output, whatever happens and in time: `{}` when there is nothing to say. */
export async function runHook(words: readonly string[], world: HookWorld): Promise<void> {
  const started = monotonicMs();
  const { event, client, timeoutMs, repo, problems } = readHookArguments(words);
  const { environment } = world;
  const directory = cacheDirectory(environment);
  const log = (problem: string) => {
    const milliseconds = Math.round(monotonicMs() - started);
    logHook(directory, { at: new Date(wallClockMs()).toISOString(), event, client, milliseconds, problem });
  };
  if (problems.length > 0) log(problems.join('; '));
  const cwd = repo || world.cwd;
  const job: HookJob = { event, client, cwd, environment, cacheDirectory: directory, timeoutMs };
  const isIdle = environment.LOADOUT_WORKER === '1' || readEvent(event) === null;
  const outcome = isIdle
    ? { answer: NOTHING }
    : await answerInTime(job, world, Math.max(1, timeoutMs - MARGIN_MS));
  if ('problem' in outcome) log(outcome.problem);
  const text = 'answer' in outcome ? outcome.answer : NOTHING;
  await new Promise<void>((resolve) => {
    // a client that has gone wants no answer
    world.stdout.once('error', () => resolve());
    world.stdout.write(`${text}\n`, () => resolve());
  });
}

async function answerInTime(job: HookJob, world: HookWorld, timeoutMs: number): Promise<HookOutcome> {
  const started = monotonicMs();
  const start = () => world.start(job, timeoutMs >= AMPLE_MS && wasQuick(job.cacheDirectory, job.cwd));
  // loads while the input comes in, unless a server can do it
  let thread: HookThread | null = world.hasServer() ? null : start();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs);
  });
  const work = async (): Promise<HookOutcome> => {
    const input = await readInput(world.stdin);
    if (input === null) return { problem: 'the input is too large' };
    const answer = thread ? null : await world.askServer(job.event, job.client, input, timeoutMs);
    if (answer !== null) return { answer };
    thread ??= start();
    thread.begin(input);
    return thread.outcome;
  };
  const outcome = await Promise.race([late, work().catch((error: unknown) => ({ problem: String(error) }))]);
  clearTimeout(timer);
  const { root, wantsServer } = thread?.progress ?? { root: '', wantsServer: false };
  if (root !== '') noteTime(job.cacheDirectory, root, monotonicMs() - started);
  if (root !== '' && wantsServer) world.startServer(root, job.cacheDirectory);
  else if (root !== '' && outcome === null) world.warmUp(root, job.cacheDirectory);
  return outcome ?? { problem: `no answer within ${timeoutMs} ms` };
}

export const MOST_INPUT_BYTES = 10_000_000;

/** Everything a client says on standard input; null when it says more than any event needs. */
export async function readInput(stream: Readable): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
    size += bytes.length;
    if (size > MOST_INPUT_BYTES) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What is answered in this time leaves room in every time limit that a client sets. */
const QUICK_MS = 1_000;

/** Whether the last hook in the repository around a directory was answered quickly. */
export function wasQuick(cacheDirectory: string, directory: string): boolean {
  const place = locateRepository(directory);
  if (place.kind !== 'found') return false;
  try {
    return statSync(markOf(cacheDirectory, place.workTree), { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}

/** Remembers how long an answer about a repository took. */
export function noteTime(cacheDirectory: string, root: string, milliseconds: number): void {
  const mark = markOf(cacheDirectory, root);
  try {
    if (milliseconds > QUICK_MS) rmSync(mark, { force: true });
    else {
      createFolders(join(mark, '..'), 0o700);
      writeFileSync(mark, '', { mode: 0o600, flag: 'wx' });
    }
  } catch {
    // known already, or not to be remembered: either way the next hook is answered
  }
}

function markOf(cacheDirectory: string, root: string): string {
  return join(cacheDirectory, 'hook', 'quick', createHash('sha256').update(root).digest('hex').slice(0, 24));
}
