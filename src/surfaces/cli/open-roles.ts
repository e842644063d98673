import type { Settings } from '../../config/settings.ts';
import type { Audience } from '../../context/guidelines/index.ts';
import type { RoleLoader } from '../../context/roles/index.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import type { CommandCall } from './command.ts';

/** The roles that this call can use. */
export async function openRoles(
  { io, repository }: Pick<CommandCall, 'io' | 'repository'>,
  { maxTokenBudget }: Pick<Settings, 'maxTokenBudget'>,
): Promise<RoleLoader> {
  const roles = await import('../../context/roles/open-roles.ts');
  return roles.openRoles({ repo: repository(), environment: io.env, maxTokenBudget });
}

export const ROLE_FLAG = {
  syntax: '--role <ROLE>',
  help: 'Leave out files that guidelines hide from an agent in this role.',
};

/** For whom the files of this call are: guidelines may keep some of them from a role. */
export async function readAudience(call: CommandCall, settings: Settings): Promise<Audience> {
  const userDirectory = configDirectory(call.io.env);
  if (typeof call.flags.role !== 'string') return { userDirectory };
  const { role } = await (await openRoles(call, settings)).load(call.flags.role);
  return { userDirectory, role: role.name };
}
