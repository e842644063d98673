import type { Settings } from '../../config/index.ts';
import type { ItemForm, LineRun } from '../../model/context-pack.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { markHidden } from '../../redact/index.ts';
import { type ScanStep, useIndex } from '../../scan/index.ts';
import {
  createSourceReader,
  type ItemSource,
  type SourceReader,
  signaturesOf,
  withText,
} from '../compose/index.ts';

interface VerifyRequest {
  readonly repo: string;
  readonly settings: Settings;
  readonly items: readonly StoredItem[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: ScanStep) => void;
}

interface Verification {
  readonly items: readonly VerifiedItem[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether a stored package still says what the repository holds. */
export function verifyPackage(request: VerifyRequest): Promise<Verification> {
  const { settings, items } = request;
  return useIndex({ ...request, mode: settings.scanMode }, async ({ index, repository, result }) => {
    const options = { index, root: repository.root, maxBytes: settings.maxFileBytes };
    const readers = [true, false].map((redact) => createSourceReader({ ...options, redact }));
    const compared = verifyItems(items, readers);
    const verified = await verifyStripped(items, compared, readers, request);
    return { items: verified, diagnostics: result.diagnostics };
  });
}

/** A file as a stored package describes it. */
export interface StoredItem {
  readonly path: string;
  readonly form: ItemForm;
  readonly content: string;
  readonly lineRuns: readonly LineRun[];
}

interface VerifiedItem {
  readonly path: string;
  readonly state: 'same' | 'changed' | 'gone';
}

/** Compares the files of a stored package with what is on disk now, with and without the redaction. */
function verifyItems(items: readonly StoredItem[], readers: readonly SourceReader[]): VerifiedItem[] {
  return items.map((item) => {
    const sources = readers.flatMap((reader) => reader.read(item.path) ?? []);
    if (sources.length === 0) return { path: item.path, state: 'gone' };
    const isSame = sources.some((source) => shows(source, item));
    return { path: item.path, state: isSame ? 'same' : 'changed' };
  });
}

/** A package may have been built without comments: what differs is compared once more with those taken out. */
async function verifyStripped(
  items: readonly StoredItem[],
  compared: readonly VerifiedItem[],
  readers: readonly SourceReader[],
  options: Pick<VerifyRequest, 'settings' | 'signal'>,
): Promise<readonly VerifiedItem[]> {
  const differs = (at: number) => compared[at]!.state === 'changed' && items[at]!.form !== 'signatures';
  if (!items.some((_item, at) => differs(at))) return compared;
  const { openCommentStripper } = await import('../../scan/remove-comments.ts');
  const stripper = openCommentStripper(options);
  try {
    const verified: VerifiedItem[] = [];
    for (const [at, item] of items.entries()) {
      const sources = differs(at) ? readers.flatMap((reader) => reader.read(item.path) ?? []) : [];
      let isSame = false;
      for (const source of sources) {
        await stripper.prepare([source]);
        const { text, moveOffset } = stripper.strip(source);
        isSame ||= shows(withText(source, text, moveOffset), item);
      }
      verified.push(isSame ? { path: item.path, state: 'same' } : compared[at]!);
    }
    return verified;
  } finally {
    stripper.close();
  }
}

function shows(source: ItemSource, { form, content, lineRuns }: StoredItem): boolean {
  if (form === 'mention') return true;
  if (form === 'full') return markHidden(source.text).text === content;
  if (form === 'signatures') return markHidden(signaturesOf(source)).text === content;
  const shown = content.split('\n');
  let at = 0;
  for (const { startLine, count } of lineRuns) {
    if (startLine !== null) {
      const now = markHidden(source.lines.slice(startLine - 1, startLine - 1 + count).join('\n')).text;
      if (now !== shown.slice(at, at + count).join('\n')) return false;
    }
    at += count;
  }
  return at === shown.length;
}
