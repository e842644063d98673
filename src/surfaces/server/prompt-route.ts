import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../config/settings.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { isInsideRoot } from '../../platform/fs/inside-root.ts';
import type { BuiltPrompt, PromptInput } from '../../workers/run-request.ts';
import { beginJson, type Route, sendJson, sendRefusal } from './loopback-server.ts';
import { readBody } from './read-body.ts';

export const PROMPT_PATH = '/prompt';
/** Of an answer that begins before there is a prompt: how long that may take. */
export const EXPECTED_HEADER = 'x-loadout-expected-ms';
const MOST_BODY_BYTES = 10 * 1024 * 1024;

/** The prompt of a worker, asked for by the process that runs it. */
export interface PromptQuestion {
  readonly input: Omit<PromptInput, 'signal' | 'onNear'>;
  readonly settings: Settings;
}

export type AnswerPrompt = (
  question: PromptQuestion,
  given: Required<Pick<PromptInput, 'signal' | 'onNear'>>,
) => Promise<BuiltPrompt>;

/**
 * Prompts from indexes that are open, of work trees of runs and of nothing else. Whoever asks can build the prompt as
 * well, so that every refusal is only a delay.
 */
export function createPromptRoute(cacheDirectory: string, answer: AnswerPrompt): Route {
  return {
    method: 'POST',
    path: PROMPT_PATH,
    async handle({ request, response, signal }) {
      const body = await readBody(request, MOST_BODY_BYTES);
      if ('refusal' in body) return sendRefusal(response, body.refusal);
      const question = parse(body.text);
      if (
        !question ||
        question.settings.cacheDir !== cacheDirectory ||
        question.settings.packer === 'repomix'
      )
        return sendRefusal(response, { status: 400, message: 'this is no question for a prompt here' });
      if (!isTreeOfRun(cacheDirectory, question.input.root))
        return sendRefusal(response, { status: 403, message: 'this is no work tree of a run' });
      const onNear = (expectedMs: number) =>
        beginJson(response, { [EXPECTED_HEADER]: Math.ceil(expectedMs) });
      try {
        sendJson(response, 200, await answer(question, { signal, onNear }));
      } catch (error) {
        // an answer that has begun ends without a prompt
        if (!(error instanceof LoadoutError) || response.headersSent) throw error;
        sendRefusal(response, { status: 422, message: error.message });
      }
    },
  };
}

/** Links are followed: what counts is where the tree lies. */
function isTreeOfRun(cacheDirectory: string, root: string): boolean {
  try {
    return isInsideRoot(realpathSync(join(cacheDirectory, 'runs')), realpathSync(root));
  } catch {
    return false;
  }
}

function parse(text: string): PromptQuestion | null {
  try {
    const question: Partial<PromptQuestion> | null = JSON.parse(text);
    const { input, settings } = question ?? {};
    const isWhole =
      typeof input?.root === 'string' &&
      typeof input.task === 'string' &&
      typeof input.role === 'object' &&
      typeof settings === 'object' &&
      settings !== null;
    return isWhole ? { input, settings } : null;
  } catch {
    return null;
  }
}
