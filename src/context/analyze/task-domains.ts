import { LoadoutError } from '../../model/loadout-error.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import type {
  PathMention,
  StackFrame,
  TaskAction,
  TaskAnalysis,
  TaskWord,
} from '../../model/task-analysis.ts';
import { anyOf } from './word-runs.ts';

// Domains: the parts of a repository that a task is about. They come from a setting, and from the top folders.

/** The domains that a task can be about. */
export interface DomainContext {
  /** Path prefixes by the name of the domain. */
  readonly domains?: ReadonlyMap<string, readonly string[]>;
  /** The top folders of the repository, as paths. */
  readonly packages?: readonly string[];
  /** The domain that the caller chose: one of `domains` or `packages`. */
  readonly named?: string;
}

/** The path prefixes of the chosen domain; empty when none was chosen. */
export function namedPlaces({ domains = new Map(), packages = [], named }: DomainContext): readonly string[] {
  if (named === undefined) return [];
  const prefixes = domains.get(named) ?? (packages.includes(trimSlashes(named)) ? [named] : []);
  return prefixes.map(trimSlashes);
}

/** A path says more than any number of words. */
const PATH_POINTS = 10;
const FRAME_POINTS = 4;
const MAX_WORD_POINTS = 3;

/** The domains of a task, the most likely first: by the paths that it names, and by its words. */
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
  // Count the words, with more weight for the title and the lead.
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
  // Score each domain by the paths below its prefixes and by its name.
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

/** Whether a path lies below a prefix. The task may write it from the root, from another machine or from further down. */
function isBelow(path: string, prefix: string): boolean {
  const slashed = `/${path}/`;
  return slashed.includes(`/${prefix}/`);
}

/** How often a task names a package. `http-client` counts if the task has both words, or the word `httpclient`. */
function wordCount(counts: ReadonlyMap<string, number>, name: string): number {
  const lower = name.toLowerCase();
  const parts = lower.split(/[^\p{L}\p{M}\p{N}_]+/u).filter((part) => part !== '');
  const whole = counts.get(lower) ?? counts.get(parts.join('')) ?? counts.get(parts.join('_')) ?? 0;
  return Math.max(whole, parts.length === 0 ? 0 : Math.min(...parts.map((part) => counts.get(part) ?? 0)));
}

/** The domains of a repository: those of the setting, and its top folders. */
export function repositoryDomains(
  domains: Readonly<Record<string, string>>,
  files: readonly SnapshotFile[],
): Required<Pick<DomainContext, 'domains' | 'packages'>> {
  return { domains: domainPrefixes(domains), packages: topFolders(files) };
}

/** The setting maps prefixes to names. A name may have several prefixes. */
function domainPrefixes(domains: Readonly<Record<string, string>>): ReadonlyMap<string, readonly string[]> {
  const prefixes = new Map<string, string[]>();
  for (const [prefix, name] of Object.entries(domains))
    prefixes.set(name, [...(prefixes.get(name) ?? []), prefix]);
  return prefixes;
}

