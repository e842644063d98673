import { decodePath } from '../platform/fs/path-codec.ts';
import type { GitDoor } from '../platform/git/git.ts';
import { gitOutput } from '../platform/git/git-failure.ts';
import { splitNul } from '../platform/git/git-output.ts';

export interface Patch {
  /** Null when it would be larger than a patch may be. */
  readonly bytes: Buffer | null;
  /** Every file that is new, gone or different, by name. */
  readonly files: readonly string[];
  /** Files that were there before are among them. */
  readonly hasChanges: boolean;
  /** Links that it lays. */
  readonly links: readonly string[];
}

export const MOST_PATCH_BYTES = 64 * 1024 * 1024;
const OPTIONS = ['-r', '--raw', '-z', '--full-index', '--no-renames'];
/** The list of files ends with an empty name. */
const END_OF_LIST = Buffer.from('\0\0');
const LINK_MODE = '120000';
/** Links that lead to links, as many as the system follows. */
const MOST_LINKS = 40;

/** The difference between two trees, and the names in it: one question, because every process that is started costs. */
export async function readPatch(git: GitDoor, from: string, to: string): Promise<Patch> {
  const ask = (...options: string[]) =>
    git.run(['diff-tree', ...OPTIONS, ...options, from, to], { maxOutputBytes: MOST_PATCH_BYTES });
  const whole = await ask('-p', '--binary');
  const isTooLarge = whole.outcome === 'output-limit';
  const output = gitOutput('diff-tree', isTooLarge ? await ask() : whole);
  const end = isTooLarge ? output.length - 1 : output.indexOf(END_OF_LIST);
  if (end < 0) return { bytes: Buffer.alloc(0), files: [], hasChanges: false, links: [] };
  const fields = splitNul(output.subarray(0, end + 1));
  const files = fields.filter((_, at) => at % 2 === 1);
  const kinds = fields.filter((_, at) => at % 2 === 0);
  return {
    bytes: isTooLarge ? null : output.subarray(end + END_OF_LIST.length),
    files,
    hasChanges: kinds.some((kind) => !kind.endsWith(' A')),
    links: files.filter((_, at) => kinds[at]!.split(' ')[1] === LINK_MODE),
  };
}

/** Of these links of a tree, those that lead out of it, into a git directory, or round in circles; with their targets. */
export async function linksLeadingOut(
  git: GitDoor,
  tree: string,
  links: readonly string[],
): Promise<readonly string[]> {
  if (links.length === 0) return [];
  const targets = await readLinks(git, tree);
  return links
    .filter((link) => !staysInside(link, targets))
    .map((link) => `${link} -> ${targets.get(link) ?? '?'}`);
}

/** All links of a tree: one may lead out through another. */
async function readLinks(git: GitDoor, tree: string): Promise<ReadonlyMap<string, string>> {
  const listed = splitNul(gitOutput('ls-tree', await git.run(['ls-tree', '-r', '-z', tree])));
  const links = listed.flatMap((line) => {
    const [mode, , blob = ''] = line.slice(0, line.indexOf('\t')).split(' ');
    return mode === LINK_MODE ? [{ blob, path: line.slice(line.indexOf('\t') + 1) }] : [];
  });
  const input = Buffer.from(links.map(({ blob }) => `${blob}\n`).join(''));
  const output = gitOutput('cat-file', await git.run(['cat-file', '--batch=%(objectsize)'], { input }));
  const targets = new Map<string, string>();
  let at = 0;
  for (const { path } of links) {
    const lineEnd = output.indexOf('\n', at);
    const start = lineEnd + 1;
    const end = start + Number(output.toString('latin1', at, lineEnd));
    targets.set(path, decodePath(output.subarray(start, end)));
    at = end + 1;
  }
  return targets;
}

/** Follows a link as the system would, by name alone: no file is looked at. */
function staysInside(link: string, targets: ReadonlyMap<string, string>): boolean {
  const ahead = link.split('/');
  const at: string[] = [];
  for (let followed = 0; ahead.length > 0; ) {
    const part = ahead.shift()!;
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (at.pop() === undefined) return false;
      continue;
    }
    at.push(part);
    if (at.some((name) => name.toLowerCase() === '.git')) return false;
    const target = targets.get(at.join('/'));
    if (target === undefined) continue;
    followed += 1;
    if (followed > MOST_LINKS || target === '' || /^(?:[\\/]|[a-z]:)/i.test(target)) return false;
    at.pop();
    ahead.unshift(...target.split('/'));
  }
  return true;
}
