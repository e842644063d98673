import type { ContextItem, ContextPack, ItemForm } from '../model/context-pack.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { redactionDiagnostics } from '../redact/index.ts';
import { type CommentStripper, describeNoFiles, type OpenScan, useIndex } from '../scan/index.ts';
import {
  type ComposeContext,
  EMPTY_PACK,
  instructionsPart,
  openContext,
  packId,
  resolveTokenCount,
} from './compose/index.ts';
import { DEFAULT_ENCODING, loadModelCounter, loadPieceCounter, type PieceCounter } from './fit/index.ts';
import { guardFiles, leftOutByGuideline } from './guidelines/index.ts';
import {
  type AllForm,
  type AllWriter,
  type BuiltPackage,
  type ChoosingContext,
  chooseFiles,
  createAllRenderer,
  type Frame,
  frameAround,
  keepPieces,
  labelled,
  listScan,
  type PackageRequest,
  type TakenFile,
  takeEverything,
} from './pack/index.ts';
import { formatOf, renderPiece } from './render/index.ts';

export interface AllRequest
  extends Omit<PackageRequest, 'task' | 'targets' | 'strategy' | 'change' | 'split'> {
  /** How to show each file. */
  readonly form?: AllForm;
  /** Rendered files are kept in memory up to this many bytes; the others are kept in a file. */
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

/** Packs everything that fits, without a task, and passes it on piece by piece: a repository need not fit into memory. */
export async function packAll(request: AllRequest): Promise<AllSummary> {
  const { settings, model } = request;
  const counting = loadPieceCounter(model, settings.cacheDir);
  try {
    // Whole files need no index: try without one, and scan only when they do not all fit.
    const listed = await packListed(request, counting);
    if (listed !== null) return listed;
    return await useIndex({ ...request, mode: settings.scanMode }, async (scan) =>
      packScanned(request, scan, await counting),
    );
  } finally {
    (await counting).save();
  }
}

/** The recipe for what an index knows: gather, price and fit file by file, render, account. */
async function packScanned(given: AllRequest, scan: OpenScan, count: PieceCounter): Promise<AllSummary> {
  // Gather: every file that was parsed and that the role and the guidelines let this reader see.
  const selection = await given.select?.(scan, []);
  const request = await guarded(selection ? { ...given, allow: selection.allow } : given, scan);
  return withContext(request, scan, count, async (all) => {
    const { context } = all;
    const files = scan.index.snapshot.files.filter((file) => file.segment >= 0 && context.allow(file.path));

    // Price the frame: the files share the rest of the budget.
    const frame = await frameAround(request, context, scan, files);

    // Fit: take files in the order of their worth, each whole or as its signatures.
    const { taken, omitted } = await chooseFiles(files, request.form ?? 'full', all, roomIn(frame, context));
    taken.sort((a, b) => (a.file.path < b.file.path ? -1 : 1));

    // Render and account: write what was taken, and say what was left out.
    const summary = await write(request, scan, all, frame, taken, omitted);
    const said = [...request.remarks, ...(selection?.diagnostics ?? [])];
    return { ...summary, diagnostics: [...said, ...summary.diagnostics] };
  });
}

/** Of a whole repository; one with more is not going to fit. */
const MAX_BYTES_A_TOKEN = 6;

/** The same without an index, which shows every file whole. Null when not all of them fit, and when files may be cut. */
async function packListed(given: AllRequest, counting: Promise<PieceCounter>): Promise<AllSummary | null> {
  const { form = 'full', settings, writer } = given;
  if (form !== 'full' || writer.cutsFiles === true || given.select !== undefined) return null;
  const scan = await listScan(given);
  const request = await guarded(given, scan);
  const { allow } = request;
  const files = scan.index.snapshot.files.filter(({ skip, path }) => skip === null && allow(path));
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > settings.tokenBudget * MAX_BYTES_A_TOKEN) return null;
  return withContext(request, scan, await counting, async (all) => {
    await all.renderer.prepare(files);
    const taken = takeEverything(files, all, all.context.budget);
    if (taken === null || taken.length === 0) return null;
    const shown = taken.map(({ file }) => file);
    const frame = await frameAround(request, all.context, scan, shown);
    const total = taken.reduce((sum, { tokens }) => sum + tokens, 0);
    if (total > roomIn(frame, all.context)) return null;
    const summary = await write(request, scan, all, frame, taken, []);
    return { ...summary, diagnostics: [...request.remarks, ...summary.diagnostics] };
  });
}

/** How many of the files that guidelines keep out are named. */
const MAX_KEPT_NAMED = 10;

/** The same request for the files that guidelines let this agent see. */
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

