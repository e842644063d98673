import { DEFAULT_HOOK_CLIENT } from '../../agents/table.ts';
import { type Route, sendJson, sendRefusal } from './loopback-server.ts';
import { readBody } from './read-body.ts';

export const HOOK_PATH = '/hook/';
const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** What every client takes for "nothing to add". */
const NO_CONTEXT = {};

/** Answers one event with what the client expects on its hook's standard output. */
export type AnswerHook = (question: HookRequest) => Promise<unknown>;

interface HookRequest {
  readonly event: string;
  readonly client: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
  /** How long the client waits; absent when it does not say. */
  readonly timeoutMs?: number;
}

export const CLIENT_HEADER = 'x-loadout-client';
export const TIMEOUT_HEADER = 'x-loadout-timeout-ms';

/**
 * Hooks over HTTP. The checks of the server refuse strangers; to an agent that shows the token the answer is always
 * one it can go on with, as it is with hooks that are programs.
 */
export function createHookRoute(answerHook: AnswerHook, log: (line: string) => void): Route {
  return {
    method: 'POST',
    path: HOOK_PATH,
    async handle({ request, response, rest, signal }) {
      const body = await readBody(request, MAX_BODY_BYTES);
      if ('refusal' in body) return sendRefusal(response, body.refusal);
      const client = String(request.headers[CLIENT_HEADER] ?? DEFAULT_HOOK_CLIENT);
      const input = parse(body.text);
      if (input === undefined) return sendRefusal(response, { status: 400, message: 'the body is not JSON' });
      const given = Number(request.headers[TIMEOUT_HEADER]);
      const question = { event: rest, client, input, signal, ...(given > 0 ? { timeoutMs: given } : {}) };
      try {
        sendJson(response, 200, (await answerHook(question)) ?? NO_CONTEXT);
      } catch (error) {
        log(`hook ${rest}: ${error instanceof Error ? error.message : String(error)}`);
        sendJson(response, 200, NO_CONTEXT);
      }
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
