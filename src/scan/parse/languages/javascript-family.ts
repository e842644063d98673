// TypeScript, TSX and JavaScript. All three are read by the TypeScript compiler; only the dialect differs.
import { BACKTICK, DOUBLE, type Language, type Lexis, SINGLE } from '../language.ts';

const LEXIS: Lexis = {
  lineComments: ['//'],
  blockComments: [['/*', '*/']],
  strings: [DOUBLE, SINGLE, BACKTICK],
};

const TEST_PATHS =
  /(^|\/)(__tests__|__mocks__|e2e|cypress)\/|[.\-_](test|spec|e2e|cy|stories)\.[cm]?[jt]sx?$/;

/** A test of `a.ts` may be about a component or a script with the same stem. */
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

/** `.js` files may hold JSX as well, so the dialect allows it. */
export const javascript: Language = {
  ...shared,
  id: 'javascript',
  name: 'JavaScript',
  extensions: ['.js', '.mjs', '.cjs', '.jsx', '.es6'],
  interpreters: ['node', 'nodejs'],
  structure: { engine: 'typescript', dialect: 'jsx' },
};
