// The whole test command: format and lint, licences, unused code, figures, types, build, then every test. Stops at the first step that fails.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => `${root}node_modules/.bin/${name}`;

const STEPS = [
  ['test tools', process.execPath, ['scripts/setup-test-tools.mjs']],
  ['format and lint', bin('biome'), ['check', '--error-on-warnings', '.']],
  ['licences', process.execPath, ['scripts/check-dependencies.mjs', '--no-audit']],
  ['unused code', bin('knip'), ['--no-progress']],
  ['figures of the source', process.execPath, ['scripts/house-figures.mjs']],
  ['types', bin('tsc'), ['--noEmit']],
  ['types of the inspector page', bin('tsc'), ['-p', 'src/surfaces/inspect/page']],
  ['build', process.execPath, ['scripts/build.mjs']],
  ['tests', bin('vitest'), ['run', ...process.argv.slice(2)]],
];

for (const [name, command, args] of STEPS) {
  const started = performance.now();
  console.log(`\n== ${name}`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`\n${name} failed`);
    process.exit(status ?? 1);
  }
  if (name !== 'tests') console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
}
