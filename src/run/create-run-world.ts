import { createHash } from 'node:crypto';
import type { Settings } from '../config/settings.ts';
import { readTrust } from '../config/trust/read-trust.ts';
import { librarySettings } from '../library-settings.ts';
import { monotonicMs, wallClockMs } from '../platform/clock.ts';
import { type Environment, environment } from '../platform/environment.ts';
import { pause } from '../platform/pause.ts';
import { randomUnit } from '../platform/random.ts';
import { configDirectory } from '../platform/user-directories.ts';
import { type ContextPackerOptions, createContextPacker, type WithScan } from '../prompt/context-packer.ts';
import { STAGED_DIFF } from '../roles/field-kinds.ts';
import type { Role } from '../roles/role.ts';
import { findAgent } from './agents/find-agent.ts';
import type { BuiltPrompt, PromptInput, RunWorld } from './run-request.ts';
import { createTreeScans, type TreeScans } from './tree-scans.ts';

export interface RunWorldOptions {
  readonly env?: Environment;
  /** On top of the environment's variables and the defaults. */
  readonly settings?: Partial<Settings>;
  /** Indexes that stay open; null for none, when there will be one run only. */
  readonly scans?: TreeScans | null;
}

/** The real world: agents from the PATH, prompts from the index, trust as the user gave it. */
export function createRunWorld({
  env = environment(),
  settings,
  scans = createTreeScans(),
}: RunWorldOptions = {}): RunWorld {
  const all = librarySettings(settings);
  const build = async (
    { root, role, task, targets, extra, isStaged, signal }: PromptInput,
    options: Pick<ContextPackerOptions, 'withScan'>,
  ) => {
    const shown = isStaged ? role : withoutChange(role, targets.length > 0);
    const counts = scans ? { counts: scans.counts } : {};
    const packer = createContextPacker({ repo: root, settings: all, signal, ...counts, ...options });
    const { text, packageId, diagnostics, isExact } = await packer.buildPrompt(shown, task, targets, extra);
    const promptId = createHash('sha256').update(text).digest('hex');
    return { text, promptId, packageId, diagnostics, isExact };
  };
  const buildEarly = async (input: PromptInput, kept: TreeScans): Promise<BuiltPrompt | null> => {
    const { state } = input;
    if (state === null) return null;
    const withScan: WithScan = async (request, use) => {
      const answer = await kept.withKept(state, request, async (scan) => ({ of: await use(scan) }));
      if (answer === null) throw new NotKept();
      return answer.of;
    };
    const built = await build(input, { withScan }).catch((error: unknown) => {
      if (error instanceof NotKept) return null;
      throw error;
    });
    return built?.isExact ? built : null;
  };
  return {
    env,
    cacheDirectory: all.cacheDir,
    configDirectory: configDirectory(env),
    maxTokenBudget: all.maxTokenBudget,
    findAgent: (name, root) => findAgent(name, env, root),
    buildPrompt: (input) =>
      build(input, scans ? { withScan: (...given) => scans.withScan(input.state, ...given) } : {}),
    ...(scans && {
      buildPromptEarly: (input: PromptInput) => buildEarly(input, scans),
    }),
    isTrusted: async (root) => (await readTrust(root, env)).isTrusted,
    random: randomUnit,
    sleep: pause,
    wallClockMs,
    monotonicMs,
  };
}

/** There is no open index. */
class NotKept extends Error {}

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
