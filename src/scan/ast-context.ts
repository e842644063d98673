import type { ImportReference } from '../model/import-reference.ts';
import type { SymbolDefinition } from '../model/symbol.ts';
import { writeFileAtomic } from '../platform/atomic-file.ts';
import { makeFolder, makeFolderInside } from '../platform/make-folder.ts';
import type { OpenIndex } from '../store/open-index.ts';

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
  /** Files of this module to files they import, inside or outside of it. */
  readonly dependencies: readonly { readonly from: string; readonly to: string }[];
}

const FILE_NAME = 'ast_context.json';

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '.' : path.slice(0, slash);
}

/** The structure of each folder that holds source, as other tools read it. */
export function astContexts(index: OpenIndex): AstContext[] {
  const { files } = index.snapshot;
  const { starts, targets } = index.links.imports;
  const modules = new Map<string, { files: AstFile[]; dependencies: { from: string; to: string }[] }>();
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
          signature,
          doc,
          startLine,
          endLine,
          container,
        })),
      imports: segment
        .imports(file.document)
        .map(({ kind, specifier, names, line }) => ({ kind, specifier, names, line })),
    });
    for (let at = starts[number]!; at < starts[number + 1]!; at++)
      context.dependencies.push({ from: file.path, to: files[targets[at]!]!.path });
  });
  return [...modules].map(([module, context]) => ({ module, ...context }));
}

/** Writes one `ast_context.json` for each module below `folder`; returns how many. */
export function writeAstContexts(index: OpenIndex, folder: string): number {
  const contexts = astContexts(index);
  makeFolder(folder);
  for (const context of contexts) {
    const place = makeFolderInside(folder, context.module);
    writeFileAtomic(`${place}/${FILE_NAME}`, `${JSON.stringify(context, null, 1)}\n`);
  }
  return contexts.length;
}
