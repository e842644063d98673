import type { Environment } from '../../platform/environment.ts';
import type { BuiltPrompt, PromptInput } from '../../workers/run-request.ts';
import { exchange } from './exchange.ts';
import { EXPECTED_HEADER, PROMPT_PATH, type PromptQuestion } from './prompt-route.ts';
import { serverFingerprint } from './server-fingerprint.ts';
import { readServerState } from './server-state.ts';

/** A server that has been stopped or hangs must not hold up a run for long. */
const PATIENCE_MS = 5_000;

/** Asks the running server for a prompt. */
export async function askPrompt(
  question: PromptQuestion,
  environment: Environment,
  { signal, onNear }: Pick<PromptInput, 'signal' | 'onNear'>,
): Promise<BuiltPrompt | 'no-server' | 'no-answer'> {
  const state = readServerState(question.settings.cacheDir);
  if (state?.fingerprint !== serverFingerprint(environment)) return 'no-server';
  const text = await exchange(state, {
    method: 'POST',
    path: PROMPT_PATH,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    onHead: (headers) => {
      const expectedMs = headers[EXPECTED_HEADER];
      if (typeof expectedMs === 'string') onNear?.(Number(expectedMs));
    },
  });
  return text === null ? 'no-answer' : JSON.parse(text);
}
