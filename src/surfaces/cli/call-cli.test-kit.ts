import { Readable, Writable } from 'node:stream';
import type { CliIo } from './command.ts';
import { main } from './main.ts';

export interface CliCall {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliFixture {
  readonly cwd: string;
  readonly env: CliIo['env'];
  /** The input that is typed or piped in. */
  readonly stdin?: string;
  /** Whether the streams are terminals: all three, or each by name. */
  readonly isTerminal?:
    | boolean
    | { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
  readonly columns?: number;
}

/** The streams of a program, with their output so far. */
export function recordedIo({ cwd, env, stdin = '', isTerminal = false, columns = 80 }: CliFixture) {
  const written = { stdout: '', stderr: '' };
  const into = (name: keyof typeof written) =>
    new Writable({
      write: (chunk, _encoding, done) => {
        written[name] += String(chunk);
        done();
      },
    });
  const terminal =
    typeof isTerminal === 'boolean'
      ? { stdin: isTerminal, stdout: isTerminal, stderr: isTerminal }
      : isTerminal;
  const input = Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]);
  const io: CliIo = {
    stdout: into('stdout'),
    stderr: into('stderr'),
    stdin: Object.assign(input, { isTTY: terminal.stdin }),
    env,
    cwd,
    isTerminal: { stdout: terminal.stdout, stderr: terminal.stderr },
    columns,
    onInterrupt: () => () => {},
    forceExit: () => {},
  };
  return { io, written };
}

/** A command line in this process, as the program runs it. */
export async function callCli(argv: readonly string[], environment: CliFixture): Promise<CliCall> {
  const { io, written } = recordedIo(environment);
  const exitCode = await main(argv, io);
  return { exitCode, ...written };
}
