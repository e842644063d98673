import { definedVariables, type Environment } from '../../platform/environment.ts';
import { type ProcessResult, runProcess } from '../../platform/process/process-runner.ts';

export interface ProgramQuestion<Answer> {
  readonly cwd: string;
  readonly env: Environment;
  /** A line of JSON each. */
  readonly messages: readonly unknown[];
  /** What a line of its output says; null when it is not the answer. */
  readonly read: (message: unknown) => Answer | null;
  readonly timeoutMs: number;
}

const MAX_BYTES = 4_000_000;
const MAX_SAID = 300;

/** Talks to a program that serves on its standard streams, waits for the one answer and ends it. */
export async function askProgram<Answer extends object>(
  program: string,
  args: readonly string[],
  { cwd, env, messages, read, timeoutMs }: ProgramQuestion<Answer>,
): Promise<Answer | { readonly problem: string }> {
  const answered = new AbortController();
  let answer: Answer | null = null;
  let rest = '';
  const decoder = new TextDecoder();
  const result = await runProcess(program, args, {
    cwd,
    env: definedVariables(env),
    input: messages.map((message) => `${JSON.stringify(message)}\n`).join(''),
    keepsInputOpen: true,
    timeoutMs,
    maxOutputBytes: MAX_BYTES,
    signal: answered.signal,
    onOutput: (stream, chunk) => {
      if (stream !== 'stdout' || answer !== null) return;
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop()!;
      for (const line of lines) answer ??= readLine(line, read);
      if (answer !== null) answered.abort();
    },
  });
  return answer ?? { problem: problemOf(result, timeoutMs) };
}

function readLine<Answer>(line: string, read: (message: unknown) => Answer | null): Answer | null {
  try {
    return read(JSON.parse(line));
  } catch {
    // not ours to read
    return null;
  }
}

function problemOf({ outcome, exitCode, stderr }: ProcessResult, timeoutMs: number): string {
  if (outcome === 'timed-out') return `no answer within ${timeoutMs} ms`;
  if (outcome === 'output-limit') return 'it says too much';
  if (outcome === 'not-found') return 'it cannot be started';
  const said = stderr.toString('utf8').trim().slice(0, MAX_SAID);
  return `it ended with code ${exitCode}${said === '' ? '' : `: ${said}`}`;
}
