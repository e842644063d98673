import { expect, test } from 'vitest';
import { fixtureContext, listed, resolveIn } from '../../link/fixture-context.test-kit.ts';
import { jvmResolver } from './jvm.ts';

const main = 'a/src/main/java/org/app/';
const files = [
  ...[`${main}User.java`, `${main}Order.java`, 'a/src/main/kotlin/org/app/text/StringsKt.kt'],
  ...['a/src/main/kotlin/org/app/text/Extensions.kt', 'b/src/main/java/org/app/User.java'],
];
const resolve = resolveIn(
  jvmResolver,
  fixtureContext(listed(...files, 'lib/undeclared/Thing.scala'), {
    'org.app': [files[0]!, files[1]!, files[4]!],
    'org.app.text': [files[2]!, files[3]!],
  }),
);

test.each([
  ['org.app', ['Order'], [`${main}Order.java`]],
  ['org.app', ['User'], [`${main}User.java`]],
  ['org.app.User', ['create'], [`${main}User.java`]],
  ['org.app.User', ['*'], [`${main}User.java`]],
  ['org.app.User.Builder', ['make'], [`${main}User.java`]],
  ['org.app.text', ['Strings'], ['a/src/main/kotlin/org/app/text/StringsKt.kt']],
  ['org.app.text', ['capitalized'], [files[3], files[2]]],
  ['org.app.text', ['*'], [files[3], files[2]]],
  ['_root_.org.app', ['Order'], [`${main}Order.java`]],
  ['org.app', ['Order', 'User'], [`${main}Order.java`, `${main}User.java`]],
  ['org.app.generated.deep', ['Thing'], 'external'],
  ['java.util', ['List'], 'external'],
  ['undeclared', ['Thing'], ['lib/undeclared/Thing.scala']],
] as const)('%s %j', (specifier, names, expected) => {
  expect(resolve('a/src/main/java/org/app/web/Page.java', specifier, names)).toEqual(expected);
});

test('the class of the same module comes before its namesake', () => {
  expect(resolve('b/src/main/java/org/app/web/Page.java', 'org.app', ['User'])).toEqual([files[4]]);
});

test('of a wide package a wildcard leads nowhere, a name to every file that may define it', () => {
  const wide = Array.from({ length: 50 }, (_, index) => `src/wide/F${index}.kt`);
  const inWide = resolveIn(
    jvmResolver,
    fixtureContext(listed(...wide, 'go/x.go'), { wide: [...wide, 'go/x.go'] }),
  );
  expect(inWide('x.kt', 'wide', ['*'])).toEqual([]);
  expect(inWide('x.kt', 'wide', ['extension'])).toEqual([...wide].sort());
  expect(inWide('x.kt', 'wide', ['F7'])).toEqual(['src/wide/F7.kt']);
});
