// Roles: who an agent is in a run. A role comes from YAML files of the repository, of the user and of Loadout.
export { type OpenRolesOptions, openRoles } from './open-roles.ts';
export type { TrustReview } from './review-trust.ts';
export {
  type LoadedRole,
  ROLE,
  type Role,
  type RoleFinding,
  type RoleSource,
  RoleValidationError,
  roleInstructions,
} from './role.ts';
export { PATTERN_VARIABLES, roleName, STAGED_DIFF } from './role-fields.ts';
export { createRoleLoader, type RoleCheck, type RoleLoader, type RoleLoaderOptions } from './role-loader.ts';
export { contentOf, readAnywhere, realPath } from './role-places.ts';
