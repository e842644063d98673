// Measures `pack --all` side by side with a peer that does the same.
//
//   npm run build && node bench/pack-all.mjs TREE... [--peer FOLDER|FILE] [--runs 3] [--cli FILE] [--save]
//
// TREE is a git work tree (it is only read). --peer is a folder with node_modules/repomix in it, or repomix's entry
// file; without it repomix is installed into bench/.work. Both write the same files to a file, the peer with its own
// defaults. "cold" has no cache at all on either side; "again" has the caches of the run before. A first package for a task
// is measured too: it has to build the index. --save writes bench/runs/pack-all-<date>.json.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cheapest, measure, median } from './measure.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const work = join(here, '.work');
const given = process.argv.slice(2);
const valued = ['--peer', '--runs', '--cli'];
const flagValue = (flag) => (given.includes(flag) ? given[given.indexOf(flag) + 1] : undefined);
const trees = given.filter((one, at) => !one.startsWith('--') && !valued.includes(given[at - 1]));
if (trees.length === 0) {
  console.error(
    'usage: node bench/pack-all.mjs TREE... [--peer FOLDER|FILE] [--runs 3] [--cli FILE] [--save]',
  );
  process.exit(2);
}
const runs = Number(flagValue('--runs')) || 3;
const cli = resolve(flagValue('--cli') ?? join(here, '../bin/loadout.js'));
const cache = join(work, 'pack-all-cache');
const peerCache = join(work, 'pack-all-peer-cache');
const BUDGET = '900m';
const TASK = 'Fix the handling of empty values when a form is validated';
mkdirSync(work, { recursive: true });

function findPeer() {
  const place = flagValue('--peer');
  if (place !== undefined && statSync(place).isFile()) return describePeer(resolve(place), process.execPath);
  const folder = resolve(place ?? join(work, 'peer'));
  const entry = join(folder, 'node_modules/repomix/bin/repomix.cjs');
  if (!existsSync(entry)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    // it needs a newer Node than Loadout, so it gets its own
    execFileSync('npm', ['install', '--no-audit', '--no-fund', 'repomix', 'node@24'], {
      cwd: folder,
      stdio: 'ignore',
    });
  }
  const own = join(folder, 'node_modules/.bin/node');
  return describePeer(entry, existsSync(own) ? own : process.execPath);
}

function describePeer(entry, node) {
  const { version } = JSON.parse(readFileSync(join(dirname(dirname(entry)), 'package.json'), 'utf8'));
  return { entry, node, version };
}

const peer = findPeer();
const ours = (tree, ...args) =>
  measure(process.execPath, [cli, 'pack', '--quiet', ...args], {
    cwd: tree,
    env: { LOADOUT_CACHE_DIR: cache },
  });
const all = (tree, output) => ours(tree, '--all', '--budget', BUDGET, '--output', output);
const theirs = (tree, output, env) =>
  measure(peer.node, [peer.entry, '--quiet', '--output', output], {
    cwd: tree,
    env: { REPOMIX_TOKEN_CACHE_PATH: join(peerCache, 'tokens.json'), ...env },
  });

/** Removes the caches of earlier runs. */
const fromNothing = (folder, run) => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return run();
};

const results = [];
for (const tree of trees.map((one) => resolve(one))) {
  const [own, other] = [join(work, 'pack-all.md'), join(work, 'pack-all.peer.xml')];
  // in turns, so that a machine that slows down does so for both
  const found = { cold: [], peerCold: [], firstTask: [], again: [], peerAgain: [] };
  for (let run = 0; run < runs; run++) {
    found.firstTask.push(await fromNothing(cache, () => ours(tree, TASK, '--output', own)));
    found.peerCold.push(
      await fromNothing(peerCache, () => theirs(tree, other, { REPOMIX_TOKEN_CACHE: '0' })),
    );
    found.cold.push(await fromNothing(cache, () => all(tree, own)));
  }
  await theirs(tree, other);
  for (let run = 0; run < runs; run++) {
    found.again.push(await all(tree, own));
    found.peerAgain.push(await theirs(tree, other));
  }
  const [cold, peerCold, firstTask, again, peerAgain] = Object.values(found).map(cheapest);
  results.push({
    tree: basename(tree),
    megabytes: statSync(own).size / 1e6,
    peerMegabytes: statSync(other).size / 1e6,
    cold,
    again,
    peerCold,
    peerAgain,
    ratioCold: peerCold.cpu / cold.cpu,
    ratioAgain: peerAgain.cpu / again.cpu,
    firstTask,
    ratioFirst: median(found.firstTask.map(({ wall }, run) => wall / found.peerCold[run].wall)),
  });
}
for (const folder of [cache, peerCache]) rmSync(folder, { recursive: true, force: true });

const record = {
  node: process.version,
  machine: `${availableParallelism()} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 1e9)} GB`,
  loadAverage: loadavg()[0],
  peer: `repomix ${peer.version}`,
  results,
};
const number = (value, digits = 2) => value.toFixed(digits);
const taken = ({ wall, cpu, peakMb }) => `${number(wall)} / ${number(cpu)} / ${peakMb}`;
console.log(`${record.node}, ${record.machine}, load ${number(record.loadAverage)}, peer ${record.peer}`);
console.log('each: wall s / CPU s of the process tree / largest resident MB');
for (const one of results) {
  console.log(
    `\n${one.tree}: ${number(one.megabytes, 1)} MB written, peer ${number(one.peerMegabytes, 1)} MB`,
  );
  console.log(
    `  cold   ${taken(one.cold)}   peer ${taken(one.peerCold)}   CPU ${number(one.ratioCold)} times less`,
  );
  console.log(
    `  again  ${taken(one.again)}   peer ${taken(one.peerAgain)}   CPU ${number(one.ratioAgain)} times less`,
  );
  console.log(
    `  first package for a task  ${taken(one.firstTask)}   ${number(one.ratioFirst)} of the time that the peer takes, cold`,
  );
}
if (given.includes('--save')) {
  mkdirSync(join(here, 'runs'), { recursive: true });
  const name = join(here, 'runs', `pack-all-${new Date().toISOString().slice(0, 10)}.json`);
  writeFileSync(name, `${JSON.stringify(record, null, 2)}\n`);
}
