import type { IndexView } from '../../model/index-view.ts';
import type { ImportReference } from '../../model/parsed-file.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import type { SymbolDefinition } from '../../model/symbol.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import { contentHash } from '../../platform/fs/read-file.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { type RedactedText, redactSecrets, type SecretFinding } from '../../redact/index.ts';

/** A file as it is on disk now, without its secrets, and what the index knows about it. */
export interface ItemSource {
  readonly path: string;
  readonly text: string;
  /** Of the text, without line ends. */
  readonly lines: readonly string[];
  readonly language: string | null;
  /** Offsets are those of `text`; empty when the file has changed since the scan. */
  readonly symbols: readonly SymbolDefinition[];
  readonly imports: readonly ImportReference[];
  readonly findings: readonly SecretFinding[];
  /** The file has changed since the scan: what the index says about its lines does not hold. */
  readonly isStale: boolean;
  /** Null for a file that the scan did not list. */
  readonly file: SnapshotFile | null;
}

export interface SourceReader {
  read(path: string): ItemSource | null;
  /** The scan's facts about a path. */
  fileAt(path: string): SnapshotFile | undefined;
}

export interface SourceOptions {
  readonly index: IndexView;
  readonly root: SafeRoot;
  readonly redact: boolean;
  readonly maxBytes: number;
}

/** Reads files for a package; each once. */
export function createSourceReader(options: SourceOptions): SourceReader {
  const files = new Map(options.index.snapshot.files.map((file) => [file.path, file]));
  const known = new Map<string, ItemSource | null>();
  return {
    fileAt: (path) => files.get(path),
    read(path) {
      let source = known.get(path);
      if (source === undefined) {
        source = readSource(options, path, files.get(path) ?? null);
        known.set(path, source);
      }
      return source;
    },
  };
}

/** Reads one file and keeps nothing of it. */
export function readSource(
  { index, root, redact, maxBytes }: SourceOptions,
  path: string,
  file: SnapshotFile | null,
): ItemSource | null {
  const outcome = root.read(path, maxBytes);
  if (outcome.kind !== 'content') return null;
  const decoded = decodeText(outcome.bytes);
  if (decoded.kind !== 'text') return null;
  const isCurrent = file !== null && file.segment >= 0 && contentHash(outcome.bytes) === file.hash;
  const redacted = redact ? redactSecrets(decoded.text, path) : asItIs(decoded.text);
  const segment = isCurrent ? index.segmentOf(file) : null;
  const symbols = segment?.symbols(file!.document) ?? [];
  let lines: readonly string[] | null = null;
  return {
    path,
    text: redacted.text,
    // an outline needs neither
    get lines() {
      lines ??= linesOf(redacted.text);
      return lines;
    },
    get imports() {
      return segment?.imports(file!.document) ?? [];
    },
    language: file?.language ?? null,
    symbols: redacted.findings.length > 0 ? symbols.map((one) => moveSymbol(one, redacted)) : symbols,
    findings: redacted.findings,
    isStale: file !== null && file.segment >= 0 && !isCurrent,
    file,
  };
}

function asItIs(text: string): RedactedText {
  return { text, findings: [], moveOffset: (offset) => offset };
}

function linesOf(text: string): string[] {
  // Splitting at a pattern takes three times as long, and most files have no CR.
  const lines = text.includes('\r') ? text.split(/\r?\n/) : text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** When secrets are removed, lines keep their numbers but offsets change; a header may hold a secret as well. */
function moveSymbol(symbol: SymbolDefinition, { text, moveOffset }: RedactedText): SymbolDefinition {
  return { ...moveTo(symbol, text, moveOffset), name: redactSecrets(symbol.name, '').text };
}

function moveTo(
  symbol: SymbolDefinition,
  text: string,
  moveOffset: (offset: number) => number,
): SymbolDefinition {
  const start = moveOffset(symbol.start);
  const headerEnd = moveOffset(symbol.headerEnd);
  return {
    ...symbol,
    start,
    headerEnd,
    nameStart: moveOffset(symbol.nameStart),
    bodyEnd: moveOffset(symbol.bodyEnd),
    end: moveOffset(symbol.end),
    signature: text.slice(start, headerEnd),
  };
}

/** The same file with another text that has the same lines. */
export function withText(
  source: ItemSource,
  text: string,
  moveOffset: (offset: number) => number,
): ItemSource {
  const symbols = source.symbols.map((one) => moveTo(one, text, moveOffset));
  return { ...source, text, lines: linesOf(text), symbols };
}
