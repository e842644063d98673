import type { Diagnostic } from '../model/diagnostic.ts';
import type { ScanMode } from '../model/scan-result.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { OpenIndex } from './format/open-index.ts';
import type { Repository } from './repository.ts';

export interface KnownSnapshots {
  /** The last state of this work tree under this view. */
  readonly previous: OpenIndex | null;
  /** All usable snapshots of this repository, the previous one included; loaded when first asked for. */
  readonly siblings: () => readonly Snapshot[];
  readonly notes: readonly Diagnostic[];
}

export const REBUILT: Diagnostic = {
  code: 'index-rebuilt',
  severity: 'info',
  message: 'the stored index was damaged or of another version and was built anew',
};

/** What earlier scans have left for this one. */
export function knownSnapshots(repository: Repository, name: string, mode: ScanMode): KnownSnapshots {
  if (mode === 'full') return { previous: null, siblings: () => [], notes: [] };
  const { store } = repository;
  const loaded = store.load(name);
  const previous = typeof loaded === 'object' ? OpenIndex.tryOpen(store, loaded) : null;
  let all: readonly Snapshot[] | null = null;
  const siblings = () => {
    if (all === null) {
      const others = store.loadOthers(name).filter((snapshot) => OpenIndex.isIntact(store, snapshot));
      all = previous ? [previous.snapshot, ...others] : others;
    }
    return all;
  };
  const isFirst = loaded === 'none' && siblings().length === 0;
  const isRebuilt = isFirst ? repository.hasFormerIndex() : loaded !== 'none' && !previous;
  return { previous, siblings, notes: isRebuilt ? [REBUILT] : [] };
}
