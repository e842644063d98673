import { expect, test } from 'vitest';
import { fixtureContext, listed, resolveIn } from '../../link/fixture-context.test-kit.ts';
import { goResolver } from './go.ts';

const resolving = (files: Record<string, string>) => resolveIn(goResolver, fixtureContext(files));

test('a package is every file of its folder but the tests', () => {
  const resolve = resolving({
    ...listed(
      'main.go',
      'internal/db/db.go',
      'internal/db/query.go',
      'internal/db/db_test.go',
      'internal/db/q.sql',
    ),
    'go.mod': '// comment\nmodule example.org/app // trailing\n\ngo 1.22\n',
  });
  expect(resolve('main.go', 'example.org/app/internal/db')).toEqual([
    'internal/db/db.go',
    'internal/db/query.go',
  ]);
  expect(resolve('internal/db/db_test.go', 'example.org/app')).toEqual(['main.go']);
  expect(resolve('main.go', 'example.org/app/gone')).toBe('unresolved');
  expect(resolve('main.go', 'example.org/application')).toBe('external');
  expect(resolve('main.go', 'fmt')).toBe('external');
  expect(resolve('main.go', 'C')).toBe('external');
  expect(resolve('main.go', './internal/db')).toHaveLength(2);
});

test('several modules, local replacements, go.work, vendor', () => {
  const resolve = resolving({
    ...listed('api/v1/types.go', 'server/main.go', 'fork/yaml/yaml.go', 'other/o.go', 'deep/sub/x.go'),
    ...listed('server/vendor/github.com/pkg/errors/errors.go'),
    'api/go.mod': 'module example.org/api',
    'deep/go.mod': 'module example.org/api/deep',
    'server/go.mod':
      'module example.org/server\nreplace (\n\tgopkg.in/yaml.v3 v3.0.1 => ../fork/yaml // patched\n\tx.org/y => z.org/y v1\n)\n',
    'go.work': 'use (\n ./api\n)\nreplace example.org/other => ./other\n',
  });
  expect(resolve('server/main.go', 'example.org/api/v1')).toEqual(['api/v1/types.go']);
  expect(resolve('server/main.go', 'example.org/api/deep/sub')).toEqual(['deep/sub/x.go']);
  expect(resolve('server/main.go', 'gopkg.in/yaml.v3')).toEqual(['fork/yaml/yaml.go']);
  expect(resolve('server/main.go', 'example.org/other')).toEqual(['other/o.go']);
  expect(resolve('server/main.go', 'github.com/pkg/errors')).toEqual([
    'server/vendor/github.com/pkg/errors/errors.go',
  ]);
  expect(resolve('api/v1/types.go', 'github.com/pkg/errors')).toBe('external');
  expect(resolve('server/main.go', 'x.org/y')).toBe('external');
});

test('without modules the path below the repository counts', () => {
  const resolve = resolving(listed('pkg/tool/tool.go'));
  expect(resolve('main.go', 'github.com/owner/name/pkg/tool')).toEqual(['pkg/tool/tool.go']);
  expect(resolve('main.go', 'pkg/tool')).toBe('external');
});

test.each([
  ['repeats the name of the root', 'module example.org/app\n', 'tools/e2e/copy'],
  [
    'replaces the root for itself',
    'module example.org/e2e\nreplace example.org/app => ./copy\n',
    'tools/e2e',
  ],
])('a nested module that %s changes nothing for others', (_case, manifest, folder) => {
  const resolve = resolving({
    ...listed('main.go', 'agent/a.go', 'tools/t.go', 'tools/e2e/e.go', 'tools/e2e/copy/agent/copy.go'),
    'go.mod': 'module example.org/app',
    [`${folder}/go.mod`]: manifest,
  });
  expect(resolve('main.go', 'example.org/app/agent')).toEqual(['agent/a.go']);
  expect(resolve('tools/t.go', 'example.org/app/agent')).toEqual(['agent/a.go']);
  // for its own files it counts
  expect(resolve(`${folder}/x.go`, 'example.org/app/agent')).toEqual(['tools/e2e/copy/agent/copy.go']);
});

test('a module that several folders hold is the enclosing one, else the nearest', () => {
  const resolve = resolving({
    ...listed('one/lib/l.go', 'one/use/u.go', 'two/lib/l.go', 'two/use/u.go', 'two/lib/deep/d.go'),
    'one/lib/go.mod': 'module example.org/lib',
    'two/lib/go.mod': 'module example.org/lib',
    'two/lib/deep/go.mod': 'module example.org/deep',
  });
  expect(resolve('one/use/u.go', 'example.org/lib')).toEqual(['one/lib/l.go']);
  expect(resolve('two/use/u.go', 'example.org/lib')).toEqual(['two/lib/l.go']);
  expect(resolve('two/lib/deep/d.go', 'example.org/lib')).toEqual(['two/lib/l.go']);
});
