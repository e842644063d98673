import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../../platform/environment.ts';

/** The streams and the environment of one call. Tests pass their own. */
export interface CliIo {
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly stdin: Readable;
  readonly env: Environment;
  readonly cwd: string;
  readonly isTerminal: { readonly stdout: boolean; readonly stderr: boolean };
  /** Width of the terminal behind stderr. */
  readonly columns: number;
  /** Calls back with the exit code for a signal. Returns a function that stops listening. */
  onInterrupt(listener: (exitCode: number) => void): () => void;
  /** Ends the process at once, for a command that does not stop in time. */
  forceExit(exitCode: number): void;
}

/** Whether a person can answer a question. */
export const canAsk = ({ stdin, isTerminal }: CliIo): boolean =>
  isTerminal.stderr && (stdin as { readonly isTTY?: boolean }).isTTY === true;

/** Asks a question on stderr. Only "y" and "yes" count as yes. */
export async function askYes(
  { stdin, stderr }: CliIo,
  question: string,
  signal: AbortSignal,
): Promise<boolean> {
  stderr.write(`${question} [y/N] `);
  const stop = () => stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  let answer = '';
  try {
    for await (const chunk of stdin) {
      answer += String(chunk);
      if (answer.includes('\n')) break;
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
  return /^y(es)?$/i.test(answer.split('\n')[0]!.trim());
}
