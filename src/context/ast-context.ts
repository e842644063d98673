import type { Dependency } from '../model/context-pack.ts';
import type { ImportReference } from '../model/parsed-file.ts';
import { jsonOrNull } from '../model/read-json.ts';
import type { SymbolDefinition } from '../model/symbol.ts';
import { writeFileAtomic } from '../platform/fs/atomic-file.ts';
import { makeFolder, makeFolderInside, removeFileInside } from '../platform/fs/make-folder.ts';
import { openSafeRoot, type SafeRoot } from '../platform/fs/safe-root.ts';
import { redactSecrets, safeJson } from '../redact/index.ts';
import { AST_CONTEXT_FILE } from '../scan/discover/index.ts';
import type { OpenIndex } from '../scan/format/index.ts';
import { externalPackages } from '../scan/parse/index.ts';

interface AstFile {
  readonly path: string;
  readonly language: string | null;
  readonly exports: readonly string[];
  readonly symbols: readonly Pick<
    SymbolDefinition,
    'name' | 'kind' | 'signature' | 'doc' | 'startLine' | 'endLine' | 'container'
  >[];
  readonly imports: readonly Pick<ImportReference, 'kind' | 'specifier' | 'names' | 'line'>[];
}

interface AstContext {
  /** Folder of the module, relative to the root; `.` for the root itself. */
  readonly module: string;
  readonly files: readonly AstFile[];
  /** Files of this module to files they import, inside or outside of it, and to packages outside of the repository. */
  readonly dependencies: readonly Dependency[];
}

/** Loadout writes nothing into these, and they may hold more files than all the rest. */
const NOT_ENTERED: ReadonlySet<string> = new Set(['.git', 'node_modules']);
/** More than any module can fill: twenty thousand symbols are 5 MB. */
const MAX_BYTES = 256e6;

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '.' : path.slice(0, slash);
}

/** The structure of each folder that holds source, as other tools read it. */
function astContexts(index: OpenIndex): AstContext[] {
  const { files } = index.snapshot;
  const { starts, targets } = index.links.imports;
  const modules = new Map<string, { files: AstFile[]; dependencies: Dependency[] }>();
  files.forEach((file, number) => {
    if (file.document < 0 || file.symbolCount === 0) return;
    const segment = index.segmentOf(file);
    const module = folderOf(file.path);
    const context = modules.get(module) ?? { files: [], dependencies: [] };
    modules.set(module, context);
    context.files.push({
      path: file.path,
      language: file.language,
      exports: segment.exports(file.document),
      symbols: segment
        .symbols(file.document)
        .map(({ name, kind, signature, doc, startLine, endLine, container }) => ({
          name,
          kind,
          signature: redactSecrets(signature, file.path).text,
          doc: redactSecrets(doc, file.path).text,
          startLine,
          endLine,
          container,
        })),
      imports: segment
        .imports(file.document)
        .filter(({ kind }) => kind !== 'autoload')
        .map(({ kind, specifier, names, line }) => ({ kind, specifier, names, line })),
    });
    for (let at = starts[number]!; at < starts[number + 1]!; at++)
      context.dependencies.push({ from: file.path, to: files[targets[at]!]!.path });
    for (const to of externalPackages(index, number))
      context.dependencies.push({ from: file.path, to, external: true });
  });
  return [...modules].map(([module, context]) => ({ module, ...context }));
}

/** Writes one `ast_context.json` for each module below `folder` and removes those of modules that are gone; returns how many. */
export function writeAstContexts(index: OpenIndex, folder: string): number {
  const contexts = astContexts(index);
  const root = openSafeRoot(makeFolder(folder));
  for (const context of contexts) {
    const text = Buffer.from(`${safeJson(context, 1)}\n`);
    const path = pathOf(context.module);
    const former = root.read(path, text.length);
    // writing the same again would wake up everything that watches the folder
    if (former.kind === 'content' && former.bytes.equals(text)) continue;
    writeFileAtomic(`${makeFolderInside(folder, context.module)}/${AST_CONTEXT_FILE}`, text);
  }
  removeFormer(root, new Set(contexts.map(({ module }) => pathOf(module))));
  return contexts.length;
}

function pathOf(module: string): string {
  return module === '.' ? AST_CONTEXT_FILE : `${module}/${AST_CONTEXT_FILE}`;
}

function removeFormer(root: SafeRoot, current: ReadonlySet<string>): void {
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const { name, type } of root.list(folder) ?? []) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (type === 'directory' && !NOT_ENTERED.has(name)) folders.push(path);
      else if (name === AST_CONTEXT_FILE && !current.has(path) && isOurs(root, path))
        removeFileInside(root.path, path);
    }
}

/** Other tools write files of this name, too: one of Loadout names the module of its own folder. */
function isOurs(root: SafeRoot, path: string): boolean {
  const outcome = root.read(path, MAX_BYTES);
  if (outcome.kind !== 'content') return false;
  const read = jsonOrNull(outcome.bytes.toString('utf8')) as Partial<AstContext> | null;
  const { module, files, dependencies } = read ?? {};
  return typeof module === 'string' && pathOf(module) === path && [files, dependencies].every(Array.isArray);
}
