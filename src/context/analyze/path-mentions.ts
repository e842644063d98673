import type { PathMention, TaskZone } from '../../model/task-analysis.ts';
import { isFileName, isMemberLike } from './file-names.ts';
import { type PathToken, pathTokens, readPathToken } from './path-tokens.ts';
import type { Passage, TaskAddress } from './read-passages.ts';
import { anyOf } from './word-runs.ts';

// The files, folders and modules that a task names: as paths, as modules in imports, and as links to a repository host.

/** Every path, module and link into a repository that the task names, in order, each once per zone and manner. */
export function pathMentions(passages: readonly Passage[], addresses: readonly TaskAddress[]): PathMention[] {
  const found = new Map<string, PathMention>();

  function add(
    kind: PathMention['kind'],
    { path, line }: PathToken,
    zone: TaskZone,
    manner: PathMention['manner'],
  ): void {
    const key = `${kind}\0${path}\0${line}\0${zone}\0${manner}`;
    if (!found.has(key)) found.set(key, { path, kind, manner, line, zone });
  }

  for (const { url, zone } of addresses) {
    const location = repositoryLocation(url);
    if (location) add('url', location, zone, 'text');
  }
  const read = rememberingReader();
  for (const passage of passages) {
    const manner = mannerOf(passage.text, passage.zone);
    for (const token of pathTokens(passage, read))
      add('path', token, passage.zone, manner === 'list' ? 'text' : manner);
    for (const path of moduleMentions(passage)) add('module', { path, line: null }, passage.zone, manner);
  }
  return [...found.values()];
}

/** Logs repeat the same paths, so each token is read only once in each setting. */
function rememberingReader(): typeof readPathToken {
  const known = new Map<string, PathToken | null>();
  return (token, setting) => {
    const key = `${Number(setting.isQuoted)}${Number(setting.isCode)}${token}`;
    let read = known.get(key);
    if (read === undefined) {
      read = readPathToken(token, setting);
      known.set(key, read);
    }
    return read;
  };
}

/** The word in a link that comes before the branch. */
const VIEWS = new Set(['blob', 'tree', 'raw', 'blame', 'edit', 'src', 'browse', 'commits', 'item']);
const REF_KINDS = new Set(['branch', 'tag', 'commit', 'heads', 'tags']);

