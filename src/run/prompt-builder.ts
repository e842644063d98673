import { createHash } from 'node:crypto';
import type { Settings } from '../config/settings.ts';
import { type ContextPackerOptions, createContextPacker, type WithScan } from '../prompt/context-packer.ts';
import { STAGED_DIFF } from '../roles/field-kinds.ts';
import type { Role } from '../roles/role.ts';
import type { BuiltPrompt, PromptInput } from './run-request.ts';
import { createTreeScans, type TreeScans } from './tree-scans.ts';

export interface PromptBuilder {
  build(input: PromptInput): Promise<BuiltPrompt>;
  /** From an index that is open already; null without one, or when a file is not as the index knows it. */
  buildEarly(input: PromptInput): Promise<BuiltPrompt | null>;
}

/** Builds prompts from the index of the work tree. `scans` is null for indexes that close after each prompt. */
export function createPromptBuilder(
  settings: Settings,
  scans: TreeScans | null = createTreeScans(),
): PromptBuilder {
  const build = async (
    { root, role, task, targets, extra, isStaged, signal }: PromptInput,
    options: Pick<ContextPackerOptions, 'withScan'>,
  ) => {
    const shown = isStaged ? role : withoutChange(role, targets.length > 0);
    const counts = scans ? { counts: scans.counts } : {};
    const packer = createContextPacker({ repo: root, settings, signal, ...counts, ...options });
    const { text, packageId, diagnostics, isExact } = await packer.buildPrompt(shown, task, targets, extra);
    const promptId = createHash('sha256').update(text).digest('hex');
    return { text, promptId, packageId, diagnostics, isExact };
  };
  return {
    build: (input) =>
      build(input, scans ? { withScan: (...given) => scans.withScan(input.state, ...given) } : {}),
    async buildEarly(input) {
      const { state } = input;
      if (state === null || scans === null) return null;
      const withScan: WithScan = async (request, use) => {
        const answer = await scans.withKept(state, request, async (scan) => ({ of: await use(scan) }));
        if (answer === null) throw new NotKept();
        return answer.of;
      };
      const built = await build(input, { withScan }).catch((error: unknown) => {
        if (error instanceof NotKept) return null;
        throw error;
      });
      return built?.isExact ? built : null;
    },
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
