// The document of a package of everything: writes its files one by one, and keeps nothing of them.
import type { ContextItem, ContextPack } from '../../model/context-pack.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import type { SymbolDefinition } from '../../model/symbol.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { redactSecrets, type SecretFinding } from '../../redact/index.ts';
import type { CommentStripper, OpenScan } from '../../scan/index.ts';
import { detectLanguage } from '../../scan/parse/index.ts';
import {
  type ComposeContext,
  EMPTY_PACK,
  findEnvironment,
  instructionsPart,
  manifestsOf,
  readSource,
  type SourceOptions,
  sharesOf,
  signaturesOf,
} from '../compose/index.ts';
import {
  formatOf,
  type RenderedPiece,
  type RenderOptions,
  renderPiece,
  renderPieces,
  renderTree,
} from '../render/index.ts';
import type { PackageRequest } from './package-request.ts';
import { createSplitter, type SplitOptions } from './split-pack.ts';

export type AllForm = 'full' | 'signatures';

interface RenderedFile {
  readonly item: ContextItem;
  readonly text: string;
  /** Looked up only for files that have to be cut. */
  readonly symbols: () => readonly SymbolDefinition[];
}

/** Takes a package of everything piece by piece; a promise makes the next piece wait. */
export interface AllWriter {
  begin(frame: FrameTexts): void | Promise<void>;
  /** `again` renders the file once more, for a writer that has to cut it. */
  file(bytes: Buffer, tokens: number, again: () => RenderedFile | null): void | Promise<void>;
  end(frame: FrameTexts): void | Promise<void>;
  /** Files may have to be cut between their definitions. */
  readonly cutsFiles?: boolean;
}

type WriteText = (text: string | Buffer) => void | Promise<void>;

/** One document. Of several repositories the first opens it and the last closes it. */
export function documentWriter(write: WriteText, { opens = true, closes = true } = {}): AllWriter {
  return {
    begin: ({ header, before }) => write(`${opens ? header : ''}${before}`),
    file: (bytes) => write(bytes),
    end: ({ after, end }) => write(`${after}${closes ? end : ''}`),
  };
}

interface PartsWriter extends AllWriter {
  /** Ends the last part. */
  finish(): Promise<{ readonly parts: number; readonly diagnostics: readonly Diagnostic[] }>;
}

/** Numbered documents of a limited size. */
export function partsWriter(options: SplitOptions): PartsWriter {
  const splitter = createSplitter(options);
  return {
    cutsFiles: true,
    begin: ({ before }) => splitter.addText(before, 'the outline'),
    file: (bytes, tokens, again) =>
      splitter.addRendered(bytes.toString('utf8'), tokens, () => {
        const rendered = again();
        return rendered && { item: rendered.item, symbols: rendered.symbols() };
      }),
    end: ({ after }) => splitter.addText(after, 'the end'),
    finish: () => splitter.finish(),
  };
}

/** Of the budget; a larger tree says less than the files that it would push out. */
const TREE_SHARE = 0.05;
const BEFORE_FILES: ReadonlySet<string> = new Set(['convention', 'environment', 'tree']);

export interface Frame {
  readonly tokens: number;
  /** The texts before and after the files, and around both. */
  with(omitted: readonly string[]): FrameTexts;
}

interface FrameTexts {
  readonly header: string;
  readonly before: string;
  readonly after: string;
  readonly end: string;
}

/** Everything around the files of a package that has no task. */
export async function frameAround(
  request: Pick<PackageRequest, 'role' | 'instructions' | 'redact'> & { readonly label?: string },
  context: ComposeContext,
  { index }: OpenScan,
  files: readonly SnapshotFile[],
): Promise<Frame> {
  const { role = null, label = '' } = request;
  const { count, budget, sources, allow, render } = context;
  const shares = sharesOf(budget);
  const { shownName = (name: string) => name } = render;
  const tree = renderTree(
    files.map(({ path }) => ({ path: shownName(labelled(label, path)), tokens: null })),
  );
  const manifests = manifestsOf(index.snapshot.files, sources, allow);
  const { commands } = await findEnvironment(manifests, shares.environment, count);
  const pack: ContextPack = {
    ...EMPTY_PACK,
    role,
    tokenBudget: budget,
    ...instructionsPart(request, budget, count),
    environment: {
      commands: commands.map((one) => ({ ...one, path: labelled(label, one.path) })),
    },
    tree: hasAtMost(tree, budget * TREE_SHARE, count) ? tree : '',
  };
  const { end } = formatOf(render);
  const piecesFor = (omitted: readonly string[]) => {
    const left = omitted.map((path) => ({ path, reason: 'no room', combinedScore: 0, cost: null }));
    const [header, ...pieces] = renderPieces({ ...pack, omitted: left }, render);
    return { header: header!.text, pieces: pieces.filter(({ text }) => text !== end) };
  };
  const { header, pieces } = piecesFor([]);
  const before = joined(pieces, true);
  const texts = (after: string): FrameTexts => ({ header, before, after, end });
  const after = joined(pieces, false);
  return {
    tokens: count(header) + count(before) + count(after) + count(end),
    with: (omitted) => texts(omitted.length === 0 ? after : joined(piecesFor(omitted).pieces, false)),
  };
}

