// Manifests in JSON: the packages of the repository by their `package.json`, and a reader for JSON with comments.

import type { LinkContext } from '../../../model/import-resolver.ts';
import { jsonOrNull } from '../../../model/read-json.ts';
import { folderOf } from './repository-path.ts';
import { nearestTo } from './resolution.ts';

/** A package of the repository itself, by its `package.json`. */
export interface WorkspacePackage {
  readonly folder: string;
  readonly manifest: JsonRecord;
}

interface WorkspacePackages {
  readonly byFolder: ReadonlyMap<string, WorkspacePackage>;
  /** The package of this name; of several (fixtures, copies) the one nearest to `from`. */
  named(name: string, from: string): WorkspacePackage | null;
  /** Whether the repository has several packages of this name, so that an import depends on the importing file. */
  isRepeated(specifier: string): boolean;
}

/** Reads every `package.json` of the repository. Whatever tool links the workspace, its members are among them. */
export function readPackages(context: LinkContext): WorkspacePackages {
  const byFolder = new Map<string, WorkspacePackage>();
  const byName = new Map<string, WorkspacePackage[]>();
  for (const path of context.named('package.json')) {
    if (path.includes('node_modules/')) continue;
    const manifest = readJsonRecord(context.readText(path));
    if (!manifest) continue;
    const found: WorkspacePackage = { folder: folderOf(path), manifest };
    byFolder.set(found.folder, found);
    const name = asString(manifest.name);
    if (name) byName.set(name, [...(byName.get(name) ?? []), found]);
  }
  const repeated = new Set([...byName].filter(([, all]) => all.length > 1).map(([name]) => name));
  return {
    byFolder,
    isRepeated: (specifier) => repeated.size > 0 && repeated.has(splitPackageName(specifier).name),
    named: (name, from) => {
      const all = byName.get(name) ?? [];
      if (all.length < 2) return all[0] ?? null;
      const nearest = nearestTo(
        from,
        all.map((one) => `${one.folder}/package.json`),
      );
      return all.find((one) => `${one.folder}/package.json` === nearest) ?? null;
    },
  };
}

/** `@scope/name/sub/path` as a package name and the path inside it (`''` for the package itself). */
export function splitPackageName(specifier: string): { readonly name: string; readonly subpath: string } {
  const scope = specifier.startsWith('@') ? specifier.indexOf('/') + 1 : 0;
  const end = specifier.indexOf('/', scope);
  if (end < 0) return { name: specifier, subpath: '' };
  return { name: specifier.slice(0, end), subpath: specifier.slice(end + 1) };
}

/** A parsed object whose fields are not checked yet. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** A JSON object that may hold comments and trailing commas; null for anything else. */
export function readJsonRecord(text: string | null): JsonRecord | null {
  return text === null ? null : asRecord(jsonOrNull(withoutComments(text)));
}

export function asRecord(value: unknown): JsonRecord | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : null;
}

export function asString(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A string or a list of strings, as manifests often allow both. */
export function asStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** Removes comments and trailing commas in one pass. A regular expression would take quadratic time on hostile text. */
function withoutComments(text: string): string {
  const kept: string[] = [];
  let comma = -1;
  let index = text.startsWith('\uFEFF') ? 1 : 0;
  while (index < text.length) {
    const start = index;
    const character = text[index]!;
    const next = text[index + 1];
    if (character === '/' && (next === '/' || next === '*')) {
      const close = next === '/' ? text.indexOf('\n', index) : text.indexOf('*/', index + 2) + 1;
      index = close <= 0 ? text.length : close + (next === '/' ? 0 : 1);
      continue;
    }
    index = character === '"' ? endOfString(text, index) : index + 1;
    if (character === ',') comma = kept.length;
    else if (character === ']' || character === '}') {
      // A comma that only white space and comments follow.
      if (comma >= 0) kept[comma] = '';
      comma = -1;
    } else if (character.trim() !== '') comma = -1;
    kept.push(text.slice(start, index));
  }
  return kept.join('');
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index + 1;
}
