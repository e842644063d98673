import { LoadoutError } from '../../model/loadout-error.ts';
import { safeDocument } from '../../redact/index.ts';
import { checkArguments, objectWith, RECORD, required, TEXT } from '../../schema/check-arguments.ts';
import { schemaText } from '../../schema/object-schema.ts';
import { answerSchemaFor } from '../answers/index.ts';
import { listTemplates, renderOutputRequirements, TemplateError } from '../render/index.ts';
import { ROLE, type Role, roleInstructions } from '../roles/index.ts';
import { type PromptTemplates, SHIPPED_ONLY } from './prompt-templates.ts';

// Puts role, task and context into a template, and chooses the template of a role.

const PROMPT_KINDS = {
  template: required(TEXT),
  role: required(ROLE),
  task: required(TEXT),
  context: required(TEXT),
  variables: RECORD,
};
/** Variables that callers cannot replace. */
const TAKEN = ['role', 'task', 'context'] as const;

/**
 * Renders a shipped template with a context that exists already. `variables` are for templates that know them. The names
 * `role`, `task` and `context` are taken; `output_schema` replaces the schema of the role. Throws `TemplateError`.
 */
export function renderPrompt(
  template: string,
  role: Role,
  task: string,
  context: string,
  variables: Readonly<Record<string, unknown>> = {},
): string {
  checkArguments('renderPrompt', { template, role, task, context, variables }, PROMPT_KINDS);
  const taken = TAKEN.find((name) => Object.hasOwn(variables, name));
  if (taken !== undefined) {
    throw new LoadoutError('bad-variable', `the variable ${taken} of a prompt cannot be replaced`, {
      subject: taken,
      hint: `choose another name than ${TAKEN.join(', ')}`,
    });
  }
  return renderPromptWith(SHIPPED_ONLY, template, role, task, context, variables);
}

/** The same with the templates of the user and the repository. */
export function renderPromptWith(
  templates: PromptTemplates,
  template: string,
  role: Role,
  task: string,
  context: string,
  variables: Readonly<Record<string, unknown>> = {},
): string {
  refusePart(template.replace(/\.j2$/, ''), templates);
  return templates.render(template, {
    role: {
      name: role.name,
      description: safeDocument(role.description),
      system_prompt: safeDocument(roleInstructions(role)),
    },
    task,
    context,
    output_schema: schemaText(answerSchemaFor(role)),
    ...variables,
  });
}

/** The section about the answer, for a prompt without a template. */
export function outputRequirements(role: Role): string {
  return renderOutputRequirements(schemaText(answerSchemaFor(role)));
}

/** A part of a template has no place for a task, so it cannot be a prompt by itself. */
function refusePart(name: string, { names, isOwn }: PromptTemplates): void {
  if (names.includes(name) || !(isOwn(name) || listTemplates().includes(name))) return;
  const message = `The template ${name} is a part of the others and has no place for a task. Allowed: ${names.join(', ')}`;
  throw new TemplateError('template-without-task', message, null);
}

/** Templates by the name of a built-in role. */
const TEMPLATES: ReadonlyMap<string, string> = new Map([
  ['planner', 'planning'],
  ['implementer', 'implement'],
  ['reviewer', 'review_strict'],
]);

/** The template of a role, or of the root of its chain; null for a role without a known base. */
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
