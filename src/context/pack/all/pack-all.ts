import type { ItemForm } from '../../../model/context-pack.ts';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { SnapshotFile } from '../../../model/snapshot.ts';
import { redactionDiagnostics } from '../../../redact/redaction-diagnostics.ts';
import { discoverFiles } from '../../../scan/discover/discover-files.ts';
import { OpenIndex } from '../../../scan/format/open-index.ts';
import { useIndex } from '../../../scan/index-session.ts';
import { openRepository } from '../../../scan/repository.ts';
import { describeNoFiles, type OpenScan, type ScanRequest } from '../../../scan/run-scan.ts';
import { describeLanguage } from '../../../scan/scan-repository.ts';
import { guardFiles, leftOutByGuideline } from '../../guidelines/guard-files.ts';
import { openContext, type PackContext } from '../pack-context.ts';
import type { PackageRequest } from '../package-request.ts';
import { type AllRenderer, createAllRenderer } from './all-renderer.ts';
import type { AllForm, AllWriter } from './all-writer.ts';
import { type ChoosingContext, chooseFiles, type TakenFile, takeEverything } from './choose-files.ts';
import { type Frame, frameAround, labelled } from './frame-around.ts';
import { type KeptPieces, keepPieces } from './kept-pieces.ts';
import { loadPieceCounter, type PieceCounter } from './piece-counter.ts';

export interface AllRequest
  extends Omit<PackageRequest, 'task' | 'targets' | 'strategy' | 'change' | 'format' | 'split'> {
  readonly format?: 'markdown' | 'xml';
  /** How to show each file. */
  readonly form?: AllForm;
  /** Rendered files are kept in memory up to so many bytes; the others wait in a file. */
  readonly mostKept?: number;
  /** In front of every path, for one of several repositories. */
  readonly label?: string;
  /** Takes the text piece by piece. */
  readonly writer: AllWriter;
}

export interface AllSummary {
  readonly tokenCount: number;
  readonly tokenBudget: number;
  /** In the order of the text. */
  readonly items: readonly { readonly path: string; readonly form: ItemForm; readonly tokens: number }[];
  readonly omitted: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

const MAX_KEPT = 16_000_000;
/** Of the files that guidelines keep out, so many are named. */
const MAX_KEPT_NAMED = 10;
/** Of a whole repository; what has more is not going to fit. */
const MAX_BYTES_A_TOKEN = 6;
/** The line that says how many files were left out. */
const CLOSING_ROOM = 40;

/** Packs everything that fits, without a task, and hands it over piece by piece. */
export async function packAll(request: AllRequest): Promise<AllSummary> {
  const { settings, model } = request;
  const counting = loadPieceCounter(model, settings.cacheDir);
  try {
    return (
      (await packListed(request, counting)) ??
      (await useIndex({ ...request, mode: settings.scanMode }, async (scan) =>
        packScanned(request, scan, await counting),
      ))
    );
  } finally {
    (await counting).save();
  }
}

/** Whole files need no index. Null when not all of them fit, and for whoever has to know more about them. */
async function packListed(given: AllRequest, counting: Promise<PieceCounter>): Promise<AllSummary | null> {
  const { form = 'full', settings, writer } = given;
  if (form !== 'full' || writer.cutsFiles === true || given.select !== undefined) return null;
  const scan = await listScan(given);
  const request = await guarded(given, scan);
  const { allow } = request;
  const files = scan.index.snapshot.files.filter(({ skip, path }) => skip === null && allow(path));
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > settings.tokenBudget * MAX_BYTES_A_TOKEN) return null;
  return withTable(request, scan, await counting, async (table) => {
    const taken = await takeEverything(files, table, table.context.budget);
    if (taken === null || taken.length === 0) return null;
    const shown = taken.map(({ file }) => file);
    const frame = await frameAround(request, table.context, scan, shown);
    const total = taken.reduce((sum, { tokens }) => sum + tokens, 0);
    if (total > roomIn(frame, table.context)) return null;
    const summary = await write(request, scan, table, frame, taken, []);
    return { ...summary, diagnostics: [...request.remarks, ...summary.diagnostics] };
  });
}

async function packScanned(given: AllRequest, scan: OpenScan, count: PieceCounter): Promise<AllSummary> {
  const selection = await given.select?.(scan, []);
  const request = await guarded(selection ? { ...given, allow: selection.allow } : given, scan);
  return withTable(request, scan, count, async (table) => {
    const { context } = table;
    const files = scan.index.snapshot.files.filter((file) => file.segment >= 0 && context.allow(file.path));
    const frame = await frameAround(request, context, scan, files);
    const { taken, omitted } = await chooseFiles(
      files,
      request.form ?? 'full',
      table,
      roomIn(frame, context),
    );
    taken.sort((a, b) => (a.file.path < b.file.path ? -1 : 1));
    const summary = await write(request, scan, table, frame, taken, omitted);
    const said = [...request.remarks, ...(selection?.diagnostics ?? [])];
    return { ...summary, diagnostics: [...said, ...summary.diagnostics] };
  });
}

