import { DEFAULT_HOOK_CLIENT } from '../../agents/table.ts';
import { DURATION_UNITS, readQuantity } from '../../schema/quantity.ts';

export interface HookArguments {
  readonly event: string;
  readonly client: string;
  readonly timeoutMs: number;
  /** Where to look for the repository when the input does not say; empty for the current directory. */
  readonly repo: string;
  /** What was not understood: said in the log, never a reason to fail. */
  readonly problems: readonly string[];
}

export const DEFAULT_TIMEOUT_MS = 5_000;
const MAX_TIMEOUT_MS = 600_000;
const WITH_VALUE = ['--client', '--timeout', '--repo'];

/** `user-prompt-submit --client codex --timeout 2s`. */
export function readHookArguments(words: readonly string[]): HookArguments {
  const values = new Map<string, string>();
  const events: string[] = [];
  const problems: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const [word = '', inline] = splitFlag(words[at]!);
    if (WITH_VALUE.includes(word)) values.set(word, inline ?? words[++at] ?? '');
    else if (word.startsWith('-')) problems.push(`there is no flag ${word}`);
    else events.push(word);
  }
  const given = values.get('--timeout');
  const timeoutMs = given === undefined ? DEFAULT_TIMEOUT_MS : readQuantity(given, DURATION_UNITS);
  const isGood = timeoutMs !== undefined && timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS;
  if (!isGood) problems.push(`--timeout: ${given} is no duration from 1ms to 10m`);
  if (events.length !== 1) problems.push(`one event is wanted, and there are ${events.length}`);
  return {
    event: events[0] ?? '',
    client: values.get('--client') ?? DEFAULT_HOOK_CLIENT,
    timeoutMs: isGood ? timeoutMs : DEFAULT_TIMEOUT_MS,
    repo: values.get('--repo') ?? '',
    problems,
  };
}

function splitFlag(word: string): readonly [string, string?] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at === -1 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}
