import { environment } from '../../platform/environment.ts';
import type { CliIo } from './cli-io.ts';
import { main } from './main.ts';

/** The whole program on this process's own streams; resolves to its exit code. */
export const run = (): Promise<number> => main(process.argv.slice(2), processIo());

/** 128 and the number of the signal, as shells report it. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** The streams and environment of this process. */
export function processIo(): CliIo {
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    env: environment(),
    cwd: process.cwd(),
    isTerminal: { stdout: process.stdout.isTTY === true, stderr: process.stderr.isTTY === true },
    columns: process.stderr.columns ?? 80,
    onInterrupt: (listener) => {
      const handlers = Object.entries(EXIT_CODES).map(
        ([signal, code]) => [signal, () => listener(code)] as const,
      );
      for (const [signal, handler] of handlers) process.on(signal, handler);
      return () => {
        for (const [signal, handler] of handlers) process.off(signal, handler);
      };
    },
    forceExit: (exitCode) => process.exit(exitCode),
  };
}
