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
