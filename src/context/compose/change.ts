import type { LineSpan } from '../../model/context-pack.ts';
import type { IndexView } from '../../model/index-view.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { RankedFile, RankedSymbol } from '../../model/ranking.ts';
import type { EdgeList } from '../../model/snapshot.ts';
import type { SymbolDefinition } from '../../model/symbol.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import { decodePath } from '../../platform/fs/path-codec.ts';
import { openSafeRoot, type SafeRoot } from '../../platform/fs/safe-root.ts';
import type { GitClient } from '../../platform/git/git.ts';
import { locateRepository } from '../../platform/git/locate-repository.ts';
import { isOwnOutput } from '../../scan/discover/index.ts';
import type { Candidate } from './file-forms.ts';
import type { ItemSource, SourceReader } from './source.ts';

/** Which change is under review. */
export interface ChangeSelection {
  /** A commit, branch or tag; what came after it forked from `HEAD` counts. */
  readonly base: string;
  /** Only the staged change, instead of all changes on disk. */
  readonly staged?: boolean;
  /** Only what git knows and is not staged, as `git diff` shows it. */
  readonly unstaged?: boolean;
  /** In place of a base: what came after this date. */
  readonly since?: string;
}

export interface ChangedFile {
  /** Relative to the root. */
  readonly path: string;
  /** The status that git reports. */
  readonly text: string;
  /** The changed lines as they are now, with a few around them. */
  readonly spans: readonly LineSpan[];
}

/** Asks git for a change, file by file. */
export async function readChange(
  git: GitClient | null,
  rootPath: string,
  selection: ChangeSelection,
): Promise<ChangedFile[]> {
  if (git === null) throw noGit(rootPath);
  const { staged = false, unstaged = false } = selection;
  const command = unstaged ? 'diff-files' : 'diff-index';
  const from = unstaged ? [] : [await startOf(git, selection)];
  const prefix = rootPath === git.workTree ? '' : `${rootPath.slice(git.workTree.length + 1)}/`;
  const common = [...(staged ? ['--cached'] : []), '--find-renames', ...from, '--', prefix || '.'];
  const [names, patch] = await Promise.all([
    // unlike a list of names it says nothing of files that were only touched, and so does the patch
    ask(git, [command, '--numstat', '-z', ...common]),
    ask(git, [command, '--patch', '--no-color', ...common]),
  ]);
  const paths = numstatPaths(decodePath(names));
  const decoded = decodeText(patch);
  // a patch of a binary file says so in words; other bytes are those of the files themselves
  const sections = splitDiff(decoded.kind === 'text' ? decoded.text : patch.toString('latin1'));
  if (sections.length !== paths.length)
    throw new LoadoutError('git-failed', 'files changed while git showed the diff', { hint: 'try again' });
  const tracked = paths.flatMap((path, at): ChangedFile[] => {
    const text = sections[at]!;
    return isOwnOutput(path) ? [] : [{ path: path.slice(prefix.length), text, spans: hunkSpans(text) }];
  });
  if (staged || unstaged) return tracked;
  return [...tracked, ...(await untrackedChanges(git, rootPath, prefix))].sort(byPath);
}

/** The tree that the change is compared with. Before the first commit everything is new. */
async function startOf(git: GitClient, { base, staged, since }: ChangeSelection): Promise<string> {
  if (since !== undefined) return commitBefore(git, since);
  if (base === 'HEAD' && (await git.run(['rev-parse', '--verify', '--quiet', 'HEAD'])).exitCode !== 0) {
    const empty = await ask(git, ['hash-object', '-t', 'tree', '--stdin'], Buffer.alloc(0));
    return empty.toString().trim();
  }
  return staged ? commitOf(git, base) : forkPoint(git, base);
}

/** Files below the root that differ from a commit, or are new on disk; sorted. */
export async function changedPaths(
  git: GitClient | null,
  rootPath: string,
  since: string,
): Promise<string[]> {
  if (git === null) throw noGit(rootPath);
  const from = await commitOf(git, since);
  const prefix = rootPath === git.workTree ? '' : `${rootPath.slice(git.workTree.length + 1)}/`;
  const names = await ask(git, ['diff-index', '--numstat', '-z', '--no-renames', from, '--', prefix || '.']);
  const untracked = (await git.untrackedFiles()).filter((path) => path.startsWith(prefix));
  const paths = [...numstatPaths(decodePath(names)), ...untracked].filter((path) => !isOwnOutput(path));
  return [...new Set(paths.map((path) => path.slice(prefix.length)))].sort();
}

/** New files are part of the change, whether or not they were added to git yet. */
async function untrackedChanges(git: GitClient, rootPath: string, prefix: string): Promise<ChangedFile[]> {
  const root = openSafeRoot(rootPath);
  const paths = (await git.untrackedFiles()).filter(
    (path) => path.startsWith(prefix) && !path.endsWith('/') && !isOwnOutput(path),
  );
  return paths.flatMap((path) => untrackedChange(root, path.slice(prefix.length)) ?? []);
}

