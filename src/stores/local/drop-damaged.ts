import type { IndexStore } from '../../scan/format/index-store.ts';
import { DamagedFileError } from '../../scan/format/section-file.ts';

/** Removes the segments that are not what was written, so that an update misses them. True when there were some. */
export function dropDamaged(store: IndexStore, error: unknown): boolean {
  if (!(error instanceof DamagedFileError)) return false;
  const damaged = store.folder
    .list()
    .filter((name) => name.endsWith(store.segmentName('')) && !isWhole(store, name));
  for (const name of damaged) store.folder.remove(name);
  return damaged.length > 0;
}

function isWhole(store: IndexStore, name: string): boolean {
  try {
    const segment = store.openSegment(name);
    segment?.verify();
    segment?.close();
    return segment !== null;
  } catch (error) {
    if (error instanceof DamagedFileError) return false;
    throw error;
  }
}
