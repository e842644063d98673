// How well the scan tells kinds of files apart: precision and recall by kind, on the labelled files of labels.tsv.
//
//   npm run build && node bench/file-kinds/measure.mjs --mirrors DIR --work DIR [--table FILE] [--half NAME] [--errors] [--json]
//
// The labelled files of each repository are checked out below --work, with its .gitattributes, and scanned as any
// repository is: the classes come from the index. Every second repository of repositories.txt is held out:
// --half is `development` (the usual), `held-out` or `both`. --errors lists the files that are wrong.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadEngine } from '../relevance/load-engine.mjs';
import { parseFlags } from '../relevance/parse-flags.mjs';
import { groupBy } from '../relevance/score.mjs';

const USAGE =
  'measure.mjs --mirrors DIR --work DIR [--table FILE] [--half development|held-out|both] [--errors] [--json]';
const flags = parseFlags(USAGE, {
  values: ['mirrors', 'work', 'table', 'half'],
  switches: ['errors', 'json'],
});
const half = flags.half ?? 'development';
if (!flags.mirrors || !flags.work || !['development', 'held-out', 'both'].includes(half)) {
  console.error(`usage: ${USAGE}`);
  process.exit(2);
}
const readLines = (file) => readFileSync(file, 'utf8').trim().split('\n');
const repositories = readLines(new URL('repositories.txt', import.meta.url));
const halfOf = (name) => (repositories.indexOf(name) % 2 === 0 ? 'development' : 'held-out');
const rows = readLines(flags.table ?? new URL('labels.tsv', import.meta.url))
  .filter((line) => !line.startsWith('#'))
  .map((line) => {
    const [repository, commit, path, origin, role, why] = line.split('\t');
    return { repository, commit, path, origin, roles: role.split('/'), why };
  })
  .filter(({ repository }) => half === 'both' || halfOf(repository) === half);

const { engine, file: engineFile } = await loadEngine();
process.on('exit', () => rmSync(engineFile, { force: true }));
const sources = { flags: {}, environment: {}, repositoryFile: null, userFile: null, trusted: false };
const { settings } = engine.loadSettings({
  ...sources,
  defaults: { cacheDir: resolve(flags.work, 'cache') },
});

const git = (folder, args, input) =>
  execFileSync('git', ['-C', folder, '-c', 'core.autocrlf=false', ...args], {
    input,
    maxBuffer: 1 << 30,
    encoding: 'utf8',
    env: { ...process.env, GIT_NO_LAZY_FETCH: '1' },
  });

