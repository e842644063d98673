import { expect, test } from 'vitest';
import { fixtureContext, listed, resolveIn } from '../../link/fixture-context.test-kit.ts';
import { luaResolver } from './lua.ts';

const resolve = resolveIn(
  luaResolver,
  fixtureContext(listed('lua/plug/core.lua', 'lua/plug/init.lua', 'other/plug/core.lua', 'src/util.lua')),
);

test.each([
  ['plug.core', ['lua/plug/core.lua']],
  ['plug/core', ['lua/plug/core.lua']],
  ['plug', ['lua/plug/init.lua']],
  ['util', ['src/util.lua']],
  ['./core', ['lua/plug/core.lua']],
  ['./gone', 'unresolved'],
  ['socket.http', 'external'],
])('%s', (specifier, expected) => {
  expect(resolve('lua/plug/x.lua', specifier)).toEqual(expected);
});
