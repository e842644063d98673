import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outline, parseSnippet, viewOf } from '../../../../test/support/parse-snippet.ts';
import { findStyleRules } from './style-dialects.ts';

const SCSS = `@use 'sass:map';
@use "a/b" as c with ($x: 1);
// $not: here;
$primary: red !default;
$map: (
  a: b,
  c: "}",
);
%holder { color: $primary; }
@mixin fancy($a, $b: map.get($map, a)) {
  color: $a;
  $local: 1;
}
@function twice($n) { @return $n * 2; }
.card-#{$primary} {
  @include fancy(1) { margin: 0; }
  --gap: 1px;
  font: { family: x; }
  &:hover { background: url(http://x/y.png); }
}
@media (min-width: 10px) { .a, .b > c { d: e } }
@keyframes spin { from { a: b } 50% { c: d } }
`;

const LESS = `@import (reference) "x", 'y';
@plugin "p";
@color: #fff;
.mixin(@a; @b: 2) when (@a > 1) { color: @a; }
.round() { x: y }
@detached: { background: red; };
.b { .mixin(1); &-c { d: e } }
`;

describe('style dialects', () => {
  it('SCSS: variables, placeholders, mixins, functions, nested rules', async () => {
    const parsed = await parseSnippet('scss', SCSS);
    expect(outline(parsed)).toEqual([
      'variable $primary',
      'variable $map',
      'rule %holder',
      'function fancy',
      'function twice',
      'rule .card-#{$primary}',
      'variable .card-#{$primary}.--gap',
      'rule .card-#{$primary}.&:hover',
      'rule @media (min-width: 10px)',
      'rule @media (min-width: 10px)..a, .b > c',
      'rule @keyframes spin',
    ]);
    expect(parsed.imports.map(({ specifier }) => specifier)).toEqual(['sass:map', 'a/b']);
  });

  it('Less: variables, mixins, detached rules, nested rules', async () => {
    const parsed = await parseSnippet('less', LESS);
    expect(outline(parsed)).toEqual([
      'variable @color',
      'function .mixin',
      'function .round',
      'variable @detached',
      'rule .b',
      'rule .b.&-c',
    ]);
    expect(parsed.imports.map(({ specifier }) => specifier)).toEqual(['x', 'y', 'p']);
  });

  it('long values and bodies are left out of the view', async () => {
    const view = await viewOf('scss', SCSS);
    expect(view).toContain('$map: ( ⋮ 6-8 )');
    expect(view).toContain('@mixin fancy($a, $b: map.get($map, a)) { ⋮ 11-13 }');
  });

  it('ranges are inside the text and nested, for any text', () => {
    const pieces = fc.constantFrom(
      ...['{', '}', '(', ')', ';', ':', '"', "'", '//', '/*', '*/', '#{', '@mixin a', '$b', '.c', '\n', ' '],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        for (const { start, headerEnd, bodyEnd, end } of findStyleRules(text).definitions) {
          expect([start, headerEnd, bodyEnd, end]).toEqual(
            [start, headerEnd, bodyEnd, end].sort((a, b) => a - b),
          );
          expect(end).toBeLessThanOrEqual(text.length);
        }
      }),
    );
  });
});
