import { describe, expect, test } from 'vitest';
import type { FileRole } from '../../model/file-entry.ts';
import { classify, type LanguageKind } from './classify.ts';
import { hasBinaryExtension } from './telling-signs.ts';

const table: readonly (readonly [FileRole, LanguageKind | null, readonly string[]])[] = [
  [
    'source',
    'code',
    [
      'src/a.ts',
      'main.go',
      'app/models/user.rb',
      'src/latest.ts',
      'src/contest.py',
      'src/history.ts',
      'security.py',
      'src/main/java/com/example/App.java',
      'src/components/docs/Page.tsx',
      'app/migrations/0001_initial.py',
      'src/i18n/format.ts',
      'src/prompts/examples/set.ts',
      'lib/specification.ts',
      'core/src/main/java/org/example/test/Client.java',
      'lib/runner/test_functions.bash',
      'packages/shop-test/client.ts',
      'src/main/kotlin/tests/Kit.kt',
    ],
  ],
  ['source', 'markup', ['src/App.vue', 'templates/index.html', 'src/docs/page.html']],
  [
    'test',
    'code',
    [
      'core/src/test/java/org/example/ClientTest.java',
      'mysrc/main/test/a.ts',
      'tests/models.py',
      'src/__tests__/a.ts',
      'src/a.test.ts',
      'src/a.spec.tsx',
      'pkg/a_test.go',
      'test_a.py',
      'src/test/java/FooTest.java',
      'FooTests.cs',
      'FooSpec.scala',
      'spec/user_spec.rb',
      'e2e/login.ts',
      'cypress/login.cy.ts',
      'docs/tests/a.py',
      'server-test-suites/login.ts',
      'Shop.Tests/Kit.cs',
      'testing/helpers.py',
      'test_functions.bash',
    ],
  ],
  [
    'docs',
    'prose',
    ['README.md', 'docs/guide.md', 'CHANGELOG', 'notes.md', 'tests/README.md', 'README.de.md'],
  ],
  ['docs', null, ['LICENSE', 'LICENSE-MIT', 'AUTHORS', 'docs/Makefile.old']],
  ['docs', 'code', ['docs/conf.py']],
  [
    'example',
    'code',
    ['examples/basic.ts', 'examples/src/a.ts', 'packages/a/example/main.go', 'samples/x/y.cs'],
  ],
  [
    'config',
    'data',
    [
      'package.json',
      'tsconfig.build.json',
      'config/app.yml',
      'pyproject.toml',
      '.eslintrc.json',
      '.github/x.json',
      'docker-compose.dev.yml',
      'pom.xml',
    ],
  ],
  ['config', 'code', ['vite.config.ts', 'setup.py', 'Makefile', 'Dockerfile', 'build.gradle.kts']],
  ['config', 'prose', ['requirements-dev.txt', 'CMakeLists.txt']],
  ['config', null, ['.gitignore', '.env.local', 'CODEOWNERS', 'go.mod']],
  [
    'data',
    'data',
    [
      'data/countries.json',
      'package-lock.json',
      'pnpm-lock.yaml',
      'locale/de/LC_MESSAGES/x.po',
      'src/locales/en.json',
      'config/locales/pt-BR.yml',
      'tests/fixtures/a.json',
      'src/__snapshots__/a.json',
      'l10n/app_de.arb',
      'pylock.toml',
      'server-test-resources/a.json',
    ],
  ],
  ['data', 'markup', ['icons/a.svg']],
  ['data', 'code', ['src/locales/zh_CN.ts', 'src/lang/en.php']],
  ['data', null, ['Cargo.lock', 'a.csv', 'a.snap', 'logo.png', 'go.sum', 'testdata/input', 'uv.lock']],
  ['data', 'prose', ['testdata/input.txt']],
  ['other', null, ['bin/blob', 'x.unknown']],
];

describe.each(table)('%s (%s)', (role, kind, paths) => {
  test.each(paths)('%s', (path) => {
    expect(classify(path, 100, kind, false).role).toBe(role);
  });
});

test.each([
  'package-lock.json',
  'yarn.lock',
  'a.min.js',
  'a.bundle.js',
  'a.js.map',
  'api.pb.go',
  'api.pb.gw.go',
  'api_pb2.py',
  'api_pb2_grpc.py',
  'api_grpc_pb.js',
  'api_pb.d.ts',
  'user.g.dart',
  'user.freezed.dart',
  'Form.Designer.cs',
  'zz_generated.deepcopy.go',
  'schema.generated.ts',
  'schema.gen.go',
  'a.snap',
  'dist/a.js',
  'src/__generated__/a.ts',
  'moc_window.cpp',
  'x/__snapshots__/a.txt',
  'tsconfig.tsbuildinfo',
  'gradlew',
  'sub/gradlew.bat',
  'mvnw',
  'mvnw.cmd',
  'conf/config.guess',
  'm4/ltoptions.m4',
  'heavy.wasm.map',
  'api.pb.validate.go',
  'units_lextab.py',
  'parsetab.py',
  'lex.yy.c',
  'grammar.tab.c',
  'core/api/core.api',
  'core/api/core.klib.api',
  'docs/Shop.docset/index.html',
  'single_include/all.hpp',
])('generated: %s', (path) => {
  expect(classify(path, 100, 'code', false)).toMatchObject({ generated: true });
});

