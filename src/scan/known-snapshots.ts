import type { Diagnostic } from '../model/diagnostic.ts';
import type { ScanMode } from '../model/scan-result.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { OpenIndex } from '../store/open-index.ts';
import type { Repository } from './repository.ts';

export interface KnownSnapshots {
  readonly previous: OpenIndex | null;
  /** All usable snapshots of this repository, the previous one included. */
  readonly siblings: readonly Snapshot[];
  readonly notes: readonly Diagnostic[];
}

export const REBUILT: Diagnostic = {
  code: 'index-rebuilt',
  severity: 'info',
  message: 'the stored index was damaged or of another version and was built anew',
};

/** What earlier scans have left for this one. */
export function knownSnapshots(repository: Repository, name: string, mode: ScanMode): KnownSnapshots {
  if (mode === 'full') return { previous: null, siblings: [], notes: [] };
  const { store } = repository;
  const loaded = store.load(name);
  const previous = typeof loaded === 'object' ? OpenIndex.tryOpen(store, loaded) : null;
  const siblings = store.loadOthers(name).filter((snapshot) => OpenIndex.isIntact(store, snapshot));
  const isFirst = loaded === 'none' && siblings.length === 0;
  const isRebuilt = isFirst ? repository.hasFormerIndex : loaded !== 'none' && !previous;
  return {
    previous,
    siblings: previous ? [previous.snapshot, ...siblings] : siblings,
    notes: isRebuilt ? [REBUILT] : [],
  };
}
