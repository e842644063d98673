import { expect, test } from 'vitest';
import { fixtureContext, listed, resolveIn } from '../../link/fixture-context.test-kit.ts';
import { cFamilyResolver, implementationOf } from './c-family.ts';

const context = fixtureContext(
  listed(
    ...['src/net/socket.c', 'src/net/socket.h', 'src/util.h', 'include/app/app.h', 'include/app/util.h'],
    ...['src/app/app.c', 'third/other/util.h', 'lib/string.h', 'core/deep/only.hpp', 'core/deep/only.cpp'],
    ...['a/config.h', 'b/config.h', 'gen/x.h'],
  ),
);
const resolve = resolveIn(cFamilyResolver, context);

test.each([
  ['socket.h', [], ['src/net/socket.h']],
  ['../util.h', [], ['src/util.h']],
  ['app/app.h', [], ['include/app/app.h']],
  ['app/app.h', ['<>'], ['include/app/app.h']],
  ['deep/only.hpp', ['<>'], ['core/deep/only.hpp']],
  ['project/deep/only.hpp', ['<>'], ['core/deep/only.hpp']],
  ['project/only.hpp', [], ['core/deep/only.hpp']],
  ['vendor/only.hpp', ['<>'], 'external'],
  ['string.h', ['<>'], 'external'],
  ['vector', ['<>'], 'external'],
  ['string.h', [], ['lib/string.h']],
  ['generated.h', [], 'unresolved'],
  ['limits.h', [], 'external'],
  ['boost/config.hpp', ['<>'], 'external'],
  ['thing/config.h', [], 'unresolved'],
] as const)('%s %j', (specifier, names, expected) => {
  expect(resolve('src/net/socket.c', specifier, names, 'include')).toEqual(expected);
});

test('of equal matches the nearest, and before a stranger one below an include folder', () => {
  expect(resolve('b/main.c', 'config.h', ['<>'], 'include')).toEqual(['b/config.h']);
  expect(resolve('gen/main.c', 'util.h', [], 'include')).toEqual(['src/util.h']);
});

test('headers and implementations find each other', () => {
  expect(implementationOf('src/net/socket.h', context)).toEqual(['src/net/socket.c']);
  expect(implementationOf('src/net/socket.c', context)).toEqual(['src/net/socket.h']);
  expect(implementationOf('include/app/app.h', context)).toEqual(['src/app/app.c']);
  expect(implementationOf('core/deep/only.cpp', context)).toEqual(['core/deep/only.hpp']);
  expect(implementationOf('gen/x.h', context)).toEqual([]);
  expect(implementationOf('README.md', context)).toEqual([]);
});
