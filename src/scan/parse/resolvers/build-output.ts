import { isInside } from './repository-path.ts';
import type { ProjectConfig } from './tsconfig.ts';

const OUTPUT_FOLDER = /^(dist|lib|build|out|output|es|esm|cjs|module|types|\.build)$/;
/** Formats that builds put below their output folder: `dist/esm/x.js`. */
const FORMAT_FOLDER = /^(src|es|esm|cjs|mjs|types|commonjs|module|node|browser|development|production)$/;
const COMPILED = /(?:\.d)?\.[cm]?[jt]sx?$/;

/**
 * Where the source of a build output may lie, best first and without extension: `src/x` for `dist/x.js`.
 * Outputs are rarely in the repository, and manifests name little else.
 */
export function sourcesOfOutput(
  path: string,
  packageFolder: string,
  configs: readonly ProjectConfig[],
): string[] {
  const stem = path.replace(COMPILED, '');
  return [...new Set([...byConfig(stem, configs), ...byConvention(stem, packageFolder)])];
}

function byConfig(stem: string, configs: readonly ProjectConfig[]): string[] {
  const found: string[] = [];
  for (const { folder, outputs } of configs)
    for (const { outDir, rootDir } of outputs) {
      if (stem === outDir || !isInside(stem, outDir) || outDir === '') continue;
      const rest = stem.slice(outDir.length + 1);
      const roots = rootDir === null ? [under(folder, 'src'), folder] : [rootDir];
      for (const root of roots) found.push(under(root, rest));
    }
  return found;
}

function byConvention(stem: string, packageFolder: string): string[] {
  if (!isInside(stem, packageFolder)) return [];
  const rest = stem.slice(packageFolder === '' ? 0 : packageFolder.length + 1).split('/');
  if (rest.length < 2 || !OUTPUT_FOLDER.test(rest[0]!)) return [];
  const inner = rest.slice(1);
  const found = [inner];
  if (inner.length > 1 && FORMAT_FOLDER.test(inner[0]!)) found.push(inner.slice(1));
  if (inner.length > 2 && FORMAT_FOLDER.test(inner[0]!) && FORMAT_FOLDER.test(inner[1]!))
    found.push(inner.slice(2));
  return [
    ...found.map((parts) => under(packageFolder, `src/${parts.join('/')}`)),
    ...found.map((parts) => under(packageFolder, parts.join('/'))),
  ];
}

function under(folder: string, rest: string): string {
  return folder === '' ? rest : `${folder}/${rest}`;
}
