import { checkArguments, RECORD, required, TEXT } from '../../../schema/check-arguments.ts';
import { OUTPUT_REQUIREMENTS, SHIPPED_TEMPLATES } from './shipped-templates.ts';
import { createTemplateEngine } from './template-engine.ts';

const engine = createTemplateEngine(SHIPPED_TEMPLATES);

/**
 * A prompt from one of the shipped templates, with or without `.j2` behind the name. `_base` and those that extend it
 * use `role.system_prompt`, `task`, `context` and, where it is given, `output_schema`. Throws `TemplateError`.
 */
export function renderTemplate(name: string, data: object): string {
  checkArguments('renderTemplate', { name, data }, { name: required(TEXT), data: required(RECORD) });
  return engine.render(name, data);
}

const requirements = createTemplateEngine(
  new Map([...SHIPPED_TEMPLATES, ['output_requirements', OUTPUT_REQUIREMENTS]]),
);

/** What `_base` says about the answer, for prompts without a template. */
export function renderOutputRequirements(outputSchema: string): string {
  return requirements.render('output_requirements', { output_schema: outputSchema }).trimEnd();
}

/** The names that `renderTemplate` takes. */
export function listTemplates(): readonly string[] {
  return engine.names;
}
