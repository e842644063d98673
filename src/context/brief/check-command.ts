import { checkWithBuildTool } from './runners/build-tools.ts';
import { checkWithCargo, checkWithGo } from './runners/native-modules.ts';
import { checkWithNode } from './runners/node-packages.ts';
import { checkWithPython } from './runners/python-projects.ts';
import { checkWithScripts } from './runners/script-projects.ts';
import { type RepositoryTexts, type TestCase, TestLookup } from './runners/test-lookup.ts';

const MAX_PATH = 400;

/** Which runners can run a file, by its extension. */
const RUNNERS: readonly (readonly [RegExp, (test: TestLookup) => string | null])[] = [
  [/\.[cm]?[jt]sx?$/, checkWithNode],
  [/\.py$/, checkWithPython],
  [/\.go$/, checkWithGo],
  [/\.rs$/, checkWithCargo],
  [/\.(?:java|kt|groovy|scala|cs|fs|swift|c|cc|cpp|cxx)$/, checkWithBuildTool],
  [/\.(?:rb|php|exs|dart)$/, checkWithScripts],
];

/**
 * The narrowest command that runs a test; null when the repository's own files do not show one. Nothing is run, and the
 * disk is not read. A word from the repository is used only when it is plain, and it is quoted. An unusual word leads to
 * a broader command: without the name of the case, or for the whole package.
 */
export function checkCommand(test: TestCase, repository: RepositoryTexts): string | null {
  const isInside = test.path.split('/').every((part) => !['', '.', '..'].includes(part));
  if (test.path.length > MAX_PATH || !isInside) return null;
  const check = RUNNERS.find(([extension]) => extension.test(test.path))?.[1];
  return check?.(new TestLookup(test, repository)) ?? null;
}
