import type { Language, Lexis } from '../language.ts';

const LEXIS: Lexis = {
  lineComments: ['//'],
  blockComments: [['/*', '*/']],
  strings: [
    { open: '"', close: '"' },
    { open: "'", close: "'" },
    { open: '`', close: '`', multiline: true },
  ],
};

const TEST_PATHS =
  /(^|\/)(__tests__|__mocks__|e2e|cypress)\/|[.\-_](test|spec|e2e|cy|stories)\.[cm]?[jt]sx?$/;

function testedNames(path: string): readonly string[] {
  const stem = /([^/]*?)(?:[.\-_](?:test|spec|e2e|cy|stories))?\.[cm]?[jt]sx?$/.exec(path)?.[1];
  return stem
    ? ['.ts', '.tsx', '.js', '.jsx', '.mjs', '.mts', '.vue', '.svelte'].map((end) => stem + end)
    : [];
}

const shared = { kind: 'code', lexis: LEXIS, testPaths: TEST_PATHS, testedNames } as const;

export const typescript: Language = {
  ...shared,
  id: 'typescript',
  name: 'TypeScript',
  extensions: ['.ts', '.mts', '.cts'],
  interpreters: ['ts-node', 'tsx', 'deno', 'bun'],
  structure: { engine: 'typescript', dialect: 'ts' },
};

export const tsx: Language = {
  ...shared,
  id: 'tsx',
  name: 'TSX',
  extensions: ['.tsx'],
  structure: { engine: 'typescript', dialect: 'tsx' },
};

export const javascript: Language = {
  ...shared,
  id: 'javascript',
  name: 'JavaScript',
  extensions: ['.js', '.mjs', '.cjs', '.jsx', '.es6'],
  interpreters: ['node', 'nodejs'],
  structure: { engine: 'typescript', dialect: 'jsx' },
};
