import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/support/cpu-time.ts';
import { checkCommand } from './check-command.ts';

type Files = Readonly<Record<string, string>>;

/** The command for `path`, `path:line`, and a case in it, in a repository of these files. */
function commandIn(files: Files, path: string, name?: string, container?: string): string | null {
  const [file, line] = path.split(':');
  const texts = new Map([[file!, ''], ...Object.entries(files)]);
  return checkCommand(
    { path: file!, name, container, line: line === undefined ? undefined : Number(line) },
    { files: new Set(texts.keys()), read: (one) => texts.get(one) ?? null },
  );
}

function manifest(content: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ name: 'shop', version: '1.0.0', private: true, ...content }, null, 2);
}

const VITEST = manifest({ scripts: { test: 'vitest run' }, devDependencies: { vitest: '^4.0.0' } });
const JEST = manifest({ scripts: { test: 'jest --coverage' }, devDependencies: { jest: '^30.0.0' } });

describe('packages of Node', () => {
  it.each<[string, Files, string]>([
    ['vitest', { 'package.json': VITEST }, 'npx vitest run src/cart.test.ts -t "adds an item"'],
    [
      'vitest from a configuration file alone',
      { 'package.json': manifest({}), 'vitest.config.mts': 'export default {}' },
      'npx vitest run src/cart.test.ts -t "adds an item"',
    ],
    ['jest', { 'package.json': JEST, 'yarn.lock': '' }, 'yarn jest src/cart.test.ts -t "adds an item"'],
    [
      'mocha with what it loads',
      { 'package.json': manifest({ scripts: { test: "mocha -r ts-node/register 'test/**/*.ts'" } }) },
      'npx mocha -r ts-node/register src/cart.test.ts -g "adds an item"',
    ],
    [
      'mocha with a configuration that loads it',
      { 'package.json': manifest({ scripts: { test: 'mocha -r ts-node/register' } }), '.mocharc.json': '{}' },
      'npx mocha src/cart.test.ts -g "adds an item"',
    ],
    [
      'ava',
      { 'package.json': manifest({ scripts: { test: 'xo && ava' }, ava: { timeout: '1m' } }) },
      'npx ava src/cart.test.ts',
    ],
    [
      'the runner of Node with a loader',
      { 'package.json': manifest({ scripts: { test: 'node --import tsx --test "src/**/*.test.ts"' } }) },
      'node --import tsx --test --test-name-pattern="adds an item" src/cart.test.ts',
    ],
    [
      'the runner of Bun',
      { 'package.json': manifest({ scripts: { test: 'bun test' } }), 'bun.lock': '' },
      'bun test src/cart.test.ts -t "adds an item"',
    ],
    [
      'another runner through the package manager of Bun',
      { 'package.json': VITEST, 'bun.lockb': '' },
      'bunx vitest run src/cart.test.ts -t "adds an item"',
    ],
    [
      'the field before the lock file',
      { 'package.json': manifest({ packageManager: 'pnpm@10.1.0', jest: {} }), 'package-lock.json': '{}' },
      'pnpm exec jest src/cart.test.ts -t "adds an item"',
    ],
    [
      'react-scripts',
      { 'package.json': manifest({ scripts: { test: 'react-scripts test' } }) },
      'npx react-scripts test --watchAll=false src/cart.test.ts -t "adds an item"',
    ],
    ['an unknown runner', { 'package.json': manifest({ scripts: { test: 'karma start' } }) }, 'npm test'],
    [
      'Deno without a package',
      { 'deno.json': '{ "tasks": {} }' },
      'deno test src/cart.test.ts --filter "adds an item"',
    ],
  ])('run %s', (_, files, command) => {
    expect(commandIn(files, 'src/cart.test.ts', 'adds an item')).toBe(command);
  });

  it('run the test with the runner that it imports', () => {
    const files = {
      'package.json': manifest({
        scripts: { test: 'jest' },
        devDependencies: { '@playwright/test': '1', jest: '30', vitest: '4' },
      }),
      'unit/a.test.js': "const { test } = require('node:test');",
      'e2e/b.spec.ts': "import { expect, test } from '@playwright/test';",
      'src/c.test.ts': 'import { it } from "vitest";',
      'src/d.test.ts': "describe('d', () => {});",
    };
    expect(commandIn(files, 'unit/a.test.js')).toBe('node --test unit/a.test.js');
    expect(commandIn(files, 'e2e/b.spec.ts', 'pays')).toBe('npx playwright test e2e/b.spec.ts -g pays');
    expect(commandIn(files, 'src/c.test.ts')).toBe('npx vitest run src/c.test.ts');
    expect(commandIn(files, 'src/d.test.ts')).toBe('npx jest src/d.test.ts');
  });

  it('start in the package of a workspace that has the runner', () => {
    const root = {
      'package.json': manifest({ workspaces: ['packages/*'], scripts: { test: 'turbo test' } }),
    };
    const files = { ...root, 'packages/cart/package.json': VITEST };
    const path = 'packages/cart/src/cart.test.ts';
    expect(commandIn(files, path)).toBe('cd packages/cart && npx vitest run src/cart.test.ts');
    const pnpm = { ...files, 'pnpm-lock.yaml': "lockfileVersion: '9.0'" };
    expect(commandIn(pnpm, path)).toBe('pnpm -C packages/cart exec vitest run src/cart.test.ts');
  });

  it('start at the root when only the root has the runner', () => {
    const files = {
      'package.json': VITEST,
      'packages/cart/package.json': manifest({ type: 'module' }),
      'packages/cart/test/fixtures/package.json': '{ "type": "commonjs" }',
    };
    const path = 'packages/cart/test/fixtures/a.test.ts';
    expect(commandIn(files, path)).toBe(`npx vitest run ${path}`);
  });

  it('keep a script that wraps the runner in variables or flags', () => {
    const scripts = {
      test: 'yarn test:base',
      'test:base': 'node --experimental-vm-modules node_modules/jest-cli/bin/jest --logHeapUsage',
      'test:unit': 'yarn test:base --testMatch "<rootDir>/test/*.unit.js"',
    };
    const yarn = { 'package.json': manifest({ scripts }), 'yarn.lock': '' };
    expect(commandIn(yarn, 'test/a.unit.js', 'parses')).toBe('yarn test:base test/a.unit.js -t parses');
    const npm = { 'package.json': manifest({ scripts: { test: 'LOG_LEVEL=silent vitest run' } }) };
    expect(commandIn(npm, 'test/a.test.js')).toBe('npm run test -- test/a.test.js');
    const chain = { 'package.json': manifest({ scripts: { test: 'CI=1 vitest run && CI=1 eslint .' } }) };
    expect(commandIn(chain, 'test/a.test.js')).toBe('npx vitest run test/a.test.js');
  });

  it('name the configuration that includes the test', () => {
    const files = {
      'package.json': manifest({
        scripts: { test: 'vitest run', 'test:browser': 'vitest run -c vitest.config.browser.ts' },
      }),
      'vitest.config.ts': "export default { test: { include: ['**/*.spec.[tj]s'], exclude: ['pages/**'] } }",
      'vitest.config.browser.ts': "export default {\n  test: { include: ['./pages/**/*.spec.[tj]s'] },\n}",
      'e2e/playwright.config.ts': '',
      'e2e/pay.spec.ts': "import { test } from '@playwright/test';",
    };
    expect(commandIn(files, 'pages/home/a.spec.ts')).toBe(
      'npx vitest run --config vitest.config.browser.ts pages/home/a.spec.ts',
    );
    expect(commandIn(files, 'src/a.spec.ts')).toBe('npx vitest run src/a.spec.ts');
    const browser = { ...files, 'package.json': manifest({ devDependencies: { '@playwright/test': '1' } }) };
    expect(commandIn(browser, 'e2e/pay.spec.ts')).toBe(
      'npx playwright test --config e2e/playwright.config.ts e2e/pay.spec.ts',
    );
  });

  it('tell nothing without a real test script', () => {
    const scripts = { test: 'echo "Error: no test specified" && exit 1' };
    expect(commandIn({ 'package.json': manifest({ scripts }) }, 'a.test.js')).toBeNull();
    expect(commandIn({}, 'a.test.js')).toBeNull();
  });
});

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

