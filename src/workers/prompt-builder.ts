import { createHash } from 'node:crypto';
import type { Settings } from '../config/settings.ts';
import { createContextPacker } from '../context/prompt/context-packer.ts';
import { STAGED_DIFF } from '../context/roles/field-kinds.ts';
import type { Role } from '../context/roles/role.ts';
import type { BuiltPrompt, PromptInput } from './run-request.ts';

export type PromptBuilder = (input: PromptInput) => Promise<BuiltPrompt>;

/** Builds the prompts of a run from its work tree. */
export function createPromptBuilder(settings: Settings): PromptBuilder {
  return async ({ root, role, task, targets, extra, isStaged, signal, change, domain, keep }) => {
    const shown = isStaged || change ? role : withoutChange(role, targets.length > 0);
    const packer = createContextPacker({ repo: root, settings, signal });
    const { text, packageId, diagnostics } = await packer.buildPrompt(shown, task, targets, extra, {
      ...(change && { change }),
      ...(domain !== undefined && { domain }),
      ...(keep && { keep }),
    });
    const promptId = createHash('sha256').update(text).digest('hex');
    return { text, promptId, packageId, diagnostics };
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
