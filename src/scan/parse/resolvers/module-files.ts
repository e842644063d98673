import type { LinkContext } from '../../../model/import-resolver.ts';
import { fileNameOf, folderOf } from './repository-path.ts';

/** Declarations stand last: where code stands beside them, the code is what is meant. */
const EXTENSIONS = [
  ...['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.vue', '.svelte'],
  ...['.d.ts', '.d.mts', '.d.cts', '.json'],
];

/** What an import of a compiled file means where sources are imported by the name of their output. */
const SOURCES_OF: ReadonlyMap<string, readonly string[]> = new Map([
  ['.js', ['.ts', '.tsx', '.jsx']],
  ['.jsx', ['.tsx']],
  ['.mjs', ['.mts', '.ts']],
  ['.cjs', ['.cts', '.ts']],
]);

const PLATFORM = /^\.(web|native|ios|android|server|client)\.[jt]sx?$/;

export type FindModule = (path: string) => readonly string[] | null;

/** Finds the file (or, per platform, the files) that a path without certain extension means. */
export function createModuleFinder(context: LinkContext): FindModule {
  const known = new Map<string, readonly string[] | null>();

  function withExtension(path: string): string | null {
    for (const extension of EXTENSIONS) if (context.has(path + extension)) return path + extension;
    return null;
  }

  function sourceOfOutput(path: string): string | null {
    const dot = path.lastIndexOf('.');
    const sources = dot < 0 ? undefined : SOURCES_OF.get(path.slice(dot));
    const stem = path.slice(0, dot);
    for (const extension of sources ?? []) if (context.has(stem + extension)) return stem + extension;
    return null;
  }

  function declarationOf(path: string): string | null {
    const stem = path.replace(/\.[cm]?jsx?$/, '');
    if (stem === path) return null;
    return ['.d.ts', '.d.mts', '.d.cts'].map((end) => stem + end).find((one) => context.has(one)) ?? null;
  }

  function perPlatform(path: string): readonly string[] | null {
    const stem = fileNameOf(path);
    const found = context.within(folderOf(path)).filter((file) => {
      const name = fileNameOf(file);
      return name.startsWith(stem) && PLATFORM.test(name.slice(stem.length));
    });
    return found.length > 0 ? found : null;
  }

  function find(path: string): readonly string[] | null {
    const one =
      sourceOfOutput(path) ??
      (context.has(path) ? path : null) ??
      withExtension(path) ??
      declarationOf(path) ??
      (context.hasFolder(path) ? withExtension(path === '' ? 'index' : `${path}/index`) : null);
    return one === null ? perPlatform(path) : [one];
  }

  return (path) => {
    let answer = known.get(path);
    if (answer === undefined) {
      answer = find(path);
      known.set(path, answer);
    }
    return answer;
  };
}
