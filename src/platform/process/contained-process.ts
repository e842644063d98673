import { endProcessesOfRun, RUN_VARIABLE } from './marked-processes.ts';
import { type ProcessOptions, type ProcessResult, runProcess } from './process-runner.ts';
import { startWatchdog } from './process-watchdog.ts';

export interface ContainedOptions extends Omit<ProcessOptions, 'endStrays' | 'env'> {
  /** The id by which everything that is started here can be found again. */
  readonly run: string;
  /** The WHOLE environment; the mark of the run is added. */
  readonly env: Readonly<Record<string, string>>;
  /** Whoever works in here belongs to the run. */
  readonly folder: string | null;
  /** False as long as others may be working in the folder. */
  readonly ownsFolder?: () => boolean;
  readonly onStart?: (pid: number) => void;
}

/**
 * Runs a program of which nothing is left when the promise settles: not in its process group, not in a session of
 * its own, and not when this process is killed meanwhile.
 */
export async function runContained(
  command: string,
  args: readonly string[],
  { run, folder, ownsFolder = () => true, env, onStart, ...options }: ContainedOptions,
): Promise<ProcessResult> {
  const watchdog = startWatchdog(run, folder);
  const outer = env[RUN_VARIABLE];
  const marked = { ...env, [RUN_VARIABLE]: outer ? `${outer}:${run}` : run };
  const endStrays = () => void endProcessesOfRun(run, ownsFolder() ? folder : null);
  try {
    return await runProcess(command, args, { ...options, env: marked, endStrays }, (pid) => {
      watchdog.watch(pid);
      onStart?.(pid);
    });
  } finally {
    endStrays();
    watchdog.stop();
  }
}
