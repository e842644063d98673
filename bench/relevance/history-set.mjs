// Makes a set of tasks from the histories of repositories: to learn from, never to measure with.
//
//   node bench/relevance/history-set.mjs --mirrors DIR --out DIR [--repo OWNER/NAME,...] [--not SETS] [--tasks 120] [--snapshots 3]
//
// A task is the message of a commit, its gold the sources that the commit changed. The commits after a snapshot are all
// asked about that snapshot, so that a repository is scanned a few times and not once for each task. --not leaves out the
// repositories of the development sets in that folder. The output has the form of a set: `instances.dev.jsonl`, and
// `lines.dev.jsonl` for commits whose files had not changed since the snapshot.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseFlags } from './parse-flags.mjs';
import { readSets } from './read-sets.mjs';

const USAGE =
  'history-set.mjs --mirrors DIR --out DIR [--repo R,...] [--not SETS] [--tasks N] [--snapshots N]';
const flags = parseFlags(USAGE, {
  values: ['mirrors', 'out', 'repo', 'not', 'tasks', 'snapshots'],
  switches: [],
});
if (!flags.mirrors || !flags.out) {
  console.error(`usage: ${USAGE}`);
  process.exit(2);
}
const MAX_TASKS = Number(flags.tasks ?? 120);
const SNAPSHOTS = Number(flags.snapshots ?? 3);
/** Commits between two snapshots, at least. */
const STRIDE = 400;
const MAX_GOLD = 6;
const MIN_WORDS = 4;
/** Commits that say nothing about code. */
const NOT_A_TASK =
  /^(?:merge|revert|bump|release|version|prepare|update (?:dependenc|changelog|readme|translations?)|\[?bot\]?|chore\(deps|build\(deps|docs?[:(]|ci[:(]|v?\d+\.\d+)/i;
/** Sources, told by the ending; tests and what is not written by hand are no gold. */
const SOURCE =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py|pyi|go|rs|java|kt|kts|scala|rb|php|cs|swift|c|cc|cpp|cxx|h|hh|hpp|m|mm|ex|exs|erl|hs|clj|lua|dart|jl|pl|pm|sh|zig|elm|ml|fs|css|scss|less)$/i;
const NOT_GOLD =
  /(?:^|\/)(?:tests?|__tests__|specs?|testing|fixtures?|examples?|docs?|vendor|third_party|node_modules|dist)\/|[._-](?:test|spec)s?\.|_test\.|(?:^|\/)test_|Tests?\.\w+$|\.min\.|\.d\.ts$|\.pb\./;

const excluded = new Set(flags.not ? readSets(flags.not).map(({ repo }) => repo.toLowerCase()) : []);
const chosen = flags.repo?.toLowerCase().split(',');
const instances = [];
const lines = [];
for (const name of readdirSync(flags.mirrors)) {
  const repo = name.replace('+', '/');
  const folder = [join(flags.mirrors, name, 'repo/.git'), join(flags.mirrors, name, 'repo')].find((path) =>
    existsSync(join(path, 'objects')),
  );
  if (!folder || excluded.has(repo.toLowerCase())) continue;
  if (chosen && !chosen.includes(repo.toLowerCase())) continue;
  const before = instances.length;
  try {
    addTasks(repo, resolve(folder));
  } catch (error) {
    console.error(`${repo}: ${String(error.message).split('\n')[0]}`);
  }
  console.error(`${repo}: ${instances.length - before} tasks`);
}
mkdirSync(join(flags.out, 'commits'), { recursive: true });
const write = (file, rows) =>
  writeFileSync(join(flags.out, 'commits', file), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
write('instances.dev.jsonl', instances);
write('lines.dev.jsonl', lines);

function addTasks(repo, folder) {
  const git = (...args) =>
    execFileSync('git', ['--git-dir', folder, ...args], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: { ...process.env, GIT_NO_LAZY_FETCH: '1' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const commits = readCommits(git);
  const perSnapshot = Math.ceil(MAX_TASKS / SNAPSHOTS);
  let end = commits.length;
  for (let snapshot = 0; snapshot < SNAPSHOTS; snapshot++) {
    // Go back from the end until there are enough tasks; what is before them is the snapshot.
    const wanted = [];
    let at = end - 1;
    for (; at > 0 && wanted.length < perSnapshot && end - at < STRIDE; at--)
      if (isTask(commits[at])) wanted.push(commits[at]);
    if (at <= 0 || wanted.length === 0) return;
    const base = commits[at].id;
    const files = new Map(
      git('ls-tree', '-r', '-z', base)
        .split('\0')
        .filter(Boolean)
        .map((row) => {
          const [mode, path] = row.split('\t');
          return [path, mode.split(' ')[2]];
        }),
    );
    for (const commit of wanted) {
      const gold = commit.files.filter(({ path }) => files.has(path));
      if (gold.length === 0 || gold.length < commit.files.length) continue;
      const id = `${repo}@${commit.id.slice(0, 12)}`;
      instances.push({
        ...{ id, repo, base_commit: base, task: commit.message, gold_files: gold.map(({ path }) => path) },
        ...{ language: 'any', created_at: commit.date },
      });
      const changed = changedLines(git, commit);
      for (const { path, old } of gold)
        if (!files.get(path).startsWith(old) && changed[path])
          changed[path] = mapBack(git, files.get(path), old, changed[path]);
      if (Object.values(changed).some((ranges) => ranges.length > 0)) lines.push({ id, lines: changed });
    }
    end = Math.min(at, end - STRIDE);
    if (end <= STRIDE / 2) return;
  }
}

/** Along the first parents, oldest first: what each commit says, and which sources it changes. */
function readCommits(git) {
  const format = '%x01%H%x02%aI%x02%B%x02';
  const text = git(
    ...['log', '--first-parent', '-m', '--no-renames', '--raw', '--no-abbrev', `--format=${format}`],
    ...['-n', String(STRIDE * (SNAPSHOTS + 1)), 'HEAD'],
  );
  return text
    .split('\x01')
    .slice(1)
    .map((part) => {
      const [id, date, message, raw] = part.split('\x02');
      const changed = raw
        .split('\n')
        .filter((row) => row.startsWith(':'))
        .map((row) => {
          const [meta, path] = row.split('\t');
          const [, , old, , status] = meta.split(' ');
          return { path, old, status };
        });
      return { id, date, message: taskOf(message), changed };
    })
    .map((commit) => ({
      ...commit,
      files: commit.changed.filter(
        ({ path, status }) => status === 'M' && SOURCE.test(path) && !NOT_GOLD.test(path),
      ),
    }))
    .reverse();
}

/** Without trailers, links to the change itself and lists of paths. */
function taskOf(message) {
  const kept = message
    .split('\n')
    .filter(
      (line, at) =>
        at === 0 ||
        !/^[\w-]+-(?:by|on|in|id|to|for):|^(?:pr-url|closes?|fixes|refs?|change-id|cc|git-svn-id)\b.{0,80}$/i.test(
          line,
        ),
    );
  return kept
    .join('\n')
    .replace(/ \(#\d+\)$/m, '')
    .trim()
    .slice(0, 4_000);
}

function isTask({ message, files, changed }) {
  if (files.length === 0 || files.length > MAX_GOLD || changed.length > 30) return false;
  const [title = ''] = message.split('\n');
  if (NOT_A_TASK.test(title)) return false;
  // A message that spells the paths is no search.
  if (files.some(({ path }) => message.includes(path))) return false;
  return (title.match(/\p{L}{2,}/gu) ?? []).length >= MIN_WORDS;
}

/** Ranges of a newer state of a file in the older one; what was added since is left out. */
function mapBack(git, from, to, ranges) {
  const hunks = [
    ...git('diff', '-U0', from, to).matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm),
  ].map(([, a, b = '1', c, d = '1']) => ({
    old: Number(a),
    oldCount: Number(b),
    at: Number(c),
    count: Number(d),
  }));
  const place = (line) => {
    let shift = 0;
    for (const { at, count, oldCount } of hunks) {
      const first = count === 0 ? at + 1 : at;
      if (line < first) break;
      if (line < first + count) return null;
      shift += oldCount - count;
    }
    return line + shift;
  };
  const found = [];
  for (const [start, end] of ranges)
    for (let line = start; line <= end; line++) {
      const old = place(line);
      if (old === null) continue;
      const last = found.at(-1);
      if (last && last[1] === old - 1) last[1] = old;
      else found.push([old, old]);
    }
  return found;
}

/** The lines of the old side that a commit touches; an insertion counts as the line before it. */
function changedLines(git, { id, files }) {
  const found = {};
  const diff = git('diff', '-U0', '--no-renames', `${id}^`, id, '--', ...files.map(({ path }) => path));
  let path = null;
  for (const line of diff.split('\n')) {
    if (line.startsWith('--- a/')) path = line.slice(6);
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    if (!hunk || path === null) continue;
    const [start, count] = [Number(hunk[1]), hunk[2] === undefined ? 1 : Number(hunk[2])];
    found[path] ??= [];
    found[path].push(count === 0 ? [Math.max(1, start), Math.max(1, start)] : [start, start + count - 1]);
  }
  return found;
}
