import type { FileLinks } from '../model/file-links.ts';
import type { Snapshot, SnapshotFile } from '../model/snapshot.ts';
import { areSameFiles } from './compare-snapshots.ts';
import { OpenIndex } from './format/open-index.ts';
import { filesStillHold, linkSnapshot, manifestsStillHold } from './link-snapshot.ts';
import { relinkSnapshot } from './relink-snapshot.ts';
import type { Repository } from './repository.ts';

/** Links are taken over when nothing they rest on has changed; else what the changes can make a difference to is linked anew. */
export function settleLinks(
  { store, root, cache }: Repository,
  draft: Snapshot,
  previous: OpenIndex | null,
  newName: string,
): { readonly links: FileLinks; readonly linksName: string } {
  const former = previous && {
    files: previous.snapshot.files,
    links: previous.links,
    segmentOf: (file: SnapshotFile) => previous.segmentOf(file),
  };
  const usable = former && manifestsStillHold(former.links.basis, draft.files, root) ? former : null;
  if (usable && (areSameFiles(usable.files, draft.files) || filesStillHold(usable.links.basis, draft.files)))
    return { links: usable.links, linksName: previous!.snapshot.links };
  const index = new OpenIndex(store, draft, null);
  const segments = { segmentOf: (file: SnapshotFile) => index.segmentOf(file) };
  const relinked = usable && relinkSnapshot(draft.files, segments, usable, root);
  const links = relinked ?? linkSnapshot(draft.files, segments, root);
  index.close();
  previous?.close();
  cache.writeChunks(newName, store.encodeLinks(links));
  return { links, linksName: newName };
}
