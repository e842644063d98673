import { renderTemplate, SHIPPED_TEMPLATES } from '../../src/context/render/templates/shipped-templates.ts';
import { createTemplateEngine } from '../../src/context/render/templates/template-engine.ts';
import { fuzzClass, orError } from './fuzz-class.ts';
import { type Grammar, mutate, mutateJson } from './mutate.ts';

const GRAMMAR: Grammar = {
  examples: [
    ...SHIPPED_TEMPLATES.values(),
    '{% extends "_base" %}{% block context %}{{ context|trim }}{% endblock %}',
    '{% for file in files %}{{ file.name|upper }}: {{ file.size }}\n{% endfor %}',
    '{% if role.name == "tester" and not (x or 1 in [1, 2]) %}a{% elif yes %}b{% else %}c{% endif %}',
    '{{ x|default("no", true) }}{{ missing|default("none") }}{{ role.missing is defined }}',
    '{%- include "_output_schema" -%}{# a remark #}{% raw %}{{ not read }}{% endraw %}',
    '{{ ["a", "b"]|join(", ")|upper|indent(4) }}{{ files|tojson(2) }}{{ files|length }}',
    '{{ task ~ context }}{{ context|truncate_lines(2) }}{{ files[0].name if files else "none" }}',
    '{% for file in files %}{% if file.size > 1 %}{{ file["name"] }}{% endif %}{% endfor %}\n  {%- if "a" in task %}x{% endif %}',
  ],
  words: [
    ...[
      '{{',
      '}}',
      '{%',
      '%}',
      '{#',
      '#}',
      '-%}',
      '{%-',
      '|',
      '.',
      '[0]',
      '["a"]',
      '~',
      '==',
      '!=',
      '<',
      'in',
      'not',
    ],
    ...[
      'and',
      'or',
      'is',
      'defined',
      'if',
      'else',
      'elif',
      'endif',
      'for',
      'endfor',
      'block',
      'endblock',
      'extends',
    ],
    ...[
      'include',
      'set',
      'raw',
      'endraw',
      'super()',
      'loop.index',
      'self',
      'range(9)',
      'join',
      'default',
      'tojson',
    ],
    ...[
      '"_base"',
      '"main"',
      '"../canary.ts"',
      'import',
      'macro',
      'role',
      'task',
      'context',
      'files',
      'output_schema',
    ],
  ],
  brackets: [
    ['(', ')'],
    ['[', ']'],
    ['{{ ', ' }}'],
    ['{"a":', '}'],
    ['{% if 1 %}', '{% endif %}'],
    ['{% for a in files %}', '{% endfor %}'],
    ['{% block b %}', '{% endblock %}'],
    ['not ', ''],
    ['-', ''],
  ],
};

const DATA = {
  role: { name: 'tester', description: 'tests', system_prompt: 'You test.' },
  task: 'Refresh the token\nearlier',
  context: 'src/auth/token.ts\n```ts\nexport {}\n```',
  output_schema: '{"type": "object"}',
  files: [
    { name: 'a', size: 1 },
    { name: 'b', size: 2 },
  ],
  x: null,
  yes: true,
};

/** A line of JSON data, then the template. */
export const templates = fuzzClass({
  setUp: async () => SHIPPED_TEMPLATES,
  generate: (random) => {
    const data = random.chance(0.3) ? mutateJson(random, DATA, GRAMMAR.words) : DATA;
    return Buffer.concat([Buffer.from(`${JSON.stringify(data)}\n`), mutate(random, GRAMMAR)]);
  },
  run(shipped, input) {
    const text = input.toString('utf8');
    const end = text.indexOf('\n');
    const data: unknown = JSON.parse(text.slice(0, end));
    const given = typeof data === 'object' && data !== null ? data : DATA;
    const engine = createTemplateEngine(new Map([...shipped, ['main', text.slice(end + 1)]]));
    const known = orError(() => renderTemplate('planning', given));
    return `${known}${engine.render('main', given)}`;
  },
});
