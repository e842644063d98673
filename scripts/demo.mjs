// `npm start`: builds if the build is missing or old, then packs the sample repository for a task. Only the package goes to stdout.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const SAMPLE = 'examples/sample';
/** The last file a build writes. */
const BUILT = 'dist/types/index.d.ts';
const INPUTS = ['src', 'scripts', 'package.json', 'package-lock.json'];
const STDERR = 2;

const say = (line) => console.error(line);

if (isStale()) {
  say('Building dist/ (first run, or the sources have changed) ...');
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], {
    cwd: root,
    stdio: ['ignore', STDERR, STDERR],
  });
  if (status !== 0) {
    say('The build failed; its messages are above.');
    process.exit(2);
  }
}

const given = process.argv.slice(2);
const TASK = 'Fix the race when two requests refresh the token at the same time';
const args = ['pack', ...(given.length > 0 ? given : [TASK, '--budget', '1500']), '--repo', SAMPLE];
const shown = args.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ');
say(`
A small billing service lies in ${SAMPLE}. Loadout scans it, ranks its files by how much a task
needs them, and prints the best ones inside a budget of tokens:

  $ loadout ${shown}
`);
const { status } = spawnSync(process.execPath, ['bin/loadout.js', ...args], { cwd: root, stdio: 'inherit' });
if (status === 0) {
  say(`
Next, in your own repository:

  $ node ${join(root, 'bin/loadout.js')} pack "what is to be done" --repo PATH --budget 30k
  $ node ${join(root, 'bin/loadout.js')} --help
`);
}
process.exit(status ?? 2);

function isStale() {
  const built = changedAt(BUILT);
  return built === 0 || INPUTS.some((path) => newestIn(path) > built);
}

function newestIn(path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats?.mtimeMs ?? 0;
  // A folder's own time shows when a file in it was removed.
  const inside = readdirSync(join(root, path)).map((name) => newestIn(join(path, name)));
  return Math.max(stats.mtimeMs, ...inside);
}

function changedAt(path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
