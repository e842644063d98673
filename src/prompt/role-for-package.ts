import { createPathFilter } from '../discover/path-filter.ts';
import type { Role } from '../roles/role.ts';
import { readPatterns } from './read-patterns.ts';

/** What a role says about a package: its budget, what is always in, what may be in at all. */
export interface RoleForPackage {
  readonly name: string;
  readonly tokenBudget: number | null;
  readonly alwaysInclude: readonly string[];
  readonly alsoInclude: readonly string[];
  /** Targets are named by somebody and do not ask. */
  readonly allow: (path: string) => boolean;
}

/** Variables such as `$TARGET` stand for files that a prompt looks up; a package gets those as targets. */
export function roleForPackage({ name, context }: Role): RoleForPackage {
  const restrictions = readPatterns(context.pathRestrictions);
  const exclude = readPatterns(context.exclude).globs;
  const excluding = createPathFilter([], exclude);
  const inside = restrictions.globs.length > 0 ? createPathFilter(restrictions.globs, []) : null;
  // restrictions of variables alone leave the targets and nothing else
  const isInside = (path: string) => inside?.accepts(path) ?? context.pathRestrictions.length === 0;
  return {
    name,
    tokenBudget: context.tokenBudget,
    alwaysInclude: readPatterns(context.alwaysInclude).globs,
    alsoInclude: readPatterns(context.include).globs,
    allow: (path) => isInside(path) && excluding.accepts(path),
  };
}
