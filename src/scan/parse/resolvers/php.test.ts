import { describe, expect, test } from 'vitest';
import { fixtureContext, listed, resolveIn } from '../../link/fixture-context.test-kit.ts';
import { phpResolver } from './php.ts';

describe('classes', () => {
  const resolve = resolveIn(
    phpResolver,
    fixtureContext(
      {
        ...listed(
          ...['app/Models/User.php', 'src/Deep/Tool.php', 'tests/UserTest.php', 'legacy/Old/Thing/Part.php'],
          ...['maps/classes/Mapped.php', 'pkg/lib/Inner.php', 'app/functions.php', 'other/Loose.php'],
        ),
        'composer.json': JSON.stringify({
          autoload: {
            'psr-4': { 'App\\': 'app/', 'App\\Special\\': ['gone/', 'src/'] },
            'psr-0': { Old_: 'legacy' },
            classmap: ['maps/'],
          },
          'autoload-dev': { 'psr-4': { 'Tests\\': 'tests' } },
        }),
        'pkg/composer.json': JSON.stringify({ autoload: { 'psr-4': { 'Pkg\\': 'lib' } } }),
      },
      { 'App\\Helpers': ['app/functions.php'], Loosely: ['other/Loose.php'] },
    ),
  );

  test.each([
    ['App\\Models\\User', ['app/Models/User.php']],
    ['\\App\\Models\\User', ['app/Models/User.php']],
    ['App\\Special\\Deep\\Tool', ['src/Deep/Tool.php']],
    ['Tests\\UserTest', ['tests/UserTest.php']],
    ['Old_Thing_Part', ['legacy/Old/Thing/Part.php']],
    ['Any\\Mapped', ['maps/classes/Mapped.php']],
    ['Pkg\\Inner', ['pkg/lib/Inner.php']],
    ['App\\Helpers\\format_money', ['app/functions.php']],
    ['Loosely\\Loose', ['other/Loose.php']],
    ['App\\Models', 'unresolved'],
    ['App\\Models\\Gone', 'unresolved'],
    ['App\\Installed\\Thing', 'external'],
    ['Illuminate\\Support\\Str', 'external'],
    ['DateTime', 'external'],
  ])('%s', (specifier, expected) => {
    expect(resolve('app/x.php', specifier)).toEqual(expected);
  });
});

test('included files: beside, from the root, by the end of the path', () => {
  const resolve = resolveIn(phpResolver, fixtureContext(listed('a/b.php', 'inc/c.php', 'x/lib/d.php')));
  expect(resolve('a/a.php', './b.php', [], 'include')).toEqual(['a/b.php']);
  expect(resolve('a/a.php', '/b.php', [], 'include')).toEqual(['a/b.php']);
  expect(resolve('a/a.php', 'inc/c.php', [], 'include')).toEqual(['inc/c.php']);
  expect(resolve('a/a.php', '/../lib/d.php', [], 'include')).toEqual(['x/lib/d.php']);
  expect(resolve('a/a.php', 'gone.php', [], 'include')).toBe('unresolved');
  expect(resolve('a/a.php', 'https://example.org/x.php', [], 'include')).toBe('external');
});