function joined(pieces: readonly RenderedPiece[], isBefore: boolean): string {
  const wanted = pieces.filter(({ part }) => BEFORE_FILES.has(part) === isBefore);
  return wanted.map(({ text }) => text).join('');
}

/** A token has at least one byte, and no estimate says two for it: a short text need not be counted. */
function hasAtMost(text: string, tokens: number, count: (text: string) => number): boolean {
  return Buffer.byteLength(text) * 2 <= tokens || count(text) <= tokens;
}

/** The name of a file in a package of several repositories. */
export function labelled(label: string, path: string): string {
  return label === '' ? path : `${label}/${path}`;
}

/** Renders files one by one and keeps nothing of them. */
export interface AllRenderer {
  /** To be called for files before their pieces. */
  prepare(files: readonly SnapshotFile[]): Promise<void>;
  /** Null when the file cannot be shown like this. */
  piece(file: SnapshotFile, form: AllForm): RenderedFile | null;
  findings(): readonly SecretFinding[];
}

interface AllRendererOptions {
  readonly scan: Pick<OpenScan, 'index' | 'repository'>;
  readonly render: RenderOptions;
  readonly redact: boolean;
  readonly maxBytes: number;
  readonly label: string;
  /** Without it comments stay. */
  readonly stripper: CommentStripper | null;
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

export function createAllRenderer({
  scan: { index, repository },
  render,
  redact,
  maxBytes,
  label,
  stripper,
}: AllRendererOptions): AllRenderer {
  const options: SourceOptions = { index, root: repository.root, redact, maxBytes };
  const findings = new Map<string, readonly SecretFinding[]>();
  const note = (path: string, found: readonly SecretFinding[]) => {
    if (found.length > 0) findings.set(path, found);
  };
  const whole = (file: SnapshotFile): RenderedFile | null => {
    const read = readWholeFile(options, file.path);
    if (read === null) return null;
    note(file.path, read.findings);
    const { language } = read;
    const content = stripper?.strip({ path: file.path, text: read.text }).text ?? read.text;
    const item: ContextItem = {
      ...NO_ITEM,
      path: labelled(label, file.path),
      form: 'full',
      content,
      lineRuns: [{ startLine: 1, count: countLines(content) }],
      language: language ?? '',
    };
    const symbols = () => readSource(options, file.path, file)?.symbols ?? [];
    return { item, text: renderPiece(item, render), symbols };
  };
  const signatures = (file: SnapshotFile): RenderedFile | null => {
    const source = readSource(options, file.path, file);
    if (source === null || source.symbols.length === 0) return null;
    note(file.path, source.findings);
    const item: ContextItem = {
      ...NO_ITEM,
      path: labelled(label, file.path),
      form: 'signatures',
      content: signaturesOf(source),
      lineRuns: [],
      language: file.language ?? '',
    };
    return { item, text: renderPiece(item, render), symbols: () => source.symbols };
  };
  return {
    findings: () => [...findings.values()].flat(),
    async prepare(files) {
      if (!stripper) return;
      const texts = files.flatMap(({ path }) => {
        const read = readWholeFile(options, path);
        return read ? [{ path, text: read.text }] : [];
      });
      await stripper.prepare(texts);
    },
    piece: (file, form) => (form === 'full' ? whole(file) : signatures(file)),
  };
}

/** A file as it is on disk now, without its secrets. */
interface WholeFile {
  readonly text: string;
  /** As its name and its first line say. */
  readonly language: string | null;
  readonly findings: readonly SecretFinding[];
}

interface WholeFileOptions {
  readonly root: SafeRoot;
  readonly redact: boolean;
  readonly maxBytes: number;
}

const HEAD_CHARACTERS = 1_000;
/** Git LFS leaves this in place of a file that was not fetched. */
const LFS_POINTER = 'version https://git-lfs';

/** Null for a file that is not text or cannot be read. */
function readWholeFile({ root, redact, maxBytes }: WholeFileOptions, path: string): WholeFile | null {
  const outcome = root.read(path, maxBytes);
  if (outcome.kind !== 'content') return null;
  const decoded = decodeText(outcome.bytes);
  if (decoded.kind !== 'text' || decoded.text.startsWith(LFS_POINTER)) return null;
  const language = detectLanguage(path, decoded.text.slice(0, HEAD_CHARACTERS))?.id ?? null;
  if (!redact) return { text: decoded.text, language, findings: [] };
  const { text, findings } = redactSecrets(decoded.text, path);
  return { text, language, findings };
}

function countLines(text: string): number {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