/** Everything that the steps share. */
interface AllContext extends ChoosingContext {
  readonly context: ComposeContext;
  readonly stripper: CommentStripper | null;
}

/** Loaded when it is asked for: it starts a parser. */
async function openStripper(request: AllRequest): Promise<CommentStripper> {
  const { openCommentStripper } = await import('../scan/remove-comments.ts');
  return openCommentStripper(request);
}

const MAX_KEPT = 16_000_000;

async function withContext<Answer>(
  request: AllRequest,
  scan: OpenScan,
  count: PieceCounter,
  use: (all: AllContext) => Promise<Answer>,
): Promise<Answer> {
  const { settings, redact = true, label = '', mostKept = MAX_KEPT, signal, onProgress } = request;
  const context = openContext(request, scan, [], count.text);
  const maxBytes = settings.maxFileBytes;
  const stripper = request.removeComments ? await openStripper(request) : null;
  const renderer = createAllRenderer({ scan, render: context.render, redact, maxBytes, label, stripper });
  const kept = keepPieces(mostKept, `${settings.cacheDir}/scratch`);
  try {
    return await use({ context, renderer, count, kept, stripper, signal, onProgress });
  } finally {
    kept.close();
    stripper?.close();
  }
}

/** The line that says how many files were left out. */
const CLOSING_ROOM = 40;

function roomIn(frame: Frame, { budget }: ComposeContext): number {
  return budget - frame.tokens - CLOSING_ROOM;
}

/** Writes the frame and the files that are still what was counted. */
async function write(
  { writer, label = '', signal, settings }: AllRequest,
  scan: OpenScan,
  { context: { budget, count }, renderer, stripper }: AllContext,
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
  const left = stripper?.diagnostics() ?? [];
  const found = [...diagnostics, ...left, ...redactionDiagnostics(renderer.findings())];
  return { tokenCount, tokenBudget: budget, items, omitted, diagnostics: found };
}

function changedMeanwhile(path: string): Diagnostic {
  const message = `${path} changed while the package was written: it is left out`;
  return { code: 'file-changed', severity: 'warning', message, path };
}

/** Of the budget, for the names of files that are left out. */
const OMITTED_SHARE = 0.02;
const TOKENS_PER_OMITTED = 40;
/** In JSON line ends and quotes are escaped, which the choice of files does not know: it is repeated with less room. */
const MAX_ROUNDS = 6;
const JSON_OPTIONS = { format: 'json', lineNumbers: false } as const;

/** Everything that fits as one JSON package; it is held in memory, unlike the text. */
export async function packAllAsData(request: Omit<AllRequest, 'writer'>): Promise<BuiltPackage> {
  const { settings, model } = request;
  const budget = settings.tokenBudget;
  const count = await loadModelCounter(model);
  // files are chosen by their prices as text
  const format = formatOf({ format: 'markdown', ...request }).showsAccounts
    ? 'markdown'
    : (request.format ?? 'markdown');
  let room = budget;
  for (let round = 0; round < MAX_ROUNDS && room > 0; round++) {
    const attempt = await collect(Math.floor(room));
    const built = resolveTokenCount(attempt, JSON_OPTIONS, count);
    const { tokenCount, items } = built.pack;
    if (tokenCount <= budget) return built;
    if (items.length === 0) break;
    room *= (budget / tokenCount) * 0.98;
  }
  const none: ContextPack = { ...nothing(request, budget), tokenCount: 0 };
  return { pack: none, text: '' };

  async function collect(tokenBudget: number): Promise<ContextPack> {
    const items: ContextItem[] = [];
    const writer: AllWriter = {
      begin: () => {},
      file: (_bytes, _tokens, again) => {
        const item = again()?.item;
        if (item) items.push({ ...item, tokens: count(renderPiece(item, JSON_OPTIONS)) });
      },
      end: () => {},
    };
    const summary = await packAll({ ...request, format, settings: { ...settings, tokenBudget }, writer });
    const most = Math.floor((budget * OMITTED_SHARE) / TOKENS_PER_OMITTED);
    const omitted = summary.omitted
      .slice(0, most)
      .map((path) => ({ path, reason: 'no room', combinedScore: 0, cost: null }));
    const own = instructionsPart(request, budget, count);
    const pack = { ...nothing(request, budget), ...own, items, omitted, diagnostics: summary.diagnostics };
    return { ...pack, id: packId(pack) };
  }
}

function nothing({ role = null, model }: Omit<AllRequest, 'writer'>, tokenBudget: number): ContextPack {
  return { ...EMPTY_PACK, role, tokenBudget, encoding: model?.encoding ?? DEFAULT_ENCODING };
}
