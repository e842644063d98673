import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { type ArgumentKind, argument, objectWith, TEXT, TEXTS } from '../../schema/check-arguments.ts';
import type { RoleValues } from './role-fields.ts';

/** The place a role file comes from. `named` is a file that the user gave by its path. */
export type PlaceKind = 'repository' | 'user' | 'built-in' | 'named';

/** One file of a role's chain. */
export interface RoleSource {
  /** The name of the file without `.yaml`. */
  readonly name: string;
  readonly place: PlaceKind;
  /** As messages call it: below the repository root, absolute, or `built-in:planner.yaml`. */
  readonly file: string;
}

/** The values that untrusted files set and that are not used. `loadout trust` shows them before the user decides. */
export interface WithheldParts {
  readonly flags: readonly string[];
  readonly gates: readonly string[];
  readonly model: string | null;
  /** Prompts of files that reuse the name of a user's role or of a built-in role. */
  readonly systemPrompts: readonly string[];
}

/** A role with everything it inherits, ready to use. Workers, prompts and packages read it. */
export interface Role extends RoleValues {
  /** The root of the `extends` chain; null for a role that extends nothing. */
  readonly baseRole: string | null;
  /** The role's own file first, the root of the chain last. */
  readonly chain: readonly RoleSource[];
  /** Fields that begin with `x-`, and unknown fields of `context` and `config` by `group.field`. */
  readonly extensions: Readonly<Record<string, unknown>>;
  /** False when a file of the chain belongs to a repository that the user does not trust. */
  readonly isTrusted: boolean;
  /** Until it is trusted, a repository may not name commands or replace the prompts of other roles. */
  readonly withheld: WithheldParts;
}

/** Checks a role that a caller of the library passes in: it must come from a role loader. */
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

/** A valid role, with notes for the user such as withheld fields. */
export interface LoadedRole {
  readonly role: Role;
  readonly diagnostics: readonly Diagnostic[];
}

/** The kinds of mistakes in a role file. `roles check --json` prints them. */
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

/** Something wrong with a role file, and its position. */
export interface RoleFinding {
  readonly code: FindingCode;
  /** A role with an error cannot be loaded; a warning does not stop it. */
  readonly severity: 'error' | 'warning';
  /** As `RoleSource.file`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** `context.token_budget`, `flags[2]`; empty for a finding about the whole file. */
  readonly field: string;
  /** As the file has it, cut when it is long; null when there is no value to show. */
  readonly value: string | null;
  /** The allowed values in words; null when the finding is not about a value. */
  readonly allowed: string | null;
  /** The whole sentence. It begins with file, line and column. */
  readonly message: string;
}

/** Thrown for a role that cannot be used. `findings` has every reason; the message gives the first one. */
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

/**
 * The instructions for an agent in this role: its system prompt, then the rules about tests that `config` sets. Prompts
 * and the hook for subagents use it.
 */
export function roleInstructions({ systemPrompt, config }: Pick<Role, 'systemPrompt' | 'config'>): string {
  const { tdd, coverageTarget } = config;
  const rules = [
    ...(tdd
      ? ['- Tests come first: before you change code, write the test for the change and see it fail.']
      : []),
    ...(coverageTarget
      ? [
          `- Your tests must cover at least ${coverageTarget} percent of the lines that you add or change, or of the code under test when you write tests only.`,
        ]
      : []),
  ];
  const prompt = systemPrompt.trim();
  return rules.length === 0 ? prompt : `${prompt}\n\n${rules.join('\n')}`;
}
