import type { LinkContext } from '../../../model/import-resolver.ts';
import { asRecord, asStrings, readJsonRecord } from './json-with-comments.ts';
import { folderOf, joinWithin } from './repository-path.ts';

/** Classes whose name starts with `prefix` lie below these folders. */
export interface AutoloadRule {
  readonly prefix: string;
  readonly folders: readonly string[];
  /** PSR-0 keeps the prefix in the path and reads `_` as a folder, PSR-4 does neither. */
  readonly keepsPrefix: boolean;
}

export interface Autoload {
  /** The longest prefix first. */
  readonly rules: readonly AutoloadRule[];
  /** Folders and files that are searched for classes by name. */
  readonly classMap: readonly string[];
}

/** What every composer.json of the repository says about where classes are. */
export function readAutoload(context: LinkContext): Autoload {
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
