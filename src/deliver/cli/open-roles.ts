import type { Settings } from '../../config/settings.ts';
import type { RoleLoader } from '../../roles/role-loader.ts';
import type { CommandCall } from './command.ts';

/** The roles that this call can use. */
export async function openRoles(
  { io, repository }: Pick<CommandCall, 'io' | 'repository'>,
  { maxTokenBudget }: Pick<Settings, 'maxTokenBudget'>,
): Promise<RoleLoader> {
  const roles = await import('../../roles/open-roles.ts');
  return roles.openRoles({ repo: repository(), environment: io.env, maxTokenBudget });
}