/** The same request for what guidelines let this agent see. */
async function guarded(request: AllRequest, { index, repository }: OpenScan) {
  const guard = await guardFiles({ ...request, root: repository.root });
  const mayShow = (path: string) => request.allow?.(path) !== false;
  const kept = index.snapshot.files.flatMap(({ path }) => {
    const guideline = mayShow(path) ? guard.keptBy(path) : null;
    return guideline === null ? [] : [{ path, guideline }];
  });
  return {
    ...request,
    allow: (path: string) => guard.allow(path) && mayShow(path),
    remarks: [...guard.diagnostics, ...kept.slice(0, MAX_KEPT_NAMED).map(leftOutByGuideline)],
  };
}

interface Table extends ChoosingContext {
  readonly context: PackContext;
  readonly renderer: AllRenderer;
  readonly kept: KeptPieces;
}

async function withTable<Answer>(
  request: AllRequest,
  scan: OpenScan,
  count: PieceCounter,
  use: (table: Table) => Promise<Answer>,
): Promise<Answer> {
  const { settings, redact = true, label = '', mostKept = MAX_KEPT, signal, onProgress } = request;
  const context = openContext({ ...request, task: '' }, scan, [], count.text);
  const maxBytes = settings.maxFileBytes;
  const renderer = createAllRenderer({ scan, render: context.render, redact, maxBytes, label });
  const kept = keepPieces(mostKept, `${settings.cacheDir}/scratch`);
  try {
    return await use({ context, renderer, count, kept, signal, onProgress });
  } finally {
    kept.close();
  }
}

function roomIn(frame: Frame, { budget }: PackContext): number {
  return budget - frame.tokens - CLOSING_ROOM;
}

async function write(
  { writer, label = '', signal, settings }: AllRequest,
  scan: OpenScan,
  { context: { budget, count }, renderer }: Table,
  frame: Frame,
  taken: readonly TakenFile[],
  omitted: readonly string[],
): Promise<AllSummary> {
  const texts = frame.with(omitted);
  const noFiles = describeNoFiles(scan, settings);
  const diagnostics: Diagnostic[] = [...scan.result.diagnostics, ...(noFiles ? [noFiles] : [])];
  const items: AllSummary['items'][number][] = [];
  let tokenCount = frame.tokens - count(frame.with([]).after) + count(texts.after);
  // of several repositories one opens the document and another closes it, so each of them writes its frame
  const hasNothing = taken.length === 0 && label === '';
  if (tokenCount > budget || hasNothing)
    return { tokenCount: 0, tokenBudget: budget, items, omitted, diagnostics };
  await writer.begin(texts);
  for (const { file, form, tokens, bytes } of taken) {
    signal?.throwIfAborted();
    const written = bytes();
    if (written === null) {
      diagnostics.push(changedMeanwhile(file.path));
      continue;
    }
    tokenCount += tokens;
    items.push({ path: labelled(label, file.path), form, tokens });
    await writer.file(written, tokens, () => renderer.piece(file, form));
  }
  await writer.end(texts);
  const found = [...diagnostics, ...redactionDiagnostics(renderer.findings())];
  return { tokenCount, tokenBudget: budget, items, omitted, diagnostics: found };
}

function changedMeanwhile(path: string): Diagnostic {
  const message = `${path} changed while the package was written: it is left out`;
  return { code: 'file-changed', severity: 'warning', message, path };
}

const NO_FINDINGS = {
  hash: '',
  segment: -1,
  document: -1,
  symbolCount: 0,
  interfaceHash: 0,
  saysGenerated: false,
} satisfies Partial<SnapshotFile>;

/** The files of a repository and nothing about what is in them: enough to show them whole, at a fraction of a scan. */
async function listScan({ repo, settings }: Pick<ScanRequest, 'repo' | 'settings'>): Promise<OpenScan> {
  const repository = await openRepository(repo, settings.cacheDir);
  const { root, git, store } = repository;
  const { files, diagnostics } = await discoverFiles(root, git, describeLanguage, settings);
  const snapshot = {
    id: '',
    root: root.path,
    gitSha: '',
    segments: [],
    files: files.map((entry) => ({ ...entry, ...NO_FINDINGS })),
    links: '',
    basis: null,
  };
  return {
    repository,
    index: new OpenIndex(store, snapshot, null),
    result: {
      filesScanned: files.length,
      filesChanged: 0,
      filesSkipped: [],
      symbolsIndexed: 0,
      dependenciesIndexed: 0,
      durationSeconds: 0,
      gitSha: '',
      mode: 'incremental',
      links: [],
      diagnostics: [...repository.diagnostics, ...diagnostics],
    },
  };
}
