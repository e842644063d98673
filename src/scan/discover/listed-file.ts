// A file as the listing found it, and the entry that is made from it: its language, its class, and why it is not read.
import { setImmediate } from 'node:timers/promises';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { FileClass, FileEntry, SkipReason } from '../../model/file-entry.ts';
import type { FileStat, SafeRoot } from '../../platform/fs/safe-root.ts';
import { classify, type LanguageKind } from './classify.ts';
import { nameOf } from './inherit-by-folder.ts';
import type { FileAttributes } from './rule-files.ts';
import { hasBinaryExtension } from './telling-signs.ts';

/** A path as one of the two ways of listing found it. */
export interface ListedFile {
  readonly path: string;
  /** Null when the path is known but cannot be looked at. */
  readonly stat: FileStat | null;
  /** The root of another repository: listed, never entered. */
  readonly isRepository: boolean;
  /** The id of its content, when git says that the file is clean. */
  readonly gitBlob: string | null;
}

/** All files that a listing found, and what it could not read. */
export interface FileListing {
  readonly files: readonly ListedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Characters of a path in a message. */
const MAX_SHOWN = 100;

/** `3 folders (a, b, c)`. At most three names are shown. */
export function summarizePaths(paths: readonly string[], noun: string): string {
  const rest = paths.length > 3 ? ', …' : '';
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${paths.length} ${paths.length === 1 ? noun : plural} (${paths.slice(0, 3).map(shorten).join(', ')}${rest})`;
}

function shorten(path: string): string {
  if (path === '') return '.';
  return path.length <= MAX_SHOWN ? path : `…${path.slice(-MAX_SHOWN)}`;
}

/** One warning for all folders that could not be read. */
export function describeUnreadable(folders: readonly string[]): readonly Diagnostic[] {
  if (folders.length === 0) return [];
  const message = `${summarizePaths(folders, 'folder')} could not be read`;
  return [{ code: 'folder-unreadable', severity: 'warning', message }];
}

const FILES_PER_YIELD = 4_096;

/** Lets the event loop run after every few thousand files: pipes drain, a server stays answerable. */
export function createEventLoopYield(): (filesDone: number) => Promise<void> {
  let sinceYield = 0;
  return async (filesDone) => {
    sinceYield += filesDone;
    if (sinceYield < FILES_PER_YIELD) return;
    sinceYield = 0;
    await setImmediate();
  };
}

/** A language as the discover stage needs it. */
interface DetectedLanguage {
  readonly id: string;
  readonly kind: LanguageKind;
  readonly isTest: boolean;
}

/** Names the language of a path. `head` is the start of the text, when the path alone is not enough. */
export type LanguageDetector = (path: string, head: string | null) => DetectedLanguage | null;

/** Bytes. Enough for a `#!` line and an editor's mode line. */
const HEAD_BYTES = 256;
/** Files without an extension that are opened at most. A folder may have a hundred thousand of them. */
const MAX_PLAIN_HEADS = 2_000;

/** Returns a function that classifies listed files. It opens a file only when its name does not tell its language. */
export function createEntryBuilder(
  root: SafeRoot,
  detect: LanguageDetector,
  maxFileBytes: number,
): (file: ListedFile, attributes: FileAttributes | undefined) => FileEntry {
  let plainHeads = 0;

  const detectByHead = (path: string, stat: FileStat): DetectedLanguage | null => {
    // Only for names without an extension the first line decides.
    if (stat.hint.size === 0 || nameOf(path).lastIndexOf('.') > 0) return null;
    if (!stat.executable && ++plainHeads > MAX_PLAIN_HEADS) return null;
    const outcome = root.readHead(path, HEAD_BYTES);
    return outcome.kind === 'content' ? detect(path, outcome.bytes.toString('utf8')) : null;
  };

  return (file, attributes) => {
    const { path, stat, gitBlob } = file;
    const size = stat?.type === 'file' ? stat.hint.size : 0;
    const hint = stat?.type === 'file' ? stat.hint : null;
    const unopened = whyUnopened(file);
    if (unopened !== null) {
      const classification = classify(path, size, null, false);
      return { path, language: null, size, classification, skip: unopened, gitBlob, hint };
    }
    const language = detect(path, null) ?? (stat === null ? null : detectByHead(path, stat));
    const guess = classify(path, size, language?.kind ?? null, language?.isTest ?? false);
    const isDeclaredBinary = attributes?.unread === 'binary' && language?.kind !== 'code';
    const skip: SkipReason | null = isDeclaredBinary ? 'binary' : size > maxFileBytes ? 'too-large' : null;
    return {
      path,
      language: language?.id ?? null,
      size,
      classification: applyAttributes(guess, attributes),
      skip,
      gitBlob,
      hint,
    };
  };
}

/** Why a file is not opened at all; null when it is. */
function whyUnopened({ path, stat, isRepository }: ListedFile): SkipReason | null {
  if (isRepository) return 'submodule';
  if (stat === null) return 'unreadable';
  if (stat.type === 'symlink') return 'symlink';
  if (stat.type !== 'file') return 'not-a-regular-file';
  return hasBinaryExtension(path) ? 'binary' : null;
}

/** Statements of `.gitattributes` override what the path suggests. */
function applyAttributes(guess: FileClass, attributes: FileAttributes | undefined): FileClass {
  if (attributes === undefined) return guess;
  const { unread } = attributes;
  let { role, generated, vendored } = guess;
  let reasons = [...guess.reasons];
  const say = (trait: string, why: string): void => {
    reasons = [
      ...reasons.filter((reason) => !reason.startsWith(`${trait}:`)),
      `${trait}: .gitattributes says ${why}`,
    ];
  };
  if (attributes.generated !== undefined) {
    generated = attributes.generated;
    say('generated', generated ? 'linguist-generated' : 'it is not');
  } else if (unread !== null && !generated) {
    generated = true;
    say('generated', unread);
  }
  if (attributes.vendored !== undefined) {
    vendored = attributes.vendored;
    say('vendored', vendored ? 'linguist-vendored' : 'it is not');
  }
  if (attributes.documentation === true && role !== 'docs') {
    reasons = reasons.filter((reason) => !reason.startsWith(`${role}:`));
    role = 'docs';
    say('docs', 'linguist-documentation');
  }
  return { ...guess, role, generated, vendored, reasons };
}
