import { spawn } from 'node:child_process';
import { CLI } from './run-cli.ts';

export interface HookRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly milliseconds: number;
}

export interface HookProcessOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The input from the client; `null` leaves standard input open. */
  readonly input: string | null;
  /** The client has gone before there is an answer. */
  readonly closeOutput?: boolean;
  /** Also waits for processes of the hook that may still write to its standard error. */
  readonly untilSilent?: boolean;
}

/** `loadout hook ...` as a client runs it. */
export function runHookProcess(words: readonly string[], options: HookProcessOptions): Promise<HookRun> {
  const started = performance.now();
  const child = spawn(process.execPath, [CLI, 'hook', ...words], {
    cwd: options.cwd,
    env: { ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  if (options.closeOutput) child.stdout.destroy();
  // it may answer before it has read everything
  child.stdin.on('error', () => {});
  if (options.input !== null) child.stdin.end(options.input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on(options.untilSilent ? 'close' : 'exit', (exitCode) => {
      const milliseconds = performance.now() - started;
      child.stdin.destroy();
      setImmediate(() => resolve({ exitCode, stdout, stderr, milliseconds }));
    });
  });
}
