import type { Purpose } from './manifests.ts';

/** What people call scripts and targets, best name first. */
export const SCRIPT_NAMES: readonly (readonly [purpose: Purpose, names: readonly string[]])[] = [
  ['build', ['build', 'compile', 'all']],
  ['test', ['test', 'tests', 'check', 'test:unit', 'unit', 'unit-test']],
  ['lint', ['lint', 'lint:check', 'eslint', 'phpcs']],
  ['format', ['format', 'fmt', 'format:check', 'prettier', 'style']],
  ['types', ['typecheck', 'type-check', 'types', 'check-types', 'tsc', 'phpstan']],
  ['run', ['start', 'dev', 'serve', 'run']],
];
