import type { FileRole } from '../../../model/file-entry.ts';
import type { SnapshotFile } from '../../../model/snapshot.ts';

/** What a reader of a repository wants first. */
const ROLES: readonly FileRole[] = ['source', 'config', 'docs', 'test', 'example', 'other', 'data'];

function place({ classification: { role, generated, vendored } }: SnapshotFile): number {
  return ROLES.indexOf(role) + (generated || vendored ? ROLES.length : 0);
}

/** Files in the order in which they get room: written by hand before generated, source before the rest. */
export function choosingOrder(files: readonly SnapshotFile[]): SnapshotFile[] {
  return [...files].sort((a, b) => place(a) - place(b) || (a.path < b.path ? -1 : 1));
}
