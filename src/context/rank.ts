import type { Settings } from '../config/index.ts';
import type { CommitHistory } from '../model/commit-history.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { IndexView } from '../model/index-view.ts';
import type { KnowledgeStore } from '../model/knowledge-store.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import type { RankedFile, Ranking } from '../model/ranking.ts';
import type { TaskAnalysis } from '../model/task-analysis.ts';
import { shownName, withoutSecrets } from '../redact/index.ts';
import { loadHistory } from '../scan/history/index.ts';
import { describeNoFiles, type OpenScan, type ScanStep, useIndex } from '../scan/index.ts';
import { analyzeTask, repositoryDomains, unknownDomain } from './analyze/index.ts';
import { gapHints, readGaps, readTunedWeights } from './evaluate/index.ts';
import {
  type Audience,
  type FileGuard,
  guardFiles,
  type KeptFile,
  leftOutByGuideline,
} from './guidelines/index.ts';
import {
  createRankingContext,
  describeFiles,
  gatherEvidence,
  knownWeight,
  orderFiles,
  type RankOptions,
  scoreFiles,
  type TextAnswer,
  type TextRequest,
} from './rank/index.ts';

/** Ranks the files of a repository by how much a task needs them. */
export async function rankRepository(request: RankRequest): Promise<Ranking> {
  const { task, settings } = request;
  if (task.trim() === '')
    throw new LoadoutError('empty-task', 'the task is empty', { hint: 'describe the task in a sentence' });
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

/** Ranks the files of an open scan: reads the task, collects what is known, ranks, and reports. */
export async function rankScan(scan: OpenScan, request: ScanRankRequest): Promise<RankedScan> {
  const { index, repository, result } = scan;
  const { task, settings, signal } = request;
  // Read the task: paths, names, stack frames, words.
  const analysis = request.analysis ?? analyzeFor(scan, task, settings, request.domain);
  // Ask the guidelines which files this reader may see.
  const guard = request.guard ?? (await guardFiles({ ...request, root: repository.root, analysis }));
  // Read the past commits, the weights tuned for this repository, and the gaps of earlier tasks.
  const history = await loadHistory(repository, result.gitSha || null, {
    limit: settings.historyLimit,
    ...(signal ? { signal } : {}),
  });
  const multipliers = readTunedWeights(repository, settings.cacheDir);
  const hints = gapHints(analysis, readGaps(repository, settings.cacheDir));
  // Ask the knowledge stores and the embedding model about the text, if there are any.
  const text = await lookAtText(scan, { ...request, analysis });
  // Rank the files, and note relevant ones that a guideline keeps out.
  const kept: (KeptFile & { readonly strength: number })[] = [];
  let weightOfTask = 0;
  let placed: RankedScan['placed'] = { place: -1, scored: 0 };
  const files = rankFiles(index, analysis, history, {
    weights: { ast: settings.astWeight, semantic: settings.semanticWeight },
    limit: request.limit,
    given: text.given,
    ...(multipliers ? { multipliers } : {}),
    hints,
    shown: { name: shownName, message: withoutSecrets },
    minRelevance: settings.minRelevance,
    allow: (path) => request.allow?.(path) !== false && guard.allow(path),
    ...(request.about === undefined ? {} : { about: request.about }),
    onPlaced: (place, scored) => {
      placed = { place, scored };
    },
    onWeighed: (weight) => {
      weightOfTask = weight;
    },
    onLeftOut: (path, strength) => {
      const guideline = guard.keptBy(path);
      if (guideline !== null && request.allow?.(path) !== false) kept.push({ path, guideline, strength });
    },
  });
  // Report everything that shaped the ranking and that a user can change.
  const noFiles = describeNoFiles(scan, settings);
  return {
    analysis,
    files,
    knownWeight: weightOfTask,
    placed,
    kept: strongestKept(kept),
    diagnostics: [
      ...(noFiles ? [noFiles] : []),
      ...(request.guard ? [] : guard.diagnostics),
      ...history.diagnostics,
      ...text.diagnostics,
      ...(multipliers ? [TUNED] : []),
      ...(usesHints(files, hints) ? [HINTED] : []),
    ],
  };
}

/** Ranks the files of an index by how much a task needs them, best first. */
export function rankFiles(
  index: IndexView,
  task: TaskAnalysis,
  history: CommitHistory,
  options: RankOptions,
): RankedFile[] {
  // Candidates: every file of the index, with the words of the task looked up in it.
  const context = createRankingContext(index, task, history, options.given);
  options.onWeighed?.(knownWeight(context));
  // Evidence: every signal of the table (`rank/signals/table.ts`) looks at every file.
  const evidence = gatherEvidence(context);
  // Score: weigh and sum the evidence, add hints, discount files that are rarely needed.
  const scores = scoreFiles(context, evidence, options);
  // Order: best first, down to the limit and the least relevance.
  const all = orderFiles(context.files, scores, { ...options, limit: Number.POSITIVE_INFINITY });
  const asked =
    options.about === undefined ? -1 : all.findIndex((one) => context.files[one]!.path === options.about);
  options.onPlaced?.(asked, all.length);
  const order = [...all.slice(0, options.limit), ...(asked >= options.limit ? [all[asked]!] : [])];
  // Reasons: the definitions and lines that matter in each file, and why it is here.
  return describeFiles(context, evidence, scores, order, options);
}

/** Reads a task, knowing the domains and packages of the repository. */
export function analyzeFor(
  { index }: OpenScan,
  task: string,
  settings: Settings,
  domain?: string,
): TaskAnalysis {
  const known = repositoryDomains(settings.domains, index.snapshot.files);
  const analysis = analyzeTask(task, { ...known, ...(domain === undefined ? {} : { named: domain }) });
  if (domain !== undefined && analysis.places.length === 0)
    throw unknownDomain(domain, [...known.domains.keys(), ...known.packages]);
  return analysis;
}

export interface RankRequest extends Audience {
  readonly repo: string;
  readonly settings: Settings;
  readonly task: string;
  /** Maximum number of files to return. */
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

export interface ScanRankRequest extends Omit<RankRequest, 'repo'> {
  /** A file that is described wherever it ranks. */
  readonly about?: string;
  /** When the caller has looked at the task already. */
  readonly analysis?: TaskAnalysis;
  /** When the caller has asked the guidelines already. */
  readonly guard?: FileGuard;
}

export interface RankedScan {
  readonly analysis: TaskAnalysis;
  readonly files: readonly RankedFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** The weight of the task's words that the repository has. */
  readonly knownWeight: number;
  /** Where `about` ranks, from 0, or -1; and the number of files with a score. */
  readonly placed: { readonly place: number; readonly scored: number };
  /** Relevant files that guidelines keep out, most relevant first. */
  readonly kept: readonly KeptFile[];
}

/** Most rankings ask no store and no model: the code that asks is loaded only when there is one. */
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

/** A ranking names at most this many of the files that guidelines keep out. */
const MAX_KEPT = 10;

function strongestKept(kept: readonly (KeptFile & { readonly strength: number })[]): readonly KeptFile[] {
  return [...kept]
    .sort((a, b) => b.strength - a.strength || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_KEPT)
    .map(({ path, guideline }) => ({ path, guideline }));
}

function usesHints(files: readonly RankedFile[], hints: ReturnType<typeof gapHints>): boolean {
  const told = new Set(hints.map(({ reason }) => withoutSecrets(reason)));
  return files.some(({ reasons }) => reasons.some((reason) => told.has(reason)));
}

const TUNED: Diagnostic = {
  code: 'tuned-weights',
  severity: 'info',
  message: 'weights tuned for this repository are in use; loadout eval --reset removes them',
};

const HINTED: Diagnostic = {
  code: 'gap-hints',
  severity: 'info',
  message:
    'the ranking uses reports of what earlier tasks like this one lacked; loadout gap --forget removes them',
};
