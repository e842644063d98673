import { expect, test } from 'vitest';
import { fixtureContext, listed, resolveIn } from '../../link/fixture-context.test-kit.ts';
import { csharpResolver } from './csharp.ts';

const many = Array.from({ length: 200 }, (_, index) => `Wide/T${index}.cs`);
const resolve = resolveIn(
  csharpResolver,
  fixtureContext(listed('A/User.cs', 'A/User.Parts.cs', 'A/Order.cs', 'B/Order.cs', 'A/Text.cs', ...many), {
    'App.Models': ['A/User.cs', 'A/User.Parts.cs', 'A/Order.cs', 'B/Order.cs'],
    'App.Text': ['A/Text.cs'],
    'App.Wide': many,
  }),
);

test.each([
  ['App.Text', ['A/Text.cs']],
  ['App.Models', ['A/Order.cs', 'A/User.Parts.cs', 'A/User.cs', 'B/Order.cs']],
  ['App.Models.User', ['A/User.Parts.cs', 'A/User.cs']],
  ['App.Models.Order', ['B/Order.cs']],
  ['global::App.Text.Text', ['A/Text.cs']],
  ['System.Collections.Generic', 'external'],
  ['App.Models.Gone', 'external'],
])('%s', (specifier, expected) => {
  expect(resolve('B/Page.cs', specifier)).toEqual(expected);
});

test('a namespace of half the repository is inside, but makes no edges', () => {
  expect(resolve('B/Page.cs', 'App.Wide')).toEqual([]);
});
