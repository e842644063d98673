import { DEFAULT_HOOK_CLIENT } from '../../agents/index.ts';
import { readJson } from '../../model/read-json.ts';
import { monotonicMs, wallClockMs } from '../../platform/clock.ts';
import type { Environment } from '../../platform/environment.ts';
import { answerHook, logHook, readClient } from '../hook/index.ts';
import { CLIENT_HEADER, HOOK_PATH, TIMEOUT_HEADER } from '../shared/server-client.ts';
import { readBody } from './http-guard.ts';
import { type Route, sendJson, sendRefusal } from './loopback-server.ts';
import type { SessionCache } from './start-warm-server.ts';

const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** The answer for "nothing to add", which every client accepts. */
const NO_CONTEXT = {};

/** Answers one event with what the client expects on its hook's standard output. */
export type AnswerHook = (question: HookRequest) => Promise<unknown>;

interface HookRequest {
  readonly event: string;
  readonly client: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
  /** The client's time limit, if it sends one. */
  readonly timeoutMs?: number;
}

/**
 * Hooks over HTTP. The server refuses requests without the token. With the token the answer is always one that an agent
 * can continue with, as for hooks that are programs.
 */
export function createHookRoute(answerHook: AnswerHook, log: (line: string) => void): Route {
  return {
    method: 'POST',
    path: HOOK_PATH,
    async handle({ request, response, rest, signal }) {
      const body = await readBody(request, MAX_BODY_BYTES);
      if ('refusal' in body) return sendRefusal(response, body.refusal);
      const client = String(request.headers[CLIENT_HEADER] || DEFAULT_HOOK_CLIENT);
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
  const read = readJson(text);
  return read.kind === 'json' ? read.value : undefined;
}

/** What answering hooks in the server needs. */
export interface WarmHookOptions {
  readonly sessions: SessionCache;
  readonly environment: Environment;
  /** The directory for clients that do not send one. */
  readonly cwd: string;
  readonly cacheDirectory: string;
}

/** Answers hooks from open indexes. Problems are logged for `loadout doctor`. */
export function createWarmHooks({ sessions, environment, cwd, cacheDirectory }: WarmHookOptions): AnswerHook {
  return async ({ event, client, input, signal, timeoutMs }) => {
    const started = monotonicMs();
    try {
      return await answerHook(event, input, {
        client: readClient(client),
        environment,
        cwd,
        signal,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        withScan: async ({ repo, settings }, use) => (await sessions.get(repo, settings)).use(use),
      });
    } catch (error) {
      logHook(cacheDirectory, {
        at: new Date(wallClockMs()).toISOString(),
        event,
        client,
        milliseconds: Math.round(monotonicMs() - started),
        problem: error instanceof Error ? error.message : String(error),
      });
      return null;
    }
  };
}
