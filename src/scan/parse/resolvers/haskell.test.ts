import { expect, test } from 'vitest';
import { fixtureContext, listed, resolveIn } from '../../link/fixture-context.test-kit.ts';
import { haskellResolver } from './haskell.ts';

const resolve = resolveIn(
  haskellResolver,
  fixtureContext(
    listed('src/Data/Store.hs', 'app/Main.hs', 'src/Odd/Place.hs', 'lib/Text/Doc.lhs', 'app/Data/Store.hs'),
    {
      'Named.Elsewhere': ['src/Odd/Place.hs'],
    },
  ),
);

test.each([
  ['Data.Store', ['app/Data/Store.hs']],
  ['Text.Doc', ['lib/Text/Doc.lhs']],
  ['Named.Elsewhere', ['src/Odd/Place.hs']],
  ['Data.Map', 'external'],
])('%s', (specifier, expected) => {
  expect(resolve('app/Main.hs', specifier)).toEqual(expected);
});
