import type { Settings } from '../config/settings.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import type { SnapshotFile } from '../model/snapshot.ts';
import type { SymbolDefinition } from '../model/symbol.ts';
import { shownName } from '../redact/outgoing-text.ts';
import type { OpenIndex } from '../scan/format/open-index.ts';
import { useIndex } from '../scan/index-session.ts';
import { keepSymbols } from '../scan/parse/keep-symbols.ts';
import { signatureView } from '../scan/parse/signature-view.ts';
import type { Repository } from '../scan/repository.ts';
import { describeNoFiles, type OpenScan, type ScanStep } from '../scan/run-scan.ts';
import { readSource } from './compose/source.ts';
import { loadTokenCounter } from './fit/count-tokens.ts';
import { fillBudget } from './fit/fill-budget.ts';
import { type Audience, guardFiles } from './guidelines/guard-files.ts';
import { createSymbolRanking } from './rank/central-symbols.ts';
import { rankByLinks } from './rank/rank-by-links.ts';
import { referenceEdges } from './rank/reference-edges.ts';
import { type MapEntry, MENTIONS_HEADING, mapHeader, mapSection } from './render/render-map.ts';

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
const MAX_SHARE = 0.1;
const MIN_SHARE_TOKENS = 150;
const MAX_FILES = 2_000;

/** Outlines a repository: the files that the rest leans on most, with their signatures, inside a budget. */
export async function mapRepository(request: MapRequest): Promise<RepositoryMap> {
  const mode = request.settings.scanMode;
  return useIndex({ ...request, mode }, (scan) => mapScan(request, scan));
}

/** The same for a repository that has just been scanned. */
export async function mapScan(
  { settings, focus, ...audience }: Pick<MapRequest, 'settings' | 'focus' | keyof Audience>,
  scan: OpenScan,
): Promise<RepositoryMap> {
  const { index, result, repository } = scan;
  const guard = await guardFiles({ ...audience, root: repository.root, targets: focus });
  const ranked = rankFiles(index, focus).filter(({ file }) => guard.allow(file.path));
  if (ranked.length === 0)
    throw new LoadoutError(
      'nothing-to-map',
      focus.length > 0
        ? `no source file at ${focus.join(', ')}`
        : (describeNoFiles(scan, settings)?.message ?? 'no source files here'),
      {
        hint: 'see "loadout scan" for what was found and skipped',
      },
    );
  const count = await loadTokenCounter();
  const largest = Math.max(MIN_SHARE_TOKENS, settings.tokenBudget * MAX_SHARE);
  const header = mapHeader({
    files: result.filesScanned,
    symbols: result.symbolsIndexed,
    edges: result.dependenciesIndexed,
  });
  const top = ranked[0]!.centrality || 1;
  const entryOf = (file: SnapshotFile, centrality: number, view: FileView | null): MapEntry => ({
    path: shownName(file.path),
    centrality: Math.round((centrality / top) * 1000) / 10,
    view: view?.text ?? null,
    shown: view?.shown ?? null,
    language: file.language ?? '',
  });
  const rankSymbols = createSymbolRanking(index);
  const partly = new Set<string>();
  const render = ({ file, number, centrality }: RankedFile): string => {
    const source = readView(repository, index, file);
    if (!source) return mapSection(entryOf(file, centrality, null));
    const sectionOf = (view: FileView) => mapSection(entryOf(file, centrality, view));
    const whole = sectionOf(wholeView(source));
    if (count(whole) <= largest) return whole;
    const view = partialView(
      source,
      rankSymbols(number, source.symbols),
      (one) => count(sectionOf(one)) <= largest,
    );
    if (!view) return whole;
    partly.add(file.path);
    return sectionOf(view);
  };
  const filled = fillBudget({
    limit: settings.tokenBudget,
    count,
    header,
    laterHeading: MENTIONS_HEADING,
    parts: ranked.slice(0, MAX_FILES).map((one) => ({
      render: () => render(one),
      mention: () => mapSection(entryOf(one.file, one.centrality, null)),
    })),
    largest,
  });
  if (filled.used.length === 0)
    throw new LoadoutError(
      'budget-too-small',
      `a budget of ${settings.tokenBudget} tokens has no room for a single file`,
      {
        subject: '--budget',
        hint: 'give at least 300 tokens',
      },
    );
  return {
    text: filled.text,
    tokenCount: filled.tokens,
    tokenBudget: settings.tokenBudget,
    files: filled.used.map(({ part, form }) => {
      const { file, centrality } = ranked[part]!;
      const { path } = file;
      const { centrality: share } = entryOf(file, centrality, null);
      return { path, centrality: share, form: form === 'signatures' && partly.has(path) ? 'partial' : form };
    }),
    diagnostics: [...result.diagnostics, ...guard.diagnostics],
  };
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
  const ranks = rankByLinks(index.links.definers, referenceEdges(index), restart);
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

/** What is on disk now, without its secrets; null when the file has changed since the scan. */
function readView({ root }: Repository, index: OpenIndex, file: SnapshotFile): ViewSource | null {
  const source = readSource({ index, root, redact: true, maxBytes: file.size }, file.path, file);
  return source === null || source.isStale ? null : source;
}

/** A file as it is on disk, and what was found in it. */
export interface ViewSource {
  readonly text: string;
  readonly language: string | null;
  readonly symbols: readonly SymbolDefinition[];
}

export interface FileView {
  readonly text: string;
  /** How many of the definitions there are; null when all are there. */
  readonly shown: { readonly count: number; readonly of: number } | null;
}

function viewText({ text, language }: ViewSource, symbols: readonly SymbolDefinition[]): string {
  return signatureView(text, {
    language,
    lineCount: text.split('\n').length,
    symbols,
    imports: [],
    problem: null,
    hasSyntaxErrors: false,
  });
}

/** Every signature of a file. */
export function wholeView(source: ViewSource): FileView {
  return { text: viewText(source, source.symbols), shown: null };
}

/** As many of the best symbols as there is room for; null when not even one fits. */
export function partialView(
  source: ViewSource,
  best: readonly number[],
  fits: (view: FileView) => boolean,
): FileView | null {
  const take = (count: number): FileView => {
    const kept = keepSymbols(source.symbols, new Set(best.slice(0, count)));
    return { text: viewText(source, kept), shown: { count: kept.length, of: source.symbols.length } };
  };
  let least = 0;
  let most = best.length;
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(take(middle))) least = middle;
    else most = middle - 1;
  }
  return least > 0 ? take(least) : null;
}
