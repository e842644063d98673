import { describe, expect, it } from 'vitest';
import { createTemplateEngine } from './template-engine.ts';
import { TemplateError } from './template-error.ts';

const render = (source: string, data: object = {}, others: Record<string, string> = {}) =>
  createTemplateEngine(new Map([['main', source], ...Object.entries(others)])).render('main', data);

describe('expressions', () => {
  const data = {
    a: 'x',
    n: 3,
    yes: true,
    empty: '',
    nothing: null,
    list: ['p', 'q'],
    o: { k: { deep: 'd' } },
  };
  it.each([
    ['{{ a }}', 'x'],
    ['{{a}}{{n}}{{yes}}', 'x3true'],
    ['{{ "}}" }}{{ \'%}\' }}', '}}%}'],
    ['{{ "a\\n\\"b\\\\" }}', 'a\n"b\\'],
    ['{{ o.k.deep }}{{ o["k"].deep }}{{ list[1] }}', 'ddq'],
    ['{{ a ~ "-" ~ n }}', 'x-3'],
    ['{{ "in" if n == 3 else "out" }}', 'in'],
    ['{{ empty or "else" }}{{ a and "then" }}', 'elsethen'],
    ['{{ not yes }}{{ not not yes }}{{ not empty and yes }}', 'falsetruetrue'],
    ['{{ n > 2 }}{{ n <= 2 }}{{ "a" < "b" }}{{ n != 3 }}', 'truefalsetruefalse'],
    [
      '{{ "q" in list }}{{ "z" not in list }}{{ "k" in o }}{{ "x" in a }}{{ n in [1, 3] }}',
      'truetruetruetruetrue',
    ],
    ['{{ missing is defined }}{{ a is defined }}{{ missing is not defined }}', 'falsetruetrue'],
    [
      '{{ nothing is none }}{{ a is string }}{{ n is number }}{{ o is mapping }}{{ list is sequence }}',
      'truetruetruetruetrue',
    ],
    [
      '{{ missing|default("d") }}{{ empty|default("d") }}{{ empty|default("d", true) }}{{ o.zz|default }}',
      'dd',
    ],
    ['{{ list|join(", ")|upper }}{{ [1, 2]|join }}', 'P, Q12'],
    ['{{ list|length }}{{ a|count }}{{ o|length }}', '211'],
    ['{{ "  X "|trim|lower }}', 'x'],
    ['{{ "a\\n\\nb"|indent(2) }}|{{ "a\\nb"|indent(1, true) }}', 'a\n\n  b| a\n b'],
    ['{{ o|tojson }}{{ list|tojson(1) }}', '{"k":{"deep":"d"}}[\n "p",\n "q"\n]'],
    ['{{ (a) }}{{ True }}{{ 1.5 }}', 'xtrue1.5'],
    ['{{ "a-b c"|title }}{{ "aB"|capitalize }}{{ "a.b"|replace(".", "/") }}', 'A-B CAba/b'],
    ['{{ "a\\nb"|indent(width=1, first=true) }}{{ list|join(d="-") }}', ' a\n bp-q'],
    ['{{ {"b": none, "a": [1, "<"]}|tojson }}', '{"a":[1,"<"],"b":null}'],
    ['{% set x = n + 1 %}{{ x }}{{ range(3)|join }}', '4012'],
    ['{% macro m(x) %}<{{ x }}>{% endmacro %}{{ m(a) }}', '<x>'],
  ])('%s', (source, text) => expect(render(source, data)).toBe(text));

  it.each([
    ['{{ missing }}', '"missing" is undefined; there is a, n, yes, empty, nothing, list, o'],
    ['x\n\n{{ o.kk }}', 'template main, line 3: "o.kk" is undefined (did you mean k?)'],
    ['{{ missing.x is defined }}', '"missing" is undefined'],
    ['{{ missing|upper }}', '"missing" is undefined'],
    ['{{ o.kk|trim }}', '"o.kk" is undefined (did you mean k?)'],
    ['{% if missing %}{% endif %}', '"missing" is undefined'],
    ['{% for x in missing %}{% endfor %}', '"missing" is undefined'],
    ['{{ list[2] }}', '"list[2]" is undefined'],
    ['{{ a[o] }}', '"a[o]" is undefined'],
    ['{{ o[nothing] }}', '"o[nothing]" is undefined'],
    ['{{ a.length }}', '"a.length" is undefined'],
    ['{{ n|upper }}', 'the filter upper takes a text, not a number'],
    ['x\n{{ o|trim }}', 'template main, line 2: the filter trim takes a text, not an object'],
    ['{{ n|trim|default("x") }}', 'the filter trim takes a text, not a number'],
    ['{{ a|shout }}', 'filter shout is unknown'],
    ['{{ a|truncate_lines }}', 'the filter truncate_lines takes 1 arguments, not 0'],
    ['{{ a|truncate_lines("x") }}', 'takes a whole number from 0 up'],
    ['{{ a|indent(size=2) }}', 'the filter indent has no argument "size"; its arguments are width, first'],
    ['{{ a() }}', 'value of type string is not callable'],
    ['{{ o.k() }}', 'object is not callable'],
    ['{{ a + n }}', 'tried to use + operator on unsupported types string and number'],
    ['{{ a b }}', 'unexpected identifier, expected end of variable block'],
    ['{{ }}', 'unexpected end of variable block'],
    ['{{ a', 'unexpected end of input, expected end of variable block'],
    ['{% if a %}', 'line 1: syntax error: unexpected end of input, expected end of block'],
    ['a\n{% endif %}', 'line 2: syntax error: unknown statement endif'],
    ['{% block a %}{% block a %}{% endblock %}{% endblock %}', "block 'a' defined twice"],
    ['{% block a %}{% endblock b %}', 'mismatching name on block'],
    ['{# x', 'unexpected end of comment'],
    ['{% raw %}', 'unexpected end of raw block'],
    ['{% for k, v in list %}{% endfor %}', 'cannot unpack'],
    ['{% include a %}', 'Unknown template "x". Allowed: main'],
    ['{% if a %}{% extends "b" %}{% endif %}', 'Unknown template "b". Allowed: main'],
  ])('%s is an error', (source, message) => {
    expect(() => render(source, data)).toThrow(TemplateError);
    expect(() => render(source, data)).toThrow(message);
  });
});

