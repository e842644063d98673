import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTemplateEngine, TEMPLATE_LIMITS, type TemplateLimits } from './template-engine.ts';
import { TemplateError } from './template-error.ts';

const engine = (source: string, limits: TemplateLimits = TEMPLATE_LIMITS) =>
  createTemplateEngine(new Map([['main', source]]), limits);

const INHERITED = [
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
  'call',
  'apply',
  'bind',
  'push',
  'charAt',
];

describe('no reach beyond the data', () => {
  const data = { text: 't', number: 1, list: ['a'], object: { key: 'v' }, yes: true };

  it.each(INHERITED)('%s does not resolve', (name) => {
    for (const owner of Object.keys(data)) {
      for (const path of [`${owner}.${name}`, `${owner}["${name}"]`, `(${owner}).${name}`, name]) {
        expect(() => engine(`{{ ${path} }}`).render('main', data)).toThrow(/is undefined/);
        if (path === name) continue;
        expect(engine(`{{ ${path} is defined }}{{ ${path}|default("no") }}`).render('main', data)).toBe(
          'falseno',
        );
      }
    }
    expect(engine(`{{ "${name}" in object }}`).render('main', data)).toBe('false');
  });

  it.each([
    '{{ text.constructor.constructor("return process.pid")() }}',
    '{{ object["__proto__"]["polluted"] }}',
    '{{ list.constructor }}',
    '{{ self }}',
    '{{ globalThis }}',
    '{{ process.env }}',
    '{{ loop }}',
    '{{ text|attr("constructor") }}',
    '{{ text|constructor }}',
    '{{ text|__proto__ }}',
    '{{ text is constructor }}',
    '{{ debug() }}',
    '{{ lipsum() }}',
    '{% import "os" as os %}',
  ])('%s is an error', (source) => {
    expect(() => engine(source).render('main', data)).toThrow(TemplateError);
  });

  it('even own data under such a name is not given', () => {
    const own = JSON.parse('{"object":{"__proto__":"a","constructor":"b"},"toString":"c"}');
    for (const path of ['object.__proto__', 'object.constructor', 'toString']) {
      expect(() => engine(`{{ ${path} }}`).render('main', own)).toThrow(/is undefined/);
    }
  });

  it.each([
    ['a function', { f: () => 1 }, 'data.f is a function'],
    ['a function deep inside', { a: [{ f() {} }] }, 'data.a[0].f is a function'],
    ['an instance', { a: new Map() }, 'data.a is not a plain object'],
    ['a symbol', { a: Symbol('s') }, 'data.a is a symbol'],
    [
      'a getter',
      Object.defineProperty({}, 'a', { get: () => 1, enumerable: true }),
      'data.a is a computed property',
    ],
    ['not a number', { a: Number.NaN }, 'data.a is a number'],
  ])('data with %s is refused', (_, data, message) => {
    expect(() => engine('x').render('main', data)).toThrow(message);
  });

  it('data that contains itself is refused', () => {
    const data: { self?: unknown } = {};
    data.self = data;
    expect(() => engine('x').render('main', data)).toThrow('more than 32 levels');
  });

  it('an undefined value in the data counts as missing', () => {
    expect(engine('{{ a is defined }}').render('main', { a: undefined })).toBe('false');
  });
});

