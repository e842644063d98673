import { LoadoutError } from '../../model/loadout-error.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import type { PathMention, StackFrame, TaskWord } from '../../model/task-analysis.ts';

export interface DomainContext {
  /** Name of a domain -> the path prefixes that belong to it. */
  readonly domains?: ReadonlyMap<string, readonly string[]>;
  /** The repository's own top-level packages, as paths. */
  readonly packages?: readonly string[];
  /** A domain that the task is about, whatever its text says: one of `domains`, or one of `packages`. */
  readonly named?: string;
}

/** The path prefixes of the domain that was named. */
export function namedPlaces({ domains = new Map(), packages = [], named }: DomainContext): readonly string[] {
  if (named === undefined) return [];
  const prefixes = domains.get(named) ?? (packages.includes(trimSlashes(named)) ? [named] : []);
  return prefixes.map(trimSlashes);
}

/** A path tells more than any number of words. */
const PATH_POINTS = 10;
const FRAME_POINTS = 4;
const MAX_WORD_POINTS = 3;

/** The parts of the repository that the task is about: by the paths it names, then by their names as words. */
export function taskDomains(
  { domains = new Map(), packages = [], named }: DomainContext,
  paths: readonly PathMention[],
  frames: readonly StackFrame[],
  words: readonly TaskWord[],
): string[] {
  const candidates = [
    ...[...domains].map(([name, prefixes]) => ({ name, prefixes, word: name })),
    ...packages.map((path) => ({ name: path, prefixes: [path], word: trimSlashes(path).split('/').at(-1)! })),
  ];
  const first = named === undefined ? [] : [named];
  if (candidates.length === 0) return first;
  const counts = new Map<string, number>();
  for (const { word, zone, count } of words) {
    const weight = zone === 'title' ? 3 : zone === 'lead' ? 2 : zone === 'boilerplate' ? 0 : 1;
    const lower = word.toLowerCase();
    if (weight > 0) counts.set(lower, (counts.get(lower) ?? 0) + weight * count);
  }
  const places = [
    ...paths.map(({ path, kind }) => ({
      path: kind === 'module' ? path.replaceAll('.', '/') : path,
      points: PATH_POINTS,
    })),
    ...frames.map(({ path }) => ({ path, points: FRAME_POINTS })),
  ];
  const scored = new Map<string, number>();
  for (const { name, prefixes, word } of candidates) {
    let points = 0;
    for (const prefix of prefixes) {
      const bare = trimSlashes(prefix);
      if (bare === '') continue;
      for (const place of places) if (isBelow(place.path, bare)) points += place.points;
    }
    points += Math.min(MAX_WORD_POINTS, wordCount(counts, word));
    if (points > 0) scored.set(name, Math.max(points, scored.get(name) ?? 0));
  }
  const found = [...scored].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([name]) => name);
  return [...new Set([...first, ...found])];
}

function trimSlashes(path: string): string {
  return path.replace(/^(?:\.?\/)+|\/+$/g, '');
}

/** A mention may begin anywhere: at the root, at a folder of another machine, or further down. */
function isBelow(path: string, prefix: string): boolean {
  const slashed = `/${path}/`;
  return slashed.includes(`/${prefix}/`);
}

/** The task means a package `http-client` when it has both words, or the one word `httpclient`. */
function wordCount(counts: ReadonlyMap<string, number>, name: string): number {
  const lower = name.toLowerCase();
  const parts = lower.split(/[^\p{L}\p{M}\p{N}_]+/u).filter((part) => part !== '');
  const whole = counts.get(lower) ?? counts.get(parts.join('')) ?? counts.get(parts.join('_')) ?? 0;
  return Math.max(whole, parts.length === 0 ? 0 : Math.min(...parts.map((part) => counts.get(part) ?? 0)));
}

/** The domains that a task in this repository can be about: those of the setting, and its packages. */
export function repositoryDomains(
  domains: Readonly<Record<string, string>>,
  files: readonly SnapshotFile[],
): Required<Pick<DomainContext, 'domains' | 'packages'>> {
  return { domains: domainPrefixes(domains), packages: topFolders(files) };
}

/** The setting maps prefixes to names; a name may have several prefixes. */
function domainPrefixes(domains: Readonly<Record<string, string>>): ReadonlyMap<string, readonly string[]> {
  const prefixes = new Map<string, string[]>();
  for (const [prefix, name] of Object.entries(domains))
    prefixes.set(name, [...(prefixes.get(name) ?? []), prefix]);
  return prefixes;
}

/** The repository's own packages: folders at the top, and below the usual containers of packages. */
function topFolders(files: readonly SnapshotFile[]): readonly string[] {
  const folders = new Set<string>();
  let last = '/';
  for (const { path } of files) {
    // paths come sorted: most have the folders of the one before
    if (path.startsWith(last)) continue;
    const slash = path.indexOf('/');
    if (slash < 0) continue;
    const first = path.slice(0, slash);
    folders.add(first);
    const next = CONTAINERS.has(first) ? path.indexOf('/', slash + 1) : -1;
    if (next >= 0) folders.add(path.slice(0, next));
    last = CONTAINERS.has(first) ? (next >= 0 ? path.slice(0, next + 1) : '/') : path.slice(0, slash + 1);
  }
  return [...folders];
}

const CONTAINERS: ReadonlySet<string> = new Set([
  'src',
  'packages',
  'apps',
  'libs',
  'lib',
  'crates',
  'modules',
  'services',
]);

const MAX_NAMED = 12;

/** The error for a domain that the repository does not have. */
export function unknownDomain(domain: string, known: readonly string[]): LoadoutError {
  const more = known.length > MAX_NAMED ? ` and ${known.length - MAX_NAMED} more` : '';
  const hint =
    known.length === 0
      ? 'name it in the setting domains: a path prefix and its name'
      : `known here: ${known.slice(0, MAX_NAMED).join(', ')}${more}`;
  return new LoadoutError('unknown-domain', `unknown domain "${domain}"`, { subject: domain, hint });
}
