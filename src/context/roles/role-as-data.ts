import type { Role } from './role.ts';
// Roles as text and as data, for `loadout roles show` and `loadout roles new`.

import { type FieldTable, isGroup, nameInFile, roleFields } from './role-fields.ts';

/** A role by the field names of its file. */
export type RoleData = Readonly<Record<string, unknown>>;

/** A role by the field names of its file, with `base_role`. Fields that no file sets are left out. */
export function roleAsData(role: Role): RoleData {
  const data = new Map(Object.entries(valuesInFile(role as unknown as RoleData, roleFields())));
  data.set('base_role', role.baseRole);
  // Extensions go back where they came from: to the top level, or as `group.field` into their group.
  for (const [key, value] of Object.entries(role.extensions)) {
    const dot = key.startsWith('x-') ? -1 : key.indexOf('.');
    const group = data.get(key.slice(0, dot)) as RoleData | undefined;
    if (dot === -1) data.set(key, value);
    else data.set(key.slice(0, dot), { ...group, [key.slice(dot + 1)]: value });
  }
  return Object.fromEntries(data);
}

function valuesInFile(values: RoleData, table: FieldTable): RoleData {
  const entries = Object.entries(table).flatMap(([name, declared]): [string, unknown][] => {
    const value = values[name];
    const shown = isGroup(declared) ? valuesInFile(value as RoleData, declared.fields) : value;
    return isSaid(shown) ? [[nameInFile(name), shown]] : [];
  });
  return Object.fromEntries(entries);
}

function isSaid(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** A role as the text of a role file. The YAML library is loaded only now: JSON output does not need it. */
export async function renderRoleYaml(data: RoleData): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(data, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** The text of a new role file. It inherits everything and shows the usual fields as comments. */
export function newRoleText(name: string, parent: Role): string {
  const description = JSON.stringify(`${parent.description} (${name})`);
  return `# Fields that this file leaves out come from ${parent.name}: loadout roles show ${name} --resolved
name: ${name}
extends: ${parent.name}
description: ${description}

# Comes after the system prompt of ${parent.name}. Say "system_prompt" to replace it instead.
system_prompt_additions: |
  Follow the conventions of this repository.

# Lists are added to what ${parent.name} has; single values replace it.
# context:
#   include: ["src/**"]
#   always_include: [CONTRIBUTING.md]
#   token_budget: 30000
# config:
#   timeout: 900
`;
}
