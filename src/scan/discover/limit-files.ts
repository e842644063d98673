import type { Diagnostic } from '../../model/diagnostic.ts';
import type { FileEntry } from '../../model/file-entry.ts';

/** Lets the first `maxFiles` files that would be read through and marks the others, with one notice for all. */
export function limitFiles(
  entries: readonly FileEntry[],
  maxFiles: number,
): { readonly files: readonly FileEntry[]; readonly diagnostics: readonly Diagnostic[] } {
  let readable = 0;
  const files = entries.map((entry) => {
    if (entry.skip !== null) return entry;
    readable += 1;
    return readable <= maxFiles ? entry : { ...entry, skip: 'limit-reached' as const };
  });
  if (readable <= maxFiles) return { files: entries, diagnostics: [] };
  const message = `${readable - maxFiles} of ${readable} files are left out: the limit is ${maxFiles} files`;
  return { files, diagnostics: [{ code: 'file-limit-reached', severity: 'warning', message }] };
}
