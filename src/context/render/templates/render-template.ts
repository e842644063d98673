import { BASE, OUTPUT_REQUIREMENTS } from './shipped/base.ts';
import { IMPLEMENT } from './shipped/implement.ts';
import { OUTPUT_SCHEMA } from './shipped/output-schema.ts';
import { PLANNING } from './shipped/planning.ts';
import { REVIEW_STRICT } from './shipped/review-strict.ts';
import { createTemplateEngine } from './template-engine.ts';

const engine = createTemplateEngine(
  new Map([
    ['_base', BASE],
    ['_output_schema', OUTPUT_SCHEMA],
    ['planning', PLANNING],
    ['implement', IMPLEMENT],
    ['review_strict', REVIEW_STRICT],
  ]),
);

/**
 * A prompt from one of the shipped templates, with or without `.j2` behind the name. `_base` and those that extend it
 * use `role.system_prompt`, `task`, `context` and, where it is given, `output_schema`. Throws `TemplateError`.
 */
export function renderTemplate(name: string, data: object): string {
  return engine.render(name, data);
}

const requirements = createTemplateEngine(
  new Map([
    ['output_requirements', OUTPUT_REQUIREMENTS],
    ['_output_schema', OUTPUT_SCHEMA],
  ]),
);

/** What `_base` says about the answer, for prompts without a template. */
export function renderOutputRequirements(outputSchema: string): string {
  return requirements.render('output_requirements', { output_schema: outputSchema }).trimEnd();
}

/** Templates that hold a task; the others are parts of these. */
export function listPromptTemplates(): readonly string[] {
  return engine.names.filter((name) => name !== '_output_schema');
}

/** The names that `renderTemplate` takes. */
export function listTemplates(): readonly string[] {
  return engine.names;
}
