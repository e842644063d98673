import { fileURLToPath } from 'node:url';
import { LoadoutError } from '../../model/loadout-error.ts';
import { readAnywhere } from './role-places.ts';

/** Beside `dist/` in an installed package, beside `src/` when the sources run as they are. */
const CANDIDATES = ['../roles', '../../roles'];

/** The folder of the roles that come with the package. */
export function builtInRolesFolder(): string {
  const folders = CANDIDATES.map((relative) => fileURLToPath(new URL(relative, import.meta.url)));
  const found = folders.find((folder) => readAnywhere(`${folder}/planner.yaml`).kind === 'content');
  if (found !== undefined) return found;
  throw new LoadoutError('roles-missing', 'the built-in roles are not part of this installation', {
    hint: 'install the package again',
  });
}
