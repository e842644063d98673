import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { FileRole } from '../../model/file-entry.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import { openScratchFile, type ScratchFile } from '../../platform/fs/append-file.ts';
import { discoverFiles } from '../../scan/discover/index.ts';
import { OpenIndex } from '../../scan/format/index.ts';
import {
  describeLanguage,
  type OpenScan,
  openRepository,
  type ScanRequest,
  type ScanStep,
} from '../../scan/index.ts';
import type { PieceCounter } from '../fit/index.ts';
import type { AllForm, AllRenderer } from './all-document.ts';

/** A file that is going to be written. */
export interface TakenFile {
  readonly file: SnapshotFile;
  readonly form: AllForm;
  readonly tokens: number;
  /** Its rendered text; null when the file has changed since it was counted. */
  bytes(): Buffer | null;
}

export interface ChoosingContext {
  readonly renderer: AllRenderer;
  readonly count: PieceCounter;
  readonly kept: KeptPieces;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((step: ScanStep) => void) | undefined;
}

/** No useful piece costs less. */
const MIN_PIECE = 20;
/** After this many misses in a row the room is too small, and the other files are not tried. */
const MAX_MISSES = 200;
/** Bytes of a token, at the most that text has. */
const MAX_TOKEN = 16;
const FILES_A_STEP = 100;

/** Every file that is text, whole; null as soon as they take more than the room. */
export function takeEverything(
  files: readonly SnapshotFile[],
  context: ChoosingContext,
  room: number,
): TakenFile[] | null {
  const taken: TakenFile[] = [];
  let left = room;
  for (const [at, file] of files.entries()) {
    context.signal?.throwIfAborted();
    if (at % FILES_A_STEP === 0)
      context.onProgress?.({ label: 'packing files', done: at, total: files.length });
    const one = take(file, 'full', context, Number.POSITIVE_INFINITY);
    if (one === null) continue;
    left -= one.tokens;
    if (left < 0) return null;
    taken.push(one);
  }
  return taken;
}

/** The files that fit, best first, each whole or as its signatures. */
export async function chooseFiles(
  files: readonly SnapshotFile[],
  form: AllForm,
  context: ChoosingContext,
  room: number,
): Promise<{ readonly taken: TakenFile[]; readonly omitted: readonly string[] }> {
  const taken: TakenFile[] = [];
  const omitted: string[] = [];
  const forms: readonly AllForm[] = form === 'full' ? ['full', 'signatures'] : ['signatures', 'full'];
  let left = room;
  let misses = 0;
  const order = choosingOrder(files);
  for (const [at, file] of order.entries()) {
    if (at % FILES_A_STEP === 0) {
      await takeStep(context, at, files.length);
      if (left >= MIN_PIECE) await context.renderer.prepare(order.slice(at, at + FILES_A_STEP));
    }
    const isOver = left < MIN_PIECE || misses >= MAX_MISSES;
    const fitting = isOver ? null : firstFitting(file, forms, context, left);
    if (fitting === null) {
      misses++;
      omitted.push(file.path);
      continue;
    }
    misses = 0;
    left -= fitting.tokens;
    taken.push(fitting);
  }
  return { taken, omitted };
}

/** Reports progress, and lets the caller stop the work. */
async function takeStep({ signal, onProgress }: ChoosingContext, done: number, total: number): Promise<void> {
  onProgress?.({ label: 'packing files', done, total });
  await setImmediate();
  signal?.throwIfAborted();
}

function firstFitting(
  file: SnapshotFile,
  forms: readonly AllForm[],
  context: ChoosingContext,
  most: number,
): TakenFile | null {
  for (const form of forms) {
    if (form === 'full' && file.size > most * MAX_TOKEN) continue;
    const taken = take(file, form, context, most);
    if (taken !== null) return taken;
  }
  return null;
}

function take(
  file: SnapshotFile,
  form: AllForm,
  { renderer, count, kept }: ChoosingContext,
  most: number,
): TakenFile | null {
  const render = () => {
    const piece = renderer.piece(file, form);
    return piece && encode(piece.text);
  };
  const bytes = render();
  const tokens = bytes === null ? Number.POSITIVE_INFINITY : count.bytes(bytes);
  if (bytes === null || tokens > most) return null;
  const keptBytes = kept.keep(bytes);
  if (keptBytes !== null) return { file, form, tokens, bytes: keptBytes };
  const digest = digestOf(bytes);
  const again = () => {
    const now = render();
    return now !== null && digestOf(now) === digest ? Buffer.from(now) : null;
  };
  return { file, form, tokens, bytes: again };
}

const shared = Buffer.allocUnsafe(3 * 256 * 1024);

/** The bytes are valid until the next call: most files are counted and then dropped. */
function encode(text: string): Buffer {
  return text.length * 3 > shared.length ? Buffer.from(text) : shared.subarray(0, shared.write(text));
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64');
}

/** The kinds of files in the order in which readers want them. */
const ROLES: readonly FileRole[] = ['source', 'config', 'docs', 'test', 'example', 'other', 'data'];

function place({ classification: { role, generated, vendored } }: SnapshotFile): number {
  return ROLES.indexOf(role) + (generated || vendored ? ROLES.length : 0);
}

/** Files in the order in which they get room: written by hand before generated, source before the rest. */
export function choosingOrder(files: readonly SnapshotFile[]): SnapshotFile[] {
  return [...files].sort((a, b) => place(a) - place(b) || (a.path < b.path ? -1 : 1));
}

/** Rendered files between the moment they are chosen and the moment they are written. */
export interface KeptPieces {
  /** A function that returns the bytes even if the caller's buffer changes; null when they cannot be kept. */
  keep(bytes: Buffer): (() => Buffer | null) | null;
  close(): void;
}

/** Keeps up to this many bytes in memory, and the others in a file. */
export function keepPieces(mostInMemory: number, folder: string): KeptPieces {
  let inMemory = 0;
  let scratch: ScratchFile | null | undefined;
  return {
    keep(bytes) {
      if (inMemory + bytes.length <= mostInMemory) {
        inMemory += bytes.length;
        const copy = Buffer.from(bytes);
        return () => copy;
      }
      if (scratch === undefined) scratch = openScratchFile(folder);
      const offset = scratch?.add(bytes) ?? null;
      return offset === null ? null : () => scratch!.read(offset, bytes.length);
    },
    close: () => scratch?.close(),
  };
}

const NO_FINDINGS = {
  hash: '',
  segment: -1,
  document: -1,
  symbolCount: 0,
  interfaceHash: 0,
  saysGenerated: false,
} satisfies Partial<SnapshotFile>;

/** The list of files without their definitions: enough to show files whole, at a fraction of the cost of a scan. */
export async function listScan({
  repo,
  settings,
}: Pick<ScanRequest, 'repo' | 'settings'>): Promise<OpenScan> {
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
