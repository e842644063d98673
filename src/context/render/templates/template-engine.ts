import { nearestName } from '../../../schema/nearest-name.ts';
import { parseTemplate } from './parse-template.ts';
import { TemplateRun } from './render-nodes.ts';
import { templateData } from './template-data.ts';
import { TemplateError, type TemplatePlace } from './template-error.ts';
import { TEMPLATE_LIMITS, type TemplateLimits } from './template-limits.ts';
import type { ParsedTemplate } from './template-nodes.ts';

export interface TemplateEngine {
  readonly names: readonly string[];
  /** Values are written as they are and never read as a template. */
  readonly render: (name: string, data: object) => string;
}

/** Renders the templates it is given and no others: there is nothing else that a name could lead to. */
export function createTemplateEngine(
  sources: ReadonlyMap<string, string>,
  limits: TemplateLimits = TEMPLATE_LIMITS,
): TemplateEngine {
  const names = [...sources.keys()].sort();
  const parsed = new Map<string, ParsedTemplate>();

  const find = (name: string, place: TemplatePlace | null): ParsedTemplate => {
    const key = name.replace(/\.j2$/, '');
    const known = parsed.get(key);
    if (known) return known;
    const source = sources.get(key);
    if (source === undefined) throw unknownTemplate(name, names, place);
    const template = parseTemplate(key, source);
    parsed.set(key, template);
    return template;
  };

  return {
    names,
    render: (name, data) => new TemplateRun(find, limits).render(find(name, null), templateData(data)),
  };
}

function unknownTemplate(name: string, names: readonly string[], place: TemplatePlace | null): TemplateError {
  const shown = JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
  const near = nearestName(name, names);
  return new TemplateError(
    'template-unknown',
    `Unknown template ${shown}. Allowed: ${names.join(', ')}`,
    place,
    near ? `did you mean ${near}?` : undefined,
  );
}
