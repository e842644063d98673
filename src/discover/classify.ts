import type { FileClass, FileRole } from '../model/file-entry.ts';
import { hasBinaryExtension } from './binary-extensions.ts';
import { type FolderTraits, folderTraits } from './folder-conventions.ts';
import { folderOf, nameOf } from './inherit-by-folder.ts';
import { looksGenerated } from './looks-generated.ts';
import {
  generatedByName,
  isConfigName,
  isDataName,
  isDocumentName,
  isLanguageCodeName,
  isLockFile,
  isSnapshotName,
  isTestName,
  isTranslationName,
} from './name-conventions.ts';

export type LanguageKind = 'code' | 'markup' | 'data' | 'prose';

/** Settings are written by hand; what is larger than this was not. */
const LARGEST_CONFIG_BYTES = 256 * 1024;

interface Signs {
  readonly name: string;
  readonly lowerName: string;
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
  const traits = folderTraits(folderOf(path));
  const [role, why] = decideRole({ name, lowerName, size, kind: languageKind, isTest, traits });
  const generated = whyGenerated(lowerName, traits, head);
  const reasons = why === '' ? [] : [`${role}: ${why}`];
  if (generated !== null) reasons.push(`generated: ${generated}`);
  if (traits.vendored !== null) reasons.push(`vendored: ${traits.vendored}`);
  return { role, generated: generated !== null, vendored: traits.vendored !== null, reasons };
}

function whyGenerated(lowerName: string, traits: FolderTraits, head: string | undefined): string | null {
  const byName = generatedByName(lowerName);
  if (byName !== null) return `the name says it is ${byName}`;
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

function decideData({ lowerName, kind, traits }: Signs): Decision | null {
  if (isLockFile(lowerName)) return ['data', 'a lock file'];
  if (isSnapshotName(lowerName)) return ['data', 'a test snapshot'];
  if (traits.snapshot !== null && kind !== 'code') return ['data', traits.snapshot];
  if (isTranslationName(lowerName)) return ['data', 'a translation'];
  if (traits.translation !== null && (kind === 'data' || (kind !== null && isLanguageCodeName(lowerName)))) {
    return ['data', `a translation, ${traits.translation}`];
  }
  if (isDataName(lowerName))
    return ['data', `the name ends in "${lowerName.slice(lowerName.lastIndexOf('.'))}"`];
  return hasBinaryExtension(lowerName) ? ['data', 'a binary format'] : null;
}

function decideTest({ name, lowerName, kind, isTest, traits }: Signs): Decision | null {
  if (isTest) return ['test', 'named or placed as a test of its language'];
  const isProgram = kind === 'code' || kind === 'markup';
  if (isProgram && isTestName(name)) return ['test', `the file is called "${name}"`];
  if (traits.test === null) return null;
  if (isProgram) return ['test', traits.test];
  return isDocumentName(lowerName) || isConfigName(lowerName) ? null : ['data', traits.test];
}

function decideDocs({ lowerName, kind, traits }: Signs): Decision | null {
  if (kind !== 'code' && isDocumentName(lowerName)) return ['docs', 'a document every project has'];
  // Deeper down, `docs` is often the name of a feature of the program.
  if (traits.docs !== null && (kind !== 'code' || traits.docsAtTop)) return ['docs', traits.docs];
  return kind === 'prose' && !isConfigName(lowerName) ? ['docs', 'written for people'] : null;
}

function decideExample({ traits }: Signs): Decision | null {
  return traits.example === null ? null : ['example', traits.example];
}

function decideConfig({ lowerName, size, kind, traits }: Signs): Decision | null {
  if (size > LARGEST_CONFIG_BYTES) return null;
  if (isConfigName(lowerName)) return ['config', 'the name of a settings or build file'];
  return traits.tooling !== null && kind !== 'code' ? ['config', traits.tooling] : null;
}

function decideByKind(kind: LanguageKind | null): Decision {
  if (kind === 'code' || kind === 'markup') return ['source', ''];
  if (kind === 'data') return ['data', 'a data format'];
  return kind === 'prose' ? ['docs', 'written for people'] : ['other', ''];
}
