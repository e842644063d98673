import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listTemplates, renderTemplate } from './shipped-templates.ts';

const data = {
  role: { name: 'planner', system_prompt: 'You plan.\n' },
  task: 'Add a login',
  context: '## Files\n\nconst a = 1;',
  output_schema: '{ "type": "object" }',
};

describe('renderTemplate', () => {
  it('renders a prompt: role, context, task, output requirements, schema', () => {
    expect(renderTemplate('planning', data)).toMatchInlineSnapshot(`
      "You plan.

      ## Context

      ## Files

      const a = 1;

      ## Task

      Add a login

      Plan this task. Do not change any file. Put the phases in the order in which they can be done. For each phase, say
      what it touches and how to check that it is done.

      ---

      ## Output Requirements

      You MUST end your response with a fenced JSON code block containing your structured output.

      **CRITICAL:** Use exactly this format with triple backticks and "json" label:

      \`\`\`json
      { "status": "...", ... }
      \`\`\`

      The JSON MUST be in a fenced code block (triple backticks with json label), closed, not indented, and not
      inside another fence. Bare JSON without fences will NOT be accepted.
      When there are several such blocks, the last one counts.

      The JSON must be valid under this JSON Schema. Give every required field, and no field that it does not allow:

      \`\`\`json
      { "type": "object" }
      \`\`\`
      "
    `);
  });

  it.each(['planning', 'implement', 'review_strict'])('%s holds everything, in a stable order', (name) => {
    const prompt = renderTemplate(name, data);
    const order = [
      'You plan.',
      '## Context',
      data.context,
      '## Task',
      data.task,
      '---',
      '## Output Requirements',
      data.output_schema,
    ];
    expect(order.map((part) => prompt.indexOf(part))).toEqual(
      order.map((part) => prompt.indexOf(part)).sort((left, right) => left - right),
    );
    for (const part of order) expect(prompt).toContain(part);
    expect(renderTemplate(`${name}.j2`, data)).toBe(prompt);
    expect(prompt).not.toMatch(/\{[{%#]/);
  });

  it('asks for a status when there is no schema', () => {
    const { output_schema: _, ...rest } = data;
    expect(renderTemplate('implement', rest)).toContain('It has a field "status"');
  });

  it.each([
    ['task', { role: data.role, context: '' }, 'template planning, line 12: "task" is undefined'],
    [
      'role.system_prompt',
      { ...data, role: {} },
      'template planning, line 4: "role.system_prompt" is undefined',
    ],
  ])('names the missing variable: %s', (_, partial, message) => {
    expect(() => renderTemplate('planning', partial)).toThrow(message);
  });

  it('lists the shipped templates, and refuses others with the list', () => {
    expect(listTemplates()).toEqual(['_base', '_output_schema', 'implement', 'planning', 'review_strict']);
    for (const name of ['plan', 'constructor', '../planning', 'planning.md', '/etc/passwd', '']) {
      expect(() => renderTemplate(name, data)).toThrow(
        'Allowed: _base, _output_schema, implement, planning, review_strict',
      );
    }
  });

  it('text of a repository comes out byte for byte, template syntax or not', () => {
    const hostile = fc
      .array(
        fc.oneof(
          fc.constantFrom('{{ task }}', '{% endblock %}', '{# ', '#}', '{% raw %}', '\n'),
          fc.string(),
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(hostile, hostile, (context, task) => {
        const prompt = renderTemplate('review_strict', { ...data, context, task });
        expect(prompt).toContain(`## Context\n\n${context}\n\n## Task\n\n${task}\n\nReview strictly.`);
      }),
      { numRuns: 500 },
    );
  });
});
