import type { Settings } from '../config/settings.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { KnowledgeStore } from '../model/knowledge-store.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import type { RankedFile, Ranking } from '../model/ranking.ts';
import type { SnapshotFile } from '../model/snapshot.ts';
import type { TaskAnalysis } from '../model/task-analysis.ts';
import { shownName, withoutSecrets } from '../redact/outgoing-text.ts';
import { loadHistory } from '../scan/history/load-history.ts';
import { useIndex } from '../scan/index-session.ts';
import { describeNoFiles, type OpenScan, type ScanStep } from '../scan/run-scan.ts';
import { analyzeTask } from './analyze/analyze-task.ts';
import { gapHints, readGaps } from './evaluate/gaps.ts';
import { readTunedWeights } from './evaluate/tuning.ts';
import {
  type Audience,
  type FileGuard,
  guardFiles,
  type KeptFile,
  leftOutByGuideline,
} from './guidelines/guard-files.ts';
import type { TextAnswer, TextRequest } from './rank/ask-about-text.ts';
import { rankFiles } from './rank/rank-files.ts';

export interface RankRequest extends Audience {
  readonly repo: string;
  readonly settings: Settings;
  readonly task: string;
  /** Most files to return. */
  readonly limit: number;
  /** Files that may be returned; all if absent. */
  readonly allow?: (path: string) => boolean;
  /** A domain that the task is about: a name of the setting `domains`, or a package of the repository. */
  readonly domain?: string;
  /** Knowledge stores to ask about the text, one after the other; without any the index answers for itself. */
  readonly stores?: readonly KnowledgeStore[];
  /** Longest time for the answer of one store. */
  readonly storeBudgetMs?: number;
  /** Longest time for a store and an embedding endpoint together. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: ScanStep) => void;
}

/** Ranks the files of a repository by how much a task needs them. */
export async function rankRepository(request: RankRequest): Promise<Ranking> {
  const { task, settings } = request;
  if (task.trim() === '')
    throw new LoadoutError('empty-task', 'the task is empty', { hint: 'say in a line what is to be done' });
  return useIndex({ ...request, mode: settings.scanMode, isAwaited: true }, async (scan) => {
    const { analysis, files, kept, diagnostics } = await rankScan(scan, request);
    return {
      task,
      analysis,
      files,
      diagnostics: [...scan.result.diagnostics, ...diagnostics, ...kept.map(leftOutByGuideline)],
    };
  });
}

export interface RankedScan {
  readonly analysis: TaskAnalysis;
  readonly files: readonly RankedFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** What guidelines keep out of it, most relevant first. */
  readonly kept: readonly KeptFile[];
}

/** What a task text says, in the light of the repository's domains and packages. */
export function analyzeFor(
  { index }: OpenScan,
  task: string,
  settings: Settings,
  domain?: string,
): TaskAnalysis {
  const domains = domainPrefixes(settings.domains);
  const packages = topFolders(index.snapshot.files);
  const analysis = analyzeTask(task, {
    domains,
    packages,
    ...(domain === undefined ? {} : { named: domain }),
  });
  if (domain !== undefined && analysis.places.length === 0)
    throw unknownDomain(domain, [...domains.keys(), ...packages]);
  return analysis;
}

const MAX_NAMED = 12;

function unknownDomain(domain: string, known: readonly string[]): LoadoutError {
  const more = known.length > MAX_NAMED ? ` and ${known.length - MAX_NAMED} more` : '';
  const hint =
    known.length === 0
      ? 'name it in the setting domains: a path prefix and its name'
      : `known here: ${known.slice(0, MAX_NAMED).join(', ')}${more}`;
  return new LoadoutError('unknown-domain', `unknown domain "${domain}"`, { subject: domain, hint });
}

export interface ScanRankRequest extends Omit<RankRequest, 'repo'> {
  /** When the caller has looked at the task already. */
  readonly analysis?: TaskAnalysis;
  /** When the caller has asked the guidelines already. */
  readonly guard?: FileGuard;
}

/** Of the files that guidelines keep out, so many are named. */
const MAX_KEPT = 10;

/** Ranks what a scan has just brought up to date. */
export async function rankScan(scan: OpenScan, request: ScanRankRequest): Promise<RankedScan> {
  const { index, repository, result } = scan;
  const { task, settings, limit, signal } = request;
  const analysis = request.analysis ?? analyzeFor(scan, task, settings, request.domain);
  const guard = request.guard ?? (await guardFiles({ ...request, root: repository.root, analysis }));
  const kept: (KeptFile & { readonly strength: number })[] = [];
  const history = await loadHistory(repository, result.gitSha || null, {
    limit: settings.historyLimit,
    ...(signal ? { signal } : {}),
  });
  const multipliers = readTunedWeights(repository, settings.cacheDir);
  const hints = gapHints(analysis, readGaps(repository, settings.cacheDir));
  const text = await lookAtText(scan, { ...request, analysis });
  const files = rankFiles(index, analysis, history, {
    weights: { ast: settings.astWeight, semantic: settings.semanticWeight },
    limit,
    given: text.given,
    ...(multipliers ? { multipliers } : {}),
    hints,
    shown: { name: shownName, message: withoutSecrets },
    minRelevance: settings.minRelevance,
    allow: (path) => request.allow?.(path) !== false && guard.allow(path),
    onLeftOut: (path, strength) => {
      const guideline = guard.keptBy(path);
      if (guideline !== null && request.allow?.(path) !== false) kept.push({ path, guideline, strength });
    },
  });
  const told = new Set(hints.map(({ reason }) => withoutSecrets(reason)));
  const isHinted = files.some(({ reasons }) => reasons.some((reason) => told.has(reason)));
  const noFiles = describeNoFiles(scan, settings);
  kept.sort((a, b) => b.strength - a.strength || (a.path < b.path ? -1 : 1));
  return {
    analysis,
    files,
    kept: kept.slice(0, MAX_KEPT).map(({ path, guideline }) => ({ path, guideline })),
    diagnostics: [
      ...(noFiles ? [noFiles] : []),
      ...(request.guard ? [] : guard.diagnostics),
      ...history.diagnostics,
      ...text.diagnostics,
      ...(multipliers ? [TUNED] : []),
      ...(isHinted ? [HINTED] : []),
    ],
  };
}

/** Most rankings ask nobody: what would ask is loaded only when there is somebody. */
async function lookAtText(scan: OpenScan, request: TextRequest): Promise<TextAnswer> {
  const { embeddingUrl, embeddingModelDir, store, storeTimeout } = request.settings;
  if (!request.stores && embeddingUrl === '' && embeddingModelDir === '' && store === '')
    return { given: {}, diagnostics: [] };
  const { askAboutText, workTreeStore } = await import('./rank/ask-about-text.ts');
  if (request.stores || store === '') return askAboutText(scan, request);
  const { teamStores } = await import('../stores/team/ask-team-store.ts');
  const { stores, diagnostics } = await teamStores(scan, request.settings, workTreeStore(scan));
  const answer = await askAboutText(scan, { storeBudgetMs: storeTimeout, ...request, stores });
  return { ...answer, diagnostics: [...diagnostics, ...answer.diagnostics] };
}

const TUNED: Diagnostic = {
  code: 'tuned-weights',
  severity: 'info',
  message: 'weights tuned for this repository are in use; loadout eval --reset forgets them',
};

const HINTED: Diagnostic = {
  code: 'gap-hints',
  severity: 'info',
  message: 'what earlier tasks like this one lacked is in the ranking; loadout gap --forget forgets it',
};

/** The setting maps prefixes to names; a name may have several prefixes. */
function domainPrefixes(domains: Settings['domains']): ReadonlyMap<string, readonly string[]> {
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