function byPath(a: ChangedFile, b: ChangedFile): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

async function ask(git: GitClient, args: readonly string[], input?: Buffer): Promise<Buffer> {
  const { exitCode, stdout, stderr } = await git.run(args, input ? { input } : {});
  if (exitCode === 0) return stdout;
  throw new LoadoutError('git-failed', `git cannot show the change: ${stderr.toString().trim()}`);
}

async function commitOf(git: GitClient, base: string): Promise<string> {
  const answer = await git.run(['rev-parse', '--verify', '--quiet', '--end-of-options', `${base}^{commit}`]);
  if (answer.exitCode === 0) return answer.stdout.toString().trim().split('\n').at(-1)!;
  throw new LoadoutError('bad-base', `there is no commit ${JSON.stringify(base)}`, {
    subject: base,
    hint: 'name a commit, a branch or a tag, such as: --diff main',
  });
}

/** Where the work left the base: what others did there since is not part of the change. */
async function forkPoint(git: GitClient, base: string): Promise<string> {
  const commit = await commitOf(git, base);
  const answer = await git.run(['merge-base', commit, 'HEAD']);
  return answer.exitCode === 0 ? answer.stdout.toString().trim().split('\n')[0]! : commit;
}

/** The last commit before a date, for changes since then. */
async function commitBefore(git: GitClient, date: string): Promise<string> {
  const refuse = (message: string) =>
    new LoadoutError('bad-base', message, {
      subject: '--since',
      hint: 'give a date such as 2024-05-01, yesterday or "3 days ago"',
    });
  if (!DATE.test(date)) throw refuse(`${JSON.stringify(date)} is not a date`);
  const answer = await git.run(['rev-list', '-1', `--before=${date}`, 'HEAD']);
  const commit = answer.exitCode === 0 ? answer.stdout.toString().trim() : '';
  if (commit === '') throw refuse(`there is no commit before ${JSON.stringify(date)}`);
  return commit;
}

/** Git silently treats an unknown word as "now". So a date must have a number or a word that git knows. */
const DATE =
  /\d|\b(?:now|today|yesterday|noon|midnight|tea|last|ago|(?:sun|mon|tues|wednes|thurs|fri|satur)day|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*)\b/i;

function noGit(rootPath: string): LoadoutError {
  const place = locateRepository(rootPath);
  const why = place.kind === 'found' ? '' : `: ${place.detail}`;
  return new LoadoutError('no-git', `a change can only be shown in a git repository${why}`);
}

/** A patch by files. Lines of content never begin like this: they have a sign in front. */
export function splitDiff(text: string): string[] {
  return text.split(/^(?=diff --git )/m).filter((section) => section.startsWith('diff --git '));
}

const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/gm;

/** Where the hunks of one file are in its new state. */
export function hunkSpans(section: string): LineSpan[] {
  return Array.from(section.matchAll(HUNK), ([, start, count = '1']) => {
    const startLine = Math.max(1, Number(start));
    return { startLine, endLine: Math.max(startLine, startLine + Number(count) - 1) };
  });
}

/** The paths of `--numstat -z` as they are now: `1\t2\tpath`, or for a rename `1\t2\t`, the old path, the new one. */
export function numstatPaths(text: string): string[] {
  const fields = text.split('\0');
  const paths: string[] = [];
  // after the last NUL comes nothing, or half an item
  const last = fields.length - 1;
  for (let at = 0; at < last; at++) {
    const path = fields[at]!.split('\t').slice(2).join('\t');
    if (path === '') at += 2;
    if (at < last) paths.push(path === '' ? fields[at]! : path);
  }
  return paths;
}

/** A larger new file is named, not shown: it is data rather than a change to review. */
const MAX_BYTES = 1_000_000;

/** An untracked file, as git would show it after `git add`; null when it is not a regular file. */
function untrackedChange(root: SafeRoot, path: string): ChangedFile | null {
  const outcome = root.read(path, MAX_BYTES);
  if (outcome.kind !== 'content' && outcome.reason !== 'too-large') return null;
  const [before, after] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  const head = `diff --git ${before} ${after}\nnew file mode 100644\n`;
  const decoded = outcome.kind === 'content' ? decodeText(outcome.bytes) : null;
  if (decoded?.kind !== 'text')
    return { path, text: `${head}Binary files /dev/null and ${after} differ\n`, spans: [] };
  const lines = decoded.text.split('\n');
  const endsOpen = lines.at(-1) !== '';
  if (!endsOpen) lines.pop();
  if (lines.length === 0) return { path, text: head, spans: [] };
  const added = lines.map((line) => `+${line}\n`).join('');
  // git closes a name with a blank in it by a tab, and leaves out the count of a single line
  const target = path.includes(' ') ? `${after}\t` : after;
  const range = lines.length === 1 ? '1' : `1,${lines.length}`;
  const end = endsOpen ? '\\ No newline at end of file\n' : '';
  const text = `${head}--- /dev/null\n+++ ${target}\n@@ -0,0 +${range} @@\n${added}${end}`;
  return { path, text, spans: [{ startLine: 1, endLine: lines.length }] };
}

