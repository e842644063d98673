// Compares the output of two builds, byte by byte: node bench/same-bytes.mjs BUILD_A BUILD_B REPOSITORY...
// A build is a folder made by `node scripts/build.mjs --no-types --out FOLDER`. Each repository is cloned first and gets a
// small change, one part of it staged. Use it when a refactoring must not change packages, prompts and maps.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const [first, second, ...repositories] = process.argv.slice(2);
if (repositories.length === 0) {
  console.error('usage: node bench/same-bytes.mjs BUILD_A BUILD_B REPOSITORY...');
  process.exit(2);
}
const sample = fileURLToPath(new URL('../examples/sample', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'loadout-same-bytes-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

let failures = 0;
let compared = 0;
for (const repository of repositories) compareOn(resolve(repository));
console.log(`${compared - failures} of ${compared} outputs are the same`);
process.exitCode = failures > 0 ? 1 : 0;

function compareOn(repository) {
  const name = basename(repository);
  const repo = join(work, name);
  const { task, targets } = prepare(repository, repo);
  for (const line of commandLines(task, targets, repo)) {
    const [one, other] = [first, second].map((build) => run(resolve(build), name, repo, line));
    compared++;
    const differing = Object.keys(one).filter((key) => one[key] !== other[key]);
    for (const key of Object.keys(other)) if (!(key in one)) differing.push(key);
    if (differing.length === 0) continue;
    failures++;
    console.log(`${name}: loadout ${line.join(' ')}`);
    for (const key of differing)
      console.log(`  ${key}: ${firstDifference(one[key] ?? '', other[key] ?? '')}`);
  }
}

/** A clone with a change in three files, one of them staged and one new; the task is the subject of its last commit. */
function prepare(repository, repo) {
  const git = (...args) => execFileSync('git', args, { cwd: repo, encoding: 'utf8' });
  if (existsSync(join(repository, '.git')))
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', repository, repo]);
  else {
    cpSync(repository, repo, { recursive: true });
    git('init', '--quiet');
    const commit = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '--all'];
    git('add', '.');
    git(...commit, '-m', 'Add all files');
    writeFileSync(join(repo, 'README.md'), 'Another text.\n');
    git(...commit, '-m', 'Change how errors of a request are shown');
  }
  const sources = git('ls-files')
    .split('\n')
    .filter((path) => /\.(?:[cm]?[jt]s|py|go|rb|c|java|rs|php|sol)$/.test(path));
  const targets = [sources[Math.floor(sources.length / 3)], sources[Math.floor((2 * sources.length) / 3)]];
  for (const path of targets) {
    const text = readFileSync(join(repo, path), 'utf8');
    const middle = text.indexOf('\n', text.length / 2) + 1;
    writeFileSync(join(repo, path), `${text.slice(0, middle)}changed_line = 1\n${text.slice(middle)}`);
  }
  git('add', targets[0]);
  writeFileSync(join(repo, 'new-file.txt'), 'A new file.\n');
  return { task: git('log', '-1', '--format=%s').trim(), targets };
}

function commandLines(task, targets, repo) {
  const output = join(work, 'out', 'part.md');
  const timeout = 'Fix the error handling when a request times out';
  const pack = (...more) => ['pack', timeout, ...more];
  const all = (...more) => ['pack', '--all', ...more];
  const prompt = (...more) => ['prompt', task, ...more];
  const roles = ['implementer', 'reviewer', 'planner', 'tester', 'debugger', 'documenter', 'refactorer'];
  return [
    ...['600', '3k', '30k', '150k'].flatMap((budget) =>
      ['markdown', 'xml', 'json'].map((format) => ['pack', task, '-b', budget, '--format', format]),
    ),
    pack(),
    pack('--json'),
    pack('--line-numbers', '--format', 'xml', '-b', '6k'),
    pack('--strategy', 'relevance', '-b', '6k'),
    pack('--strategy', 'signature_only', '-b', '6k'),
    pack('--model', 'claude', '-b', '10%'),
    pack('--format', 'summary'),
    pack('--explain'),
    pack('--tree'),
    pack('--no-redact', '-b', '5k'),
    pack('--target', ...targets, '-b', '10k'),
    pack('--role', 'reviewer', '-b', '10k'),
    pack('--role', 'implementer', '--format', 'json', '-b', '10k', '--target', targets[0]),
    pack('--output', output, '--split', '4k', '-b', '30k'),
    pack('--output', output, '--split', '4k', '-b', '30k', '--format', 'xml'),
    pack('--repo', join(repo, '..', basename(repo)), '--repo', sample, '-b', '8k'),
    ['pack', '--diff'],
    ['pack', '--diff', 'HEAD~1', '--format', 'xml', '-b', '5k'],
    ['pack', '--staged', '--format', 'json'],
    pack('--staged', '-b', '4k'),
    ...['5k', '40k', '3m'].flatMap((budget) =>
      ['markdown', 'xml', 'json'].map((format) => all('-b', budget, '--format', format)),
    ),
    all('--form', 'signatures', '-b', '30k'),
    all('--role', 'reviewer', '-b', '20k'),
    all('--model', 'claude', '-b', '10%', '--line-numbers'),
    all('--output', output, '--split', '8k', '-b', '60k'),
    ...roles.flatMap((role) => [
      prompt('--role', role),
      prompt('--role', role, '--target', ...targets, '--explain'),
    ]),
    prompt('--target', targets[0], '--extra', 'test_output=it failed'),
    prompt('--role', 'reviewer', '--diff'),
    prompt('--role', 'reviewer', '--diff', 'HEAD~1', '--json'),
    ['map'],
    ['map', '-b', '700'],
    ['map', '-b', '20k', '--json'],
    ['map', targets[0], '-b', '2k'],
  ];
}

function run(build, name, repo, line) {
  const out = join(work, 'out');
  rmSync(out, { recursive: true, force: true });
  execFileSync('mkdir', [out]);
  const cache = join(work, `cache-${basename(build)}-${build === resolve(first) ? 1 : 2}`, name);
  const { stdout, stderr, status } = spawnSync('node', [join(build, 'cli.cjs'), ...line], {
    cwd: repo,
    encoding: 'utf8',
    maxBuffer: 1e9,
    env: { ...process.env, CONTEXT_PACKAGE_CACHE_DIR: cache, XDG_CACHE_HOME: cache, NO_COLOR: '1' },
  });
  const files = readdirSync(out).map((file) => [file, readFileSync(join(out, file), 'utf8')]);
  return { status: String(status), stdout, stderr: withoutTimes(stderr), ...Object.fromEntries(files) };
}

function withoutTimes(text) {
  return text.replace(/\d+(?:\.\d+)? m?s\b/g, 'T').replaceAll(/cache-[\w-]+/g, 'cache');
}

function firstDifference(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const around = (text) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
  return `at ${at} of ${one.length} and ${other.length}\n    ${around(one)}\n    ${around(other)}`;
}
