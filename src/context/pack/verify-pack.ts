import type { ItemForm, LineRun } from '../../model/context-pack.ts';
import { markHidden } from '../../redact/mark-hidden.ts';
import { signaturesOf } from './item-forms.ts';
import type { ItemSource, SourceReader } from './item-source.ts';

/** What a stored package says about one of its files. */
export interface StoredItem {
  readonly path: string;
  readonly form: ItemForm;
  readonly content: string;
  readonly lineRuns: readonly LineRun[];
}

export interface VerifiedItem {
  readonly path: string;
  readonly state: 'same' | 'changed' | 'gone';
}

/** Compares the files of a stored package with what is on disk now, with and without the redaction. */
export function verifyItems(items: readonly StoredItem[], readers: readonly SourceReader[]): VerifiedItem[] {
  return items.map((item) => {
    const sources = readers.flatMap((reader) => reader.read(item.path) ?? []);
    if (sources.length === 0) return { path: item.path, state: 'gone' };
    const isSame = sources.some((source) => shows(source, item));
    return { path: item.path, state: isSame ? 'same' : 'changed' };
  });
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
