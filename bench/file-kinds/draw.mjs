// Draws the files that people label: 1,000 of the repositories in repositories.txt, with enough candidates of each kind.
//
//   node bench/file-kinds/draw.mjs --mirrors DIR [--heads] > files.tsv
//
// The groups are wider than the rules of the product, so that what the rules miss is drawn, too, and what only looks
// like a kind. The same seed draws the same files. --heads adds each file's first lines, for the person who labels.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFlags } from '../relevance/parse-flags.mjs';
import { createRandom, shuffle } from '../relevance/random.mjs';

const flags = parseFlags('draw.mjs --mirrors DIR [--heads]', { values: ['mirrors'], switches: ['heads'] });
const SEED = 20_261_118;
const TOTAL = 1_000;
/** Files of each repository that are opened, to find those whose first lines or long lines stand out. */
const OPENED = 500;
/** Files of one folder in one group: a folder of a thousand migrations says the same a thousand times. */
const PER_FOLDER = 2;

const BINARY =
  /\.(?:png|jpe?g|gif|ico|icns|webp|avif|woff2?|ttf|otf|eot|zip|t?gz|bz2|xz|jar|pdf|exe|dll|so|o|a|class|wasm|mp[34]|ogg|wav|webm|bin|dat|npy|npz|fits|db|sqlite|p12|pfx|jks|keystore|der|mo|pyc|nupkg|snk|br|zst|wav|psd|xlsx?|docx?|pptx?|whl)$/i;

/** Groups in the order in which they draw; a file is drawn once. */
const GROUPS = [
  [
    'made',
    2,
    ({ path }) =>
      /generat|autogen|(?:^|[/._-])gen(?:[/._-]|$)|\.pb\.|_pb2|\.g\.|designer|(?:^|\/)(?:parser|lexer)\.\w+$|lextab|parsetab|bundle|[.-]min\.|\.d\.ts$|amalgam|single_include|tables?\.\w+$|(?:^|\/)(?:dist|build|out|output|public|static)\//i.test(
        path,
      ),
  ],
  [
    'tool',
    1,
    ({ path }) =>
      /gradlew|mvnw|(?:^|\/)configure(?:\.\w+)?$|makefile\.in$|aclocal|config\.(?:guess|sub)$|install-sh|ltmain|\.map$|\.lock$|lock\.\w+$|\.snap$|snapshot|go\.sum$|\.po$|\.golden$|\.resx$/i.test(
        path,
      ),
  ],
  [
    'says',
    3,
    ({ text }) =>
      text !== undefined &&
      /generat|do not (?:edit|modify|change)|auto-?made|minifi|built (?:by|with)|compiled|produced by|@preserve/i.test(
        text.slice(0, 1_500),
      ),
  ],
  ['long', 1, ({ text }) => text !== undefined && text.length > 2_000 && meanLine(text) > 110],
  [
    'foreign',
    2,
    ({ path }) =>
      /vendor|third[_-]?party|3rd|(?:^|\/)(?:deps?|dependencies|extern\w*|contrib|libs?|lib|node_modules|subprojects|plugins|thirdparty|bundled|shims|polyfills?)\//i.test(
        path,
      ),
  ],
  ['migration', 1, ({ path }) => /migrat|schema/i.test(path)],
  ['test', 3, ({ path }) => /test|spec|fixture|mock|stub|fake/i.test(path)],
  [
    'settings',
    1,
    ({ path }) => /\.(?:ya?ml|json|toml|ini|cfg|properties|xml|gradle|cmake|mk)$|\/\.[^/]+$/i.test(path),
  ],
  [
    'text',
    1,
    ({ path }) => /\.(?:md|rst|txt|adoc|html?)$|(?:^|\/)(?:docs?|examples?|samples?)\//i.test(path),
  ],
  ['rest', 20, () => true],
];

function git(folder, args, input) {
  return execFileSync('git', ['-C', folder, ...args], { input, maxBuffer: 1 << 30 });
}

/** Texts of blobs, in one run of git. */
function readBlobs(folder, blobs) {
  const bytes = git(folder, ['cat-file', '--batch'], `${blobs.join('\n')}\n`);
  const texts = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    const [, kind, size] = bytes.toString('latin1', at, end).split(' ');
    if (kind !== 'blob') {
      texts.push('');
      at = end + 1;
      continue;
    }
    texts.push(bytes.toString('utf8', end + 1, end + 1 + Number(size)));
    at = end + 2 + Number(size);
  }
  return texts;
}

function meanLine(text) {
  return text.length / text.split('\n').length;
}

const folderOf = (path) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

function openRepository(name) {
  const folder = join(flags.mirrors, name.replace('/', '+'), 'repo');
  const gitFolder = existsSync(join(folder, '.git')) ? join(folder, '.git') : folder;
  const commit = git(gitFolder, ['rev-parse', 'HEAD']).toString().trim();
  const files = git(gitFolder, ['ls-tree', '-r', '-l', '-z', 'HEAD'])
    .toString()
    .split('\0')
    .flatMap((line) => {
      const [, mode, blob, size, path] = /^(\d+) \w+ (\w+) +(\d+|-)\t(.*)$/s.exec(line) ?? [];
      const isText =
        mode?.startsWith('100') && Number(size) > 0 && Number(size) < 1_000_000 && !BINARY.test(path);
      return isText && !/[\t\n]/.test(path) ? [{ path, blob, size: Number(size) }] : [];
    });
  return { name, gitFolder, commit, files };
}

const random = createRandom(SEED);
const repositories = readFileSync(new URL('repositories.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const drawn = [];
const pools = repositories.map((name) => {
  const repository = openRepository(name);
  const pool = shuffle(repository.files, random);
  const opened = pool.slice(0, OPENED);
  const texts = readBlobs(
    repository.gitFolder,
    opened.map(({ blob }) => blob),
  );
  opened.forEach((file, at) => {
    file.text = texts[at];
  });
  const perFolder = new Map();
  for (const [group, quota, fits] of GROUPS.slice(0, -1)) {
    let left = quota;
    for (const file of pool) {
      if (left === 0) break;
      const place = `${group} ${folderOf(file.path)}`;
      if (file.group || (perFolder.get(place) ?? 0) >= PER_FOLDER || !fits(file)) continue;
      perFolder.set(place, (perFolder.get(place) ?? 0) + 1);
      file.group = group;
      drawn.push({ repository, file });
      left--;
    }
  }
  return { repository, rest: pool.filter((file) => !file.group) };
});
// the rest comes from all repositories in turn
for (let turn = 0; drawn.length < TOTAL; turn++)
  for (const { repository, rest } of pools) {
    const file = rest[turn];
    if (file && drawn.length < TOTAL) drawn.push({ repository, file: { ...file, group: 'rest' } });
  }

drawn.sort((a, b) => order(a.repository.name, b.repository.name) || order(a.file.path, b.file.path));
for (const { repository, file } of drawn) {
  const columns = [repository.name, repository.commit.slice(0, 12), file.path];
  if (flags.heads) {
    const text = file.text ?? readBlobs(repository.gitFolder, [file.blob])[0];
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
    columns.push(file.group, file.size, Math.round(meanLine(text)), JSON.stringify(lines.slice(0, 40)));
  }
  console.log(columns.join('\t'));
}

function order(a, b) {
  return a < b ? -1 : Number(a > b);
}