/** The place that a link shows. */
interface RepositoryLocation {
  readonly path: string;
  readonly line: number | null;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The index of the first segment after the branch; -1 when the link does not lead into a repository. */
function pathStart(host: string, segments: readonly string[]): number {
  if (/^raw\./.test(host)) return segments[2] === 'refs' ? 5 : 3;
  const view = segments.findIndex((segment, at) => at >= 2 && VIEWS.has(segment));
  if (view === -1) return -1;
  const afterDash = segments[view - 1] === '-';
  // Owner and repository come first. Some hosts have groups in between, which may end with a dash.
  if (view !== 2 && !afterDash && !/^git|gitlab|gitea|forgejo|codeberg|sr\.ht/.test(host)) return -1;
  if (segments[view] === 'src' && !/bitbucket|gitea|forgejo|codeberg|gitee|git\./.test(host)) return -1;
  let ref = view + 1;
  if (segments[ref] === 'refs') ref++;
  if (REF_KINDS.has(segments[ref] ?? '') && segments.length > ref + 1) ref++;
  return segments[ref + 1] === 'item' ? ref + 2 : ref + 1;
}

/**
 * The file or folder that a link to a repository host shows (`…/owner/name/blob/main/src/a.ts#L10`), or null. A branch
 * with a slash in its name looks like a folder, so its second part stays in front of the path.
 */
function repositoryLocation(url: string): RepositoryLocation | null {
  const address =
    /^(?:https?|ssh|git):\/\/(?:[^/@]{1,100}@)?([^/?#]{1,200})\/([^?#]{1,2000})(\?[^#]{0,500})?(#.{0,200})?/.exec(
      url,
    );
  if (!address) return null;
  const segments = address[2]!.split('/').filter((segment) => segment !== '');
  const query = /[?&]path=\/?([^&]{1,500})/.exec(address[3] ?? '');
  const start = pathStart(address[1]!.toLowerCase(), segments);
  const found = start !== -1 && start < segments.length ? segments.slice(start).map(decoded).join('/') : null;
  const path = found ?? (query && segments.includes('_git') ? decoded(query[1]!) : null);
  if (path === null || path === '' || /[\n\r\0]/.test(path)) return null;
  const line = /^#(?:L|lines-|n|line=)(\d{1,7})/.exec(address[4] ?? '');
  return { path: path.replace(/[.,;:]+$/, ''), line: line ? Number(line[1]) : null };
}

const SEPARATOR = /\.|::|\\{1,2}/;
const PROMPT = '^\\s{0,40}(?:>>> |\\.\\.\\.:? |In ?\\[\\d{1,4}\\]: )?';
const FROM_IMPORT = new RegExp(`${PROMPT}from (\\.{0,3}[\\w.]{1,200}) import \\(?([\\w\\s,.*]{0,400})`);
const IMPORTS = '(?:import|using|use|package|alias|require|open|extern crate|pub use|@import|namespace)';
const IMPORT = new RegExp(`${PROMPT}${IMPORTS}\\s{1,8}(?:static |qualified |type )?([\\w.:\\\\$]{2,200})`);

/** Names of common objects. A chain that begins with one names a member, not a module. */
const RECEIVERS = new Set(
  `self this cls super me it obj object window document console process module exports e i ctx req res
  request response args options props state event err error result data np pd plt sns tf ax fig df arr
  math Math JSON Object Array Promise sys os re time datetime random String System www`.split(/\s+/),
);

const NO_MODULE = /^(?:e\.g|i\.e|a\.k\.a|etc)\b|^[\w-]+\.(?:com|org|net|io|dev)$/i;

const QUOTES = '"\'`';
const MAX_SEGMENTS = 12;
const MAX_LINE = 1_000;

/** Names of modules in a passage, always written with dots: `a.b.c` for `a::b::c`. */
function moduleMentions({ text, zone, chains }: Passage): string[] {
  const found = text.length < MAX_LINE ? importedModules(text) : [];
  const isCode = zone === 'code' || zone === 'trace';
  for (const { written, segments, start, end } of chains) {
    if (segments.length < 2 || /[#>?]/.test(written)) continue;
    const ahead = text[start - 1] ?? ' ';
    const behind = text[end] ?? ' ';
    if ('/\\@-'.includes(behind) || '/\\@.-'.includes(ahead)) continue;
    const own = behind === '(' ? segments.slice(0, -1) : segments;
    if (isModule(own, written, isCode, QUOTES.includes(ahead))) found.push(own.join('.'));
  }
  return found;
}

/** `vite.config.ts` is a file; `django.utils.html` may be a file or a module. */
function isNamedLikeFile(segments: readonly string[]): boolean {
  const name = segments.join('.');
  return isFileName(name) && (segments.length < 3 || !isMemberLike(name));
}

/** Whether a chain of names is a module. In code, short chains are mostly members, so quotes have to mark them. */
function isModule(segments: readonly string[], written: string, isCode: boolean, isQuoted: boolean): boolean {
  const first = segments[0]!;
  if (segments.length < 2 || RECEIVERS.has(first) || written.startsWith('$')) return false;
  if (isNamedLikeFile(segments) || NO_MODULE.test(written)) return false;
  if (segments.length > 2) {
    return !isCode || isQuoted || segments.length > 3 || /::|\\/.test(written);
  }
  if (written.includes('::')) return /^[a-z]/.test(first);
  const isPlain = segments.every((segment) => /^[a-z_][a-z0-9_]+$/.test(segment));
  return isPlain && (!isCode || isQuoted);
}

/** `from a.b import c` names `a.b` and perhaps `a.b.c`. The import of a single name says little. */
function importedModules(text: string): string[] {
  if (!/import|us(?:e|ing) |package |alias |require |open |namespace /.test(text)) return [];
  const from = FROM_IMPORT.exec(text);
  if (from) {
    const base = from[1]!.replace(/^\.+|\.+$/g, '');
    if (base === '') return [];
    const names = from[2]!.split(/[\s,]+/).filter((name) => /^[a-z_][a-z0-9_]*$/.test(name) && name !== 'as');
    const inner = names.slice(0, 8).map((name) => `${base}.${name}`);
    return base.includes('.') ? [base, ...inner] : inner;
  }
  const imported = IMPORT.exec(text)?.[1]?.replace(/^[.:\\]+|[.:\\]+$/g, '');
  if (!imported || !SEPARATOR.test(imported) || imported.includes('/')) return [];
  const segments = imported.split(SEPARATOR).filter((segment) => segment !== '');
  const isModuleName = segments.length > 1 && segments.length <= MAX_SEGMENTS && !isNamedLikeFile(segments);
  return isModuleName ? [segments.join('.')] : [];
}

/** Statements that bring a module in, alone on their line. */
const STATEMENT = anyOf(
  new RegExp(`${PROMPT}from \\.{0,3}[\\w.]{1,200} import\\b`),
  new RegExp(
    `${PROMPT}import [\\w.]{1,200}(?: as \\w{1,60})?(?:, ?[\\w.]{1,200}(?: as \\w{1,60})?){0,20};?\\s*(?:#.*)?$`,
  ),
  new RegExp(`${PROMPT}(?:import|export)\\b.{0,300}["'][^"']{1,200}["'];?\\s*(?://.*)?$`),
  new RegExp(
    `${PROMPT}(?:const|let|var) .{1,200}= (?:await )?(?:require|import)\\(["'][^"']{1,200}["']\\).{0,60}$`,
  ),
  new RegExp(`${PROMPT}require(?:_relative)?[ (]["'][^"']{1,200}["']\\)?;?\\s*$`),
  new RegExp(`${PROMPT}import (?:static )?[\\w.]{1,200}(?:\\.\\*)?;\\s*$`),
  new RegExp(
    `${PROMPT}(?:pub )?(?:use|using|package|namespace|alias|extern crate) [\\w.:\\\\*]{1,200}(?:\\{[\\w\\s,:*]{1,200}\\})?(?: as \\w{1,60})?;?\\s*$`,
  ),
  new RegExp(`${PROMPT}#\\s{0,4}include\\s{0,4}[<"]`),
);

/** A label in front of names that are switched on: "Sphinx extensions: a.b, c.d". */
const LABELLED_LIST =
  /^[\s*_#>-]{0,12}(?:[\w*]{1,20} ){0,2}(?:extensions?|plugins?|apps|middlewares?|loaders?|handlers?)\b[*_]{0,2}\s{0,3}[:=]/i;
/** `INSTALLED_APPS = ['a.b', 'c.d']`, `- a.b`, `'a.b',`: names, marks, and at most the name of a setting in front. */
const LIST_LINE =
  /^\s{0,60}(?:[\w.]{1,60}\s{0,3}(?:[-+]?=|:)\s{0,3})?[[({]{0,2}(?:\s{0,3}["'][\w.]{2,200}["']\s{0,3}(?:,|$|[\])}])){1,60}[\])},;\s]{0,8}(?:#.{0,200})?$/;

/** How the modules and paths of a line are named. Only the line itself is looked at. */
function mannerOf(text: string, zone: TaskZone): PathMention['manner'] {
  if (zone === 'trace') return 'trace';
  if (text.length > 1_000) return 'text';
  if (STATEMENT.test(text)) return 'import';
  if (LABELLED_LIST.test(text) || LIST_LINE.test(text)) return 'list';
  return 'text';
}