/** The folders at the top, and those below the usual containers of packages. */
function topFolders(files: readonly SnapshotFile[]): readonly string[] {
  const folders = new Set<string>();
  let last = '/';
  for (const { path } of files) {
    // Paths are sorted, so most of them are in the same folder as the one before.
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

/** Top folders that hold packages. */
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

// How much a task is about tests, documentation or examples. The ranking lowers such files unless the task asks for them.

/** Patterns that speak for a subject, and how strongly, 0..1. */
type Evidence = readonly (readonly [pattern: RegExp, share: number])[];

/** A verb and, at most 30 characters later in the same sentence, a thing: `add more unit tests`. */
function wish(verbs: string, things: string): RegExp {
  return new RegExp(`\\b(?:${verbs})\\b[^.\\n]{0,30}\\b(?:${things})\\b`, 'i');
}

const CHANGE = 'add|write|create|improve|extend|missing|update|fix|remove|new';
const FAILING_TESTS = anyOf(
  /\b(?:test suite|unit tests?|tests?)(?: \w{1,12}){0,2} fail(?:s|ing|ed|ures?)?\b/i,
  /\bfailing tests?\b|\btest failures?\b/i,
);
const PLACES =
  'ci|on (?:windows|mac\\w{0,4}|linux|master|main|python|node|arm\\w{0,4}|32[- ]bit|big[- ]endian)';

const TESTS: Evidence = [
  [
    wish(
      `${CHANGE}|increase|need|more|port|move|delete|enable|disable|skip|refactor`,
      'tests?|specs?|testing',
    ),
    1,
  ],
  [wish(`${CHANGE}|increase|need|more`, 'test cases?|test coverage|unit-tests?'), 1],
  [wish('flaky|flakey|intermittent|brittle', 'tests?|specs?|ci|suite'), 1],
  [wish('tests?', 'flaky|flakey|flake|intermittently'), 1],
  [
    new RegExp(`\\btests?\\b[^.\\n]{0,40}\\bfail(?:s|ing|ed|ures?)?\\b[^.\\n]{0,60}\\b(?:${PLACES})\\b`, 'i'),
    0.8,
  ],
  [FAILING_TESTS, 0.6],
  [/\b(?:cover|test) [^.\n]{0,60}\b(?:with|by) (?:unit )?tests\b|\btest coverage\b/i, 0.8],
  [
    /(?:编写|添加|增加|补充)[^。]{0,12}测试|テストを(?:追加|書)|\btests? (?:hinzufügen|schreiben|ergänzen)\b/i,
    1,
  ],
];

const DOCUMENTATION =
  'docs?|documentation|docstrings?|readme|changelog|tutorials?|guides?|manual|faq|man ?pages?';

const DOCS: Evidence = [
  [wish(`${CHANGE}|correct|clarify|outdated|wrong|incorrect|broken|rewrite|typos?`, DOCUMENTATION), 1],
  [
    wish(
      DOCUMENTATION,
      'is|are|should|says?|states?|mentions?|missing|outdated|wrong|incorrect|unclear|link',
    ),
    0.5,
  ],
  [/\btypos?\b|^document\b|\bbroken links? (?:in|to|on)\b/i, 0.8],
  [/文档|ドキュメント|\bdokumentation\b|\bdocumentación\b/i, 0.7],
];

const EXAMPLES: Evidence = [
  [wish(`${CHANGE}|broken|outdated`, 'examples?|samples?|demos?|showcases?|playground'), 1],
  [
    wish('examples?|demos?', 'fails?|crash(?:es)?|broken|outdated|folder|directory|app|project|no longer'),
    0.6,
  ],
];

/** Labels of a title or commit that name the subject. */
const LABELS: Readonly<Record<'tests' | 'docs' | 'examples', RegExp>> = {
  tests: /\btests?\b/,
  docs: /\b(?:docs?|documentation|typo)\b/,
  examples: /\b(?:examples?|demo)\b/,
};

/** The first paragraph counts less than the title: it also mentions things that should not change. */
const LEAD_SHARE = 0.4;

function share(evidence: Evidence, text: string): number {
  return Math.max(0, ...evidence.map(([pattern, value]) => (pattern.test(text) ? value : 0)));
}

/** How much the task asks to change tests, documentation and examples, 0..1. Pasted code and logs do not count. */
export function taskSubjects(
  title: string,
  label: string,
  lead: string,
  action: TaskAction | null,
): TaskAnalysis['about'] {
  const about = (subject: 'tests' | 'docs' | 'examples', evidence: Evidence): number =>
    LABELS[subject].test(label)
      ? 1
      : Math.max(share(evidence, title.slice(0, 400)), LEAD_SHARE * share(evidence, lead.slice(0, 1_000)));
  return {
    tests: action === 'test' ? 1 : about('tests', TESTS),
    docs: action === 'document' ? 1 : about('docs', DOCS),
    examples: about('examples', EXAMPLES),
  };
}
