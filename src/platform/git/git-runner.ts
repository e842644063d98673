// Runs git commands with hardened settings, and parses their output.

import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { LoadoutError } from '../../model/loadout-error.ts';
import { monotonicMs } from '../clock.ts';
import { environment } from '../environment.ts';
import { decodePath } from '../fs/path-codec.ts';
import { findProgram } from '../process/find-program.ts';
import { type ProcessOptions, type ProcessResult, runProcess } from '../process/process-runner.ts';
import type { GitFile } from './git.ts';
import { gitEnvironment, HARDENING, OVERRIDABLE_SETTINGS_QUERY, settingOverrides } from './git-hardening.ts';

export type GitRunOptions = Pick<ProcessOptions, 'timeoutMs' | 'maxOutputBytes'> & {
  readonly input?: Buffer;
};
/** Options for callers inside this folder. */
export type GitCallOptions = GitRunOptions & {
  readonly env?: Readonly<Record<string, string>>;
  /** The settings cannot have changed since the last command. */
  readonly reuseSettings?: boolean;
};
/** Runs one git command with hardened settings. */
export type RunGit = (args: readonly string[], options?: GitCallOptions) => Promise<ProcessResult>;
type GitRunner = RunGit & {
  /** Asks for the settings ahead of a command that looks at the work tree. */
  readonly expectWork: () => void;
};

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
/** How long an answer that was asked for ahead counts as the present state. */
const AHEAD_MS = 1_000;
/**
 * Commands that look at the work tree, and with it at filters and ignore files. A command that writes an index looks, too:
 * a file as young as the index is compared by its content, through its filter.
 */
const LOOKS_AT_WORK_TREE = new Set([
  ...['check-ignore', 'diff-files', 'diff-index', 'ls-files'],
  ...['apply', 'checkout-index', 'clean', 'read-tree', 'update-index', 'worktree', 'write-tree'],
]);

/** Runs git in one work tree with everything a repository could configure switched off; null without git. */
export function gitRunner(workTree: string): GitRunner | null {
  const program = findProgram('git', environment(), workTree);
  if (program === null) return null;
  const env = gitEnvironment(environment(), workTree);
  const run = async (
    args: readonly string[],
    { env: added, reuseSettings: _, ...options }: GitCallOptions,
    overrides: Record<string, string>,
  ) => {
    const watch = watchGit();
    const limits = { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES, ...options };
    const place = { cwd: workTree, env: { ...env, ...added, ...overrides }, signal: watch.signal };
    const result = await runProcess(program, [...HARDENING, ...args], { ...limits, ...place }, watch.start);
    watch.stop();
    return watch.signal.aborted ? { ...result, stderr: Buffer.from(watch.reason()) } : result;
  };
  let asking: Promise<ProcessResult> | null = null;
  let known: ProcessResult | null = null;
  let ahead: { readonly answer: Promise<ProcessResult>; readonly untilMs: number } | null = null;
  const takeAhead = (): Promise<ProcessResult> | null => {
    const taken = ahead && monotonicMs() < ahead.untilMs ? ahead.answer : null;
    ahead = null;
    return taken;
  };
  // Asked each time, because in a long session the configuration may change between two commands; commands that
  // start at the same time share one answer.
  const askSettings = (added: Readonly<Record<string, string>>): Promise<ProcessResult> => {
    asking ??= (takeAhead() ?? run(OVERRIDABLE_SETTINGS_QUERY, { env: added }, {})).finally(() => {
      asking = null;
    });
    return asking;
  };
  const runGit: RunGit = async (args, options = {}) => {
    if (!LOOKS_AT_WORK_TREE.has(args[0] ?? '')) return run(args, options, {});
    const settings = (options.reuseSettings && known) || (await askSettings(options.env ?? {}));
    known = settings;
    // Exit code 1 means that there are none.
    if (settings.outcome !== 'exited' || (settings.exitCode ?? 2) > 1) return settings;
    // A name that an environment variable cannot carry could not be switched off.
    if (!isUtf8(settings.stdout))
      return { ...settings, exitCode: 128, stderr: Buffer.from('a filter has no readable name') };
    return run(args, options, settingOverrides(settings.stdout.toString('utf8'), env));
  };
  const expectWork = () => {
    ahead = { answer: run(OVERRIDABLE_SETTINGS_QUERY, {}, {}), untilMs: monotonicMs() + AHEAD_MS };
    // the caller awaits it; this only avoids an unhandled rejection
    ahead.answer.catch(() => {});
  };
  return Object.assign(runGit, { expectWork });
}

