import { expect, test } from 'vitest';
import { fixtureContext, listed, resolveIn } from '../../link/fixture-context.test-kit.ts';
import { genericResolver } from './generic.ts';

const resolve = resolveIn(
  genericResolver,
  fixtureContext(listed('a/x.ml', 'a/twice.ml', 'b/twice.ml', 'lib/Parser.ml')),
);

test.each([
  ['x.ml', ['a/x.ml']],
  ['Core.Parser', ['lib/Parser.ml']],
  ['lib/Parser', ['lib/Parser.ml']],
  ['Core::Parser', ['lib/Parser.ml']],
  ['twice', 'external'],
  ['unknown', 'external'],
  ['', 'external'],
])('%s', (specifier, expected) => {
  expect(resolve('a/from.ml', specifier)).toEqual(expected);
});