test.each([
  'app/migrations/0001_initial.py',
  'src/a.ts',
  'admin.js',
  'src/generate.ts',
  'gen.go',
  'distance/a.ts',
  'build/a.js',
  'src/generated-report.ts',
  'regen.ts',
  'fields/generated.py',
  'scripts/type-gen.ts',
  'units/cds.py',
  'src/parser.map',
  'bundle.cjs',
  'src/gradlew.ts',
  'src/api/shop.ts',
  'src/shop.api',
  'collex.py',
  'src/lextable.py',
])('not generated: %s', (path) => {
  expect(classify(path, 100, 'code', false).generated).toBe(false);
});

test.each([
  'vendor/a.go',
  'a/third_party/b.c',
  'node_modules/x/i.js',
  'x/bower_components/y.js',
  'ios/Pods/A.m',
  'deps/lua/lua.c',
  'extern/agg/a.h',
  'cextern/wcs/a.c',
  'libs/editor_2.14.1/a.cpp',
  'conf/ax_cxx.m4',
  'static/jquery-3.6.0.js',
  'public/js/lib/chart.js',
  'public/libs/chart.js',
  'test/gtest/gtest.h',
])('vendored: %s', (path) => {
  expect(classify(path, 100, 'code', false).vendored).toBe(true);
});

test.each([
  'src/vendors/openai.ts',
  'src/vendor.ts',
  'vendoring/a.ts',
  'src/deps/graph.ts',
  'shop/external/bridge.py',
  'src/com/example/thirdparty/List.java',
  'lib/chart.js',
  'docs/version-2.0.1/a.js',
  'docs-1.2.3/a.js',
  'tests/packages/simple-1.0.0/a.py',
  'googletest/gtest.h',
  'jquery.ts',
])('not vendored: %s', (path) => {
  expect(classify(path, 100, 'code', false).vendored).toBe(false);
});

test.each([
  'app/migrations/0001_initial.py',
  'db/migrate/20240101000000_add_users.rb',
  'database/migrations/2018_04_29_174524_changes.php',
  'src/main/resources/db/migration/V1_2__add.sql',
  'Shop/Migrations/20200514181226_AddLog.cs',
  'alembic/versions/ae1027a6acf0_add.py',
  'migrations/0001_users/up.sql',
])('a migration, and still source: %s', (path) => {
  expect(classify(path, 100, 'code', false)).toMatchObject({ role: 'source', migration: true });
});

test.each([
  'app/migrations/serializer.py',
  'app/migrations/__init__.py',
  'lib/cop/migration/department_name.rb',
  'src/migrate.ts',
  'steps/0001_initial.py',
  'migrations/docs/guide/0001_a.py',
])('not a migration: %s', (path) => {
  expect(classify(path, 100, 'code', false).migration).toBeUndefined();
});

test('a numbered text among migrations is not a step', () => {
  expect(classify('migrations/0001-notes.md', 100, 'prose', false).migration).toBeUndefined();
});

test('the reasons are for people', () => {
  expect(classify('node_modules/a/tests/x.min.js', 1, 'code', false).reasons).toEqual([
    'test: path has a "tests" folder',
    'generated: named like a minified file',
    'vendored: path has a "node_modules" folder',
  ]);
  expect(classify('a.py', 1, 'code', true).reasons).toEqual([
    'test: named or placed as a test of its language',
  ]);
  expect(classify('a.py', 1, 'code', false).reasons).toEqual([]);
});

test('a settings file that is too large for one is data', () => {
  expect(classify('openapi.yaml', 1_000, 'data', false).role).toBe('config');
  expect(classify('openapi.yaml', 1_000_000, 'data', false).role).toBe('data');
});

test('binary by extension', () => {
  const binary = [
    'a.png',
    'b.WOFF2',
    'c.tar.gz',
    'd.pyc',
    'e.sqlite3',
    'f.docx',
    'g.mo',
    'h.wasm',
    'bun.lockb',
  ];
  const open = ['a.svg', 'b.ts', 'c.key', 'd.pem', 'e', '.png.ts', 'f.obj.ts', 'png', 'g.po'];
  expect([...binary, ...open].filter(hasBinaryExtension)).toEqual(binary);
});
