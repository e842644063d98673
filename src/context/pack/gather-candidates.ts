import {
  type Convention,
  ITEM_FORMS,
  type ItemForm,
  type ItemSource as ItemOrigin,
} from '../../model/context-pack.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { IndexView } from '../../model/index-view.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { RankedFile } from '../../model/ranking.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import type { TaskAnalysis } from '../../model/task-analysis.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import { openSafeRoot, type SafeRoot } from '../../platform/fs/safe-root.ts';
import { createPathFilter } from '../../scan/discover/index.ts';
import { findFile, type OpenScan } from '../../scan/index.ts';
import {
  type Candidate,
  type ChangedFile,
  type ComposeContext,
  changeCandidates,
  type ItemSource,
  needOf,
  SMALL_FILE_LINES,
  type SourceReader,
  testsOf,
} from '../compose/index.ts';
import { type FileGuard, guardFiles, type KeptFile, keptOut } from '../guidelines/index.ts';
import type { FileSelection, PackageRequest, WantedFile } from './package-request.ts';

interface GatherRequest {
  readonly context: ComposeContext;
  readonly index: IndexView;
  /** Best first. */
  readonly ranked: readonly RankedFile[];
  /** The change under review: its files, their tests and the files that use them may all go in. */
  readonly change: readonly ChangedFile[];
  /** Files that are in the package as conventions need no second place. */
  readonly conventions: readonly Convention[];
  /** Patterns of files that are never left out for the budget. */
  readonly alwaysInclude: readonly string[];
  /** Patterns of files that belong in where there is room. */
  readonly alsoInclude: readonly string[];
  /** Files like those of `alwaysInclude`, by name. */
  readonly always: readonly string[];
  /** Files that are needed regardless of their rank. */
  readonly wanted: readonly WantedFile[];
  /** Files by the form that the caller wants. */
  readonly forms: ReadonlyMap<string, ItemForm>;
  /** How the task was read; null without a task. */
  readonly analysis: TaskAnalysis | null;
}

