import { Readable, Writable } from 'node:stream';
import type { CliIo } from './cli-io.ts';
import { main } from './main.ts';

export interface CliCall {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command line in this process, as the program runs it. */
export async function callCli(
  argv: readonly string[],
  world: { readonly cwd: string; readonly env: CliIo['env']; readonly isTerminal?: boolean },
): Promise<CliCall> {
  const written = { stdout: '', stderr: '' };
  const into = (name: keyof typeof written) =>
    new Writable({
      write: (chunk, _encoding, done) => {
        written[name] += String(chunk);
        done();
      },
    });
  const isTerminal = world.isTerminal === true;
  const exitCode = await main(argv, {
    stdout: into('stdout'),
    stderr: into('stderr'),
    stdin: Readable.from([]),
    env: world.env,
    cwd: world.cwd,
    isTerminal: { stdout: isTerminal, stderr: isTerminal },
    columns: 100,
    onInterrupt: () => () => {},
    forceExit: () => {},
  });
  return { exitCode, ...written };
}
