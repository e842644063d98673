import { LoadoutError } from '../../model/loadout-error.ts';
import { safeDocument } from '../../redact/outgoing-text.ts';
import { checkArguments, RECORD, required, TEXT } from '../../schema/check-arguments.ts';
import { schemaText } from '../../schema/json-schema.ts';
import { answerSchemaFor } from '../answers/answer-schema-for.ts';
import {
  listPromptTemplates,
  listTemplates,
  renderOutputRequirements,
  renderTemplate,
} from '../render/templates/render-template.ts';
import { TemplateError } from '../render/templates/template-error.ts';
import { ROLE, type Role } from '../roles/role.ts';
import { roleInstructions } from '../roles/role-instructions.ts';

const PROMPT_KINDS = {
  template: required(TEXT),
  role: required(ROLE),
  task: required(TEXT),
  context: required(TEXT),
  variables: RECORD,
};
const TAKEN = ['role', 'task', 'context'] as const;

/**
 * A template with a context that is already there, and with further variables for templates that know them. The names
 * `role`, `task` and `context` are taken; `output_schema` replaces the schema of the role. Throws a `TemplateError`.
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
  refusePart(template.replace(/\.j2$/, ''));
  return renderTemplate(template, {
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

/** How to answer in this role, for a prompt without a template. */
export function outputRequirements(role: Role): string {
  return renderOutputRequirements(schemaText(answerSchemaFor(role)));
}

function refusePart(name: string): void {
  const whole = listPromptTemplates();
  if (whole.includes(name) || !listTemplates().includes(name)) return;
  const message = `The template ${name} is a part of the others and has no place for a task. Allowed: ${whole.join(', ')}`;
  throw new TemplateError('template-without-task', message, null);
}
