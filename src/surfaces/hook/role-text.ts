import { readTrust } from '../../config/trust/read-trust.ts';
import { roleName } from '../../context/roles/field-kinds.ts';
import { roleInstructions } from '../../context/roles/role-instructions.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import { safeDocument } from '../../redact/outgoing-text.ts';
import type { HookDesk } from './hook-desk.ts';
import { fitsLimit, type TextLimit } from './hook-limits.ts';
import { marked } from './hook-text.ts';

/** What the role of this name asks of its agents, if the user or a trusted repository has one; empty otherwise. */
export async function roleText(desk: HookDesk, agent: string, limit: TextLimit): Promise<string> {
  const name = agent.split(':').at(-1) ?? '';
  if (roleName.read(name) === undefined) return '';
  const { root, environment, settings } = desk;
  const userDirectory = configDirectory(environment);
  const { createRoleLoader } = await import('../../context/roles/role-loader.ts');
  const { maxTokenBudget } = settings;
  const loader = createRoleLoader({
    repository: await readTrust(root, environment),
    userDirectory,
    maxTokenBudget,
  });
  try {
    if (!loader.names().includes(name)) return '';
    const { role } = await loader.load(name);
    // clients have agents of their own called "reviewer": ours speak only where somebody has written one down
    if (!role.isTrusted || role.chain[0]?.place === 'built-in') return '';
    const text = marked(
      safeDocument(`## Role ${role.name}\n${role.description}\n\n${roleInstructions(role)}`),
    );
    return fitsLimit(text, limit) ? text : '';
  } catch (error) {
    // a role file with a mistake is for "loadout roles check" to tell
    if (error instanceof LoadoutError) return '';
    throw error;
  }
}
