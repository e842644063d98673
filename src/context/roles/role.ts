import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { type ArgumentKind, objectWith, TEXT, TEXTS } from '../../schema/check-arguments.ts';
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
  chain: { allowed: 'a list', accepts: Array.isArray },
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

/** A role cannot be used; `findings` has every reason, the message the first of them. */
export class RoleValidationError extends LoadoutError {
  readonly findings: readonly RoleFinding[];

  constructor(findings: readonly RoleFinding[]) {
    const errors = findings.filter(({ severity }) => severity === 'error');
    const [first] = errors;
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
    super('bad-role', `${first?.message ?? 'the role is not valid'}${more}`, {
      ...(first ? { subject: first.file } : {}),
      ...(errors.length > 1 ? { hint: '"loadout roles check" shows them all' } : {}),
    });
    this.findings = findings;
  }
}

/** What an agent in this role is told about itself: its system prompt, and what `config` asks of its tests. */
export function roleInstructions({ systemPrompt, config }: Pick<Role, 'systemPrompt' | 'config'>): string {
  const { tdd, coverageTarget } = config;
  const rules = [
    ...(tdd
      ? ['- Tests come first: before you change code, write the test that asks for it and see it fail.']
      : []),
    ...(coverageTarget
      ? [
          `- Your tests must reach at least ${coverageTarget} percent of the lines that you add or change, or of the code under test when you write tests only.`,
        ]
      : []),
  ];
  const prompt = systemPrompt.trim();
  return rules.length === 0 ? prompt : `${prompt}\n\n${rules.join('\n')}`;
}
