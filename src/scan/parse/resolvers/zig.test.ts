import { expect, test } from 'vitest';
import { fixtureContext, listed, resolveIn } from '../../link/fixture-context.test-kit.ts';
import { zigResolver } from './zig.ts';

const resolve = resolveIn(
  zigResolver,
  fixtureContext({
    ...listed('src/main.zig', 'src/net/tcp.zig', 'lib/clap/entry.zig', 'src/kit.zig'),
    'build.zig': 'const m = b.addModule("clap", .{ .root_source_file = b.path("lib/clap/entry.zig") });',
  }),
);

test.each([
  ['net/tcp.zig', ['src/net/tcp.zig']],
  ['../build.zig', ['build.zig']],
  ['gone.zig', 'unresolved'],
  ['clap', ['lib/clap/entry.zig']],
  ['kit', ['src/kit.zig']],
  ['std', 'external'],
  ['other', 'external'],
])('%s', (specifier, expected) => {
  expect(resolve('src/main.zig', specifier)).toEqual(expected);
});
