import { LoadoutError } from '../model/loadout-error.ts';
import { answerSchemaFor } from '../output/answer-schema-for.ts';
import { schemaText } from '../output/schema/schema-text.ts';
import { renderTemplate } from '../render/templates/render-template.ts';
import type { Role } from '../roles/role.ts';

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
  const taken = TAKEN.find((name) => Object.hasOwn(variables, name));
  if (taken !== undefined) {
    throw new LoadoutError('bad-variable', `the variable ${taken} of a prompt cannot be replaced`, {
      subject: taken,
      hint: `choose another name than ${TAKEN.join(', ')}`,
    });
  }
  return renderTemplate(template, {
    role: { name: role.name, description: role.description, system_prompt: role.systemPrompt },
    task,
    context,
    output_schema: schemaText(answerSchemaFor(role)),
    ...variables,
  });
}
