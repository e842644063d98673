import { describe, expect, test } from 'vitest';
import { fixtureContext, listed, resolveIn } from '../../link/fixture-context.test-kit.ts';
import { rustResolver } from './rust.ts';

const manifest = (name: string, more = '') => `[package]\nname = "${name}"\nedition = "2021"\n${more}`;

describe('rust', () => {
  const resolve = resolveIn(
    rustResolver,
    fixtureContext({
      ...listed(
        ...['core/src/lib.rs', 'core/src/net.rs', 'core/src/net/tcp.rs', 'core/src/store/mod.rs'],
        ...['core/src/store/disk.rs', 'core/src/main.rs', 'core/src/bin/tool.rs', 'core/src/bin/big/main.rs'],
        ...['core/src/bin/big/part.rs', 'core/tests/api.rs', 'core/tests/common/mod.rs', 'core/build.rs'],
        ...[
          'old/src/lib.rs',
          'old/src/util.rs',
          'old/src/deep/mod.rs',
          'odd/rust/entry.rs',
          'odd/rust/part.rs',
        ],
        ...['core/src/log.rs', 'core/tests/support/nested.rs'],
      ),
      'core/Cargo.toml': manifest(
        'my-core',
        '[dependencies]\nshort = { package = "odd-one", path = "../odd" }\n',
      ),
      'old/Cargo.toml': '[package]\nname = "old"\n',
      'odd/Cargo.toml': manifest(
        'odd-one',
        '[lib]\npath = "rust/entry.rs"\n[dependencies.c]\npackage = "my-core"\n',
      ),
    }),
  );

  test.each([
    ['core/src/lib.rs', 'net', ['core/src/net.rs']],
    ['core/src/lib.rs', 'store', ['core/src/store/mod.rs']],
    ['core/src/net.rs', 'tcp', ['core/src/net/tcp.rs']],
    ['core/src/store/mod.rs', 'disk', ['core/src/store/disk.rs']],
    ['core/tests/api.rs', 'common', ['core/tests/common/mod.rs']],
    ['core/src/bin/big/main.rs', 'part', ['core/src/bin/big/part.rs']],
    ['core/tests/api.rs', 'nested', ['core/tests/support/nested.rs']],
    ['core/src/lib.rs', 'gone', 'unresolved'],
  ] as const)('mod: %s %s', (from, specifier, expected) => {
    expect(resolve(from, specifier, [], 'module')).toEqual(expected);
  });

  test('include: relative to the file', () => {
    expect(resolve('core/src/store/disk.rs', '../net.rs', [], 'include')).toEqual(['core/src/net.rs']);
    expect(resolve('core/src/store/disk.rs', 'gone.rs', [], 'include')).toBe('unresolved');
  });

  test.each([
    ['core/src/store/disk.rs', 'crate::net::tcp', ['Stream'], ['core/src/net/tcp.rs']],
    ['core/src/store/disk.rs', 'crate::net', ['tcp'], ['core/src/net/tcp.rs']],
    ['core/src/store/disk.rs', 'crate::net::Kind', ['Open'], ['core/src/net.rs']],
    ['core/src/store/disk.rs', 'crate', ['Config'], ['core/src/lib.rs']],
    ['core/src/store/disk.rs', 'super', ['Store'], ['core/src/store/mod.rs']],
    ['core/src/store/disk.rs', 'super::super::net', ['*'], ['core/src/net.rs']],
    ['core/src/store/mod.rs', 'self::disk', ['Disk'], ['core/src/store/disk.rs']],
    ['core/src/net.rs', 'tcp', ['Stream'], ['core/src/net/tcp.rs']],
    ['core/src/lib.rs', 'std::io', ['Read'], 'external'],
    ['core/src/lib.rs', 'serde', ['Deserialize'], 'external'],
    ['core/src/net.rs', 'log', ['info'], 'external'],
    ['core/src/main.rs', 'my_core::net', ['Net'], ['core/src/net.rs']],
    ['core/tests/api.rs', 'my_core', ['Config'], ['core/src/lib.rs']],
    ['core/tests/api.rs', 'common', ['setup'], ['core/tests/common/mod.rs']],
    ['core/src/bin/big/main.rs', 'crate::part', ['Part'], ['core/src/bin/big/part.rs']],
    ['core/src/lib.rs', 'short::part', ['P'], ['odd/rust/part.rs']],
    ['core/src/lib.rs', 'odd_one', ['P'], ['odd/rust/entry.rs']],
    ['odd/rust/entry.rs', 'c::net', ['P'], ['core/src/net.rs']],
    ['odd/rust/part.rs', 'crate', ['P'], ['odd/rust/entry.rs']],
    ['old/src/deep/mod.rs', 'util', ['help'], ['old/src/util.rs']],
    ['core/src/main.rs', 'crate', ['Own'], ['core/src/main.rs']],
  ] as const)('use: %s %s %j', (from, specifier, names, expected) => {
    expect(resolve(from, specifier, names)).toEqual(expected);
  });
});
