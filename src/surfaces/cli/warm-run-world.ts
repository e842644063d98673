import type { Settings } from '../../config/settings.ts';
import type { BuiltPrompt, PromptInput, RunWorld } from '../../workers/run-request.ts';
import { askPrompt } from '../server/ask-prompt.ts';
import { startServer } from '../server/start-server.ts';

/** When the agent has been started, nobody waits for this process. */
const LATER_MS = 250;

/**
 * A world in which the server that keeps indexes open builds the prompts, if it runs. Where it does not, it is started
 * for the next run.
 */
export function warmRunWorld(world: RunWorld, settings: Settings, repository: string): RunWorld {
  let isSilent = false;
  const ask = async ({ signal, onNear, ...input }: PromptInput): Promise<BuiltPrompt | null> => {
    if (isSilent) return null;
    const answer = await askPrompt({ input, settings }, world.env, { signal, ...(onNear && { onNear }) });
    isSilent = answer === 'no-answer' || answer === 'no-server';
    if (answer === 'no-server' && settings.warmServer === 'start')
      setTimeout(() => startServer(repository, settings.cacheDir, world.env), LATER_MS).unref();
    return typeof answer === 'string' ? null : answer;
  };
  return {
    ...world,
    buildPrompt: async (input) => (await ask(input)) ?? world.buildPrompt(input),
  };
}
