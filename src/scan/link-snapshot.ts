import { createHash } from 'node:crypto';
import type { ImportReference } from '../model/parsed-file.ts';
import type { EdgeList, FileLinks, LinkBasis, SnapshotFile } from '../model/snapshot.ts';
import { BUILT_FORMATS } from '../platform/cache/built-formats.ts';
import { decodeText } from '../platform/fs/decode-text.ts';
import { contentHash } from '../platform/fs/read-file.ts';
import type { SafeRoot } from '../platform/fs/safe-root.ts';
import type { SegmentReader } from './format/index.ts';
import { buildStatementTable, createLinkContext, linkFiles } from './link/index.ts';
import { languageById } from './parse/index.ts';
import { findFile } from './plan-scan.ts';

const MAX_MANIFEST_BYTES = 1_000_000;

function filesBasis(files: readonly SnapshotFile[]): string {
  const hash = createHash('sha256').update(`${BUILT_FORMATS.rules}\n`);
  for (const { path, language, classification, interfaceHash } of files)
    hash.update(`${path}\0${language}\0${classification.role === 'test'}\0${interfaceHash}\n`);
  return hash.digest('hex');
}

/** True when links made from `basis` hold for these files, too: most edits change no import and no name. */
export function filesStillHold(basis: LinkBasis, files: readonly SnapshotFile[]): boolean {
  return basis.files === filesBasis(files);
}

export function manifestsStillHold(
  basis: LinkBasis,
  files: readonly SnapshotFile[],
  root: SafeRoot,
): boolean {
  return basis.manifests.every(
    ([path, hash]) => (findFile(files, path)?.hash || manifestHash(root, path)) === hash,
  );
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

export interface Segments {
  segmentOf(file: SnapshotFile): Pick<SegmentReader, 'imports' | 'exports' | 'mayImport'>;
}

/** Reads manifests for resolvers and remembers which, with the hash of their content. */
export function createManifestReader(files: readonly SnapshotFile[], root: SafeRoot) {
  const hashes = new Map<string, string>();
  const readText = (path: string): string | null => {
    const outcome = root.read(path, MAX_MANIFEST_BYTES);
    const isRead = outcome.kind === 'content';
    hashes.set(path, isRead ? contentHash(outcome.bytes) : (findFile(files, path)?.hash ?? ''));
    if (!isRead) return null;
    const decoded = decodeText(outcome.bytes);
    return decoded.kind === 'text' ? decoded.text : null;
  };
  const basis = (before: LinkBasis['manifests'] = []): LinkBasis => {
    const manifests = [...new Map([...before, ...hashes])].sort(([a], [b]) => (a < b ? -1 : 1));
    return { files: filesBasis(files), manifests };
  };
  return { readText, basis };
}

export const resolverOf = (language: string) => languageById(language)?.resolver ?? null;
export const isTest = ({ classification }: SnapshotFile) => classification.role === 'test';

export function declaredPackages(
  files: readonly SnapshotFile[],
  importsOf: (file: SnapshotFile) => readonly ImportReference[],
): ReadonlyMap<string, readonly string[]> {
  const declared = new Map<string, string[]>();
  for (const file of files)
    if (file.document >= 0)
      for (const { kind, specifier } of importsOf(file))
        if (kind === 'package') declared.set(specifier, [...(declared.get(specifier) ?? []), file.path]);
  return declared;
}

/** Resolves the imports of all files of a snapshot and lays the edges out by file number. */
export function linkSnapshot(
  files: readonly SnapshotFile[],
  { segmentOf }: Segments,
  root: SafeRoot,
): FileLinks {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const inputs = files
    .filter(({ document }) => document >= 0)
    .map((file) => ({
      path: file.path,
      language: file.language,
      isTest: isTest(file),
      imports: segmentOf(file).imports(file.document),
    }));
  const imports = new Map(inputs.map((input) => [input.path, input.imports]));
  const { readText, basis } = createManifestReader(files, root);
  const exportsOf = new Map<string, ReadonlySet<string>>();
  const linked = linkFiles(
    inputs,
    createLinkContext(
      files.map(({ path }) => path),
      declaredPackages(files, ({ path }) => imports.get(path) ?? []),
      readText,
    ),
    resolverOf,
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
  const rowsOf = (file: number) =>
    (linked.meanings.get(files[file]!.path) ?? []).map(
      ({ statement, targets }) => [statement, targets.map((target) => numbers.get(target)!)] as const,
    );
  return {
    imports: toEdges(files, numbers, linked.imports),
    definers: toEdges(files, numbers, linked.definers),
    tests: toEdges(files, numbers, linked.tests),
    languages: linked.links,
    statements: buildStatementTable(rowsOf, files.length),
    basis: basis(),
  };
}