/** Aborts `signal` when the watched process hangs in opening a FIFO or takes too much memory. */
interface GitWatch {
  readonly signal: AbortSignal;
  readonly start: (pid: number) => void;
  /** Why it was aborted; empty when it was not. */
  readonly reason: () => string;
  stop(): void;
}

const INTERVAL_MS = 100;
/** The kernel function in which a process waits for the other end of a FIFO. */
const WAITING_FOR_FIFO = 'wait_for_partner';
/** git reads an ignore file of any size into memory. */
const MAX_MEMORY_KB = 1_000_000;

/**
 * git opens any `.gitignore` and `.gitattributes` it meets. One that is a FIFO would hold it until the timeout, and one
 * of some gigabytes would fill the machine. Only Linux tells what a process does; elsewhere the timeout has to do.
 */
function watchGit(): GitWatch {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let reason = '';
  const abort = (why: string) => {
    reason = why;
    controller.abort();
  };
  return {
    signal: controller.signal,
    start: (pid) => {
      if (process.platform !== 'linux') return;
      let before = '';
      timer = setInterval(() => {
        const now = readQuietly(`/proc/${pid}/wchan`);
        if (now === WAITING_FOR_FIFO && before === now) abort('it was waiting for a FIFO');
        before = now;
        const memory = /^RssAnon:\s*(\d+) kB$/m.exec(readQuietly(`/proc/${pid}/status`))?.[1];
        if (Number(memory) > MAX_MEMORY_KB) abort('it took more than 1 GB of memory');
      }, INTERVAL_MS);
      timer.unref();
    },
    reason: () => reason,
    stop: () => clearInterval(timer),
  };
}

function readQuietly(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

const MODES: Readonly<Record<string, GitFile['mode']>> = {
  '100644': 'file',
  '100755': 'executable',
  '120000': 'symlink',
  '160000': 'submodule',
};

/** The items of `-z` output. */
export function splitNul(output: Buffer): string[] {
  const items = isUtf8(output) ? output.toString('utf8').split('\0') : splitBytes(output);
  // After the last NUL there is nothing, or half an item.
  items.pop();
  return items;
}

function splitBytes(output: Buffer): string[] {
  const items: string[] = [];
  let start = 0;
  for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, start)) {
    items.push(decodePath(output.subarray(start, end)));
    start = end + 1;
  }
  return [...items, ''];
}

/** No system opens a longer path: it can be in the index, but not on disk. */
const MAX_PATH = 4_096;

/** Lines of `ls-files -s -v -z`: `H 100644 <blob> <stage>\t<path>`. */
export function parseTrackedFiles(output: Buffer): GitFile[] {
  const files: GitFile[] = [];
  for (const line of splitNul(output)) {
    const tab = line.indexOf('\t');
    const path = line.slice(tab + 1);
    if (path.length > MAX_PATH) continue;
    const stage = line[tab - 1];
    const file = {
      path,
      blob: line.slice(9, tab - 2),
      mode: MODES[line.slice(2, 8)] ?? 'file',
      trustStat: line[0] === 'H',
      isSparse: line[0] === 'S',
    };
    // A file in conflict comes once for each stage. Our stage (2) counts, or else the first one.
    if (stage === '0' || files.at(-1)?.path !== path) files.push(file);
    else if (stage === '2') files[files.length - 1] = file;
  }
  return files;
}

/** Triples of `check-attr -z`: path, attribute, value. */
export function parseAttributes(output: Buffer): Map<string, Map<string, string>> {
  const fields = splitNul(output);
  const attributes = new Map<string, Map<string, string>>();
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const [path, name, value] = [fields[index]!, fields[index + 1]!, fields[index + 2]!];
    if (value === 'unspecified') continue;
    const known = attributes.get(path);
    if (known) known.set(name, value);
    else attributes.set(path, new Map([[name, value]]));
  }
  return attributes;
}

/** git's message about a failure, in one text. */
export function gitFailureText(result: ProcessResult): string {
  const said = result.stderr.toString().trim();
  if (result.outcome !== 'exited') return `${said || 'it was stopped'} (${result.outcome})`;
  return said || `exit code ${result.exitCode}`;
}

/** The output of a command that must not fail. */
export function gitOutput(command: string, result: ProcessResult): Buffer {
  if (result.outcome === 'exited' && result.exitCode === 0) return result.stdout;
  throw new LoadoutError('git-failed', `git ${command} failed: ${gitFailureText(result)}`, {
    subject: command,
  });
}
