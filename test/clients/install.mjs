// Installs the agent CLIs that the client tests run, once: 900 MB beside the tests, ignored by git. Does nothing when
// the pinned versions are there.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const pins = Object.entries(readJson('package.json').dependencies);
/** Its package holds no program until this has run; the other two need none of their install scripts. */
const CLAUDE_SCRIPT = 'node_modules/@anthropic-ai/claude-code/install.cjs';

if (pins.every(([name, version]) => installedVersion(name) === version)) {
  console.log(`agent CLIs: ${pins.map(([name, version]) => `${name} ${version}`).join(', ')}`);
} else {
  console.log('agent CLIs: installing about 900 MB');
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
}
// Cheap when it is done already, and what an interrupted install leaves undone.
run(process.execPath, [CLAUDE_SCRIPT]);

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: folder, stdio: 'inherit' });
  if (status === 0) return;
  console.error(`${command} ${args.join(' ')} failed in ${folder}`);
  process.exit(status ?? 1);
}

function installedVersion(name) {
  const file = `node_modules/${name}/package.json`;
  return existsSync(join(folder, file)) ? readJson(file).version : null;
}

function readJson(name) {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}
