import { expect, test } from 'vitest';
import { fixtureContext, listed, resolveIn } from '../../link/fixture-context.test-kit.ts';
import { dartResolver } from './dart.ts';

const resolve = resolveIn(
  dartResolver,
  fixtureContext({
    ...listed('app/lib/main.dart', 'app/lib/src/a.dart', 'app/lib/src/a.g.dart', 'kit/lib/kit.dart'),
    'app/pubspec.yaml': 'name: my_app\nversion: 1.0.0\n',
    'kit/pubspec.yaml': 'description: x\nname: "kit"\n',
  }),
);

test.each([
  ['package:my_app/src/a.dart', ['app/lib/src/a.dart']],
  ['package:kit/kit.dart', ['kit/lib/kit.dart']],
  ['src/a.dart', ['app/lib/src/a.dart']],
  ['./src/a.g.dart', ['app/lib/src/a.g.dart']],
  ['package:my_app/gone.dart', 'unresolved'],
  ['gone.dart', 'unresolved'],
  ['package:flutter/material.dart', 'external'],
  ['dart:async', 'external'],
  ['my.library', 'external'],
])('%s', (specifier, expected) => {
  expect(resolve('app/lib/main.dart', specifier)).toEqual(expected);
});
