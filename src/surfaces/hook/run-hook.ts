import type { Readable, Writable } from 'node:stream';
import { cacheDirectory } from '../../platform/cache/user-directories.ts';
import { monotonicMs, wallClockMs } from '../../platform/clock.ts';
import type { Environment } from '../../platform/environment.ts';
import { DURATION_UNITS, readQuantity } from '../../schema/text-values.ts';
import type { HookJob, HookOutcome, HookThread } from './hook-process.ts';

/** A hook process: its streams, and the two ways to an answer. */
export interface HookProcess {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly environment: Environment;
  readonly cwd: string;
  readonly hasServer: () => boolean;
  /** The first way: a server that has the index open. Null when there is none or it does not answer. */
  readonly askServer: (
    event: string,
    client: string,
    input: string,
    timeoutMs: number,
  ) => Promise<string | null>;
  /** The second way: a thread of this process, which can be abandoned when the time is up. */
  readonly startThread: (job: HookJob) => HookThread;
  /** Builds the index in the background, for the next hook. */
  readonly warmUp: (root: string, cacheDirectory: string) => void;
  /** Starts a server for later hooks. It ends by itself when there are none. */
  readonly startServer: (root: string, cacheDirectory: string) => void;
}

const NO_ANSWER = '{}';
/** Part of the time limit that starting and ending the process takes. */
const MARGIN_MS = 150;
const MAX_INPUT_BYTES = 10_000_000;

/** Prints one answer on standard output within the time limit, whatever happens; `{}` when there is nothing to say. */
export async function runHook(words: readonly string[], hook: HookProcess): Promise<void> {
  const started = monotonicMs();
  const { event, client, timeoutMs, repo, problems } = readHookArguments(words);
  const { environment } = hook;
  const directory = cacheDirectory(environment);
  const log = async (problem: string) => {
    const milliseconds = Math.round(monotonicMs() - started);
    // Loaded only to report a problem, because its redaction patterns are half of this program.
    const { logHook } = await import('./hook-log.ts');
    logHook(directory, { at: new Date(wallClockMs()).toISOString(), event, client, milliseconds, problem });
  };
  if (problems.length > 0) await log(problems.join('; '));
  const cwd = repo || hook.cwd;
  const job: HookJob = { event, client, cwd, environment, cacheDirectory: directory, timeoutMs };
  // Our own workers get their context in the prompt.
  const hasNoAnswer = environment.LOADOUT_WORKER === '1' || event === '';
  const outcome = hasNoAnswer
    ? { answer: NO_ANSWER }
    : await answerInTime(job, hook, Math.max(1, timeoutMs - MARGIN_MS));
  if ('problem' in outcome) await log(outcome.problem);
  const text = 'answer' in outcome ? outcome.answer : NO_ANSWER;
  await new Promise<void>((resolve) => {
    // The client may have closed the pipe already.
    hook.stdout.once('error', () => resolve());
    hook.stdout.write(`${text}\n`, () => resolve());
  });
}

async function answerInTime(job: HookJob, hook: HookProcess, timeoutMs: number): Promise<HookOutcome> {
  // Without a server the thread loads its code while the input comes in.
  let thread: HookThread | null = hook.hasServer() ? null : hook.startThread(job);
  const work = async (): Promise<HookOutcome> => {
    const input = await readInput(hook.stdin);
    if (input === null) return { problem: 'the input is too large' };
    const answer = thread ? null : await hook.askServer(job.event, job.client, input, timeoutMs);
    if (answer !== null) return { answer };
    thread ??= hook.startThread(job);
    thread.begin(input);
    return thread.outcome;
  };
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs);
  });
  const outcome = await Promise.race([
    timeout,
    work().catch((error: unknown) => ({ problem: String(error) })),
  ]);
  clearTimeout(timer);

  // Make the next hook faster: a server if one is wanted, otherwise an index if this one had none in time.
  const { root, wantsServer } = thread?.progress ?? { root: '', wantsServer: false };
  if (root !== '' && wantsServer) hook.startServer(root, job.cacheDirectory);
  else if (root !== '' && outcome === null) hook.warmUp(root, job.cacheDirectory);
  return outcome ?? { problem: `no answer within ${timeoutMs} ms` };
}

/** Everything the client writes to standard input; null when it is more than any event needs. */
async function readInput(stream: Readable): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
    size += bytes.length;
    if (size > MAX_INPUT_BYTES) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The command line of a hook. */
export interface HookArguments {
  readonly event: string;
  /** Empty for the default client. The names of clients are not known here, to keep this program small. */
  readonly client: string;
  readonly timeoutMs: number;
  /** The folder of the repository when the input has none; empty for the current directory. */
  readonly repo: string;
  /** Arguments that were not understood. They are logged; a hook never fails over them. */
  readonly problems: readonly string[];
}

export const DEFAULT_TIMEOUT_MS = 5_000;
const MAX_TIMEOUT_MS = 600_000;
const WITH_VALUE = ['--client', '--timeout', '--repo'];

/** `user-prompt-submit --client codex --timeout 2s`. */
export function readHookArguments(words: readonly string[]): HookArguments {
  const values = new Map<string, string>();
  const events: string[] = [];
  const problems: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const [word = '', inline] = splitFlag(words[at]!);
    if (WITH_VALUE.includes(word)) values.set(word, inline ?? words[++at] ?? '');
    else if (word.startsWith('-')) problems.push(`unknown flag ${word}`);
    else events.push(word);
  }
  const given = values.get('--timeout');
  const timeoutMs = given === undefined ? DEFAULT_TIMEOUT_MS : readQuantity(given, DURATION_UNITS);
  const isGood = timeoutMs !== undefined && timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS;
  if (!isGood) problems.push(`--timeout: ${given} is not a duration from 1ms to 10m`);
  if (events.length !== 1) problems.push(`expected one event, found ${events.length}`);
  return {
    event: events[0] ?? '',
    client: values.get('--client') ?? '',
    timeoutMs: isGood ? timeoutMs : DEFAULT_TIMEOUT_MS,
    repo: values.get('--repo') ?? '',
    problems,
  };
}

function splitFlag(word: string): readonly [string, string?] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at === -1 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}
