import type { CacheFolder } from '../../platform/cache/cache-folder.ts';
import { ownIdentity, type ProcessIdentity } from '../../platform/process/process-identity.ts';

/** Who uses a work tree. As long as the lease is there, nobody else touches the tree. */
export interface Lease {
  readonly run: string;
  /** The name of the work tree. */
  readonly tree: string;
  /**
   * `preparing`: no agent has been in the tree yet. `running`: what is in it may be the only copy. `finished`: the
   * patch has been saved, the tree is of no use any more.
   */
  readonly phase: 'preparing' | 'running' | 'finished';
  readonly owner: ProcessIdentity;
  readonly commit: string;
  /** What the worker started from, when that is more than the commit. */
  readonly stagedTree?: string;
  /** The user's work tree, where the run's record lies. */
  readonly root: string;
}

export function newLease(values: Omit<Lease, 'owner' | 'phase'>): Lease {
  return { ...values, phase: 'preparing', owner: ownIdentity() };
}

export function writeLease(leases: CacheFolder, lease: Lease): void {
  leases.write(`${lease.tree}.json`, JSON.stringify(lease));
}

export function removeLease(leases: CacheFolder, tree: string): void {
  leases.remove(`${tree}.json`);
}

/** A damaged lease names its tree and nothing else: whatever is in that tree stays. */
export function readLeases(
  leases: CacheFolder,
): readonly (Lease | { readonly tree: string; phase: 'damaged' })[] {
  return leases
    .list()
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .map((name) => parseLease(leases.readAll(name)) ?? { tree: name.slice(0, -5), phase: 'damaged' });
}

function parseLease(bytes: Buffer | null): Lease | null {
  try {
    const lease: Partial<Lease> | null = JSON.parse(bytes?.toString('utf8') ?? '');
    const texts = [lease?.run, lease?.tree, lease?.phase, lease?.commit, lease?.root];
    const isWhole = texts.every((text) => typeof text === 'string') && Number.isInteger(lease?.owner?.pid);
    return isWhole ? (lease as Lease) : null;
  } catch {
    return null;
  }
}
