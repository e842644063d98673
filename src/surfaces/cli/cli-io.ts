import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../../platform/environment.ts';

/** What one command line call may touch. Tests hand in their own. */
export interface CliIo {
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly stdin: Readable;
  readonly env: Environment;
  readonly cwd: string;
  readonly isTerminal: { readonly stdout: boolean; readonly stderr: boolean };
  /** Width of the terminal behind stderr. */
  readonly columns: number;
  /** Calls back with the exit code that a signal stands for; returns how to stop listening. */
  onInterrupt(listener: (exitCode: number) => void): () => void;
  /** Ends the process at once, for a command that does not stop when asked. */
  forceExit(exitCode: number): void;
}

/** Somebody is there who can answer. */
export const canAsk = ({ stdin, isTerminal }: CliIo): boolean =>
  isTerminal.stderr && (stdin as { readonly isTTY?: boolean }).isTTY === true;

/** Asks a question on stderr; only a plain yes is one. */
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
