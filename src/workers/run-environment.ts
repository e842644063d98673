import { createHash } from 'node:crypto';
import { librarySettings } from '../config/load-settings.ts';
import type { Settings } from '../config/settings.ts';
import { readTrust } from '../config/trust/read-trust.ts';
import { type Role, STAGED_DIFF } from '../context/roles/index.ts';
import { configDirectory } from '../platform/cache/user-directories.ts';
import { monotonicMs, pause, wallClockMs } from '../platform/clock.ts';
import { type Environment, environment, randomUnit } from '../platform/environment.ts';
import { findAgent } from './find-agent.ts';
import type { BuiltPrompt, PromptInput, RunEnvironment } from './run-request.ts';

/** What a caller may change in the real environment. */
export interface RunEnvironmentOptions {
  readonly env?: Environment;
  /** On top of the environment's variables and the defaults. */
  readonly settings?: Partial<Settings>;
}

/** The real environment of runs: agents from the PATH, prompts from the index, trust as the user gave it. */
export function createRunEnvironment({
  env = environment(),
  settings,
}: RunEnvironmentOptions = {}): RunEnvironment {
  const all = librarySettings(settings);
  return {
    env,
    cacheDirectory: all.cacheDir,
    configDirectory: configDirectory(env),
    maxTokenBudget: all.maxTokenBudget,
    findAgent: (name, root) => findAgent(name, env, root),
    buildPrompt: (input) => buildPrompt(all, input),
    readTrust: (root) => readTrust(root, env),
    random: randomUnit,
    sleep: pause,
    wallClockMs,
    monotonicMs,
  };
}

/**
 * Builds a prompt from the run's work tree. Each prompt scans anew: before the first one nothing was scanned, and before
 * each further one the agent has changed files.
 */
async function buildPrompt(settings: Settings, input: PromptInput): Promise<BuiltPrompt> {
  const { root, role, task, targets, extra, isStaged, signal, change, domain, keep } = input;
  // Most of the program. A loop has prompts of its own and does without it.
  const { createContextPacker } = await import('../context/prompt/context-packer.ts');
  const packer = createContextPacker({ repo: root, settings, signal });
  const shown = isStaged || change ? role : withoutChange(role, targets.length > 0);
  const { text, packageId, diagnostics } = await packer.buildPrompt(shown, task, targets, extra, {
    ...(change && { change }),
    ...(domain !== undefined && { domain }),
    ...(keep && { keep }),
  });
  const promptId = createHash('sha256').update(text).digest('hex');
  return { text, promptId, packageId, diagnostics };
}

/** The role without the parts that show a change, for a work tree in which nothing is staged. */
function withoutChange(role: Role, hasTargets: boolean): Role {
  const showsChange = (pattern: string) =>
    pattern === STAGED_DIFF ||
    pattern === '$CHANGED_FILES' ||
    // Without targets these mean the files of the change.
    (!hasTargets && /^\$(?:TESTS|TARGET_IMPORTS)\b/.test(pattern));
  const include = role.context.include.filter((pattern) => !showsChange(pattern));
  return { ...role, context: { ...role.context, include, gitDiff: false } };
}
