import { checkArguments, objectWith, required, TEXT } from '../../schema/check-arguments.ts';
import type { Role } from '../roles/role.ts';

const TEMPLATES: ReadonlyMap<string, string> = new Map([
  ['planner', 'planning'],
  ['implementer', 'implement'],
  ['reviewer', 'review_strict'],
]);

/** The template of a role or of the root of its chain; null for a role of no known base. */
export function templateForRole(role: Pick<Role, 'name' | 'baseRole'>): string | null {
  checkArguments(
    'templateForRole',
    { role },
    {
      role: required(objectWith('a role with a name', { name: TEXT })),
    },
  );
  const { name, baseRole } = role;
  return TEMPLATES.get(name) ?? TEMPLATES.get(baseRole ?? '') ?? null;
}
