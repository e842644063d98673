import { expect, test } from 'vitest';
import { fixtureContext, listed, resolveIn } from '../../link/fixture-context.test-kit.ts';
import { shellResolver } from './shell.ts';

const resolve = resolveIn(
  shellResolver,
  fixtureContext(listed('scripts/lib/log.sh', 'scripts/env.sh', 'tools/common.sh', 'a/dup.sh', 'b/dup.sh')),
);

test.each([
  ['./env.sh', ['scripts/env.sh']],
  ['lib/log.sh', ['scripts/lib/log.sh']],
  ['scripts/env.sh', ['scripts/env.sh']],
  ['$DIR/env.sh', ['scripts/env.sh']],
  [`\${BASH_SOURCE%/*}/lib/log.sh`, ['scripts/lib/log.sh']],
  ['"$(dirname "$0")"/env.sh', ['scripts/env.sh']],
  ['$(cd "$(dirname "$0")" && pwd)/env.sh', ['scripts/env.sh']],
  ['$ROOT/common.sh', ['tools/common.sh']],
  ['$ROOT/dup.sh', 'unresolved'],
  ['$FILE', 'unresolved'],
  ['/etc/profile', 'external'],
  ['~/.profile', 'external'],
])('%s', (specifier, expected) => {
  expect(resolve('scripts/run.sh', specifier, [], 'include')).toEqual(expected);
});
