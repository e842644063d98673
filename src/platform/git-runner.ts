import { environment } from './environment.ts';
import { findProgram } from './find-program.ts';
import { gitEnvironment, HARDENING, OVERRIDABLE_SETTINGS_QUERY, settingOverrides } from './git-hardening.ts';
import { type ProcessOptions, type ProcessResult, runProcess } from './process-runner.ts';

export type GitRunOptions = Pick<ProcessOptions, 'timeoutMs' | 'maxOutputBytes'> & {
  readonly input?: Buffer;
};
export type RunGit = (args: readonly string[], options?: GitRunOptions) => Promise<ProcessResult>;

const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
/** Commands that look at the work tree, and with it at filters and ignore files. */
const LOOKS_AT_WORK_TREE = new Set(['check-ignore', 'diff-files', 'diff-index', 'ls-files']);

/** Runs git in one work tree with everything a repository could configure switched off; null without git. */
export function gitRunner(workTree: string): RunGit | null {
  const program = findProgram('git', environment(), workTree);
  if (program === null) return null;
  const env = gitEnvironment(environment(), workTree);
  const run = (
    args: readonly string[],
    options: GitRunOptions,
    overrides: Readonly<Record<string, string>>,
  ) =>
    runProcess(program, [...HARDENING, ...args], {
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      ...options,
      cwd: workTree,
      env: { ...env, ...overrides },
    });
  return async (args, options = {}) => {
    if (!LOOKS_AT_WORK_TREE.has(args[0] ?? '')) return run(args, options, {});
    // Asked each time: in a long session the configuration may change between two commands.
    const settings = await run(OVERRIDABLE_SETTINGS_QUERY, {}, {});
    // 1 says that there are none.
    if (settings.outcome !== 'exited' || (settings.exitCode !== 0 && settings.exitCode !== 1))
      return settings;
    return run(args, options, settingOverrides(settings.stdout.toString('utf8'), env));
  };
}
