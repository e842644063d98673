import { librarySettings } from '../config/library-settings.ts';
import type { Settings } from '../config/settings.ts';
import { readTrust } from '../config/trust/read-trust.ts';
import { configDirectory } from '../platform/cache/user-directories.ts';
import { monotonicMs, pause, wallClockMs } from '../platform/clock.ts';
import { type Environment, environment } from '../platform/environment.ts';
import { randomUnit } from '../platform/random.ts';
import { findAgent } from './find-agent.ts';
import type { PromptBuilder } from './prompt-builder.ts';
import type { RunEnvironment } from './run-request.ts';

export interface RunEnvironmentOptions {
  readonly env?: Environment;
  /** On top of the environment's variables and the defaults. */
  readonly settings?: Partial<Settings>;
}

/** The real environment: agents from the PATH, prompts from the index, trust as the user gave it. */
export function createRunEnvironment({
  env = environment(),
  settings,
}: RunEnvironmentOptions = {}): RunEnvironment {
  const all = librarySettings(settings);
  let opened: Promise<PromptBuilder> | null = null;
  // most of the program: whoever has its prompts built elsewhere does without
  const builder = (): Promise<PromptBuilder> => {
    opened ??= import('./prompt-builder.ts').then((module) => module.createPromptBuilder(all));
    return opened;
  };
  return {
    env,
    cacheDirectory: all.cacheDir,
    configDirectory: configDirectory(env),
    maxTokenBudget: all.maxTokenBudget,
    findAgent: (name, root) => findAgent(name, env, root),
    buildPrompt: async (input) => (await builder())(input),
    readTrust: (root) => readTrust(root, env),
    random: randomUnit,
    sleep: pause,
    wallClockMs,
    monotonicMs,
  };
}
