// The second half of a scan: the listed files and their findings become a snapshot, and the snapshot gets its links.
// Unchanged parts are taken over as they are, so that a small change costs little.
import { isDeepStrictEqual } from 'node:util';
import type { FileClass, StatHint } from '../model/file-entry.ts';
import type { FileLinks, Snapshot, SnapshotFile } from '../model/snapshot.ts';
import type { WorkPlan } from './earlier-work.ts';
import { OpenIndex } from './format/index.ts';
import { filesStillHold, linkSnapshot, manifestsStillHold, relinkSnapshot } from './link-snapshot.ts';
import { findFile, isCarried } from './plan-scan.ts';
import type { BuiltSegment, SegmentFileResult } from './pool/index.ts';
import type { Repository } from './repository.ts';

/** Files changed this shortly before a scan may change again without a new time stamp. */
const RACY_MS = 2_000;

/** A file that this scan has parsed, and the segment that holds its findings. */
interface Fresh {
  readonly result: SegmentFileResult;
  readonly segment: string | null;
}

/** The part of a snapshot that is assembled here; its links come later. */
type Assembled = Pick<Snapshot, 'files' | 'segments'>;

/** The hint to keep with a file; null when the file changed so recently that its time stamp proves nothing. */
function trusted(hint: StatHint | null, startedAt: number): StatHint | null {
  return hint && Math.max(hint.mtimeMs, hint.ctimeMs) < startedAt - RACY_MS ? hint : null;
}

/** A file whose text says or shows that a tool wrote it is generated, whatever its path says. */
function withGenerated(classification: FileClass, saysGenerated: boolean): FileClass {
  if (!saysGenerated || classification.generated) return classification;
  const reasons = [...classification.reasons, 'generated: its text shows it'];
  return { ...classification, generated: true, reasons };
}

/**
 * Joins the listed files, the known findings and the new findings into the files of a snapshot and their segments.
 * Segments keep their numbers, and unchanged files stay the same objects.
 */
export function assembleSnapshot(
  { entries, found, previous }: Pick<WorkPlan, 'entries' | 'found' | 'previous'>,
  built: readonly BuiltSegment[],
  startedAt: number,
): Assembled {
  const before = previous?.snapshot;
  const fresh = new Map<string, Fresh>();
  for (const { paths, files, segment } of built)
    paths.forEach((path, at) => {
      fresh.set(path, { result: files[at]!, segment });
    });
  // Segments keep their numbers. Otherwise one new segment would change every file of the snapshot.
  const numbers = new Map(before?.segments.map((name, number) => [name, number]));
  const segmentNumber = (name: string): number => {
    const known = numbers.get(name) ?? numbers.size;
    numbers.set(name, known);
    return known;
  };
  const files: SnapshotFile[] = [];
  for (const entry of entries) {
    if (isCarried(entry)) {
      files.push(entry);
      continue;
    }
    const known = found.get(entry.path);
    const read = fresh.get(entry.path);
    const content = known?.file ?? read?.result;
    if (content?.skip === 'vanished') continue;
    const isLacking = read?.result.problem === 'no-grammar';
    const saysGenerated = content?.saysGenerated ?? false;
    const file: SnapshotFile = {
      path: entry.path,
      language: content ? content.language : entry.language,
      classification: withGenerated(entry.classification, saysGenerated),
      skip: content ? content.skip : entry.skip,
      hash: content?.hash ?? '',
      size: read?.result.size ?? known?.file.size ?? entry.size,
      hint: trusted(read ? read.result.hint : entry.hint, startedAt),
      // The blob counts only when its hash is that of the bytes that were read: a filter may have changed them on
      // checkout, or an edit since git was asked.
      gitBlob: content?.hash === entry.gitBlob && !isLacking ? entry.gitBlob : null,
      segment: content && content.document >= 0 ? segmentNumber(known?.segment ?? read?.segment ?? '') : -1,
      document: content?.document ?? -1,
      symbolCount: content?.symbolCount ?? 0,
      interfaceHash: content?.interfaceHash ?? 0,
      saysGenerated,
    };
    // An equal file stays the same object, so that later steps can compare by identity.
    const former = before && findFile(before.files, entry.path);
    files.push(former && isDeepStrictEqual(former, file) ? former : file);
  }
  return withoutUnused(files, [...numbers.keys()]);
}

/** Leaves out segments that no file uses any more, and renumbers the others. */
function withoutUnused(files: readonly SnapshotFile[], segments: readonly string[]): Assembled {
  const isUsed = new Array<boolean>(segments.length).fill(false);
  for (const { segment } of files) if (segment >= 0) isUsed[segment] = true;
  if (isUsed.every((used) => used)) return { files, segments };
  let next = 0;
  const numbers = isUsed.map((used) => (used ? next++ : -1));
  const renumbered = files.map((file) => {
    const segment = numbers[file.segment] ?? -1;
    return segment === file.segment ? file : { ...file, segment };
  });
  return { files: renumbered, segments: segments.filter((_, number) => isUsed[number]) };
}

/**
 * The links of a snapshot. Former links are kept while everything that they were made from is the same. Otherwise only
 * the files that a change can affect are linked again.
 */
export function updateLinks(
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

/** True when every file was carried over as it is. */
export function areSameFiles(before: readonly SnapshotFile[], files: readonly SnapshotFile[]): boolean {
  if (before === files) return true;
  return before.length === files.length && files.every((file, at) => file === before[at]);
}

/** True when nothing worth writing has changed. */
export function isSameState(previous: Snapshot | undefined, snapshot: Snapshot): boolean {
  if (!previous || previous.id !== snapshot.id || previous.gitSha !== snapshot.gitSha) return false;
  if (previous.links !== snapshot.links || !isDeepStrictEqual(previous.basis, snapshot.basis)) return false;
  return snapshot.files.every((file, at) => {
    const before = previous.files[at]!;
    if (file === before) return true;
    const sameHint =
      before.hint?.mtimeMs === file.hint?.mtimeMs && before.hint?.ctimeMs === file.hint?.ctimeMs;
    const sameSegment = previous.segments[before.segment] === snapshot.segments[file.segment];
    return (
      sameHint && sameSegment && before.document === file.document && before.hint?.inode === file.hint?.inode
    );
  });
}

/** The number of files that were added, removed or changed. Both lists are sorted by path. */
export function countChanges(previous: Snapshot | undefined, snapshot: Snapshot): number {
  if (!previous) return snapshot.files.filter(({ skip }) => skip === null).length;
  const before = previous.files;
  let at = 0;
  let changed = 0;
  for (const file of snapshot.files) {
    for (; at < before.length && before[at]!.path < file.path; at++) changed++;
    const former = before[at];
    if (former?.path !== file.path) changed++;
    else {
      if (former.hash !== file.hash) changed++;
      at++;
    }
  }
  return changed + before.length - at;
}
