import type { SnapshotFile } from '../../model/snapshot.ts';
import type { Manifests } from './environment/manifests.ts';
import type { SourceReader } from './item-source.ts';

/** The manifests among the listed files. */
export function manifestsOf(
  files: readonly SnapshotFile[],
  sources: SourceReader,
  allow: (path: string) => boolean,
): Manifests {
  const has = (path: string) => sources.fileAt(path) !== undefined && allow(path);
  return {
    has,
    text: (path) => (has(path) ? (sources.read(path)?.text ?? null) : null),
    within: (folder) => files.map(({ path }) => path).filter((path) => path.startsWith(`${folder}/`)),
  };
}
