// Classes and includes of PHP, by the autoload rules of `composer.json`.

import type { ImportResolver, LinkContext, Resolution } from '../../../model/import-resolver.ts';
import { asRecord, asStrings, readJsonRecord } from './package-manifest.ts';
import { fileNameOf, folderOf, isInside, joinWithin, stemOf } from './repository-path.ts';
import {
  EXTERNAL,
  filesEndingWith,
  nearestTo,
  resolvedOr,
  resolvedTo,
  resolvedToAll,
  UNRESOLVED,
} from './resolution.ts';

/** Classes by the autoload rules of `composer.json`, otherwise by declared namespaces; `include` by path. */
export const phpResolver: ImportResolver = (context) => {
  const autoload = readAutoload(context);
  const known = new Map<string, Resolution>();
  return (from, { kind, specifier }) => {
    if (kind === 'include') return included(from, specifier, context);
    const name = specifier.replace(/^\\/, '');
    let answer = known.get(name);
    if (!answer) {
      answer = classNamed(name, autoload, context);
      known.set(name, answer);
    }
    return answer;
  };
};

/** A class by the rules of the autoloader, then by its namespace, then by its path alone. */
function classNamed(name: string, autoload: Autoload, context: LinkContext): Resolution {
  let isExpected = false;
  for (const { prefix, folders, keepsPrefix } of autoload.rules) {
    if (!name.startsWith(prefix)) continue;
    const place = keepsPrefix ? legacyPath(name) : name.slice(prefix.length).replaceAll('\\', '/');
    for (const folder of folders) {
      const path = joinWithin(folder, `${place}.php`);
      if (path !== null && context.has(path)) return resolvedTo(path);
      // Installed packages share prefixes with those of the repository. Without the folder it is one of those.
      isExpected ||= path !== null && context.hasFolder(folderOf(path));
    }
  }
  const declared = byNamespace(name, context) ?? byClassMap(name, autoload, context);
  if (declared) return declared;
  const suffix = `${name.replaceAll('\\', '/')}.php`;
  const found = suffix.includes('/') ? filesEndingWith(context, suffix) : [];
  return found.length === 1 ? resolvedTo(found[0]!) : isExpected ? UNRESOLVED : EXTERNAL;
}

/** PSR-0: `_` in the class name, but not in its namespace, parts folders. */
function legacyPath(name: string): string {
  const slash = name.lastIndexOf('\\') + 1;
  return name.slice(0, slash).replaceAll('\\', '/') + name.slice(slash).replaceAll('_', '/');
}

function byNamespace(name: string, context: LinkContext): Resolution | null {
  const whole = context.declaring(name);
  if (whole.length > 0) return resolvedToAll(whole);
  const slash = name.lastIndexOf('\\');
  const files = slash < 0 ? [] : context.declaring(name.slice(0, slash));
  const last = name.slice(slash + 1);
  const named = files.filter((file) => stemOf(file) === last);
  if (named.length > 0) return resolvedToAll(named);
  // Functions and constants are in files of any name; classes hardly ever are.
  return files.length > 0 && !/^[A-Z][a-z]/.test(last) ? resolvedToAll(files) : null;
}

/** A class by the name of its file, in the folders that the manifest lists. */
function byClassMap(name: string, autoload: Autoload, context: LinkContext): Resolution | null {
  const last = name.slice(name.lastIndexOf('\\') + 1);
  const files = ['.php', '.inc', '.class.php'].flatMap((end) => context.named(last + end));
  const mapped = files.filter((file) => autoload.classMap.some((place) => isInside(file, place)));
  return mapped.length > 0 ? resolvedToAll(mapped) : null;
}

/** Relative to the file, to the root, or to an include path that only the rest of the path tells. */
function included(from: string, specifier: string, context: LinkContext): Resolution {
  if (/^[a-z]+:\/\//i.test(specifier)) return EXTERNAL;
  for (const folder of [folderOf(from), '']) {
    const path = joinWithin(folder, specifier);
    if (path !== null && context.has(path)) return resolvedTo(path);
  }
  const suffix = joinWithin('', specifier.replace(/^(\.{0,2}\/)+/, ''));
  if (suffix === null || fileNameOf(suffix) === '') return UNRESOLVED;
  return resolvedOr(nearestTo(from, filesEndingWith(context, suffix)), UNRESOLVED);
}

/** Classes whose name starts with `prefix` lie below these folders. */
interface AutoloadRule {
  readonly prefix: string;
  readonly folders: readonly string[];
  /** PSR-0 keeps the prefix in the path and reads `_` as a folder, PSR-4 does neither. */
  readonly keepsPrefix: boolean;
}

interface Autoload {
  /** The longest prefix first. */
  readonly rules: readonly AutoloadRule[];
  /** Folders and files that are searched for classes by name. */
  readonly classMap: readonly string[];
}

/** Reads the autoload rules of every `composer.json`. */
function readAutoload(context: LinkContext): Autoload {
  const rules: AutoloadRule[] = [];
  const classMap: string[] = [];
  for (const file of context.named('composer.json')) {
    const manifest = readJsonRecord(context.readText(file));
    const folder = folderOf(file);
    const placesOf = (value: unknown): string[] =>
      asStrings(value).flatMap((path) => joinWithin(folder, path) ?? []);
    for (const section of [asRecord(manifest?.autoload), asRecord(manifest?.['autoload-dev'])]) {
      for (const [key, keepsPrefix] of [
        ['psr-4', false],
        ['psr-0', true],
      ] as const)
        for (const [prefix, value] of Object.entries(asRecord(section?.[key]) ?? {}))
          rules.push({ prefix, folders: placesOf(value), keepsPrefix });
      classMap.push(...placesOf(section?.classmap));
    }
  }
  rules.sort((left, right) => right.prefix.length - left.prefix.length);
  return { rules, classMap };
}
