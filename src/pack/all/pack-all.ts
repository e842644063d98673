import { createHash } from 'node:crypto';
import { loadTokenCounter } from '../../fit/count-tokens.ts';
import { loadModelCounter } from '../../fit/models.ts';
import type { ContextItem, ItemForm } from '../../model/context-pack.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import type { SecretFinding } from '../../redact/redact-secrets.ts';
import { redactionDiagnostics } from '../../redact/redaction-diagnostics.ts';
import { renderPiece } from '../../render/render-pack.ts';
import { type OpenScan, withIndex } from '../../scan/run-scan.ts';
import { signaturesOf } from '../item-forms.ts';
import { readSource, type SourceOptions } from '../item-source.ts';
import { openDesk, type PackDesk } from '../pack-desk.ts';
import type { PackageRequest } from '../package-request.ts';
import type { AllWriter, RenderedFile } from './all-writer.ts';
import { choosingOrder } from './choosing-order.ts';
import { frameAround, labelled } from './frame-around.ts';

export interface AllRequest
  extends Omit<PackageRequest, 'task' | 'targets' | 'strategy' | 'change' | 'format' | 'split'> {
  readonly format?: 'markdown' | 'xml';
  /** How to show each file. */
  readonly form?: 'full' | 'signatures';
  /** Rendered files are kept until there are this many characters; beyond, they are rendered again when written. */
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

const MOST_KEPT = 24_000_000;
/** Nothing that tells something costs less. */
const LEAST_PIECE = 20;
/** When so many in a row did not fit, the rest is not looked at: what is left is too little. */
const MOST_MISSES = 200;
/** Bytes of a token, at the most that text has. */
const LONGEST_TOKEN = 16;
/** The line that says how many files were left out. */
const CLOSING_ROOM = 40;

interface Taken {
  readonly file: SnapshotFile;
  readonly form: 'full' | 'signatures';
  readonly tokens: number;
  readonly text: string | null;
  /** Of a text that is not kept. */
  readonly digest: string;
}

/** Packs everything that fits, without a task, and hands it over piece by piece. */
export async function packAll(request: AllRequest): Promise<AllSummary> {
  const { settings, model } = request;
  const counting = model ? loadModelCounter(model) : loadTokenCounter('o200k_base');
  return withIndex({ ...request, mode: settings.scanMode }, async (scan) => {
    const desk = openDesk({ ...request, task: '' }, scan, [], await counting);
    return packFiles(request, scan, desk);
  });
}

async function packFiles(request: AllRequest, scan: OpenScan, desk: PackDesk): Promise<AllSummary> {
  const { budget, count, allow } = desk;
  const files = scan.index.snapshot.files.filter((file) => file.segment >= 0 && allow(file.path));
  const frame = await frameAround(request, desk, scan, files);
  const render = createRenderer(request, scan, desk);
  const { taken, omitted } = choose(files, request, desk, render, budget - frame.tokens - CLOSING_ROOM);
  taken.sort((a, b) => (a.file.path < b.file.path ? -1 : 1));
  const texts = frame.with(omitted);
  const diagnostics: Diagnostic[] = [...scan.result.diagnostics];
  const items: AllSummary['items'][number][] = [];
  let tokenCount = frame.tokens - count(frame.with([]).after) + count(texts.after);
  if (tokenCount > budget) return { tokenCount: 0, tokenBudget: budget, items, omitted, diagnostics };
  await request.writer.begin(texts);
  for (const { file, form, tokens, text, digest } of taken) {
    request.signal?.throwIfAborted();
    const written = text ?? render.piece(file, form)?.text ?? null;
    if (written === null || (text === null && digestOf(written) !== digest)) {
      diagnostics.push(changedMeanwhile(file.path));
      continue;
    }
    tokenCount += tokens;
    items.push({ path: labelled(request.label ?? '', file.path), form, tokens });
    await request.writer.file(written, tokens, () => render.piece(file, form));
  }
  await request.writer.end(texts);
  const found = [...diagnostics, ...redactionDiagnostics(render.findings())];
  return { tokenCount, tokenBudget: budget, items, omitted, diagnostics: found };
}

function choose(
  files: readonly SnapshotFile[],
  { form = 'full', signal, mostKept = MOST_KEPT }: AllRequest,
  { count }: PackDesk,
  { piece }: Renderer,
  room: number,
) {
  const taken: Taken[] = [];
  const omitted: string[] = [];
  const forms = form === 'full' ? (['full', 'signatures'] as const) : (['signatures', 'full'] as const);
  let left = room;
  let kept = 0;
  let misses = 0;
  for (const file of choosingOrder(files)) {
    signal?.throwIfAborted();
    const isOver = left < LEAST_PIECE || misses >= MOST_MISSES;
    const fitting = isOver ? null : firstFitting(file, forms, left);
    if (fitting === null) {
      misses++;
      omitted.push(file.path);
      continue;
    }
    misses = 0;
    left -= fitting.tokens;
    kept += fitting.text.length;
    const isKept = kept <= mostKept;
    const digest = isKept ? '' : digestOf(fitting.text);
    taken.push({ ...fitting, file, text: isKept ? fitting.text : null, digest });
  }
  return { taken, omitted };

  function firstFitting(file: SnapshotFile, among: readonly Taken['form'][], most: number) {
    for (const one of among) {
      if (one === 'full' && file.size > most * LONGEST_TOKEN) continue;
      const text = piece(file, one)?.text ?? null;
      const tokens = text === null ? Number.POSITIVE_INFINITY : count(text);
      if (text !== null && tokens <= most) return { form: one, text, tokens };
    }
    return null;
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

interface Renderer {
  /** Null when the file cannot be shown like this. */
  piece(file: SnapshotFile, form: Taken['form']): RenderedFile | null;
  findings(): readonly SecretFinding[];
}

function createRenderer(
  { settings, redact = true, label = '' }: AllRequest,
  scan: OpenScan,
  { render }: PackDesk,
): Renderer {
  const { index, repository } = scan;
  const options: SourceOptions = { index, root: repository.root, redact, maxBytes: settings.maxFileBytes };
  const findings = new Map<string, readonly SecretFinding[]>();
  return {
    findings: () => [...findings.values()].flat(),
    piece(file, form) {
      const source = readSource(options, file.path, file);
      if (source === null || (form === 'signatures' && source.symbols.length === 0)) return null;
      if (source.findings.length > 0) findings.set(file.path, source.findings);
      const content = form === 'full' ? source.text : signaturesOf(source);
      const lineRuns = form === 'full' ? [{ startLine: 1, count: source.lines.length }] : [];
      const path = labelled(label, file.path);
      const item = { ...NO_ITEM, path, form, content, lineRuns, language: file.language ?? '' };
      return { item, text: renderPiece(item, render), symbols: source.symbols };
    },
  };
}

const NO_ITEM: Omit<ContextItem, 'path' | 'form' | 'content' | 'lineRuns' | 'language'> = {
  tokens: 0,
  combinedScore: 0,
  astScore: 0,
  semanticScore: 0,
  source: 'both',
  symbols: [],
  spans: [],
  reason: '',
};

function changedMeanwhile(path: string): Diagnostic {
  const message = `${path} changed while the package was written: it is left out`;
  return { code: 'file-changed', severity: 'warning', message, path };
}
