import { expect, test } from 'vitest';
import { fixtureContext, listed, resolveIn } from '../../link/fixture-context.test-kit.ts';
import { swiftResolver } from './swift.ts';

const resolve = resolveIn(
  swiftResolver,
  fixtureContext({
    ...listed('Sources/Core/A.swift', 'Sources/Core/Deep/B.swift', 'Sources/Core/x.c', 'Custom/Kit/K.swift'),
    'Package.swift':
      '.target(name: "Kit", dependencies: ["Core"], path: "Custom/Kit"), .target(name: "Core")',
  }),
);

test.each([
  ['Core', ['Sources/Core/A.swift', 'Sources/Core/Deep/B.swift']],
  ['Core.Thing', ['Sources/Core/A.swift', 'Sources/Core/Deep/B.swift']],
  ['Kit', ['Custom/Kit/K.swift']],
  ['Foundation', 'external'],
])('%s', (specifier, expected) => {
  expect(resolve('Tests/CoreTests/T.swift', specifier)).toEqual(expected);
});

test('of a wide module only a named declaration leads to files', () => {
  const wide = resolveIn(
    swiftResolver,
    fixtureContext(listed(...Array.from({ length: 50 }, (_, index) => `Sources/Wide/F${index}.swift`))),
  );
  expect(wide('x.swift', 'Wide')).toEqual([]);
  expect(wide('x.swift', 'Wide', ['Thing'])).toHaveLength(50);
});
