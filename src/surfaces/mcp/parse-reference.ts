import { LoadoutError } from '../../model/loadout-error.ts';

/** What `expand` is asked for. */
export type Reference =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'lines'; readonly path: string; readonly startLine: number; readonly endLine: number }
  | { readonly kind: 'symbol'; readonly path: string | null; readonly name: string };

const LINES = /^(?<path>.+?):(?:L)?(?<start>\d{1,9})(?:-(?:L)?(?<end>\d{1,9}))?$/s;

/** `isFile` settles what could be both: a file may be called `a:1` or `a#b`. */
export function parseReference(text: string, isFile: (path: string) => boolean): Reference {
  const given = text.trim().replace(/^\.\//, '');
  if (isFile(given)) return { kind: 'file', path: given };
  const lines = LINES.exec(given)?.groups;
  if (lines) {
    const startLine = Number(lines.start);
    const endLine = Number(lines.end ?? lines.start);
    if (startLine < 1 || endLine < startLine)
      throw new LoadoutError('bad-reference', `${given}: lines count from 1, and the first comes first`, {
        subject: given,
      });
    return { kind: 'lines', path: lines.path!, startLine, endLine };
  }
  const hash = given.lastIndexOf('#');
  if (hash > 0) return { kind: 'symbol', path: given.slice(0, hash), name: given.slice(hash + 1) };
  const looksLikePath = given.includes('/') || given.includes('\\');
  return looksLikePath ? { kind: 'file', path: given } : { kind: 'symbol', path: null, name: given };
}
