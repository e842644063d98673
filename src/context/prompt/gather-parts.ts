import type { Settings } from '../../config/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { inlineText, redactionDiagnostics, shownName } from '../../redact/index.ts';
import type { OpenScan } from '../../scan/index.ts';
import { type Candidate, type ChangeSelection, createSourceReader } from '../compose/index.ts';
import { type GuardRequest, guardFiles, keptOut } from '../guidelines/index.ts';
import { analyzeFor, rankScan } from '../rank.ts';
import { renderTree } from '../render/index.ts';
import type { Role } from '../roles/index.ts';
import { alwaysSection, fileParts, fitSection, notShown, section, targetSection } from './file-section.ts';
import { createPromptReader, keptByGuideline, MAX_FILE_BYTES, RESTRICTED } from './prompt-limits.ts';
import {
  type ExtraContext,
  extraParts,
  FILE_CONTEXT_PRIORITY,
  type PatternUse,
  priorityOrder,
  type Shown,
  type SourcePart,
  textPart,
} from './prompt-parts.ts';
import { packWithRepomix } from './repomix-part.ts';
import { gatherCandidates } from './role-candidates.ts';
import { cleanDiff, diffPart, readRoleChange } from './role-change.ts';
import { guardedFiles, type RoleFiles, readPatterns, resolveRoleFiles } from './role-files.ts';

/** The role, the task and everything else that decides about the parts of a prompt. */
export interface PartsRequest extends Pick<GuardRequest, 'userDirectory' | 'guidelinesFrom'> {
  readonly role: Role;
  readonly task: string;
  /** Relative to the root. */
  readonly targets: readonly string[];
  readonly extra: ExtraContext;
  readonly settings: Settings;
  readonly tokenBudget: number;
  readonly redact: boolean;
  /** The domain of the task, if the caller knows it. */
  readonly domain?: string;
  /** The change to show. The default is the staged one, if the role asks for it. */
  readonly change?: ChangeSelection;
  readonly repomixCommand?: readonly string[];
  readonly signal?: AbortSignal;
}

