import type { FileClass, FileRole } from '../../model/file-entry.ts';
import { hasBinaryExtension } from './binary-extensions.ts';
import { type FolderTraits, folderTraits } from './folder-conventions.ts';
import { folderOf, nameOf } from './inherit-by-folder.ts';
import { looksGenerated } from './looks-generated.ts';
import {
  generatedByName,
  isLanguageCodeName,
  isTestName,
  meaningOfName,
  type NameMeaning,
} from './name-conventions.ts';

export type LanguageKind = 'code' | 'markup' | 'data' | 'prose';

/** Settings are written by hand; what is larger than this was not. */
const LARGEST_CONFIG_BYTES = 256 * 1024;

interface Signs {
  readonly name: string;
  readonly lowerName: string;
  readonly meaning: NameMeaning | null;
  readonly size: number;
  readonly kind: LanguageKind | null;
  readonly isTest: boolean;
  readonly traits: FolderTraits;
}

/** What a file is for, by conventions that hold across ecosystems. `head` is its first text, when known. */
export function classify(
  path: string,
  size: number,
  languageKind: LanguageKind | null,
  isTest: boolean,
  head?: string,
): FileClass {
  const name = nameOf(path);
  const lowerName = name.toLowerCase();
  const meaning = meaningOfName(lowerName, languageKind === 'code');
  const traits = folderTraits(folderOf(path));
  const [role, why] = decideRole({ name, lowerName, meaning, size, kind: languageKind, isTest, traits });
  const generated = whyGenerated(lowerName, meaning, traits, head);
  if (generated === null && traits.vendored === null) return plainClass(role, why);
  const reasons = [...plainClass(role, why).reasons];
  if (generated !== null) reasons.push(`generated: ${generated}`);
  if (traits.vendored !== null) reasons.push(`vendored: ${traits.vendored}`);
  return { role, generated: generated !== null, vendored: traits.vendored !== null, reasons };
}

const MOST_CLASSES_KEPT = 10_000;
const plainClasses = new Map<string, FileClass>();

/** One object for all files of the same kind: a large repository has few kinds and many files. */
function plainClass(role: FileRole, why: string): FileClass {
  const key = why === '' ? role : `${role}: ${why}`;
  const known = plainClasses.get(key);
  if (known !== undefined) return known;
  const made: FileClass = { role, generated: false, vendored: false, reasons: why === '' ? [] : [key] };
  if (plainClasses.size < MOST_CLASSES_KEPT) plainClasses.set(key, made);
  return made;
}

function whyGenerated(
  lowerName: string,
  meaning: NameMeaning | null,
  traits: FolderTraits,
  head: string | undefined,
): string | null {
  if (meaning === 'lock') return 'a lock file';
  if (meaning === 'snapshot') return 'a test snapshot';
  const byName = generatedByName(lowerName);
  if (byName !== null) return `named like ${byName}`;
  const byFolder = traits.generated ?? traits.snapshot;
  if (byFolder !== null) return byFolder;
  return head !== undefined && looksGenerated(head) ? 'the first lines say so' : null;
}

type Decision = readonly [role: FileRole, why: string];

/** The first that has an opinion decides. */
function decideRole(signs: Signs): Decision {
  return (
    decideData(signs) ??
    decideTest(signs) ??
    decideDocs(signs) ??
    decideExample(signs) ??
    decideConfig(signs) ??
    decideByKind(signs.kind)
  );
}

function decideData({ lowerName, meaning, kind, traits }: Signs): Decision | null {
  if (meaning === 'lock') return ['data', 'a lock file'];
  if (meaning === 'snapshot') return ['data', 'a test snapshot'];
  if (traits.snapshot !== null && kind !== 'code') return ['data', traits.snapshot];
  if (meaning === 'translation') return ['data', 'a translation'];
  if (traits.translation !== null && (kind === 'data' || (kind !== null && isLanguageCodeName(lowerName)))) {
    return ['data', `a translation, ${traits.translation}`];
  }
  if (meaning === 'data')
    return ['data', `the name ends in "${lowerName.slice(lowerName.lastIndexOf('.'))}"`];
  return kind === null && hasBinaryExtension(lowerName) ? ['data', 'a binary format'] : null;
}

function decideTest({ name, meaning, kind, isTest, traits }: Signs): Decision | null {
  if (traits.isShipped && isProgram(kind)) return null;
  if (isTest) return ['test', 'named or placed as a test of its language'];
  if (isProgram(kind) && isTestName(name)) return ['test', 'named like a test'];
  if (traits.test === null) return null;
  if (isProgram(kind)) return ['test', traits.test];
  return meaning === 'document' || meaning === 'config' ? null : ['data', traits.test];
}

function decideDocs({ meaning, kind, traits }: Signs): Decision | null {
  if (meaning === 'document') return ['docs', 'a document every project has'];
  // Deeper down, `docs` is often the name of a feature of the program.
  if (traits.docs !== null && (!isProgram(kind) || traits.docsAtTop)) return ['docs', traits.docs];
  return kind === 'prose' && meaning !== 'config' ? ['docs', 'written for people'] : null;
}

function decideExample({ traits }: Signs): Decision | null {
  return traits.example === null ? null : ['example', traits.example];
}

function decideConfig({ meaning, size, kind, traits }: Signs): Decision | null {
  if (size > LARGEST_CONFIG_BYTES) return null;
  if (meaning === 'config') return ['config', 'the name of a settings or build file'];
  return traits.tooling !== null && kind !== 'code' ? ['config', traits.tooling] : null;
}

function isProgram(kind: LanguageKind | null): boolean {
  return kind === 'code' || kind === 'markup';
}

function decideByKind(kind: LanguageKind | null): Decision {
  if (isProgram(kind)) return ['source', ''];
  if (kind === 'data') return ['data', 'a data format'];
  return kind === 'prose' ? ['docs', 'written for people'] : ['other', ''];
}
