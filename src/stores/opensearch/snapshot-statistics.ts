import type { ManifestEntry } from '../../model/knowledge-store.ts';
import type { PageEntry } from './manifest-pages.ts';
import { FIELDS } from './stored-document.ts';

export interface SnapshotStatistics {
  /** Files of equal content count once. */
  readonly documents: number;
  /** Words in each field, over all of them. */
  readonly lengths: readonly number[];
}

const contentKey = ({ contentHash, language }: Pick<ManifestEntry, 'contentHash' | 'language'>) =>
  `${contentHash} ${language}`;

export interface CountedSnapshot {
  readonly statistics: SnapshotStatistics;
  /** Places of the files whose content stands at an earlier path already. */
  readonly twins: readonly number[];
}

export function countSnapshot(entries: readonly PageEntry[]): CountedSnapshot {
  const seen = new Set<string>();
  const twins: number[] = [];
  const lengths = FIELDS.map(() => 0);
  entries.forEach((entry, place) => {
    const key = contentKey(entry);
    if (seen.has(key)) {
      twins.push(place);
      return;
    }
    seen.add(key);
    for (const field of lengths.keys()) lengths[field]! += entry.lengths[field] ?? 0;
  });
  return { statistics: { documents: seen.size, lengths }, twins };
}
