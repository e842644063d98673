import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTemplateEngine } from './render-template.ts';
import { TemplateError } from './template-error.ts';
import { TEMPLATE_LIMITS, type TemplateLimits } from './template-limits.ts';

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
    '{{ range(9) }}',
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

  it('what is undefined in the data counts as not there', () => {
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
    ['deep brackets', `{{ ${'('.repeat(99)}1${')'.repeat(99)} }}`, {}, 'levels in one expression'],
    ['deep lists', `{{ ${'['.repeat(99)}1${']'.repeat(99)} }}`, {}, 'levels in one expression'],
    ['long chains', `{{ a${'|trim'.repeat(999)} }}`, { a: '' }, 'operators in a row'],
    ['deep tags', '{% if 1 %}'.repeat(99), {}, 'tags inside each other'],
    ['a long source', ' '.repeat(300_000), {}, 'at most 262144 are read'],
    ['a long part to look for', '{{ t in t }}', { t: big }, 'at most 256 characters'],
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

  it('stay within the limits and reach no prototype, 10,000 times', () => {
    const limits: TemplateLimits = { outputCharacters: 5000, steps: 2000, depth: 8, milliseconds: 200 };
    const polluted = Object.prototype as { leaked?: string };
    // Whoever walks a prototype finds this, and writes it out.
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
        { numRuns: 5000 },
      );
    } finally {
      delete polluted.leaked;
    }
    expect(rendered).toBeGreaterThan(500);
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
    fc.assert(
      fc.property(hostile, (text) => {
        expect(engine('<{{ t }}>').render('main', { t: text })).toBe(`<${text}>`);
        expect(engine('{% for x in l %}\n{{ x }}{% endfor %}').render('main', { l: [text] })).toBe(text);
        expect(engine('{{ d|default("") }}|{{ t|join }}').render('main', { t: [text] })).toBe(`|${text}`);
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
