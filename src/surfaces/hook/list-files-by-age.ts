import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a folder, the youngest first; none when it cannot be read. */
export function listFilesByAge(
  folder: string,
): readonly { readonly name: string; readonly changedMs: number }[] {
  try {
    return readdirSync(folder)
      .flatMap((name) => {
        const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
        return stats?.isFile() ? [{ name, changedMs: stats.mtimeMs }] : [];
      })
      .sort((a, b) => b.changedMs - a.changedMs);
  } catch {
    return [];
  }
}
