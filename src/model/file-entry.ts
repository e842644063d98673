/** Why a file is listed but not read. */
export type SkipReason =
  | 'not-a-regular-file'
  | 'symlink'
  | 'submodule'
  | 'binary'
  | 'too-large'
  | 'unreadable'
  | 'vanished'
  | 'outside-root'
  | 'lfs-pointer'
  | 'limit-reached';

const SKIP_SENTENCES: Readonly<Record<SkipReason, string>> = {
  'not-a-regular-file': 'it is not a regular file',
  symlink: 'it is a link, and links are not followed',
  submodule: 'it is a submodule',
  binary: 'it is not a text file',
  'too-large': 'it is too large',
  unreadable: 'it cannot be opened; check its permissions',
  vanished: 'it does not exist',
  'outside-root': 'it lies outside of the repository',
  'lfs-pointer': 'its content is in Git LFS',
  'limit-reached': 'there are too many files',
};

/** Why a file that a message names is not read, as the end of its sentence. */
export function describeSkip(reason: SkipReason): string {
  return SKIP_SENTENCES[reason];
}

export type FileRole = 'source' | 'test' | 'docs' | 'config' | 'data' | 'example' | 'other';

/** The class of a file, from its path (and, for `generated`, its text), with the rules that decided. */
export interface FileClass {
  readonly role: FileRole;
  readonly generated: boolean;
  readonly vendored: boolean;
  /** One numbered step of a database: written once, and rarely what another task needs. */
  readonly migration?: boolean;
  /** The rules that decided, for people: `test: path has a "tests" folder`. */
  readonly reasons: readonly string[];
}

/** A file as `discover` lists it. Paths are relative to the root, with `/`. */
export interface FileEntry {
  readonly path: string;
  /** `id` in the language table, or null. */
  readonly language: string | null;
  readonly size: number;
  readonly classification: FileClass;
  /** Set when the content is not going to be read. */
  readonly skip: SkipReason | null;
  /** The git blob id, when git tracks the file and its work-tree state is clean; a hint only. */
  readonly gitBlob: string | null;
  readonly hint: StatHint | null;
}

/** Cheap signs that a file may have changed. Equal hints mean "probably the same", different ones mean "read it". */
export interface StatHint {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
}
