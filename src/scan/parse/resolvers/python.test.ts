import { describe, expect, test } from 'vitest';
import { fixtureContext, listed, resolveIn } from '../../link/fixture-context.test-kit.ts';
import { pythonResolver } from './python.ts';

const resolving = (...paths: string[]) => resolveIn(pythonResolver, fixtureContext(listed(...paths)));

describe('one package at the root', () => {
  const resolve = resolving(
    ...['app/__init__.py', 'app/models/__init__.py', 'app/models/user.py', 'app/views.py', 'app/fast.pyx'],
    ...['app/stubs.pyi', 'app/logging.py', 'app/both.py', 'app/both.pyi', 'manage.py'],
  );

  test.each([
    ['app.views', [], ['app/views.py']],
    ['app', [], ['app/__init__.py']],
    ['app.models', ['user'], ['app/models/user.py']],
    ['app.models', ['User'], ['app/models/__init__.py']],
    ['app.models', ['user', 'User'], ['app/models/user.py', 'app/models/__init__.py']],
    ['app.models', ['*'], ['app/models/__init__.py']],
    ['.', ['user'], ['app/models/user.py']],
    ['.', ['User'], ['app/models/__init__.py']],
    ['.user', ['User'], ['app/models/user.py']],
    ['..', ['views'], ['app/views.py']],
    ['..views', ['index'], ['app/views.py']],
    ['...manage', ['main'], ['manage.py']],
    ['....x', ['y'], 'unresolved'],
    ['app.fast', [], ['app/fast.pyx']],
    ['app.stubs', [], ['app/stubs.pyi']],
    ['app.both', [], ['app/both.py']],
    ['app.missing', [], 'unresolved'],
    ['logging', [], 'external'],
    ['os.path', ['join'], 'external'],
    ['numpy', [], 'external'],
  ] as const)('%s %j', (specifier, names, expected) => {
    expect(resolve('app/models/base.py', specifier, names)).toEqual(expected);
  });
});

describe('roots', () => {
  test('src/, folders with a project file and their src/', () => {
    const resolve = resolving(
      ...['src/one/__init__.py', 'services/two/pyproject.toml', 'services/two/src/two/__init__.py'],
      ...['services/two/tool.py', 'services/three/setup.py', 'services/three/three.py'],
    );
    expect(resolve('x.py', 'one')).toEqual(['src/one/__init__.py']);
    expect(resolve('x.py', 'two')).toEqual(['services/two/src/two/__init__.py']);
    expect(resolve('services/two/src/two/a.py', 'tool')).toEqual(['services/two/tool.py']);
    expect(resolve('x.py', 'three')).toEqual(['services/three/three.py']);
  });

  test('of several packages with one name the nearest that has the module', () => {
    const resolve = resolving(
      ...['a/pyproject.toml', 'a/tests/__init__.py', 'a/tests/helper.py', 'b/pyproject.toml'],
      ...['b/tests/__init__.py', 'b/tests/helper.py', 'b/tests/only.py'],
    );
    expect(resolve('a/tests/test_x.py', 'tests.helper')).toEqual(['a/tests/helper.py']);
    expect(resolve('b/tests/test_x.py', 'tests.helper')).toEqual(['b/tests/helper.py']);
    expect(resolve('a/tests/test_x.py', 'tests.only')).toEqual(['b/tests/only.py']);
  });

  test('a package below test data is seen from inside only', () => {
    const resolve = resolving(
      'tests/data/requests/__init__.py',
      'tests/data/requests/api.py',
      'app/__init__.py',
    );
    expect(resolve('app/x.py', 'requests')).toBe('external');
    expect(resolve('tests/data/x.py', 'requests.api')).toEqual(['tests/data/requests/api.py']);
  });

  test('namespace packages have no file of their own', () => {
    const resolve = resolving('src/space/one/mod.py', 'yaml/tool.py');
    expect(resolve('x.py', 'space.one.mod')).toEqual(['src/space/one/mod.py']);
    expect(resolve('x.py', 'space.one', ['mod'])).toEqual(['src/space/one/mod.py']);
    expect(resolve('x.py', 'space.one', ['Nothing'])).toBe('external');
    expect(resolve('x.py', 'yaml')).toBe('external');
    expect(resolve('x.py', 'yaml', ['tool'])).toEqual(['yaml/tool.py']);
  });

  test('a script sees its own folder, a module of a package does not', () => {
    const resolve = resolving(
      'tools/run.py',
      'tools/helper.py',
      'tools/random.py',
      'pkg/__init__.py',
      'pkg/helper.py',
    );
    expect(resolve('tools/run.py', 'helper')).toEqual(['tools/helper.py']);
    expect(resolve('pkg/a.py', 'helper')).toBe('external');
    expect(resolve('tools/run.py', 'random')).toBe('external');
  });
});
