import { stringify } from 'yaml';
import type { RoleData } from './role-as-data.ts';

/** A role as the text of a role file. Load this module on demand: it brings the YAML library with it. */
export function renderRoleYaml(data: RoleData): string {
  return stringify(data, { lineWidth: 0, aliasDuplicateObjects: false });
}