interface Candidates {
  /** Targets, then what is always included, then the change, then the others, best first. */
  readonly list: readonly Candidate[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The size limit of all files that are always included together, so that a role cannot ask for too much. */
const MAX_ALWAYS_BYTES = 2 * 1024 * 1024;
/** Files of `alsoInclude` come after what the task needs, and before what hardly any task needs. */
const NEED_OF_ALSO = 0.01;
const MAX_ALSO = 100;

/** The tests of the best file come before weak matches, most of all if the task has something of theirs. */
const NEED_OF_TEST = { ranked: 0.08, other: 0.02 };
const MAX_TESTS = 2;
/** In a smaller budget tests would take the room of the code. */
const ROOM_FOR_TESTS = 8_000;

/** Lists every file that may go into a package, each with how likely it is needed and why. */
export function gatherCandidates(request: GatherRequest): Candidates {
  const { ranked } = request;
  const { sources, targets, allow } = request.context;
  const elsewhere = new Set(request.conventions.flatMap(({ path, cut }) => (cut ? [] : [path])));
  const byPath = new Map(ranked.map((one) => [one.path, one]));
  const diagnostics: Diagnostic[] = [];
  const list: Candidate[] = [];
  const taken = new Set<string>();
  const bestScore = ranked[0]?.combinedScore ?? 0;
  const add = (path: string, origin: ItemOrigin, need: number, reason: string) => {
    if (taken.has(path)) return;
    const source = sources.read(path);
    if (source === null) {
      diagnostics.push(vanished(path));
      return;
    }
    taken.add(path);
    if (source.isStale) diagnostics.push(changed(path));
    const isAsked = origin === 'target' || origin === 'always';
    const isNamed = names(request.analysis, path);
    const wanted = formFor(path, source);
    list.push({
      source,
      ranked: byPath.get(path) ?? null,
      origin,
      isAsked,
      isNamed,
      need,
      reason,
      ...wanted,
    });
  };

  // A form that the file does not have is said, and the fitter chooses as usual.
  const formFor = (path: string, source: ItemSource): Pick<Candidate, 'wantedForm'> => {
    const wantedForm = request.forms.get(path);
    if (wantedForm === undefined) return {};
    const why = formProblem(source, wantedForm);
    if (why === null) return { wantedForm };
    diagnostics.push(notInForm(path, wantedForm, why));
    return {};
  };

  // The files that were asked for: targets, and those that are always included.
  for (const path of targets) add(path, 'target', 1, 'named as a target');
  const always = alwaysIncluded(request);
  for (const path of always.paths) add(path, 'always', 1, 'always included');

  // The change under review, its tests and its users.
  for (const candidate of changeCandidates(request.change, request.index, sources, allow)) {
    if (taken.has(candidate.source.path)) continue;
    taken.add(candidate.source.path);
    list.push({ ...candidate, ...formFor(candidate.source.path, candidate.source) });
  }

  // The ranking; a file that the role wants is at least as needed as the role says, and so are the tests of the best.
  const wanted = new Map(request.wanted.map((one) => [one.path, one]));
  const tests = testsOfBest(request);
  ranked.forEach((one, rank) => {
    if (!request.forms.has(one.path) && (elsewhere.has(one.path) || isEmpty(sources, one.path))) return;
    const least = Math.max(wanted.get(one.path)?.need ?? 0, tests.has(one.path) ? NEED_OF_TEST.ranked : 0);
    const need = Math.max(needOf(rank, one.combinedScore, bestScore), least);
    add(one.path, originOf(one), need, one.reasons.join('; ') || 'relevant by its score');
  });

  for (const path of tests) add(path, 'ast', NEED_OF_TEST.other, `tests ${ranked[0]!.path}`);

  // Files that are asked for in a form, and that the task would not bring along.
  for (const path of request.forms.keys())
    if (allow(path)) add(path, 'target', NEED_OF_ALSO, `asked for as ${request.forms.get(path)}`);

  // Then what the role wants beside it.
  for (const { path, need, reason } of wanted.values())
    if (!elsewhere.has(path)) add(path, 'ast', need, reason);
  for (const path of alsoIncluded(request, elsewhere)) add(path, 'ast', NEED_OF_ALSO, 'named by the role');
  return { list, diagnostics: [...always.diagnostics, ...diagnostics] };
}

function testsOfBest({ ranked: [best], index, context }: GatherRequest): ReadonlySet<string> {
  const { allow, budget, fill } = context;
  if (best === undefined || fill || budget <= ROOM_FOR_TESTS) return new Set();
  return new Set(testsOf(best.path, index).filter(allow).slice(0, MAX_TESTS));
}

/** Whether the task, or a stack trace in it, names a file. */
function names(analysis: TaskAnalysis | null, path: string): boolean {
  const isThis = (named: string) =>
    named === path || path.endsWith(`/${named}`) || named.endsWith(`/${path}`);
  return analysis !== null && [...analysis.paths, ...analysis.frames].some((one) => isThis(one.path));
}

/** An empty `__init__.py` has nothing to show, however well its path fits. */
function isEmpty(sources: SourceReader, path: string): boolean {
  return sources.read(path)?.text.trim() === '';
}

function originOf({ astScore, semanticScore }: RankedFile): ItemOrigin {
  if (semanticScore === 0) return 'ast';
  return astScore === 0 ? 'semantic' : 'both';
}

function alsoIncluded(
  { index, alsoInclude, context: { allow } }: GatherRequest,
  elsewhere: ReadonlySet<string>,
): string[] {
  if (alsoInclude.length === 0) return [];
  const filter = createPathFilter(alsoInclude, []);
  const wanted = index.snapshot.files.filter(({ path, skip }) => {
    return skip === null && !elsewhere.has(path) && allow(path) && filter.accepts(path);
  });
  return wanted.slice(0, MAX_ALSO).map(({ path }) => path);
}

function alwaysIncluded({ index, alwaysInclude, always, context }: GatherRequest) {
  const { allow, targets } = context;
  const paths: string[] = [];
  const diagnostics: Diagnostic[] = [];
  if (alwaysInclude.length === 0 && always.length === 0) return { paths, diagnostics };
  const filter = alwaysInclude.length > 0 ? createPathFilter(alwaysInclude, []) : null;
  const named = new Set(always);
  const isMeant = (path: string) => named.has(path) || (allow(path) && filter?.accepts(path) === true);
  let left = MAX_ALWAYS_BYTES;
  for (const { path, size, skip } of index.snapshot.files) {
    if (skip !== null || targets.includes(path) || !isMeant(path)) continue;
    if (size > left) diagnostics.push(tooMuch(path));
    else {
      left -= size;
      paths.push(path);
    }
  }
  return { paths, diagnostics };
}

/** Why a file cannot be shown in a form; null when it can. */
function formProblem({ lines, symbols }: ItemSource, form: ItemForm): string | null {
  if (form === 'signatures' && symbols.length === 0) return 'it has no definitions';
  return form === 'excerpt' && lines.length <= SMALL_FILE_LINES
    ? 'it is short enough to be shown whole'
    : null;
}

function notInForm(path: string, form: ItemForm, why: string): Diagnostic {
  return {
    code: 'form-not-possible',
    severity: 'info',
    message: `${path} has no form ${form}: ${why}`,
    path,
  };
}

function tooMuch(path: string): Diagnostic {
  return {
    code: 'always-include-full',
    severity: 'warning',
    message: `${path} is left out: files that are always included may have at most ${MAX_ALWAYS_BYTES} bytes together`,
    path,
  };
}

function changed(path: string): Diagnostic {
  return {
    code: 'file-changed',
    severity: 'info',
    message: `${path} changed while the package was built: it is taken as plain text`,
    path,
  };
}

function vanished(path: string): Diagnostic {
  return {
    code: 'file-not-read',
    severity: 'warning',
    message: `${path} can no longer be read`,
    path,
  };
}

/** Which files a package may show, by guidelines, the role and the request. */
interface FilesInSight {
  readonly guard: FileGuard;
  readonly allow: (path: string) => boolean;
  readonly targets: readonly string[];
  /** Targets that guidelines keep out. */
  readonly kept: readonly KeptFile[];
  /** Values of the role that replace the same fields of the request. */
  readonly choice: Pick<PackageRequest, 'alwaysInclude' | 'alsoInclude' | 'allow'>;
  readonly always: readonly string[];
  readonly wanted: readonly WantedFile[];
  /** The change that the role is about. */
  readonly change: readonly ChangedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

const NO_SELECTION: Omit<FileSelection, 'allow'> = { always: [], wanted: [], change: [], diagnostics: [] };

/** Asks the guidelines and the role. A role's selection replaces the patterns of the request. */
export async function filesInSight(
  request: PackageRequest,
  scan: OpenScan,
  named: readonly string[],
  analysis: TaskAnalysis | null,
): Promise<FilesInSight> {
  const { root } = scan.repository;
  const said = request.action === undefined ? {} : { action: request.action };
  const situation = analysis ? { ...analysis, ...said } : null;
  const guard = await guardFiles({ ...request, root, analysis: situation, targets: named });
  const targets = named.filter(guard.allow);
  const asked = new Set([...named, ...Object.keys(request.forms ?? {})]);
  const kept = [...asked].flatMap((path) => {
    const guideline = guard.keptBy(path);
    return guideline === null ? [] : [{ path, guideline }];
  });
  const selection = await request.select?.(scan, targets);
  const { always, wanted, change, diagnostics } = selection ?? NO_SELECTION;
  const choice = selection ? { alwaysInclude: [], alsoInclude: [], allow: selection.allow } : {};
  const mayShow = choice.allow ?? request.allow;
  return {
    guard,
    allow: (path) => guard.allow(path) && mayShow?.(path) !== false,
    targets,
    kept,
    choice,
    always: always.filter(guard.allow),
    wanted: wanted.filter(({ path }) => guard.allow(path)),
    change,
    diagnostics: [...guard.diagnostics, ...kept.map(keptOut), ...diagnostics],
  };
}

/** Refuses an empty task, and targets and forms that cannot be shown; returns the targets relative to the root. */
export function checkRequest({
  repo,
  task,
  change,
  targets = [],
  forms = {},
  settings,
}: PackageRequest): string[] {
  if (task.trim() === '' && change === undefined)
    throw new LoadoutError('empty-task', 'the task is empty', { hint: 'describe the task in a sentence' });
  const root = openSafeRoot(repo);
  for (const [path, form] of Object.entries(forms)) {
    if (!ITEM_FORMS.includes(form)) throw badForm(path, form);
    const [contained] = checkTargets(root, [path], settings.maxFileBytes);
    if (contained !== path) throw badForm(path, form, `name it ${JSON.stringify(contained)}`);
  }
  return checkTargets(root, targets, settings.maxFileBytes);
}

function badForm(
  path: string,
  form: string,
  hint = `a form is one of ${ITEM_FORMS.join(', ')}`,
): LoadoutError {
  const message = `the form ${JSON.stringify(form)} of ${JSON.stringify(path)} cannot be used`;
  return new LoadoutError('bad-form', message, { subject: path, hint });
}

function checkTargets(root: SafeRoot, targets: readonly string[], maxBytes: number): string[] {
  const paths = targets.map((target) => root.contain(target));
  for (const path of paths) {
    const type = root.stat(path)?.type;
    if (type === undefined) throw refuse(path, 'does not exist', 'check the spelling');
    if (type === 'directory') throw refuse(path, 'is a folder', 'name files; --include takes folders');
    const outcome = root.read(path, maxBytes);
    if (outcome.kind !== 'content') {
      if (outcome.reason !== 'too-large') throw refuse(path, `cannot be read (${outcome.reason})`);
      const hint = 'allow larger files with --max-file-size';
      throw refuse(path, `has ${outcome.size} bytes, and at most ${maxBytes} are read`, hint);
    }
    if (decodeText(outcome.bytes).kind === 'binary')
      throw refuse(path, 'is a binary file', 'name text files');
  }
  return [...new Set(paths)];
}

/** Only what the scan lists: to an agent an ignored file is as far away as one outside the repository. */
export function checkListed(files: readonly SnapshotFile[], targets: readonly string[]): void {
  const unknown = targets.find((path) => findFile(files, path)?.skip !== null);
  if (unknown !== undefined) throw notShown(unknown);
}

export function notShown(asked: string): LoadoutError {
  return new LoadoutError('unknown-file', `${asked} is not a file that Loadout shows`, {
    subject: asked,
    hint: 'give a path relative to the repository; ignored, binary and very large files are not shown',
  });
}

function refuse(path: string, why: string, hint?: string): LoadoutError {
  const message = `the target ${JSON.stringify(path)} ${why}`;
  return new LoadoutError('bad-target', message, { subject: path, ...(hint ? { hint } : {}) });
}
