import { expect, test } from 'vitest';
import { fixtureContext, listed, resolveIn } from '../../link/fixture-context.test-kit.ts';
import { cssResolver } from './css.ts';

const resolve = resolveIn(
  cssResolver,
  fixtureContext({
    ...listed(
      ...[
        'web/src/a.scss',
        'web/src/_colors.scss',
        'web/src/mixins/_index.scss',
        'web/src/base.css',
        'ui/css/theme.less',
      ],
      ...['web/public/print.css', 'web/src/app.js'],
    ),
    'web/package.json': '{}',
    'ui/package.json': '{ "name": "@own/ui" }',
  }),
);

test.each([
  ['./colors', ['web/src/_colors.scss']],
  ['colors', ['web/src/_colors.scss']],
  ['mixins', ['web/src/mixins/_index.scss']],
  ['base.css', ['web/src/base.css']],
  ['./base.css?v=1', ['web/src/base.css']],
  ['~@own/ui/css/theme', ['ui/css/theme.less']],
  ['@own/ui/css/theme.less', ['ui/css/theme.less']],
  ['@/base', ['web/src/base.css']],
  ['/print.css', ['web/public/print.css']],
  ['app.js', ['web/src/app.js']],
  ['./gone', 'unresolved'],
  ['bootstrap/scss/bootstrap', 'external'],
  ['sass:math', 'external'],
  ['https://example.org/x.css', 'external'],
  ['//example.org/x.css', 'external'],
])('%s', (specifier, expected) => {
  expect(resolve('web/src/main.scss', specifier, [], 'include')).toEqual(expected);
});