describe('limits', () => {
  const nested = (levels: number) => `${'{% for a in l %}'.repeat(levels)}x${'{% endfor %}'.repeat(levels)}`;
  const big = 'x'.repeat(1024 * 1024);
  it.each([
    ['a loop in a loop in a loop', nested(8), { l: new Array(100).fill('a') }, 'steps'],
    [
      'text in a loop',
      '{% for a in l %}{{ t }}{% endfor %}',
      { l: new Array(100).fill('a'), t: big },
      'characters',
    ],
    ['doubling', `{{ ${'t ~ '.repeat(40)}t }}`, { t: big }, 'characters'],
    ['joining', '{{ l|join(t) }}', { l: new Array(100).fill('a'), t: big }, 'characters'],
    ['indenting', '{{ t|indent(64) }}', { t: 'a\n'.repeat(1024 * 512) }, 'characters'],
    ['a list of the same', `{{ [${'t,'.repeat(99)}t]|tojson }}`, { t: big }, 'characters'],
    ['deep brackets', `{{ ${'('.repeat(999)}1${')'.repeat(999)} }}`, {}, 'recursion limits'],
    ['deep lists', `{{ ${'['.repeat(999)}1${']'.repeat(999)} }}`, {}, 'recursion limits'],
    ['deep tags', '{% if 1 %}'.repeat(999), {}, 'recursion limits'],
    ['deep operators', `{{ ${'not '.repeat(20_000)}1 }}`, {}, 'time, memory or levels'],
    ['long chains', `{{ a${'|trim'.repeat(20_000)} }}`, { a: '' }, 'more than'],
    ['an endless macro', '{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}', {}, 'recursion limit'],
    ['a huge range', '{% for i in range(1000000) %}{% endfor %}', {}, 'range has too many elements'],
    ['a huge constant', '{{ "x" * 3000000000 }}', {}, 'time, memory or levels'],
    ['a long source', ' '.repeat(300_000), {}, 'at most 262144 are read'],
  ])('%s ends in an error', (_, source, data, message) => {
    const started = process.cpuUsage();
    expect(() => engine(source).render('main', data)).toThrow(message);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000);
  });

  it('time is one of them', () => {
    const source = '{% for a in l %}{% for b in l %}{{ a ~ b }}{% endfor %}{% endfor %}';
    const limits = { ...TEMPLATE_LIMITS, steps: Number.POSITIVE_INFINITY, milliseconds: 20 };
    const data = { l: new Array(5000).fill('a') };
    const started = process.cpuUsage();
    expect(() => engine(source, limits).render('main', data)).toThrow('more than 20 ms');
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(500);
  });

  it('an endless loop inside one filter ends in time, and so does a text that doubles', () => {
    const limits = { ...TEMPLATE_LIMITS, milliseconds: 200 };
    const started = performance.now();
    expect(() => engine('{{ ([1] * 1000000000)|sum }}', limits).render('main', {})).toThrow(
      'more than 200 ms',
    );
    expect(() => engine('{{ ([1] * 1000000000)|join }}', limits).render('main', {})).toThrow(
      'more than 200 ms',
    );
    expect(performance.now() - started).toBeLessThan(2000);
    const before = process.memoryUsage().rss;
    const doubling =
      '{% set n = namespace(x="xxxxxxxx") %}{% for i in range(40) %}{% set n.x = n.x ~ n.x %}{% endfor %}';
    expect(() => engine(doubling).render('main', {})).toThrow('more than');
    expect(process.memoryUsage().rss - before).toBeLessThan(900e6);
  });

  it('after each of these the next rendering works', () => {
    for (const source of [
      '{{ ([1] * 1000000000)|sum }}',
      `{{ a${'|trim'.repeat(20_000)} }}`,
      '{{ a',
      '{{ a|trim(1) }}',
    ]) {
      const hostile = createTemplateEngine(
        new Map([
          ['main', source],
          ['fine', '{{ a|upper }}'],
        ]),
        { ...TEMPLATE_LIMITS, milliseconds: 100 },
      );
      for (let times = 0; times < 3; times += 1) {
        expect(() => hostile.render('main', { a: 'x' })).toThrow(TemplateError);
        expect(hostile.render('fine', { a: 'x' })).toBe('X');
      }
    }
  });

  it('a prompt of ten megabytes renders', () => {
    const context = `${'x'.repeat(99)}\n`.repeat(100_000);
    expect(
      engine('{{ c|trim }}{{ d|truncate_lines(9) }}').render('main', { c: context, d: context }),
    ).toHaveLength(context.length - 1 + 899 + '\n\n[Truncated 99992 lines]'.length);
  });
});

