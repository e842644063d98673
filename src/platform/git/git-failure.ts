import { LoadoutError } from '../../model/loadout-error.ts';
import type { ProcessResult } from '../process/process-runner.ts';

/** What git said about a failure, in one text. */
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