describe('tags', () => {
  it('if, elif, else', () => {
    const source = '{% if n > 5 %}big{% elif n > 2 %}some{% else %}few{% endif %}';
    expect([9, 3, 1].map((n) => render(source, { n }))).toEqual(['big', 'some', 'few']);
  });

  it('for over lists and objects, with loop and else', () => {
    const source =
      '{% for x in list %}{{ loop.index }}/{{ loop.length }}{{ x }}{{ "" if loop.last else "," }}{% else %}none{% endfor %}';
    expect(render(source, { list: ['a', 'b'] })).toBe('1/2a,2/2b');
    expect(render(source, { list: [] })).toBe('none');
    expect(render('{% for k, v in o|items %}{{ k }}={{ v }};{% endfor %}', { o: { a: 1, b: 2 } })).toBe(
      'a=1;b=2;',
    );
  });

  it('a name of a loop ends with it', () => {
    expect(() => render('{% for x in [1] %}{% endfor %}{{ x }}', {})).toThrow('"x" is undefined');
  });

  it('a tag or a comment alone on its line leaves nothing, an output keeps its line', () => {
    const source = 'a\n  {% if yes %}\n  b\n  {% endif %}\n{# c #}\n  {{ x }}\nd\n';
    expect(render(source, { yes: true, x: 'X' })).toBe('a\n  b\n  X\nd');
  });

  it('minus takes the white space beside it, plus keeps it', () => {
    expect(render('a  {%- if true -%}  b  {%- endif -%}  c  {{- 1 -}}  d')).toBe('abc1d');
    expect(render('a\n  {%+ if true %}b{% endif %}')).toBe('a\n  b');
  });

  it('raw text is not read', () => {
    expect(render('{% raw %}{{ x }}{% if %}{% endraw %}!')).toBe('{{ x }}{% if %}!');
  });

  it('a lone brace is text', () => expect(render('{ "a": {} } }} %} #}')).toBe('{ "a": {} } }} %} #}'));
});

describe('templates of templates', () => {
  it('blocks of the child win, along a chain of any length', () => {
    const others = {
      mid: '{% extends "root.j2" %}{% block b %}mid-b{% endblock %}',
      root: '[{% block a %}root-a{% endblock %}|{% block b %}root-b{% endblock %}|{% block c %}root-c{% endblock %}]',
    };
    expect(render('{% extends "mid" %}\n{% block a %}main-{{ x }}{% endblock %}\n', { x: 1 }, others)).toBe(
      '[main-1|mid-b|root-c]',
    );
  });

  it('a block may contain a block', () => {
    const others = { root: '{% block a %}<{% block b %}b{% endblock %}>{% endblock %}' };
    expect(render('{% extends "root" %}{% block b %}B{% endblock %}', {}, others)).toBe('<B>');
  });

  it('an included template sees the names, and has its own blocks', () => {
    const others = { part: '{% block a %}{{ x }}{% endblock %}' };
    expect(
      render('{% for x in [1, 2] %}{% include "part" %}{% endfor %}{% block a %}-{% endblock %}', {}, others),
    ).toBe('12-');
  });

  it.each([
    [
      'itself',
      {},
      '{% include "main" %}',
      'template main, line 1: more than the levels of includes (main > main)',
    ],
    ['its parent', { b: '{% extends "main" %}' }, '{% extends "b" %}', 'cycle in template inheritance'],
    ['each other', { b: '{% include "main" %}' }, '{% include "b" %}', 'includes (main > b > main)'],
  ])('templates that lead to %s end at the limit', (_, others, source, message) => {
    expect(() => render(source, {}, others)).toThrow(message);
  });

  it('an error in an included template names that template, its line and the reason', () => {
    expect(() => render('{% include "part" %}', { a: 1 }, { part: 'x\n\n{{ abc }}' })).toThrow(
      'template part, line 3: "abc" is undefined',
    );
    expect(() => render('{% include "part" %}', {}, { part: 'x\n{{ a' })).toThrow(
      'template part, line 2: syntax error',
    );
  });

  it('a broken template does not stop the others', () => {
    for (const part of ['{{ a', '{{ "x" * 3000000000 }}', `{{ ${'not '.repeat(20_000)}1 }}`]) {
      const engine = createTemplateEngine(
        new Map([
          ['part', part],
          ['main', 'fine'],
        ]),
      );
      expect(engine.render('main', {})).toBe('fine');
      expect(() => engine.render('part', {})).toThrow(/^template part, line 1: /);
      expect(engine.render('main', {})).toBe('fine');
    }
  });

  it('a name leads to the given templates only', () => {
    for (const name of ['../main', '/etc/passwd', 'main.j2.j2', '__proto__', 'constructor', 'MAIN', '']) {
      expect(() => render(`{% include "${name}" %}`)).toThrow(/Unknown template .*Allowed: main/);
    }
  });
});
