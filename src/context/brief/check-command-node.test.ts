import { describe, expect, it } from 'vitest';
import { commandIn, type Files, JEST, manifest, VITEST } from './check-command.test-kit.ts';

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
