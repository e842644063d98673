// The long form of the tests that repeat a fault many times. The test command runs their short form.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const REPEATED = [
  'incremental-equals-full',
  'parser-containment',
  'faults/kill-nine',
  'loop-kill-nine',
  'never-stale',
  'damaged-index-map',
  'many-processes',
  'large-trees',
  'special-places',
];
const env = { ...process.env, LOADOUT_TEST_SCALE: process.env.LOADOUT_TEST_SCALE ?? '8' };
const { status } = spawnSync(
  `${root}node_modules/.bin/vitest`,
  ['run', ...REPEATED.map((name) => `${name}.test.ts`)],
  {
    cwd: root,
    stdio: 'inherit',
    env,
  },
);
process.exit(status ?? 1);
