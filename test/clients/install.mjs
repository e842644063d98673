// Installs the agent CLIs that the client tests run, once: 1.3 GB beside the tests, ignored by git. Does nothing when
// the pinned versions are there.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const pins = Object.entries(readJson('package.json').dependencies);
/** Packages that hold no program until their script has run: the script, and the place of the program. */
const SCRIPTS = [
  ['@anthropic-ai/claude-code/install.cjs', '@anthropic-ai/claude-code/bin/claude.exe'],
  ['opencode-ai/postinstall.mjs', 'opencode-ai/bin/opencode.exe'],
];
/** Bytes. The file in place of the program is smaller until then. */
const SMALLEST_PROGRAM_BYTES = 1_000_000;
/** A quarter of a gigabyte that no test uses: programs for other processors, voices, web pages. */
const SPARE = [
  /^opencode-(linux|darwin|windows)-/,
  /^@openai\/codex-[\w-]+\/vendor\/[\w-]+\/codex-resources\/voice$/,
  /^@qwen-code\/qwen-code\/web-shell$/,
];
const SPARE_LEVELS = 5;

if (pins.every(([name, version]) => installedVersion(name) === version)) {
  console.log(`agent CLIs: ${pins.map(([name, version]) => `${name} ${version}`).join(', ')}`);
} else {
  console.log('agent CLIs: installing 1.3 GB');
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
}
// Cheap when it is done already; an interrupted install leaves it undone.
for (const [script, program] of SCRIPTS) if (!isProgram(program)) run(process.execPath, [inModules(script)]);
removeSpare('');

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: folder, stdio: 'inherit' });
  if (status === 0) return;
  console.error(`${command} ${args.join(' ')} failed in ${folder}`);
  process.exit(status ?? 1);
}

function inModules(path) {
  return join(folder, 'node_modules', path);
}

function isProgram(path) {
  return existsSync(inModules(path)) && statSync(inModules(path)).size > SMALLEST_PROGRAM_BYTES;
}

function removeSpare(below) {
  if (below.split('/').length > SPARE_LEVELS) return;
  for (const entry of readdirSync(inModules(below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (!entry.isDirectory()) continue;
    if (SPARE.some((pattern) => pattern.test(path))) rmSync(inModules(path), { recursive: true });
    else if (/^(@openai|@qwen-code)(\/|$)/.test(path)) removeSpare(path);
  }
}

function installedVersion(name) {
  const file = `node_modules/${name}/package.json`;
  return existsSync(join(folder, file)) ? readJson(file).version : null;
}

function readJson(name) {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}
