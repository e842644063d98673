import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookClient } from '../../src/agents/table.ts';
import { answerHook } from '../../src/surfaces/hook/answer-hook.ts';
import { type FileContents, type TemporaryRepository, temporaryRepository } from './temporary-repository.ts';

export const PROJECT: FileContents = {
  'src/auth/token.ts':
    'import { Clock } from "../clock.ts";\n/** Refreshes the access token. */\nexport function refreshToken(clock: Clock) {\n  return clock.now();\n}\n',
  'src/auth/session.ts':
    'import { refreshToken } from "./token.ts";\nexport class Session {\n  renew() {\n    return refreshToken({ now: () => 1 });\n  }\n}\n',
  'src/clock.ts': 'export interface Clock {\n  now(): number;\n}\n',
  'src/queue/retry.ts': 'export const retryQueue = { attempts: 3 };\n',
  'test/auth.test.ts':
    'import { refreshToken } from "../src/auth/token.ts";\nrefreshToken({ now: () => 2 });\n',
  'README.md': '# Project\n\nA service with tokens and a retry queue.\n',
};

export interface HookPlace extends TemporaryRepository {
  readonly env: Readonly<Record<string, string>>;
  /** An event of a client; the input is added to what every event has. */
  ask(
    event: string,
    input?: Readonly<Record<string, unknown>>,
    client?: HookClient,
    variables?: Readonly<Record<string, string>>,
  ): Promise<unknown>;
}

/** A repository in which hooks are answered in this process. */
export function hookPlace(
  files: FileContents = PROJECT,
  changes: Readonly<Record<string, string>> = {},
  whenDone?: (remove: () => void) => void,
): HookPlace {
  const repository = temporaryRepository(files, whenDone);
  const config = join(repository.home, 'config');
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: repository.home,
    LOADOUT_CACHE_DIR: repository.cache,
    LOADOUT_CONFIG_DIR: config,
    // nothing that outlives a test, unless the test is about it
    LOADOUT_WARM_SERVER: 'running',
    // how sure a brief must be is not what most tests are about
    LOADOUT_HOOK_GATE: 'off',
    ...changes,
  };
  return {
    ...repository,
    env,
    ask: (event, input = {}, client = 'claude', variables = {}) =>
      answerHook(
        event,
        { session_id: 's1', cwd: repository.path, ...input },
        {
          ...{ client, environment: { ...env, ...variables }, cwd: repository.path },
          signal: new AbortController().signal,
        },
      ),
  };
}

/** The text that an answer adds for the model, wherever the client wants it. */
export function contextOf(answer: unknown): string {
  const { additionalContext, hookSpecificOutput: own } = answer as {
    additionalContext?: string;
    hookSpecificOutput?: {
      additionalContext?: string;
      updatedInput?: { prompt?: string };
      llm_request?: { messages: { content: string }[] };
    };
  };
  const messages = own?.llm_request?.messages.map(({ content }) => content).join('\n');
  return additionalContext ?? own?.additionalContext ?? own?.updatedInput?.prompt ?? messages ?? '';
}

/** The inputs that real clients gave their hooks, with the project's path put in. */
export function capturedInputs(client: HookClient, project: string): Record<string, unknown>[] {
  const file = new URL(`../fixtures/hooks/${client}.jsonl`, import.meta.url);
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line.replaceAll('$PROJECT', project)) as Record<string, unknown>);
}
