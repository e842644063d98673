import { ROOT, readTrust } from '../../config/index.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import type { Environment } from '../../platform/environment.ts';
import { openSafeRoot, type SafeRoot } from '../../platform/fs/safe-root.ts';
import {
  type ArgumentKinds,
  checkArguments,
  either,
  RECORD,
  required,
  TEXT,
  wholeNumber,
} from '../../schema/check-arguments.ts';
import { createRoleLoader, type RoleLoader } from './role-loader.ts';

/** Options of `openRoles`. */
export interface OpenRolesOptions {
  /** A folder, or a root that is already open. */
  readonly repo: string | SafeRoot;
  /** Environment variables, which give the user's config directory. */
  readonly environment: Environment;
  /** Raises the limit of `token_budget` for models with a window above 100,000 tokens. */
  readonly maxTokenBudget?: number;
}

const OPTION_KINDS: ArgumentKinds<OpenRolesOptions> = {
  repo: required(either('a folder, or an opened repository', TEXT, ROOT)),
  environment: required(RECORD),
  maxTokenBudget: wholeNumber(1),
};

/**
 * The roles of a repository, of the user and of Loadout. Roles of the repository may name commands only when the user
 * trusts it.
 *
 * @example
 * const roles = await openRoles({ repo: '.', environment: process.env });
 * const { role } = await roles.load('reviewer');
 */
export async function openRoles(options: OpenRolesOptions): Promise<RoleLoader> {
  checkArguments('openRoles', options, OPTION_KINDS);
  const { repo, environment, maxTokenBudget } = options;
  const root = typeof repo === 'string' ? openSafeRoot(repo) : repo;
  return createRoleLoader({
    repository: await readTrust(root, environment),
    userDirectory: configDirectory(environment),
    ...(maxTokenBudget === undefined ? {} : { maxTokenBudget }),
  });
}
