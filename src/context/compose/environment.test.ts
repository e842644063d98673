import { expect, it } from 'vitest';
import { findEnvironment, type Manifests } from './environment.ts';

const words = (text: string) => text.split(/\s+/).length;

function manifests(files: Readonly<Record<string, string>>): Manifests {
  return {
    has: (path) => Object.hasOwn(files, path),
    text: (path) => files[path] ?? null,
    within: (folder) => Object.keys(files).filter((path) => path.startsWith(`${folder}/`)),
  };
}

async function commandsOf(files: Readonly<Record<string, string>>, room = 1_000): Promise<string[]> {
  const { commands } = await findEnvironment(manifests(files), room, words);
  return commands.map(({ purpose, command, path }) => `${purpose}: ${command} (${path})`);
}

it.each([
  [
    'scripts, run by the manager whose lock file is there',
    { 'package.json': '{"scripts": {"test": "x", "lint": "x", "typecheck": "x"}}', 'pnpm-lock.yaml': '' },
    [
      'test: pnpm test (package.json)',
      'install: pnpm install (package.json)',
      'lint: pnpm run lint (package.json)',
      'types: pnpm run typecheck (package.json)',
    ],
  ],
  [
    'targets',
    { Makefile: 'VAR := 1\n.PHONY: test\ntest: build\n\tgo test\nbuild:\n\tgo build\n' },
    ['test: make test (Makefile)', 'build: make build (Makefile)'],
  ],
  [
    'the tools that a manifest names',
    { 'pyproject.toml': '[tool.pytest.ini_options]\n[tool.ruff]\n[tool.black]\n', 'uv.lock': '' },
    [
      'test: pytest (pyproject.toml)',
      'install: uv sync (uv.lock)',
      'lint: ruff check . (pyproject.toml)',
      'format: black . (pyproject.toml)',
    ],
  ],
  [
    'the manifests of two languages',
    { 'package.json': '{"scripts": {"test": "x"}}', 'Cargo.toml': '[package]' },
    [
      'test: npm test (package.json)',
      'test: cargo test (Cargo.toml)',
      'build: cargo build (Cargo.toml)',
      'install: npm install (package.json)',
      'lint: cargo clippy (Cargo.toml)',
      'format: cargo fmt (Cargo.toml)',
    ],
  ],
  [
    'what continuous integration runs, when nothing else says how to test',
    {
      '.github/workflows/test.yml':
        'jobs:\n  a:\n    steps:\n      - run: pip install tests\n      - run: |\n          cd x\n          python runtests.py -v\n',
    },
    ['test: python runtests.py -v (.github/workflows/test.yml)'],
  ],
  ['nothing, where nothing is said', { 'README.md': 'run make test' }, []],
  ['nothing, where what is said cannot be read', { 'package.json': '{"scripts": ' }, []],
])('finds %s', async (_, files, commands) => {
  expect(await commandsOf(files as unknown as Record<string, string>)).toEqual(commands);
});

it('stays inside its room, the most wanted first', async () => {
  const files = { 'Cargo.toml': '[package]' };
  expect(await commandsOf(files, 24)).toEqual([
    'test: cargo test (Cargo.toml)',
    'build: cargo build (Cargo.toml)',
  ]);
  expect(await commandsOf(files, 5)).toEqual([]);
});

it('does not mistake a script name for a command line', async () => {
  const scripts = '{"scripts": {"test; rm -rf /": "x", "toString": "x", "test": 1}}';
  expect(await commandsOf({ 'package.json': scripts })).toEqual([
    'test: npm test (package.json)',
    'install: npm install (package.json)',
  ]);
});