/** A work tree with the labelled files alone. */
function checkOut(repository, list) {
  const mirror = join(flags.mirrors, repository.replace('/', '+'), 'repo');
  const objects = [join(mirror, '.git'), mirror].find((path) => existsSync(join(path, 'objects')));
  if (!objects) {
    console.error(
      `no mirror of ${repository} in ${flags.mirrors}: fetch it, or leave its lines out of the table`,
    );
    process.exit(1);
  }
  const folder = resolve(flags.work, 'trees', repository.replace('/', '+'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  git(folder, ['init', '--quiet', '-b', 'base']);
  writeFileSync(join(folder, '.git/objects/info/alternates'), `${resolve(objects, 'objects')}\n`);
  const wanted = new Set(list.map(({ path }) => path));
  const entries = git(folder, ['ls-tree', '-r', '-z', list[0].commit])
    .split('\0')
    .filter((line) => {
      const path = line.slice(line.indexOf('\t') + 1);
      return wanted.has(path) || /(?:^|\/)\.gitattributes$/.test(path);
    });
  git(folder, ['update-index', '-z', '--index-info'], entries.map((entry) => `${entry}\0`).join(''));
  git(folder, ['checkout-index', '--all', '--force', '--quiet']);
  return folder;
}

for (const [repository, list] of groupBy(rows, (row) => row.repository)) {
  const folder = checkOut(repository, list);
  await engine.useIndex({ repo: folder, mode: 'incremental', settings }, (scan) => {
    const byPath = new Map(scan.index.snapshot.files.map((file) => [file.path, file.classification]));
    for (const row of list) row.found = byPath.get(row.path) ?? null;
  });
}
const missing = rows.filter(({ found }) => found === null);
for (const { repository, path } of missing) console.error(`not in the index: ${repository} ${path}`);

const labelled = (row, role) => row.roles.length === 1 && row.roles[0] === role;
const isMade = ({ origin }) => origin.startsWith('generated');
const isForeign = ({ origin }) => origin.endsWith('vendored');
const isUnread = (row) => isMade(row) || isForeign(row);
const isOwn = ({ origin }) => origin === 'written' || origin === 'unclear';
const TESTING = ['test', 'fixture'];

/**
 * Kinds, each with the files that are judged, the truth and the answer. What lies in foreign code is not judged further:
 * nobody asks whether a vendored file is generated, too. A label of several roles (`docs/example`) is right for each.
 */
const KINDS = [
  {
    kind: 'not worth reading',
    judged: ({ origin }) => origin !== 'unclear',
    truth: isUnread,
    answer: ({ found }) => found.generated || found.vendored,
  },
  {
    kind: 'generated',
    judged: (row) => row.origin !== 'unclear' && !isForeign(row),
    truth: isMade,
    answer: ({ found }) => found.generated,
  },
  {
    kind: 'vendored',
    judged: (row) => !(isMade(row) && isForeign(row)),
    truth: isForeign,
    answer: ({ found }) => found.vendored,
  },
  {
    kind: 'test code',
    judged: (row) =>
      isOwn(row) &&
      !row.found.generated &&
      (labelled(row, 'test') || !row.roles.some((role) => TESTING.includes(role))),
    truth: (row) => labelled(row, 'test'),
    answer: ({ found }) => found.role === 'test',
  },
  {
    kind: 'source',
    judged: (row) => isOwn(row) && (labelled(row, 'source') || !row.roles.includes('source')),
    truth: (row) => labelled(row, 'source'),
    answer: ({ found }) => found.role === 'source' && !found.generated && !found.vendored && !found.migration,
  },
  {
    kind: 'migration',
    judged: ({ roles }) => roles.length === 1,
    truth: ({ roles }) => roles[0] === 'migration',
    answer: ({ found }) => found.migration === true && found.role !== 'test' && !found.generated,
  },
];

const report = KINDS.map(({ kind, judged, truth, answer }) => {
  const own = rows.filter((row) => row.found !== null && judged(row));
  const right = own.filter((row) => truth(row) && answer(row)).length;
  const missed = own.filter((row) => truth(row) && !answer(row));
  const wrong = own.filter((row) => !truth(row) && answer(row));
  return { kind, files: own.length, right, missed, wrong };
});

if (flags.json) {
  const share = (part, whole) => (whole === 0 ? null : part / whole);
  const kinds = report.map(({ kind, files, right, missed, wrong }) => ({
    ...{ kind, files, right, missed: missed.length, wrong: wrong.length },
    precision: share(right, right + wrong.length),
    recall: share(right, right + missed.length),
  }));
  console.log(JSON.stringify({ half, files: rows.length, missing: missing.length, kinds }, null, 2));
} else {
  const share = (part, whole) => (whole === 0 ? '-' : (part / whole).toFixed(3)).padStart(9);
  console.log(
    `${half}: ${rows.length} files of ${new Set(rows.map((row) => row.repository)).size} repositories`,
  );
  console.log('kind               judged  of it  precision   recall');
  for (const { kind, files, right, missed, wrong } of report)
    console.log(
      `${kind.padEnd(18)} ${String(files).padStart(6)} ${String(right + missed.length).padStart(6)}` +
        `  ${share(right, right + wrong.length)}${share(right, right + missed.length)}`,
    );
}
if (flags.errors)
  for (const { kind, missed, wrong } of report) {
    for (const row of missed) console.log(`${kind}: missed ${describe(row)}`);
    for (const row of wrong) console.log(`${kind}: wrong  ${describe(row)}`);
  }

function describe({ repository, path, origin, roles, why, found }) {
  const marks = ['generated', 'vendored', 'migration'].filter((mark) => found[mark]).join('+');
  const said = `${found.role}${marks && ` ${marks}`} (${found.reasons.join('; ')})`;
  return `${repository} ${path}: labelled ${origin} ${roles.join('/')} ${why}, found ${said}`;
}