describe('Go and Rust', () => {
  it('run the package of the nearest module', () => {
    const files = {
      'go.mod': 'module example.com/shop\n\ngo 1.24\n',
      'tools/go.mod': 'module example.com/shop/tools\n',
      'cart/cart_test.go': 'package cart\nfunc TestAdd(t *testing.T) {}\nfunc (s *Suite) TestSum() {}',
      'tools/gen/gen_test.go': '//go:build integration\n\npackage gen\nfunc TestGen(t *testing.T) {}',
    };
    expect(commandIn(files, 'cart/cart_test.go')).toBe('go test ./cart');
    expect(commandIn(files, 'cart/cart_test.go', 'TestAdd')).toBe("go test ./cart -run '^TestAdd$'");
    expect(commandIn(files, 'cart/cart_test.go', 'TestAdd/two items')).toBe(
      "go test ./cart -run '^TestAdd$/^two_items$'",
    );
    expect(commandIn(files, 'cart/cart_test.go', 'TestSum')).toBe('go test ./cart');
    expect(commandIn(files, 'main_test.go')).toBe('go test .');
    expect(commandIn(files, 'tools/gen/gen_test.go', 'TestGen')).toBe(
      "cd tools && go test -tags integration ./gen -run '^TestGen$'",
    );
  });

  it('run a crate, its library or an integration test', () => {
    const files = {
      'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n',
      'crates/cart/Cargo.toml':
        '[package]\nname = "shop-cart"\nversion = "0.1.0"\n\n[[test]]\nname = "all"\npath = "tests/main.rs"\n',
      'crates/cart/src/lib.rs': '',
      'crates/cart/tests/main.rs': 'mod sums;',
      'crates/cart/tests/flow.rs': '#![cfg(all(feature = "net", not(feature = "wasm")))]',
      'fuzz/Cargo.toml': '[package]\nname = "fuzz"\n\n[workspace]\n',
    };
    expect(commandIn(files, 'crates/cart/src/money/sum.rs')).toBe('cargo test -p shop-cart --lib money::sum');
    expect(commandIn(files, 'crates/cart/src/lib.rs', 'adds')).toBe('cargo test -p shop-cart --lib adds');
    expect(commandIn(files, 'crates/cart/tests/flow.rs', 'pays')).toBe(
      'cargo test -p shop-cart --features net --test flow pays',
    );
    expect(commandIn(files, 'crates/cart/tests/sums/two.rs')).toBe('cargo test -p shop-cart --test all');
    expect(commandIn(files, 'fuzz/src/main.rs')).toBe('cd fuzz && cargo test');
  });

  it('ask for all features of a crate that has none by default', () => {
    const toml = '[package]\nname = "cart"\n\n[features]\ndefault = []\nfull = ["net", "time"]\n';
    expect(commandIn({ 'Cargo.toml': toml, 'src/lib.rs': '' }, 'src/net.rs')).toBe(
      'cargo test --features full --lib net',
    );
  });
});