/** All parts that could be in the prompt, beside the system prompt and the task. */
interface GatheredParts {
  /** In the order of the text. */
  readonly parts: readonly SourcePart[];
  readonly patterns: readonly PatternUse[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Ranked files for each thousand tokens of the budget. */
const RANKED_PER_THOUSAND = 2;
const MIN_RANKED = 20;
const MAX_RANKED = 120;

/** Gathers every part that the role's context asks for. Nothing is cut here: each part knows how to shrink. */
export async function gatherParts(scan: OpenScan, request: PartsRequest): Promise<GatheredParts> {
  const { index, repository, result } = scan;
  const { role, task, targets, settings, redact, signal } = request;
  const { context } = role;

  // Read the task, and ask the guidelines which files this role may see.
  const include = readPatterns(context.include);
  const analysis = task.trim() === '' ? null : analyzeFor(scan, task, settings, request.domain);
  const audience = { ...request, role: role.name };
  const guard = await guardFiles({ ...audience, root: repository.root, analysis, targets });

  // Read the change, and rank files when the role asks for related ones.
  const [change, ranking] = await Promise.all([
    readRoleChange(context, repository, request.change),
    include.variables.some(({ name }) => name === '$RELATED') && analysis
      ? rankScan(scan, {
          task,
          analysis,
          guard,
          settings,
          limit: rankLimit(request.tokenBudget),
          ...(signal ? { signal } : {}),
        })
      : { files: [], diagnostics: [] },
  ]);
  signal?.throwIfAborted();

  // Resolve the role's patterns to files.
  const changed = change.files.map(({ path }) => path);
  const files = guardedFiles(resolveRoleFiles({ index, context, targets, changed }), guard.allow);
  const sources = createSourceReader({ index, root: repository.root, redact, maxBytes: MAX_FILE_BYTES });
  const reader = createPromptReader(repository.root, sources);

  // The required files, the targets and the change are parts of their own.
  const always = alwaysSection(files.always, reader);
  const required = new Set(always.files.flatMap(({ path, form }) => (form === null ? [] : [path])));
  const refusalOf = (path: string) => {
    const guideline = guard.keptBy(path);
    if (guideline !== null)
      return { notice: keptByGuideline(inlineText(guideline)), said: keptOut({ path, guideline }) };
    if (files.maySee(path)) return null;
    return { notice: RESTRICTED, said: notShown(path, 'it is outside the paths of this role') };
  };
  const target = targetSection(targets, reader, refusalOf, (path) => required.has(path));
  const diff = change.wantsDiff ? cleanDiff(change.files, files.allow, redact) : { text: '', findings: [] };

  // All other files share the room that is left. Repomix may pack those that plain patterns name.
  const taken = new Set([...targets, ...always.files.map(({ path }) => path)]);
  const order = priorityOrder(context.priorityOrder, FILE_CONTEXT_PRIORITY);
  const repomix = await packWithRepomix(scan, request, files.plain, taken);
  const chosen = gatherCandidates({
    index,
    sources,
    reader,
    files: repomix.text === '' ? files : { ...files, plain: [] },
    change: change.files,
    ranked: ranking.files,
    taken,
    order,
  });

  // An outline of the folders, if the role lists one.
  const listed: readonly string[] = context.priorityOrder;
  const tree = listed.includes('tree')
    ? repositoryTree(index.snapshot.files.map(({ path }) => path).filter(files.allow))
    : '';
  const findings = [...taken, ...chosen.list.map(({ candidate }) => candidate.source.path)].flatMap(
    (path) => {
      const read = reader.read(path);
      return read.kind === 'text' ? read.source.findings : [];
    },
  );
  const targetCandidates = targets.flatMap((path): Candidate[] => {
    const read = files.maySee(path) && !required.has(path) ? reader.read(path) : null;
    if (read?.kind !== 'text') return [];
    const ranked = ranking.files.find((one) => one.path === path) ?? null;
    const asked = { origin: 'target', isAsked: true, need: 1, reason: 'named as a target' } as const;
    return [{ source: read.source, ranked, ...asked }];
  });

  // Put the parts into the order of the text.
  const packed = { heading: '## Files', body: repomix.text, files: repomix.files };
  const folders = { heading: '## Repository Tree', body: tree, fence: '' };
  const when = (text: string, part: () => SourcePart) => (text === '' ? [] : [part()]);
  const parts: SourcePart[] = [
    ...when(always.text, () => ({ key: 'always_include', whole: always, shrink: () => null })),
    ...when(target.text, () => targetPart(target, targetCandidates)),
    ...when(diff.text, () => diffPart(diff.text, request.change)),
    ...fileParts(chosen.list),
    ...when(repomix.text, () => textPart({ key: 'files', ...packed, fence: 'xml', keeps: 'start' })),
    ...when(tree, () => textPart({ key: 'tree', ...folders, keeps: 'start' })),
  ];
  return {
    parts: withExtra(parts, extraParts(request.extra, redact)),
    patterns: [
      ...files.patterns,
      ...variableUses(files, (path) => repository.root.stat(path) !== null, ranking.files),
    ],
    diagnostics: [
      ...target.diagnostics,
      ...result.diagnostics,
      ...ranking.diagnostics,
      ...guard.diagnostics,
      ...change.diagnostics,
      ...files.diagnostics,
      ...repomix.diagnostics,
      ...chosen.skipped.map(({ path, why }) => skippedNote(path, why)),
      ...redactionDiagnostics([...findings, ...diff.findings]),
    ],
  };
}

/** How many files each variable of the role stands for here. */
function variableUses(
  { lists, filesOf, maySee, allow }: RoleFiles,
  exists: (path: string) => boolean,
  ranked: readonly { readonly path: string }[],
): PatternUse[] {
  const uses = (field: 'always_include' | 'include', isWanted: (path: string) => boolean) =>
    lists[field].variables.map((variable): PatternUse => {
      const isRanked = variable.name === '$RELATED';
      const paths = isRanked ? ranked.map(({ path }) => path) : filesOf(variable);
      const { length } = paths.filter((path) => isWanted(path) && exists(path));
      return { pattern: variable.pattern, field, files: length };
    });
  return [...uses('always_include', maySee), ...uses('include', allow)];
}

function rankLimit(budget: number): number {
  const wanted = Math.round((budget / 1_000) * RANKED_PER_THOUSAND);
  return Math.max(MIN_RANKED, Math.min(MAX_RANKED, wanted));
}

/** The part with the targets. When it shrinks, files become excerpts, but the lines about hidden files stay. */
function targetPart(
  target: Shown & { readonly notices: readonly string[] },
  candidates: readonly Candidate[],
): SourcePart {
  const heading = '## Target Files';
  const unshown = target.files.filter(({ form }) => form === null);
  return {
    key: 'target_file',
    whole: target,
    shrink: (room, measure) => {
      const notices = target.notices.map((notice) => `\n\n${notice}`).join('');
      const smaller = fitSection(heading, candidates, room - measure.count(notices), measure);
      if (smaller !== null) return { text: smaller.text + notices, files: [...smaller.files, ...unshown] };
      const text = section(heading, target.notices);
      return text === '' || measure.count(text) > room ? null : { text, files: unshown };
    },
  };
}

/** An extra text with the key of a part replaces that part. The others come last. */
function withExtra(parts: readonly SourcePart[], extra: readonly SourcePart[]): SourcePart[] {
  const byKey = new Map(parts.map((one) => [one.key, one]));
  for (const one of extra) byKey.set(one.key, one);
  return [...byKey.values()];
}

function skippedNote(path: string, why: string): Diagnostic {
  const said: Readonly<Record<string, string>> = {
    'too-large': 'it has more than 1 MB',
    'over-total': 'the files of one prompt have at most 10 MB',
    unreadable: 'it cannot be read as text',
  };
  return {
    code: 'file-skipped',
    severity: 'info',
    message: `${path} is left out: ${said[why] ?? why}`,
    path,
  };
}

/** Of the tree. */
const MAX_LINES = 150;
/** In levels of folders. */
const DEEPEST = 4;
const ELLIPSIS = '/…';

/** The folders of the repository, as deep as they fit on a page; empty when even the top level is too long. */
function repositoryTree(paths: readonly string[]): string {
  for (let depth = DEEPEST; depth >= 1; depth -= 1) {
    const entries = new Set<string>();
    let folder = '/';
    for (const path of paths) {
      // Paths are sorted, so most of them are in the same folder as the one before.
      if (path.startsWith(folder)) continue;
      const entry = upTo(path, depth);
      entries.add(entry);
      folder = entry.endsWith(ELLIPSIS) ? entry.slice(0, -1) : '/';
      if (entries.size > MAX_LINES) break;
    }
    if (entries.size === 0) return '';
    if (entries.size > MAX_LINES) continue;
    const tree = renderTree([...entries].map((path) => ({ path: shownName(path), tokens: null })));
    return tree.trimEnd();
  }
  return '';
}

/** `src/parse/…` for all paths below the depth. */
function upTo(path: string, depth: number): string {
  let end = -1;
  for (let at = 0; at < depth; at += 1) {
    end = path.indexOf('/', end + 1);
    if (end < 0) return path;
  }
  return path.slice(0, end) + ELLIPSIS;
}
