import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LoadoutError } from '../../model/loadout-error.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { RoleValidationError } from './role.ts';
import { createRoleLoader, type RoleLoader, type RoleLoaderOptions } from './role-loader.ts';

export interface RoleFolders {
  /** The work tree. */
  readonly repository: string;
  /** The user's config directory. */
  readonly user: string;
  loader(options?: Partial<RoleLoaderOptions> & { readonly isRepositoryTrusted?: boolean }): RoleLoader;
  /** Into `.loadout/roles/` of the repository, or into `roles/` of the user. */
  write(place: 'repository' | 'user', fileName: string, text: string): string;
  remove(): void;
}

export function roleFolders(repositoryFiles: Readonly<Record<string, string>> = {}): RoleFolders {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-roles-')));
  const repository = join(home, 'repository');
  const user = join(home, 'config');
  mkdirSync(repository);
  const write: RoleFolders['write'] = (place, fileName, text) => {
    const folder = place === 'repository' ? join(repository, '.loadout/roles') : join(user, 'roles');
    const path = join(folder, fileName);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  for (const [name, text] of Object.entries(repositoryFiles)) write('repository', name, text);
  return {
    repository,
    user,
    loader: ({ isRepositoryTrusted: isTrusted = false, ...options } = {}) => {
      const own = { root: openSafeRoot(repository), isTrusted };
      return createRoleLoader({ repository: own, userDirectory: user, ...options });
    },
    write,
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** Every reason why a role cannot be loaded; empty when it can. Any other error is let through. */
export async function problemsOf(loader: RoleLoader, name: string): Promise<string[]> {
  try {
    await loader.load(name);
    return [];
  } catch (error) {
    if (error instanceof RoleValidationError)
      return error.findings.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    if (error instanceof LoadoutError) return [error.message];
    throw error;
  }
}
