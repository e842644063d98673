import { describe, expect, it } from 'vitest';
import { implementationOutput, planOutput, reviewOutput } from '../../src/context/answers/answer-schemas.ts';
import { listTemplates, renderTemplate } from '../../src/context/render/templates/shipped-templates.ts';
import { createTemplateEngine } from '../../src/context/render/templates/template-engine.ts';
import { schemaText } from '../../src/schema/object-schema.ts';

const role = { name: 'implementer', system_prompt: 'You implement features.' };
const task = 'Implement user authentication';
const context = '## Target Files\n\n### src/auth.py\n\n```\nprint("{{ task }}")\n```\n';

/** The example templates, as they were asked for. */
const REQUIRED = new Map([
  [
    '_base',
    `{# _base.j2 - Base template with content and output requirements blocks #}
{# Child templates extend this and override content block #}

{% block content %}
{# Override in child templates #}
{% endblock %}

---

{% block output_requirements %}
## Output Requirements

You MUST end your response with a fenced JSON code block containing your structured output.
{% include "_output_schema.j2" %}
{% endblock %}
`,
  ],
  ['_output_schema', 'SCHEMA\n'],
  [
    'planning',
    `{# planning.j2 - Example child template #}
{% extends "_base.j2" %}

{% block content %}
{{ role.system_prompt }}

## Context

{{ context }}

## Task

{{ task }}
{% endblock %}
`,
  ],
  ['filters', '{{ text|truncate_lines(2) }}|{{ diff|format_diff }}'],
]);
const engine = createTemplateEngine(REQUIRED);

describe('Template Structure', () => {
  it('_base.j2 - Base template with content and output requirements blocks', () => {
    expect(engine.render('_base.j2', {})).toBe(
      '\n\n---\n\n## Output Requirements\n\nYou MUST end your response with a fenced JSON code block containing your structured output.\nSCHEMA',
    );
  });

  it('planning.j2 - Example child template', () => {
    const prompt = engine.render('planning.j2', { role, task, context });
    expect(prompt).toContain(
      `You implement features.\n\n## Context\n\n${context}\n\n## Task\n\n${task}\n\n---\n\n## Output`,
    );
  });

  it.each([
    ['planning.j2 - Extends _base.j2 for planner', 'planning.j2', schemaText(planOutput)],
    ['implement.j2 - Extends _base.j2 for implementer', 'implement.j2', schemaText(implementationOutput)],
    ['review_strict.j2 - Extends _base.j2 for reviewer', 'review_strict.j2', schemaText(reviewOutput)],
  ])('%s', (_, name, output_schema) => {
    const prompt = renderTemplate(name, { role, task, context, output_schema });
    expect(prompt).toContain('You MUST end your response with a fenced JSON code block');
    expect(prompt).toContain(output_schema);
  });
});

describe('Acceptance Criteria of Task 2', () => {
  it('Templates render without errors', () => {
    for (const name of listTemplates()) expect(renderTemplate(name, { role, task, context })).not.toBe('');
  });

  it('Role system_prompt is injected', () => {
    expect(renderTemplate('implement.j2', { role, task, context })).toContain(role.system_prompt);
  });

  it('Context is properly included', () => {
    expect(renderTemplate('implement.j2', { role, task, context })).toContain(
      `## Context\n\n${context}\n\n## Task`,
    );
  });

  it('Output schema requirements are present', () => {
    const prompt = renderTemplate('implement.j2', { role, task, context });
    expect(prompt).toContain('## Output Requirements');
    expect(prompt).toContain(
      'Use exactly this format with triple backticks and "json" label:\n\n```json\n{ "status": "...", ... }\n```',
    );
    expect(prompt).toContain('Bare JSON without fences will NOT be accepted.');
  });

  it('Custom filters work correctly', () => {
    expect(engine.render('filters', { text: 'a\nb\nc\nd', diff: '-a\n+b' })).toBe(
      'a\nb\n\n[Truncated 2 lines]|```diff\n-a\n+b\n```',
    );
    expect(engine.render('filters', { text: 'a\nb', diff: '' })).toMatch(/^a\nb\|/);
  });

  it('SandboxedEnvironment is used', () => {
    const attack = '{{ role.constructor.constructor("return process.pid")() }}';
    expect(() => createTemplateEngine(new Map([['attack', attack]])).render('attack', { role })).toThrow();
    expect(renderTemplate('implement', { role, task: attack, context })).toContain(attack);
  });

  it('Template names are validated against allowlist', () => {
    expect(() => renderTemplate('evil.j2', { role, task, context })).toThrow(
      /Unknown template "evil\.j2"\. Allowed: /,
    );
  });

  it('Undefined variables raise errors (StrictUndefined)', () => {
    expect(() => renderTemplate('implement.j2', { role, context })).toThrow(
      /template implement, line \d+: "task" is undefined/,
    );
  });

  it('Unknown template -> Raises ValueError', () => {
    expect(() => renderTemplate('unknown', {})).toThrow(/Unknown template/);
  });
});
