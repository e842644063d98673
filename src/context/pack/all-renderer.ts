import type { ContextItem } from '../../model/context-pack.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { redactSecrets, type SecretFinding } from '../../redact/index.ts';
import type { OpenScan } from '../../scan/index.ts';
import { detectLanguage } from '../../scan/parse/index.ts';
import { readSource, type SourceOptions, signaturesOf } from '../compose/index.ts';
import { type RenderOptions, renderPiece } from '../render/index.ts';
import { type AllForm, labelled, type RenderedFile } from './all-document.ts';

/** Renders files one by one and keeps nothing of them. */
export interface AllRenderer {
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
    const { text: content, language } = read;
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
