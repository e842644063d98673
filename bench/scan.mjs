// Measures time and memory of a scan, side by side with a peer that only prints.
//
//   npm run build && node bench/scan.mjs TREE... [--peer] [--runs 3] [--save]
//
// TREE is a git work tree (it is copied, never changed). --peer installs repomix into bench/.work and measures
// `repomix --compress` on the same tree in the same run. --save writes bench/runs/<date>.json.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { best, measure, median } from './measure.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const work = join(here, '.work');
const cli = join(here, '../bin/loadout.js');
const flags = process.argv.slice(2);
const runs = Number(flags[flags.indexOf('--runs') + 1]) || 3;
const trees = flags.filter((flag, at) => !flag.startsWith('--') && flags[at - 1] !== '--runs');
if (trees.length === 0) {
  console.error('usage: node bench/scan.mjs TREE... [--peer] [--runs 3] [--save]');
  process.exit(2);
}
mkdirSync(work, { recursive: true });

function installPeer() {
  const folder = join(work, 'peer');
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
  const { version } = JSON.parse(readFileSync(join(folder, 'node_modules/repomix/package.json'), 'utf8'));
  return { entry, version, node: join(folder, 'node_modules/.bin/node') };
}

const cache = join(work, 'cache');
const scan = (tree, ...more) =>
  measure(process.execPath, [cli, 'scan', '--quiet', ...more], {
    cwd: tree,
    env: { LOADOUT_CACHE_DIR: cache },
  });

async function median5(run) {
  const walls = [];
  for (let at = 0; at < 5; at++) walls.push((await run(at)).wall);
  return median(walls);
}

const peer = flags.includes('--peer') ? installPeer() : null;
const results = [];
for (const original of trees) {
  const tree = join(work, 'tree');
  rmSync(tree, { recursive: true, force: true });
  cpSync(original, tree, { recursive: true, verbatimSymlinks: true });
  // as in real use: git has looked at its files since they were written, in another second
  spawnSync('sleep', ['1.1']);
  spawnSync('git', ['status', '--short'], { cwd: tree });
  const files =
    execFileSync('git', ['ls-files'], { cwd: tree, maxBuffer: 1e9 }).toString().split('\n').length - 1;
  const full = await best(runs, () => {
    rmSync(cache, { recursive: true, force: true });
    return scan(tree, '--mode', 'full');
  });
  const theirs =
    peer &&
    (await best(Math.min(runs, 2), () =>
      measure(peer.node, [peer.entry, '--compress', '--stdout', '--quiet'], {
        cwd: tree,
        env: { REPOMIX_TOKEN_CACHE: '0' },
      }),
    ));
  await scan(tree);
  const unchanged = await median5(() => scan(tree));
  const source = execFileSync('git', ['ls-files', '*.py', '*.ts', '*.go', '*.rs', '*.java', '*.js'], {
    cwd: tree,
    maxBuffer: 1e9,
  })
    .toString()
    .split('\n')[0];
  const edited = await median5((at) => {
    appendFileSync(join(tree, source), `\n# ${at}\n`);
    return scan(tree);
  });
  results.push({
    tree: basename(original),
    files,
    full,
    peer: theirs,
    cpuRatio: theirs && full.cpu / theirs.cpu,
    unchangedSeconds: unchanged,
    oneFileEditedSeconds: edited,
  });
}

const startOf = (args) => best(15, () => measure(process.execPath, args)).then(({ wall }) => wall);
const [empty, version] = [await startOf(['-e', '0']), await startOf([cli, '--version'])];

const record = {
  node: process.version,
  machine: `${availableParallelism()} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 1e9)} GB`,
  loadAverage: loadavg()[0],
  peer: peer && `repomix ${peer.version} --compress`,
  startUp: { emptyNode: empty, version, ratio: version / empty },
  results,
};
const number = (value, digits = 2) => (value === null ? '-' : value.toFixed(digits));
console.log(`${record.node}, ${record.machine}, load ${number(record.loadAverage)}`);
console.log(
  'tree | files | full: wall s / CPU s / MB | peer: CPU s / MB | CPU ratio | unchanged s | one edit s',
);
for (const { tree, files, full, peer: other, cpuRatio, unchangedSeconds, oneFileEditedSeconds } of results)
  console.log(
    [
      tree,
      files,
      `${number(full.wall)} / ${number(full.cpu)} / ${full.peakMb}`,
      other ? `${number(other.cpu)} / ${other.peakMb}` : '-',
      number(cpuRatio),
      number(unchangedSeconds),
      number(oneFileEditedSeconds),
    ].join(' | '),
  );
console.log(
  `start-up: node -e 0 ${number(empty, 3)} s, loadout --version ${number(version, 3)} s, ratio ${number(version / empty)}`,
);
if (flags.includes('--save')) {
  mkdirSync(join(here, 'runs'), { recursive: true });
  const name = join(here, 'runs', `scan-${new Date().toISOString().slice(0, 10)}.json`);
  writeFileSync(name, `${JSON.stringify(record, null, 2)}\n`);
}
