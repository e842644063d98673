import { answerSchemaFor } from '../output/answer-schema-for.ts';
import { schemaText } from '../output/schema/schema-text.ts';
import { renderTemplate } from '../render/templates/render-template.ts';
import type { Role } from '../roles/role.ts';

/** A template with a context that is already there. Throws a `TemplateError`. */
export function renderPrompt(template: string, role: Role, task: string, context: string): string {
  return renderTemplate(template, {
    role: { name: role.name, description: role.description, system_prompt: role.systemPrompt },
    task,
    context,
    output_schema: schemaText(answerSchemaFor(role)),
  });
}
