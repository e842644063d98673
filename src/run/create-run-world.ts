import { createHash } from 'node:crypto';
import type { Settings } from '../config/settings.ts';
import { readTrust } from '../config/trust/read-trust.ts';
import { librarySettings } from '../library-settings.ts';
import { monotonicMs, wallClockMs } from '../platform/clock.ts';
import { type Environment, environment } from '../platform/environment.ts';
import { pause } from '../platform/pause.ts';
import { randomUnit } from '../platform/random.ts';
import { configDirectory } from '../platform/user-directories.ts';
import { createContextPacker } from '../prompt/context-packer.ts';
import { STAGED_DIFF } from '../roles/field-kinds.ts';
import type { Role } from '../roles/role.ts';
import { findAgent } from './agents/find-agent.ts';
import type { RunWorld } from './run-request.ts';

export interface RunWorldOptions {
  readonly env?: Environment;
  /** On top of the environment's variables and the defaults. */
  readonly settings?: Partial<Settings>;
}

/** The real world: agents from the PATH, prompts from the index, trust as the user gave it. */
export function createRunWorld({ env = environment(), settings }: RunWorldOptions = {}): RunWorld {
  const all = librarySettings(settings);
  return {
    env,
    cacheDirectory: all.cacheDir,
    configDirectory: configDirectory(env),
    maxTokenBudget: all.maxTokenBudget,
    findAgent: (name, root) => findAgent(name, env, root),
    buildPrompt: async ({ root, role, task, targets, extra, isStaged, signal }) => {
      const shown = isStaged ? role : withoutChange(role, targets.length > 0);
      const packer = createContextPacker({ repo: root, settings: all, signal });
      const { text, packageId, diagnostics } = await packer.buildPrompt(shown, task, targets, extra);
      const promptId = createHash('sha256').update(text).digest('hex');
      return { text, promptId, packageId, diagnostics };
    },
    isTrusted: async (root) => (await readTrust(root, env)).isTrusted,
    random: randomUnit,
    sleep: pause,
    wallClockMs,
    monotonicMs,
  };
}

/** Where nothing is staged there is no change to show, and to find that out takes four calls of git. */
function withoutChange(role: Role, hasTargets: boolean): Role {
  const meansNothing = (pattern: string) =>
    pattern === STAGED_DIFF ||
    pattern === '$CHANGED_FILES' ||
    // Without targets they are those of the change.
    (!hasTargets && /^\$(?:TESTS|TARGET_IMPORTS)\b/.test(pattern));
  const include = role.context.include.filter((pattern) => !meansNothing(pattern));
  return { ...role, context: { ...role.context, include, gitDiff: false } };
}