/** As git writes a name that could be taken for something else: in quotes, with escapes. */
function quoted(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to be escaped
  if (!/["\\\u0000-\u001f\u007f]/.test(path)) return path;
  const escaped = path.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to be escaped
    /["\\\u0000-\u001f\u007f]/g,
    (character) =>
      ({ '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' })[character] ??
      `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `"${escaped}"`;
}

const MAX_AROUND = 60;
/** How likely a reviewer needs them: changed files, their tests, their users. */
const NEED = { changed: 1, test: 0.3, user: 0.15 };
const MAX_SYMBOL = 150;
const NO_SIGNALS = { path: 0, symbol: 0, lexical: 0, semantic: 0, graph: 0, history: 0 };

/** The files of a change, around the changed lines, then their tests and the files that use them. */
export function changeCandidates(
  change: readonly ChangedFile[],
  index: IndexView,
  sources: SourceReader,
  allow: (path: string) => boolean,
): Candidate[] {
  const read = (path: string) => (allow(path) ? sources.read(path) : null);
  const changed = change.flatMap(({ path, spans }): Candidate[] => {
    const source = read(path);
    if (source === null) return [];
    const ranked = asRanked(source, spans);
    return [{ source, ranked, origin: 'target', isAsked: false, need: NEED.changed, reason: 'changed' }];
  });
  const { files } = index.snapshot;
  const numbers = new Map(files.map(({ path }, number) => [path, number]));
  const inside = new Set(change.flatMap(({ path }) => numbers.get(path) ?? []));
  const neighbours = (edges: EdgeList, need: number, reason: string) =>
    sourcesInto(edges, inside)
      .filter((file) => !inside.has(file))
      .slice(0, MAX_AROUND)
      .flatMap((file, at): Candidate[] => {
        const source = read(files[file]!.path);
        if (source === null) return [];
        return [{ source, ranked: null, origin: 'ast', isAsked: false, need: need / (at + 1), reason }];
      });
  return [
    ...changed,
    ...neighbours(index.links.tests, NEED.test, 'tests what was changed'),
    ...neighbours(index.links.definers, NEED.user, 'uses what was changed'),
  ];
}

/** The tests of a file, those that use most of it first. */
export function testsOf(path: string, { snapshot: { files }, links }: IndexView): string[] {
  const file = files.findIndex((one) => one.path === path);
  return sourcesInto(links.tests, new Set([file])).map((test) => files[test]!.path);
}

/** Files with an edge to one of these, those with most of them first. */
function sourcesInto({ starts, targets }: EdgeList, inside: ReadonlySet<number>): number[] {
  const found = new Map<number, number>();
  for (let file = 0; file + 1 < starts.length; file++)
    for (let at = starts[file]!; at < starts[file + 1]!; at++)
      if (inside.has(targets[at]!)) found.set(file, (found.get(file) ?? 0) + 1);
  return [...found].sort(([a, many], [b, more]) => more - many || a - b).map(([file]) => file);
}

/** The relevant parts of a changed file: the definitions that contain changed lines, and changed lines outside of any. */
function asRanked(source: ItemSource, hunks: readonly LineSpan[]): RankedFile {
  const symbols = new Map<SymbolDefinition, RankedSymbol>();
  const spans: LineSpan[] = [];
  for (const hunk of hunks) {
    const around = enclosing(source.symbols, hunk);
    if (around === null) spans.push(hunk);
    else {
      const { name, startLine, endLine } = around;
      const rank = { score: 1, likelihood: 1, isMentioned: false, words: [] };
      symbols.set(around, { name, startLine, endLine, ...rank });
    }
  }
  const scores = { combinedScore: 1, astScore: 1, semanticScore: 1 };
  const lines = { symbols: [...symbols.values()], blocks: [], spans };
  return { path: source.path, ...scores, ...lines, signals: NO_SIGNALS, reasons: ['changed'] };
}

/** The smallest definition around the middle of some lines that is short enough to show. */
function enclosing(symbols: readonly SymbolDefinition[], { startLine, endLine }: LineSpan) {
  const middle = (startLine + endLine) >> 1;
  return symbols.reduce<SymbolDefinition | null>((best, symbol) => {
    const length = symbol.endLine - symbol.startLine;
    const isAround = symbol.startLine <= middle && symbol.endLine >= middle && length < MAX_SYMBOL;
    return isAround && (best === null || length <= best.endLine - best.startLine) ? symbol : best;
  }, null);
}