describe('random templates and data', () => {
  const name = fc.constantFrom(
    'a',
    'b',
    'list',
    'object',
    'text',
    ...INHERITED.slice(0, 6),
    '__proto__',
    'constructor',
  );
  const expression = fc.letrec<{ any: string; simple: string }>((tie) => ({
    simple: fc.oneof(name, fc.constantFrom('1', '"s"', 'none', 'true', '[1, "x"]')),
    any: fc.oneof(
      { maxDepth: 4 },
      tie('simple'),
      fc.tuple(tie('any'), name).map(([of, key]) => `${of}.${key}`),
      fc.tuple(tie('any'), name).map(([of, key]) => `${of}["${key}"]`),
      fc
        .tuple(
          tie('any'),
          fc.constantFrom(
            'default("d")',
            'join(",")',
            'length',
            'upper',
            'tojson(2)',
            'indent(8)',
            'format_diff',
            'truncate_lines(1)',
            'constructor',
          ),
        )
        .map(([of, filter]) => `${of}|${filter}`),
      fc
        .tuple(tie('any'), fc.constantFrom('~', 'or', 'and', '==', '<', 'in', 'not in'), tie('any'))
        .map((parts) => `(${parts.join(' ')})`),
      fc
        .tuple(tie('any'), fc.constantFrom('is defined', 'is not none', '()', ' if '))
        .map((parts) => parts.join(' ')),
    ),
  })).any;
  const source = fc.letrec<{ piece: string; body: string }>((tie) => ({
    body: fc.array(tie('piece'), { maxLength: 4 }).map((pieces) => pieces.join('')),
    piece: fc.oneof(
      { maxDepth: 4 },
      fc.string({ maxLength: 8 }),
      expression.map((inner) => `{{ ${inner} }}`),
      fc.tuple(expression, tie('body')).map(([when, body]) => `{% if ${when} %}${body}{% endif %}`),
      fc
        .tuple(expression, tie('body'))
        .map(([over, body]) => `{% for a in ${over}|default(list) %}${body}{% endfor %}`),
      fc.tuple(name, tie('body')).map(([block, body]) => `{% block ${block} %}${body}{% endblock %}`),
      fc.constantFrom(
        '{% include "main" %}',
        '{% include "other" %}',
        '{% extends "other" %}',
        '{%',
        '}}',
        '{#',
        '#}',
        '{% raw %}',
        '{% endraw %}',
      ),
    ),
  })).body;
  const value = fc.jsonValue({ maxDepth: 3 });
  const secret = 'SECRET-OF-THE-PROTOTYPE';

  it('stay within the limits and reach no prototype, 3,000 times', () => {
    const limits: TemplateLimits = { outputCharacters: 5000, steps: 2000, milliseconds: 200 };
    const polluted = Object.prototype as { leaked?: string };
    // A template that reaches a prototype would write this out.
    polluted.leaked = secret;
    let rendered = 0;
    try {
      fc.assert(
        fc.property(source, source, fc.array(value, { maxLength: 3 }), value, (main, other, list, text) => {
          const withLeak = main.replaceAll('constructor', 'leaked');
          for (const one of [main, withLeak]) {
            const templates = createTemplateEngine(
              new Map([
                ['main', one],
                ['other', other],
              ]),
              limits,
            );
            try {
              const output = templates.render('main', { list, text, object: { key: 'v', list }, b: 2 });
              rendered += 1;
              expect(output.length).toBeLessThanOrEqual(limits.outputCharacters);
              expect(output).not.toContain(secret);
              expect(output).not.toContain('[native code]');
              expect(output).not.toContain('[object');
            } catch (error) {
              if (!(error instanceof TemplateError)) throw error;
            }
          }
        }),
        { numRuns: 1500 },
      );
    } finally {
      delete polluted.leaked;
    }
    expect(rendered).toBeGreaterThan(150);
  });
});

describe('values are never read as a template', () => {
  const syntax = fc.constantFrom(
    '{{ role }}',
    '{%',
    '%}',
    '{# x #}',
    '{% include "_base.j2" %}',
    '{{',
    '}}',
    '\n',
    '  ',
    '\r\n',
    '{%- raw -%}',
  );
  const hostile = fc
    .array(fc.oneof(syntax, fc.string({ unit: 'binary', maxLength: 6 })))
    .map((parts) => parts.join(''));

  it('any text comes out byte for byte', () => {
    const plain = engine('<{{ t }}>');
    const looped = engine('{% for x in l %}\n{{ x }}{% endfor %}');
    const joined = engine('{{ d|default("") }}|{{ t|join }}');
    fc.assert(
      fc.property(hostile, (text) => {
        expect(plain.render('main', { t: text })).toBe(`<${text}>`);
        expect(looped.render('main', { l: [text] })).toBe(text);
        expect(joined.render('main', { t: [text] })).toBe(`|${text}`);
      }),
      { numRuns: 2000 },
    );
  });

  it('any text survives as the source of a raw block or of no template at all', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/\{[{%#]|\r|^\n|\n$/.test(text));
        expect(engine(text).render('main', {})).toBe(text);
      }),
    );
  });
});
