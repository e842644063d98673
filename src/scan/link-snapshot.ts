import { createHash } from 'node:crypto';
import { createLinkContext } from '../link/create-link-context.ts';
import { linkFiles } from '../link/link-files.ts';
import type { EdgeList, FileLinks, LinkBasis } from '../model/file-links.ts';
import type { SnapshotFile } from '../model/snapshot.ts';
import { languageById } from '../parse/languages/table.ts';
import { contentHash } from '../platform/content-hash.ts';
import { decodeText } from '../platform/decode-text.ts';
import type { SafeRoot } from '../platform/safe-root.ts';
import type { SegmentReader } from '../store/segment-reader.ts';

const MAX_MANIFEST_BYTES = 1_000_000;

function filesBasis(files: readonly SnapshotFile[]): string {
  const hash = createHash('sha256');
  for (const { path, language, classification, interfaceHash } of files)
    hash.update(`${path}\0${language}\0${classification.role === 'test'}\0${interfaceHash}\n`);
  return hash.digest('hex');
}

/** True when links made from `basis` hold for these files, too: most edits change no import and no name. */
export function linksStillHold(basis: LinkBasis, files: readonly SnapshotFile[], root: SafeRoot): boolean {
  if (basis.files !== filesBasis(files)) return false;
  const hashes = new Map(files.map(({ path, hash }) => [path, hash]));
  return basis.manifests.every(([path, hash]) => (hashes.get(path) || manifestHash(root, path)) === hash);
}

/** For manifests that the scan itself has skipped: too large to index is not too large to resolve imports. */
function manifestHash(root: SafeRoot, path: string): string {
  const outcome = root.read(path, MAX_MANIFEST_BYTES);
  return outcome.kind === 'content' ? contentHash(outcome.bytes) : '';
}

function toEdges(
  files: readonly SnapshotFile[],
  numbers: ReadonlyMap<string, number>,
  targetsOf: ReadonlyMap<string, readonly string[]>,
): EdgeList {
  const starts = new Uint32Array(files.length + 1);
  const targets: number[] = [];
  files.forEach(({ path }, index) => {
    for (const target of targetsOf.get(path) ?? []) targets.push(numbers.get(target)!);
    starts[index + 1] = targets.length;
  });
  return { starts, targets: Uint32Array.from(targets) };
}

/** Resolves the imports of all files of a snapshot and lays the edges out by file number. */
export function linkSnapshot(
  files: readonly SnapshotFile[],
  segmentOf: (file: SnapshotFile) => SegmentReader,
  root: SafeRoot,
): FileLinks {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const parsed = files.filter(({ document }) => document >= 0);
  const inputs = parsed.map((file) => ({
    path: file.path,
    language: file.language,
    isTest: file.classification.role === 'test',
    imports: segmentOf(file).imports(file.document),
  }));
  const declared = new Map<string, string[]>();
  for (const { path, imports } of inputs)
    for (const { kind, specifier } of imports)
      if (kind === 'package') declared.set(specifier, [...(declared.get(specifier) ?? []), path]);

  const manifests = new Map<string, string>();
  const readText = (path: string): string | null => {
    const outcome = root.read(path, MAX_MANIFEST_BYTES);
    const isRead = outcome.kind === 'content';
    manifests.set(path, isRead ? contentHash(outcome.bytes) : (byPath.get(path)?.hash ?? ''));
    if (!isRead) return null;
    const decoded = decodeText(outcome.bytes);
    return decoded.kind === 'text' ? decoded.text : null;
  };
  const exportsOf = new Map<string, ReadonlySet<string>>();
  const linked = linkFiles(
    inputs,
    createLinkContext(
      files.map(({ path }) => path),
      declared,
      readText,
    ),
    (language) => languageById(language)?.resolver ?? null,
    {
      exportsOf: (path) => {
        let names = exportsOf.get(path);
        if (!names) {
          const file = byPath.get(path);
          names = new Set(file && file.document >= 0 ? segmentOf(file).exports(file.document) : []);
          exportsOf.set(path, names);
        }
        return names;
      },
      testedNames: (path) => languageById(byPath.get(path)?.language ?? null)?.testedNames?.(path) ?? [],
    },
  );
  const numbers = new Map(files.map(({ path }, index) => [path, index]));
  return {
    imports: toEdges(files, numbers, linked.imports),
    definers: toEdges(files, numbers, linked.definers),
    tests: toEdges(files, numbers, linked.tests),
    languages: linked.links,
    basis: { files: filesBasis(files), manifests: [...manifests].sort(([a], [b]) => (a < b ? -1 : 1)) },
  };
}
