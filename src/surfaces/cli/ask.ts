import type { CliIo } from './cli-io.ts';

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
