import type { Settings } from '../config/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import type { SnapshotFile } from '../model/snapshot.ts';
import { shownName } from '../redact/index.ts';
import type { OpenIndex } from '../scan/format/index.ts';
import { describeNoFiles, type OpenScan, type Repository, type ScanStep, useIndex } from '../scan/index.ts';
import { readSource } from './compose/index.ts';
import { type CountTokens, fillBudget, loadTokenCounter } from './fit/index.ts';
import { type Audience, guardFiles } from './guidelines/index.ts';
import { centralityOf, createSymbolRanking } from './rank/index.ts';
import {
  type FileView,
  MENTIONS_HEADING,
  mapHeader,
  mapSection,
  partialView,
  type ViewSource,
  wholeView,
} from './render/index.ts';

export interface MapRequest extends Audience {
  readonly repo: string;
  readonly settings: Settings;
  /** Files or folders around which the outline is drawn, relative to the root; none means the whole. */
  readonly focus: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: ScanStep) => void;
}

export interface RepositoryMap {
  /** Markdown, never over the budget. */
  readonly text: string;
  readonly tokenCount: number;
  readonly tokenBudget: number;
  readonly files: readonly {
    readonly path: string;
    readonly centrality: number;
    /** `partial`: the symbols that others use most, out of more than there was room for. */
    readonly form: 'signatures' | 'partial' | 'mention';
  }[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * One file may take at most this share of the budget, so that the outline stays an outline; a larger one shows the
 * symbols that others use most.
 */
const MAX_SHARE = 0.06;
/** The budget of an outline that is not asked for by size: what an agent reads before it starts. */
export const MAP_BUDGET = 4_000;
const MIN_SHARE_TOKENS = 150;
const MAX_FILES = 2_000;

/** Outlines a repository: the files that the rest leans on most, with their signatures, inside a budget. */
export async function mapRepository(request: MapRequest): Promise<RepositoryMap> {
  const mode = request.settings.scanMode;
  return useIndex({ ...request, mode }, (scan) => mapScan(request, scan));
}

/** The recipe, for a repository that has just been scanned: gather, price, fit, render, account. */
export async function mapScan(
  { settings, focus, ...audience }: Pick<MapRequest, 'settings' | 'focus' | keyof Audience>,
  scan: OpenScan,
): Promise<RepositoryMap> {
  const { index, result, repository } = scan;
  const { tokenBudget } = settings;

  // Gather: the files that others lean on most, as far as guidelines let this reader see them.
  const guard = await guardFiles({ ...audience, root: repository.root, targets: focus });
  const ranked = rankFiles(index, focus).filter(({ file }) => guard.allow(file.path));
  if (ranked.length === 0) throw nothingToMap(focus, describeNoFiles(scan, settings)?.message);

  // Price: each file costs its signatures, or those that others use most.
  const count = await loadTokenCounter();
  const largest = Math.max(MIN_SHARE_TOKENS, tokenBudget * MAX_SHARE);
  const sections = createSections(scan, ranked[0]!.centrality, largest, count);

  // Fit and render: take files in order while they fit, and name the others.
  const filled = fillBudget({
    limit: tokenBudget,
    count,
    header: mapHeader({
      files: result.filesScanned,
      symbols: result.symbolsIndexed,
      edges: result.dependenciesIndexed,
    }),
    laterHeading: MENTIONS_HEADING,
    parts: ranked.slice(0, MAX_FILES).map((one) => ({
      render: () => sections.render(one),
      mention: () => sections.mention(one),
    })),
    largest,
  });
  if (filled.used.length === 0) throw noRoom(tokenBudget);

  // Account: how each file is shown, and how central it is.
  return {
    text: filled.text,
    tokenCount: filled.tokens,
    tokenBudget,
    files: filled.used.map(({ part, form }) => {
      const { path } = ranked[part]!.file;
      const isPart = form === 'signatures' && sections.isPartial(path);
      return { path, centrality: sections.centralityOf(ranked[part]!), form: isPart ? 'partial' : form };
    }),
    diagnostics: [...result.diagnostics, ...guard.diagnostics],
  };
}

/** Renders files one by one; a file that is too large shows the symbols that others use most. */
function createSections(
  { index, repository }: OpenScan,
  highest: number,
  largest: number,
  count: CountTokens,
) {
  const rankSymbols = createSymbolRanking(index);
  const partial = new Set<string>();
  const centralityOf = ({ centrality }: RankedFile) => Math.round((centrality / (highest || 1)) * 1000) / 10;
  const sectionOf = ({ file }: RankedFile, view: FileView | null) =>
    mapSection({
      path: shownName(file.path),
      view: view?.text ?? null,
      shown: view?.shown ?? null,
      language: file.language ?? '',
    });
  const render = (one: RankedFile): string => {
    const source = readView(repository, index, one.file);
    if (!source) return sectionOf(one, null);
    const whole = sectionOf(one, wholeView(source));
    if (count(whole) <= largest) return whole;
    const best = rankSymbols(one.number, source.symbols);
    const view = partialView(source, best, (some) => count(sectionOf(one, some)) <= largest);
    if (!view) return whole;
    partial.add(one.file.path);
    return sectionOf(one, view);
  };
  return {
    render,
    mention: (one: RankedFile) => sectionOf(one, null),
    isPartial: (path: string) => partial.has(path),
    /** In percent of the most central file. */
    centralityOf,
  };
}

function nothingToMap(focus: readonly string[], why = 'no source files here'): LoadoutError {
  const message = focus.length > 0 ? `no source file at ${focus.join(', ')}` : why;
  const hint = 'see "loadout scan" for what was found and skipped';
  return new LoadoutError('nothing-to-map', message, { hint });
}

function noRoom(tokenBudget: number): LoadoutError {
  const message = `a budget of ${tokenBudget} tokens has no room for a single file`;
  return new LoadoutError('budget-too-small', message, {
    subject: '--budget',
    hint: 'give at least 300 tokens',
  });
}

interface RankedFile {
  readonly file: SnapshotFile;
  /** Its place in the snapshot. */
  readonly number: number;
  readonly centrality: number;
}

function rankFiles(index: OpenIndex, focus: readonly string[]): readonly RankedFile[] {
  const { files } = index.snapshot;
  const inFocus = (path: string) => focus.some((at) => at === '' || path === at || path.startsWith(`${at}/`));
  const restart = Float64Array.from(files, (file) => {
    if (focus.length > 0) return inFocus(file.path) ? 1 : 0;
    return isSource(file) ? 1 : 0.1;
  });
  const ranks = centralityOf(index, restart);
  return files
    .map((file, number) => ({ file, number, centrality: ranks[number]! }))
    .filter(
      ({ file, centrality }) =>
        centrality > 0 && file.symbolCount > 0 && (isSource(file) || inFocus(file.path)),
    )
    .sort((a, b) => b.centrality - a.centrality || (a.file.path < b.file.path ? -1 : 1));
}

function isSource({ classification, skip }: SnapshotFile): boolean {
  const { role, generated, vendored } = classification;
  return skip === null && role === 'source' && !generated && !vendored;
}

/** The file as it is on disk now, without its secrets; null when it has changed since the scan. */
function readView({ root }: Repository, index: OpenIndex, file: SnapshotFile): ViewSource | null {
  const source = readSource({ index, root, redact: true, maxBytes: file.size }, file.path, file);
  return source === null || source.isStale ? null : source;
}
