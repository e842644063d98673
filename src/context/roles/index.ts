export { PATTERN_VARIABLES, roleName, STAGED_DIFF } from './field-kinds.ts';
export { type OpenRolesOptions, openRoles } from './open-roles.ts';
export type { TrustReview } from './review-trust.ts';
export { type LoadedRole, ROLE, type Role, type RoleFinding, type RoleSource } from './role.ts';
export { roleInstructions } from './role-instructions.ts';
export { createRoleLoader, type RoleCheck, type RoleLoader, type RoleLoaderOptions } from './role-loader.ts';
export { contentOf, readAnywhere, realPath } from './role-places.ts';
export { RoleValidationError } from './role-validation-error.ts';
