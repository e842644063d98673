import type { LinkContext } from '../model/import-resolver.ts';
import type { ImportReference } from '../model/parsed-file.ts';
import type { FileLinks, SnapshotFile } from '../model/snapshot.ts';
import type { SafeRoot } from '../platform/fs/safe-root.ts';
import { createLinkContext, relinkFiles } from './link/index.ts';
import {
  createManifestReader,
  declaredPackages,
  isTest,
  resolverOf,
  type Segments,
} from './link-snapshot.ts';
import { languageById } from './parse/index.ts';
import { fileNumber, findFile } from './plan-scan.ts';

/** With more changes than this, linking everything costs no more. */
const MAX_RELINKED = 200;

/** The state that links were made for. */
interface FormerState extends Segments {
  readonly files: readonly SnapshotFile[];
  readonly links: FileLinks;
}

/**
 * Links what a few changed interfaces make a difference to, and gives what linking everything would give; null when
 * that is not certain. Manifests must hold.
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

/** Numbers of the files that import or offer something else; null when more than that is different. */
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

/** Which packages files declare is read only if a resolver asks: it takes all files to tell. */
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

function remembered<Value>(known: Map<number, Value>, file: number, make: () => Value): Value {
  let value = known.get(file);
  if (value === undefined) {
    value = make();
    known.set(file, value);
  }
  return value;
}
