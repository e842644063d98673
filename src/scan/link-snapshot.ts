// Links between the files of a snapshot: import edges, the files that define imported names, and the sources that a
// test covers. `linkSnapshot` links all files; `relinkSnapshot` links only those that a small change can affect.
import { createHash } from 'node:crypto';
import type { LinkContext } from '../model/import-resolver.ts';
import type { ImportReference } from '../model/parsed-file.ts';
import type { EdgeList, FileLinks, LinkBasis, SnapshotFile } from '../model/snapshot.ts';
import { BUILT_FORMATS } from '../platform/cache/built-formats.ts';
import { decodeText } from '../platform/fs/decode-text.ts';
import { contentHash } from '../platform/fs/read-file.ts';
import type { SafeRoot } from '../platform/fs/safe-root.ts';
import type { SegmentReader } from './format/index.ts';
import { createLinkContext, linkFiles } from './link/link-files.ts';
import { relinkFiles } from './link/relink-files.ts';
import { buildStatementTable } from './link/statement-table.ts';
import { languageById } from './parse/index.ts';
import { fileNumber, findFile } from './plan-scan.ts';

/** Larger manifests are not read for resolving imports. */
const MAX_MANIFEST_BYTES = 1_000_000;

/**
 * A hash of everything that links depend on: paths, languages, tests, and what files import and export. Manifests come
 * extra.
 */
function filesBasis(files: readonly SnapshotFile[]): string {
  const hash = createHash('sha256').update(`${BUILT_FORMATS.rules}\n`);
  for (const { path, language, classification, interfaceHash } of files)
    hash.update(`${path}\0${language}\0${classification.role === 'test'}\0${interfaceHash}\n`);
  return hash.digest('hex');
}

/** True when links made from `basis` are valid for these files, too. Most edits change no import and no name. */
export function filesStillHold(basis: LinkBasis, files: readonly SnapshotFile[]): boolean {
  return basis.files === filesBasis(files);
}

/** True when every manifest that a resolver read is still the same. */
export function manifestsStillHold(
  basis: LinkBasis,
  files: readonly SnapshotFile[],
  root: SafeRoot,
): boolean {
  return basis.manifests.every(
    ([path, hash]) => (findFile(files, path)?.hash || manifestHash(root, path)) === hash,
  );
}

/**
 * For manifests that the scan itself has skipped: a file can be too large for the index and small enough for a
 * resolver.
 */
function manifestHash(root: SafeRoot, path: string): string {
  const outcome = root.read(path, MAX_MANIFEST_BYTES);
  return outcome.kind === 'content' ? contentHash(outcome.bytes) : '';
}

/** Lays edges out by file number, as `EdgeList` has them. */
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

/** Findings by file; the links need only imports and exports. */
interface Segments {
  segmentOf(file: SnapshotFile): Pick<SegmentReader, 'imports' | 'exports' | 'mayImport'>;
}

/** Reads manifests for resolvers. It remembers each with the hash of its content, which becomes part of the basis. */
function createManifestReader(files: readonly SnapshotFile[], root: SafeRoot) {
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

/** The resolver of a language; null when it has no imports that lead to files. */
const resolverOf = (language: string) => languageById(language)?.resolver ?? null;
const isTest = ({ classification }: SnapshotFile) => classification.role === 'test';

/** Which files say that they belong to a package or namespace, by its name. */
function declaredPackages(
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

/** With more changed files, linking everything costs no more. */
const MAX_RELINKED = 200;

/** The files and links of the last scan. */
interface FormerState extends Segments {
  readonly files: readonly SnapshotFile[];
  readonly links: FileLinks;
}

/**
 * Links only the files that a few changed interfaces can affect. The result is what linking everything would give; null
 * when that is not certain. Manifests must be unchanged.
 */
export function relinkSnapshot(
  files: readonly SnapshotFile[],
  { segmentOf }: Segments,
  before: FormerState,
  root: SafeRoot,
): FileLinks | null {
  const changed = changedInterfaces(before.files, files);
  if (!changed) return null;
  const { readText, basis } = createManifestReader(files, root);
  const imports = new Map<number, readonly ImportReference[]>();
  const exported = new Map<number, ReadonlySet<string>>();
  const importsIn = (one: SnapshotFile, segments: Segments) =>
    one.document < 0 ? [] : segments.segmentOf(one).imports(one.document);
  const exportsIn = (one: SnapshotFile, segments: Segments) =>
    new Set(one.document < 0 ? [] : segments.segmentOf(one).exports(one.document));
  const now = { segmentOf };
  let context: LinkContext | null = null;
  const linked = relinkFiles(
    before.links,
    changed.map((file) => ({
      file,
      language: files[file]!.language,
      importsBefore: importsIn(before.files[file]!, before),
      exportsBefore: exportsIn(before.files[file]!, before),
    })),
    {
      paths: files.map(({ path }) => path),
      numberOf: (path) => fileNumber(files, path),
      importsOf: (file) => remembered(imports, file, () => importsIn(files[file]!, now)),
      exportsOf: (file) => remembered(exported, file, () => exportsIn(files[file]!, now)),
      mayTake: (number, names) => {
        const file = files[number]!;
        if (file.document < 0) return false;
        const segment = segmentOf(file);
        for (const name of names) if (segment.mayImport(file.document, name)) return true;
        return false;
      },
      isTest: (file) => isTest(files[file]!),
      isSource: (number) => {
        const file = files[number];
        return file !== undefined && file.document >= 0 && file.language !== null && !isTest(file);
      },
      testedNames: (path) => languageById(findFile(files, path)?.language ?? null)?.testedNames?.(path) ?? [],
      context: () => {
        context ??= contextOf(files, (file) => importsIn(file, now), readText);
        return context;
      },
      resolverOf,
    },
  );
  return linked && { ...linked, basis: basis(before.links.basis.manifests) };
}

/**
 * Numbers of the files whose imports or exports changed; null when files were added, removed or classified differently.
 */
function changedInterfaces(
  before: readonly SnapshotFile[],
  files: readonly SnapshotFile[],
): readonly number[] | null {
  if (before.length !== files.length) return null;
  const changed: number[] = [];
  for (let at = 0; at < files.length; at++) {
    const file = files[at]!;
    const former = before[at]!;
    if (file === former) continue;
    if (file.path !== former.path || file.language !== former.language) return null;
    if (isTest(file) !== isTest(former) || file.document < 0 !== former.document < 0) return null;
    if (file.interfaceHash !== former.interfaceHash) changed.push(at);
  }
  return changed.length <= MAX_RELINKED ? changed : null;
}

/** A link context that reads declared packages only when a resolver asks for them, because that takes all files. */
function contextOf(
  files: readonly SnapshotFile[],
  importsOf: (file: SnapshotFile) => readonly ImportReference[],
  readText: (path: string) => string | null,
): LinkContext {
  const paths = files.map(({ path }) => path);
  let complete: LinkContext | null = null;
  return {
    ...createLinkContext(paths, new Map(), readText),
    declaring: (name) => {
      complete ??= createLinkContext(paths, declaredPackages(files, importsOf), readText);
      return complete.declaring(name);
    },
  };
}

/** Computes a value once for each file. */
function remembered<Value>(known: Map<number, Value>, file: number, make: () => Value): Value {
  let value = known.get(file);
  if (value === undefined) {
    value = make();
    known.set(file, value);
  }
  return value;
}
