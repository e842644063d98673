import type { Settings } from '../config/settings.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { createSourceReader } from '../pack/item-source.ts';
import { rankScan } from '../rank-repository.ts';
import { redactionDiagnostics } from '../redact/redaction-diagnostics.ts';
import type { Role } from '../roles/role.ts';
import type { OpenScan } from '../scan/run-scan.ts';
import { type ExtraContext, extraParts } from './extra-parts.ts';
import { alwaysSection, type FileSection, targetSection } from './file-section.ts';
import type { PartCandidate } from './fit-files.ts';
import { gatherCandidates } from './gather-candidates.ts';
import { FILE_CONTEXT_PRIORITY, priorityOrder } from './part-order.ts';
import type { PatternUse, PromptFile } from './prompt.ts';
import { MAX_FILE_BYTES } from './prompt-limits.ts';
import { createPromptReader } from './prompt-reader.ts';
import { readPatterns } from './read-patterns.ts';
import { packWithRepomix } from './repomix-part.ts';
import { repositoryTree } from './repository-tree.ts';
import { readRoleChange } from './role-change.ts';
import { resolveRoleFiles } from './role-files.ts';
import { diffPart } from './staged-change.ts';

export interface PartsRequest {
  readonly role: Role;
  readonly task: string;
  /** Relative to the root. */
  readonly targets: readonly string[];
  readonly extra: ExtraContext;
  readonly settings: Settings;
  readonly tokenBudget: number;
  readonly redact: boolean;
  readonly repomixCommand?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface GatheredPart {
  readonly key: string;
  readonly text: string;
  readonly files: readonly PromptFile[];
}

/** Everything that could be in the prompt beside the role's own words and the task. */
export interface GatheredParts {
  /** In the order of the text. */
  readonly parts: readonly GatheredPart[];
  /** For the parts that take what room there is. */
  readonly candidates: readonly PartCandidate[];
  /** The targets again, for when they are too large to be whole. */
  readonly targets: readonly PartCandidate[];
  /** What is said of targets that are not shown. */
  readonly targetNotices: readonly string[];
  readonly patterns: readonly PatternUse[];
  readonly diagnostics: readonly Diagnostic[];
}

const RANKED_PER_THOUSAND = 2;
const FEWEST_RANKED = 20;
const MOST_RANKED = 120;

export async function gatherParts(scan: OpenScan, request: PartsRequest): Promise<GatheredParts> {
  const { index, repository, result } = scan;
  const { role, task, targets, settings, redact, signal } = request;
  const { context } = role;
  const include = readPatterns(context.include);
  const [change, ranking] = await Promise.all([
    readRoleChange(context, repository),
    include.variables.some(({ name }) => name === '$RELATED') && task.trim() !== ''
      ? rankScan(scan, {
          task,
          settings,
          limit: rankLimit(request.tokenBudget),
          ...(signal ? { signal } : {}),
        })
      : { files: [], diagnostics: [] },
  ]);
  signal?.throwIfAborted();
  const changed = change.files.map(({ path }) => path);
  const files = resolveRoleFiles({ index, context, targets, changed });
  const sources = createSourceReader({ index, root: repository.root, redact, maxBytes: MAX_FILE_BYTES });
  const reader = createPromptReader(repository.root, sources);

  const target = targetSection(targets, reader, files.maySee);
  const always = alwaysSection(
    files.always.filter((path) => !targets.includes(path)),
    reader,
  );
  const diff = change.wantsDiff ? diffPart(change.files, files.allow, redact) : { text: '', findings: [] };
  const taken = new Set([...targets, ...always.files.map(({ path }) => path)]);
  const extra = extraParts(request.extra);
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
  const parts = [
    part('always_include', always),
    part('target_file', target),
    part('git_diff', { text: diff.text, files: [] }),
    part('files', { text: repomix.text, files: repomix.files }),
    part('tree', { text: tree, files: [] }),
  ];
  return {
    parts: withExtra(parts.flat(), extra),
    candidates: chosen.list.filter(({ key }) => !extra.some((one) => one.key === key)),
    targetNotices: target.notices,
    targets: targets.filter(files.maySee).flatMap((path): PartCandidate[] => {
      const read = reader.read(path);
      if (read.kind !== 'text') return [];
      const ranked = ranking.files.find((one) => one.path === path) ?? null;
      const asked = { origin: 'target', isAsked: true, need: 1, reason: 'named as a target' } as const;
      return [{ key: 'target_file', candidate: { source: read.source, ranked, ...asked } }];
    }),
    patterns: files.patterns,
    diagnostics: [
      ...result.diagnostics,
      ...ranking.diagnostics,
      ...change.diagnostics,
      ...files.diagnostics,
      ...repomix.diagnostics,
      ...chosen.skipped.map(({ path, why }) => skippedNote(path, why)),
      ...redactionDiagnostics([...findings, ...diff.findings]),
    ],
  };
}

function rankLimit(budget: number): number {
  const wanted = Math.round((budget / 1_000) * RANKED_PER_THOUSAND);
  return Math.max(FEWEST_RANKED, Math.min(MOST_RANKED, wanted));
}

function part(key: string, { text, files }: FileSection): GatheredPart[] {
  return text === '' ? [] : [{ key, text, files }];
}

/** An extra of the name of a part takes its place; the others come last. */
function withExtra(
  parts: readonly GatheredPart[],
  extra: readonly { readonly key: string; readonly text: string }[],
): GatheredPart[] {
  const byKey = new Map(parts.map((one) => [one.key, one]));
  for (const { key, text } of extra) byKey.set(key, { key, text, files: [] });
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
