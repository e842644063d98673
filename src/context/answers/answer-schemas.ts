import { checkArguments, objectWith, required, TEXT } from '../../schema/check-arguments.ts';
import { keepingExtraFields, type ObjectSchema, object } from '../../schema/object-schema.ts';
import {
  asked,
  choice,
  described,
  freeObject,
  integer,
  type JsonObject,
  list,
  nullable,
  optional,
  text,
  type ValueOf,
} from '../../schema/schema.ts';

// The form of the answer for each role. A schema gives the TypeScript type, the check, the JSON Schema in the prompt
// and the table in docs/reference/answers.md.

const none = () => [];
const texts = (help: string) => described(optional(list(text()), none), help);
const nextStep = described(
  asked(nullable(text()), () => null),
  'What should happen next, or null',
);

/** The answer of a planner. */
export const planOutput = object(
  { title: 'PlanOutput' },
  {
    status: described(choice(['COMPLETE', 'NEEDS_REFINEMENT', 'BLOCKED']), 'How far the plan is'),
    phases: described(list(freeObject()), 'The steps of the plan, in order'),
    dependencies: described(optional(list(freeObject()), none), 'What depends on what'),
    estimated_components: described(integer(), 'How many components will be touched'),
    risks: texts('What may go wrong'),
    next_step: nextStep,
  },
);

/** The answer of an implementer. */
export const implementationOutput = object(
  { title: 'ImplementationOutput' },
  {
    status: described(choice(['SUCCESS', 'PARTIAL', 'FAILED', 'BLOCKED']), 'How the work ended'),
    action_taken: described(
      asked(text(), () => ''),
      'What was done, in a sentence or two',
    ),
    files_created: texts('Paths of new files'),
    files_modified: texts('Paths of changed files'),
    tests_written: texts('Paths or names of new tests'),
    blockers: texts('What stood in the way'),
    next_step: nextStep,
  },
);

/** One problem that a reviewer found. Fields that a model adds, such as a category, are kept. */
export const reviewIssue = object(
  { title: 'ReviewIssue', extraFields: 'kept' },
  {
    severity: described(
      optional(text(), () => 'medium'),
      'critical, high, medium, low or info',
    ),
    file: described(
      optional(nullable(text()), () => null),
      'Path of the file',
    ),
    line: described(
      optional(nullable(integer()), () => null),
      'Line in the file, from 1',
    ),
    description: described(text(), 'What is wrong'),
    suggestion: described(
      optional(nullable(text()), () => null),
      'How to put it right',
    ),
  },
);

const verdict = choice(['APPROVED', 'CHANGES_REQUESTED', 'REJECTED']);

/** The answer of a reviewer. Two fields hold the verdict because existing role prompts ask for both; they must agree. */
export const reviewOutput = object(
  { title: 'ReviewOutput', equal: ['status', 'review_status'] },
  {
    status: described(verdict, 'The verdict'),
    review_status: described(verdict, 'The same verdict again'),
    issues: described(optional(list(reviewIssue), none), 'What has to change'),
    suggestions: texts('What could be better'),
    security_concerns: texts('What may be unsafe'),
    next_step: nextStep,
  },
);

/** The answer of any other role: all fields are kept. */
export const genericOutput = object(
  { title: 'GenericOutput', extraFields: 'kept' },
  {
    status: described(
      optional(text(), () => 'UNKNOWN'),
      'How the work ended',
    ),
  },
);

export type PlanOutput = ValueOf<typeof planOutput>;
export type ImplementationOutput = ValueOf<typeof implementationOutput>;
export type ReviewIssue = ValueOf<typeof reviewIssue>;
export type ReviewOutput = ValueOf<typeof reviewOutput>;
export type GenericOutput = ValueOf<typeof genericOutput>;

/** The parts of a role that decide which schema its answer has. */
export interface AnsweringRole {
  readonly name: string;
  /** The root of the `extends` chain; null for a role that extends nothing. */
  readonly baseRole?: string | null;
}

/** The one field that every answer has. */
export type AnyAnswer = { readonly status: string };

/** By the name of the role at the root of the chain. */
const ROLE_SCHEMAS: ReadonlyMap<string, ObjectSchema<AnyAnswer>> = new Map<string, ObjectSchema<AnyAnswer>>([
  ['planner', planOutput],
  ['implementer', implementationOutput],
  ['reviewer', reviewOutput],
]);

const ROLE_KINDS = { role: required(objectWith('a role with a name', { name: TEXT })) };

/**
 * The schema for the answer of a role. An overlay answers like its base and may add fields. A role without a known base
 * may answer anything with a status.
 */
export function answerSchemaFor(role: AnsweringRole): ObjectSchema<AnyAnswer | (AnyAnswer & JsonObject)> {
  checkArguments('answerSchemaFor', { role }, ROLE_KINDS);
  const own = ROLE_SCHEMAS.get(role.name);
  if (own) return own;
  const base = role.baseRole ? ROLE_SCHEMAS.get(role.baseRole) : undefined;
  return base ? keepingExtraFields(base) : genericOutput;
}
