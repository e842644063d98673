import type { Diagnostic } from '../../model/diagnostic.ts';
import { type ArgumentKind, argument, objectWith, TEXT, TEXTS } from '../../schema/check-arguments.ts';
import type { RoleValues } from './role-fields.ts';

/** Where a role file lies; `named` is a file that the user pointed at. */
export type PlaceKind = 'repository' | 'user' | 'built-in' | 'named';

export interface RoleSource {
  readonly name: string;
  readonly place: PlaceKind;
  /** As messages call it: below the repository root, absolute, or `built-in:planner.yaml`. */
  readonly file: string;
}

/** What untrusted files asked for and did not get. */
export interface WithheldParts {
  readonly flags: readonly string[];
  readonly gates: readonly string[];
  readonly model: string | null;
  /** What files that take the name of a role of the user's or a built-in one say in its place. */
  readonly systemPrompts: readonly string[];
}

/** A role with everything it inherits. */
export interface Role extends RoleValues {
  /** The root of the `extends` chain; null for a role that extends nothing. */
  readonly baseRole: string | null;
  /** The role's own file first, the root of the chain last. */
  readonly chain: readonly RoleSource[];
  /** Fields that begin with `x-`, and what `context` and `config` hold beyond the known fields. */
  readonly extensions: Readonly<Record<string, unknown>>;
  /** False when a file of the chain is the repository's own and the repository is not trusted. */
  readonly isTrusted: boolean;
  /** Left out, because a repository may not name what runs or speak for other roles until it is trusted. */
  readonly withheld: WithheldParts;
}

/** What the library takes for a role: one that a loader has put together. */
export const ROLE: ArgumentKind = objectWith('a role of a role loader', {
  name: TEXT,
  description: TEXT,
  systemPrompt: TEXT,
  chain: argument('a list', Array.isArray),
  context: objectWith('an object', {
    include: TEXTS,
    exclude: TEXTS,
    alwaysInclude: TEXTS,
    pathRestrictions: TEXTS,
    priorityOrder: TEXTS,
  }),
});

export interface LoadedRole {
  readonly role: Role;
  readonly diagnostics: readonly Diagnostic[];
}

export type FindingCode =
  | 'unreadable'
  | 'bad-yaml'
  | 'not-a-map'
  | 'wrong-type'
  | 'bad-value'
  | 'unknown-field'
  | 'unknown-variable'
  | 'missing-field'
  | 'name-differs'
  | 'missing-parent'
  | 'cycle'
  | 'chain-too-large';

/** Something wrong with a role file, and where. */
export interface RoleFinding {
  readonly code: FindingCode;
  readonly severity: 'error' | 'warning';
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** `context.token_budget`, `flags[2]`; empty when the whole file is meant. */
  readonly field: string;
  /** As it stands in the file, cut when long; null when there is none. */
  readonly value: string | null;
  readonly allowed: string | null;
  /** The whole sentence, beginning with file, line and column. */
  readonly message: string;
}