describe('build tools', () => {
  const path = 'cart/src/test/java/shop/CartTest.java';

  it('run a class of a Maven module with the modules that it needs', () => {
    const files = {
      'pom.xml': '<project><modules><module>cart</module></modules></project>',
      'cart/pom.xml': '<project><artifactId>cart</artifactId></project>',
    };
    const rest = '-Dsurefire.failIfNoSpecifiedTests=false test';
    expect(commandIn(files, path, 'adds')).toBe(`mvn -pl cart -am -Dtest=CartTest#adds ${rest}`);
    expect(commandIn({ ...files, mvnw: '' }, path)).toBe(`./mvnw -pl cart -am -Dtest=CartTest ${rest}`);
    expect(commandIn({ 'cart/pom.xml': '<project/>' }, path)).toBe('cd cart && mvn -Dtest=CartTest test');
    const other = { 'lib/pom.xml': files['pom.xml'], 'lib/cart/pom.xml': '<project/>', mvnw: '' };
    expect(commandIn(other, `lib/${path}`)).toBe(
      `./mvnw -f lib/pom.xml -pl cart -am -Dtest=CartTest ${rest}`,
    );
  });

  it('run a class of a Gradle project', () => {
    const files = { 'settings.gradle.kts': 'include(":cart")', 'cart/build.gradle.kts': '', gradlew: '' };
    expect(commandIn(files, path, 'adds')).toBe('./gradlew :cart:test --tests CartTest.adds');
    expect(commandIn(files, path, 'adds', 'Nested')).toBe('./gradlew :cart:test --tests CartTest');
    expect(commandIn(files, 'cart/src/integrationTest/kotlin/CartIT.kt', 'adds an item')).toBe(
      './gradlew :cart:integrationTest --tests "CartIT.adds an item"',
    );
    const mapped = { ...files, 'settings.gradle.kts': 'include(":basket")' };
    expect(commandIn(mapped, path)).toBe('./gradlew -p cart test --tests CartTest');
    const android = { ...files, 'cart/build.gradle.kts': 'plugins { id("com.android.library") }' };
    expect(commandIn(android, path)).toBe('./gradlew :cart:testDebugUnitTest --tests CartTest');
    expect(commandIn({ 'build.gradle': '' }, 'src/test/groovy/CartSpec.groovy')).toBe(
      'gradle test --tests CartSpec',
    );
  });

  it('choose the case of a program that make builds', () => {
    const files = { Makefile: 'cart_test: cart.o\n', 'cart_test.cc': 'TEST_F(CartTest, Adds) {}' };
    expect(commandIn(files, 'cart_test.cc', 'Adds', 'CartTest')).toBe(
      'make cart_test && ./cart_test --gtest_filter=CartTest.Adds',
    );
    expect(commandIn({ ...files, 'cart_test.cc': '' }, 'cart_test.cc', 'Adds', 'CartTest')).toBe(
      'make cart_test && ./cart_test',
    );
  });

  it.each<[string, Files, string, string | undefined, string | null]>([
    [
      'Scala',
      { 'build.sbt': 'lazy val core = project.in(file("modules/core"))\n' },
      'modules/core/src/test/scala/CartSuite.scala',
      undefined,
      'sbt "core/testOnly *CartSuite"',
    ],
    [
      'C#',
      { 'test/Shop.Tests/Shop.Tests.csproj': '<Project Sdk="Microsoft.NET.Sdk" />' },
      'test/Shop.Tests/Carts/CartTests.cs',
      'Adds',
      'dotnet test test/Shop.Tests --filter "FullyQualifiedName~CartTests.Adds"',
    ],
    [
      'Swift',
      { 'Package.swift': '// swift-tools-version:5.9' },
      'Tests/ShopTests/CartTests.swift',
      'testAdds()',
      'swift test --filter CartTests/testAdds',
    ],
    [
      'CMake',
      {
        'test/CMakeLists.txt':
          'add_executable(cart_test cart_test.cpp)\nadd_test(NAME cart_test COMMAND cart_test)',
      },
      'test/cart_test.cpp',
      undefined,
      "ctest --test-dir build -R '^cart_test$'",
    ],
    [
      'CMake that finds cases',
      {
        'CMakeLists.txt': 'gtest_discover_tests(cart_test)',
        'test/cart_test.cc': '#include <gtest/gtest.h>\nTEST(CartTest, Adds) {}',
      },
      'test/cart_test.cc',
      undefined,
      "ctest --test-dir build -R '^CartTest[.]'",
    ],
    [
      'make',
      { Makefile: 'all: shop\n\ncart_test: cart.o\n' },
      'src/cart_test.c',
      undefined,
      'make cart_test && ./cart_test',
    ],
    ['C without a target', { 'CMakeLists.txt': 'project(shop)' }, 'test/cart_test.c', undefined, null],
  ])('run a test of %s', (_, files, file, name, command) => {
    expect(commandIn(files, file, name)).toBe(command);
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

describe('words from the repository', () => {
  it.each([
    'costs $5',
    'a `b`',
    "it's",
    'a "b"',
    'a\nb',
    'a; rm -rf x',
    '-t',
    '%s items',
    'x\u3164y',
    'a\\b',
  ])('leave the name out when it is not plain: %j', (name) =>
    expect(commandIn({ 'package.json': VITEST }, 'a.test.ts', name)).toBe('npx vitest run a.test.ts'),
  );

  it('are patterns where the runner reads patterns', () => {
    expect(commandIn({ 'package.json': JEST }, 'src/+page.test.ts', 'a + b')).toBe(
      'npx jest src/.page.test.ts -t "a . b"',
    );
  });

  it('fall back to a part of the path, then to the script', () => {
    const path = 'app/[id]/page.test.ts';
    expect(commandIn({ 'package.json': VITEST }, path)).toBe('npx vitest run page.test.ts');
    const mocha = manifest({ scripts: { test: 'mocha' } });
    expect(commandIn({ 'package.json': mocha }, path)).toBe('npm test');
    expect(commandIn({ 'a$(b)/package.json': VITEST }, 'a$(b)/a.test.ts')).toBeNull();
  });

  it.each([
    '/etc/a.test.ts',
    '../a.test.ts',
    'a/../b.test.ts',
    './a.test.ts',
    '',
    `${'a/'.repeat(300)}a.test.ts`,
  ])('are no paths outside of the repository: %s', (path) =>
    expect(commandIn({ 'package.json': VITEST }, path)).toBeNull(),
  );

  it('come from no manifest that is huge or broken', () => {
    const path = 'a.test.ts';
    expect(commandIn({ 'package.json': `${VITEST}${' '.repeat(300_000)}` }, path)).toBeNull();
    for (const text of ['{', '[]', 'null', '"vitest"', '{"scripts":[1]}', '{"scripts":{"test":{}}}'])
      expect(commandIn({ 'package.json': text }, path)).toBeNull();
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(commandIn({ 'package.json': deep }, path)).toBeNull();
    expect(commandIn({ 'composer.json': deep }, 'tests/CartTest.php')).toBeNull();
    const keys = '{"__proto__":{"scripts":{"test":"vitest"}},"constructor":{"vitest":1},"scripts":null}';
    expect(commandIn({ 'package.json': keys }, path)).toBeNull();
  });
});

/** A command of fixed words and of words that are plain or in quotes; nothing in it can end a word or start another command. */
const SAFE_COMMAND =
  /^(?:cd (?:"[^"$`\\\n]+"|[\w./@+:#-]+) && |make [\w-]+ && )?(?:"[^"$`\\\n]*"|'[^'\n]*'|[\p{L}\p{N} ._@+:/#,=~-])+$/u;
const EXTENSIONS = [
  'ts',
  'py',
  'go',
  'rs',
  'java',
  'kt',
  'scala',
  'cs',
  'swift',
  'cc',
  'rb',
  'php',
  'exs',
  'dart',
];
const MANIFESTS = [
  ...[
    'package.json',
    'vitest.config.ts',
    'deno.json',
    'pyproject.toml',
    'pytest.ini',
    'manage.py',
    'uv.lock',
  ],
  ...[
    'go.mod',
    'Cargo.toml',
    'pom.xml',
    'mvnw',
    'build.gradle',
    'settings.gradle',
    'build.sbt',
    'Package.swift',
  ],
  ...['CMakeLists.txt', 'Makefile', 'Gemfile', '.rspec', 'composer.json', 'mix.exs', 'pubspec.yaml'],
];

describe('hostile repositories', () => {
  const word = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      '$(id)',
      '`id`',
      '"; id; "',
      "'; id; '",
      '-x',
      '--config=x',
      '\n',
      '__proto__',
      'a b',
      'é',
    ),
  );
  const script = fc.tuple(
    fc.constantFrom('vitest ', 'A=1 jest ', 'mocha -r ', 'node --test --import ', 'ava '),
    word,
  );
  const text = fc.oneof(
    word,
    fc.json(),
    fc
      .tuple(word, script)
      .map(([key, parts]) => manifest({ scripts: { test: parts.join(''), [key]: parts.join('') } })),
    word.map(
      (name) => `[package]\nname = "${name}"\n[tool.pytest]\n[[test]]\nname = "${name}"\npath = "tests/a.rs"`,
    ),
    word.map(
      (name) => `<module>${name}</module> include "${name}" add_test(NAME ${name}) ${name}: "pestphp/pest"`,
    ),
    word.map(
      (name) =>
        `import unittest\nclass ${name}:\n  def ${name}(): from 'vitest'\n//go:build ${name}\nTEST(${name},`,
    ),
  );
  const folder = fc.array(fc.oneof(fc.constantFrom('src', 'tests', 'a'), word), { maxLength: 3 });
  const repository = fc.record({
    folder,
    stem: fc.oneof(fc.constantFrom('a_test', 'ATest', 'test_a'), word),
    extension: fc.constantFrom(...EXTENSIONS),
    name: fc.option(word, { nil: undefined }),
    container: fc.option(word, { nil: undefined }),
    line: fc.option(fc.double(), { nil: undefined }),
    manifests: fc.array(fc.tuple(fc.nat(3), fc.constantFrom(...MANIFESTS), text), { maxLength: 6 }),
    source: text,
  });

  it('give a safe command or none, and never throw', () => {
    fc.assert(
      fc.property(repository, ({ folder, stem, extension, name, container, line, manifests, source }) => {
        const path = [...folder, `${stem}.${extension}`].join('/');
        const texts = new Map(
          manifests.map(([depth, file, content]) => [[...folder.slice(0, depth), file].join('/'), content]),
        );
        texts.set(path, source);
        const test = { path, name, container, line };
        const command = checkCommand(test, { files: texts, read: (one) => texts.get(one) ?? null });
        if (command !== null)
          expect(command.replace(/^make ([\w-]+) && \.\/\1/, 'make')).toMatch(SAFE_COMMAND);
      }),
      { numRuns: 3_000 },
    );
  });

  it('take no longer for texts that are made to be slow', () => {
    const parts = [
      'node ',
      'import ',
      '[package]\n',
      'add_test(',
      "include: ['",
      'lazy val a file("',
      '#![cfg(',
      ' ',
    ];
    for (const part of parts)
      for (const extension of EXTENSIONS) {
        const long = part.repeat(Math.floor(250_000 / part.length));
        const files = Object.fromEntries(MANIFESTS.map((file) => [file, long]));
        const scripts = manifest({ scripts: { test: long.slice(0, 100_000), unit: long.slice(0, 1_900) } });
        const path = `a_test.${extension}`;
        const all = { ...files, 'package.json': scripts, [path]: long };
        expect(cpuTime(() => commandIn(all, path, 'test_a'))).toBeLessThan(500);
      }
  });
});
