import { isUtf8 } from 'node:buffer';
import { monotonicMs } from '../clock.ts';
import { environment } from '../environment.ts';
import { findProgram } from '../process/find-program.ts';
import { type ProcessOptions, type ProcessResult, runProcess } from '../process/process-runner.ts';
import { gitEnvironment, HARDENING, OVERRIDABLE_SETTINGS_QUERY, settingOverrides } from './git-hardening.ts';
import { watchGit } from './git-watch.ts';

export type GitRunOptions = Pick<ProcessOptions, 'timeoutMs' | 'maxOutputBytes'> & {
  readonly input?: Buffer;
};
/** For callers inside this folder. */
export type GitCallOptions = GitRunOptions & {
  readonly env?: Readonly<Record<string, string>>;
  /** Nobody can have changed the settings since the last command. */
  readonly reuseSettings?: boolean;
};
export type RunGit = (args: readonly string[], options?: GitCallOptions) => Promise<ProcessResult>;
export type GitRunner = RunGit & {
  /** A command that looks at the work tree comes next: what it needs to know is asked for already. */
  readonly expectWork: () => void;
};

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
/** How long what was asked for ahead is taken for the present state. */
const AHEAD_MS = 1_000;
/**
 * Commands that look at the work tree, and with it at filters and ignore files. Whoever writes an index looks, too:
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
    // 1 says that there are none.
    if (settings.outcome !== 'exited' || (settings.exitCode ?? 2) > 1) return settings;
    // A name that no environment variable of ours can carry could not be switched off.
    if (!isUtf8(settings.stdout))
      return { ...settings, exitCode: 128, stderr: Buffer.from('a filter has no readable name') };
    return run(args, options, settingOverrides(settings.stdout.toString('utf8'), env));
  };
  const expectWork = () => {
    ahead = { answer: run(OVERRIDABLE_SETTINGS_QUERY, {}, {}), untilMs: monotonicMs() + AHEAD_MS };
    // whoever asks for it hears of it
    ahead.answer.catch(() => {});
  };
  return Object.assign(runGit, { expectWork });
}
