import { describe, expect, it } from 'vitest';
import { commandIn, type Files } from './check-command.test-kit.ts';

describe('projects of Python', () => {
  const source = [
    'import datetime',
    'class TestCart:',
    '    class TestTotals:',
    '        @staticmethod',
    '        def test_sum(self): ...',
    '    async def test_add(self):',
    '        class Helper: ...',
    'def test_empty(): ...',
  ].join('\n');
  const path = 'tests/test_cart.py';

  it.each<[string, Files, string]>([
    ['pyproject.toml', { 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-q"' }, 'pytest '],
    ['setup.cfg', { 'setup.cfg': '[tool:pytest]\ntestpaths = tests' }, 'pytest '],
    ['conftest.py', { 'tests/conftest.py': 'def client(): ...', 'setup.py': '' }, 'pytest '],
    ['uv.lock', { 'pyproject.toml': 'test = ["pytest>=8"]', 'uv.lock': 'version = 1' }, 'uv run pytest '],
    ['poetry.lock', { 'pyproject.toml': 'pytest = "^8"', 'poetry.lock': '' }, 'poetry run pytest '],
  ])('run pytest as %s says', (_, files, start) => {
    const all = { ...files, [path]: source };
    expect(commandIn(all, path)).toBe(`${start}${path}`);
    expect(commandIn(all, path, 'test_add')).toBe(`${start}${path}::TestCart::test_add`);
    expect(commandIn(all, path, 'test_sum[1-2]')).toBe(`${start}${path}::TestCart::TestTotals::test_sum`);
    expect(commandIn(all, path, 'test_empty')).toBe(`${start}${path}::test_empty`);
    expect(commandIn(all, path, 'test_gone')).toBe(`${start}${path}`);
    expect(commandIn(all, path, 'test_x', 'TestY')).toBe(`${start}${path}::TestY::test_x`);
  });

  it('choose by name when the file cannot be read', () => {
    expect(commandIn({ 'pytest.ini': '[pytest]' }, path, 'test_add')).toBe(`pytest ${path} -k test_add`);
  });

  it('start in the nearest project', () => {
    const files = { 'pyproject.toml': '', 'api/pyproject.toml': '[tool.pytest]', 'uv.lock': '' };
    expect(commandIn(files, 'api/tests/test_a.py')).toBe('cd api && uv run pytest tests/test_a.py');
  });

  it('use dotted names for other runners', () => {
    const unit = { [path]: `import unittest\n${source}` };
    const name = 'tests.test_cart.TestCart.test_add';
    expect(commandIn(unit, path, 'test_add')).toBe(`python -m unittest ${name}`);
    expect(commandIn({ ...unit, 'manage.py': '' }, path, 'test_add')).toBe(`python manage.py test ${name}`);
    expect(commandIn({ ...unit, 'tests/runtests.py': '' }, path, 'test_add')).toBe(
      'python tests/runtests.py test_cart.TestCart.test_add',
    );
    expect(commandIn({ 'a-b/test_c.py': 'import unittest' }, 'a-b/test_c.py')).toBeNull();
    expect(commandIn({ [path]: source }, path)).toBeNull();
  });
});

describe('runners that take a path', () => {
  const spec = { Gemfile: "gem 'rspec'", '.rspec': '--require spec_helper' };
  const rails = { Gemfile: "gem 'rails'", 'bin/rails': '' };
  const pest = { 'composer.json': '{ "require-dev": { "pestphp/pest": "^3" } }' };
  it.each<[string, Files, string, string | undefined, string]>([
    ['RSpec by line', spec, 'spec/cart_spec.rb:12', 'adds', 'bundle exec rspec spec/cart_spec.rb:12'],
    [
      'RSpec by name',
      spec,
      'spec/cart_spec.rb',
      'adds it',
      'bundle exec rspec spec/cart_spec.rb -e "adds it"',
    ],
    ['Rails', rails, 'test/models/cart_test.rb:8', undefined, 'bin/rails test test/models/cart_test.rb:8'],
    [
      'minitest',
      { Rakefile: '' },
      'test/test_cart.rb',
      'test_adds',
      'ruby -Ilib:test test/test_cart.rb -n test_adds',
    ],
    [
      'PHPUnit',
      { 'phpunit.xml.dist': '<phpunit/>' },
      'tests/CartTest.php',
      'testAdds',
      'vendor/bin/phpunit --filter testAdds tests/CartTest.php',
    ],
    ['Pest', pest, 'tests/CartTest.php', undefined, 'vendor/bin/pest tests/CartTest.php'],
    [
      'ExUnit',
      { 'apps/cart/mix.exs': '' },
      'apps/cart/test/cart_test.exs:4',
      'adds',
      'cd apps/cart && mix test test/cart_test.exs:4',
    ],
    [
      'Dart',
      { 'pubspec.yaml': 'name: cart' },
      'test/cart_test.dart',
      'adds it',
      'dart test test/cart_test.dart --plain-name "adds it"',
    ],
    [
      'Flutter',
      { 'pubspec.yaml': 'dependencies:\n  flutter:\n    sdk: flutter\n' },
      'test/cart_test.dart',
      undefined,
      'flutter test test/cart_test.dart',
    ],
  ])('run %s', (_, files, path, name, command) => {
    expect(commandIn(files, path, name)).toBe(command);
  });
});
