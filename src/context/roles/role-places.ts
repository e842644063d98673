// The folders that hold role files. Files of a repository are read without following links; the user's own folder and
// the built-in one may be linked.

import { parse } from 'node:path';
import type { TrustedRoot } from '../../config/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { describeSkip } from '../../model/file-entry.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import {
  type FolderEntry,
  openSafeRoot,
  type ReadOutcome,
  type SafeRoot,
} from '../../platform/fs/safe-root.ts';
import { MAX_DOCUMENT_BYTES } from '../../schema/parsed-document.ts';
import type { RoleText } from './read-role-document.ts';
import type { PlaceKind } from './role.ts';

/** Relative to the root of the repository. */
export const REPOSITORY_ROLES = '.loadout/roles';
/** A folder with more files is a mistake or an attack. Listing roles parses every file. */
const MAX_FILES = 200;

/** One folder of role files. */
export interface RolePlace {
  readonly kind: PlaceKind;
  /** As messages call it. */
  readonly label: string;
  /** The real path of the folder; empty when it is not there. */
  readonly folder: string;
  /** The names of its roles, sorted. */
  names(): readonly string[];
  /** Null when there is no file of that name. When `.yaml` and `.yml` both exist, neither is read. */
  read(name: string): RoleText | null;
  /** Problems with the folder. */
  diagnostics(): readonly Diagnostic[];
}

/** The differences between the places. */
interface PlaceSpecification {
  readonly kind: PlaceKind;
  readonly label: string;
  readonly folder: string;
  readonly isTrusted: boolean;
  readonly fileLabel: (fileName: string) => string;
  readonly entries: readonly FolderEntry[] | null;
  /** The path exists. With `entries` null, it is then not a readable folder. */
  readonly exists: boolean;
  readonly readFile: (fileName: string) => ReadOutcome;
}

/** The roles of a repository. Links are not followed: they could lead outside of it. */
export function repositoryPlace({ root, isTrusted }: TrustedRoot): RolePlace {
  return createPlace({
    kind: 'repository',
    label: REPOSITORY_ROLES,
    folder: `${root.path}/${REPOSITORY_ROLES}`,
    isTrusted,
    fileLabel: (fileName) => `${REPOSITORY_ROLES}/${fileName}`,
    entries: root.list(REPOSITORY_ROLES),
    exists: root.stat(REPOSITORY_ROLES) !== null,
    readFile: (fileName) => root.read(`${REPOSITORY_ROLES}/${fileName}`, MAX_DOCUMENT_BYTES),
  });
}

/** A folder outside the repository. Links are followed, because it is the user's own and dotfiles are often linked. */
export function folderPlace(kind: 'user' | 'built-in', folder: string): RolePlace {
  const { root, path } = follow(folder);
  return createPlace({
    kind,
    label: kind === 'user' ? folder : 'the built-in roles',
    folder: realPath(folder),
    isTrusted: true,
    fileLabel: (fileName) => (kind === 'user' ? `${folder}/${fileName}` : `built-in:${fileName}`),
    entries: root.list(path),
    exists: root.stat(path) !== null,
    readFile: (fileName) => readAnywhere(`${folder}/${fileName}`),
  });
}

/** Reads a file by its absolute path and follows links. Only for paths that the user or Loadout chose. */
export function readAnywhere(path: string): ReadOutcome {
  const place = follow(path);
  return place.root.read(place.path, MAX_DOCUMENT_BYTES);
}

/** The path with every link followed. The file need not exist. */
export function realPath(path: string): string {
  const place = follow(path);
  return `${place.root.path.replace(/\/$/, '')}/${place.path}`;
}

function follow(path: string): { readonly root: SafeRoot; readonly path: string } {
  const root = openSafeRoot(parse(path).root);
  return { root, path: root.contain(path) };
}

const ROLE_FILE = /^(.+)\.ya?ml$/;

/** The role that a file name stands for; null for a file that is not YAML. */
export const roleNameOf = (fileName: string): string | null => ROLE_FILE.exec(fileName)?.[1] ?? null;

function createPlace(specification: PlaceSpecification): RolePlace {
  const { kind, label, folder, isTrusted, fileLabel, entries, exists } = specification;
  const all = (entries ?? []).filter(({ name, type }) => type !== 'directory' && roleNameOf(name));
  const files = all.slice(0, MAX_FILES).map(({ name }) => name);
  return {
    kind,
    label,
    folder,
    names: () => [...new Set(files.map((fileName) => roleNameOf(fileName)!))],
    read: (name) => {
      const [first, second] = files.filter((fileName) => roleNameOf(fileName) === name);
      if (first === undefined) return null;
      const content =
        second === undefined
          ? contentOf(specification.readFile(first))
          : { unreadable: `${second} exists as well, and only one of them is allowed` };
      return { name, place: kind, file: fileLabel(first), isTrusted, content };
    },
    diagnostics: () => {
      if (entries === null && exists) {
        const message = `${label} is not read: it is not a folder, cannot be read or is reached through a link`;
        return [{ code: 'roles-not-read', severity: 'warning', message }];
      }
      if (all.length <= MAX_FILES) return [];
      const message = `${label} holds ${all.length} role files; only the first ${MAX_FILES} are looked at`;
      return [{ code: 'roles-not-read', severity: 'warning', message }];
    },
  };
}

/** The text of a file, or the reason for the user why it cannot be used. */
export function contentOf(outcome: ReadOutcome): RoleText['content'] {
  if (outcome.kind === 'skipped') {
    const isLarge = outcome.reason === 'too-large';
    return {
      unreadable: isLarge ? `it has more than ${MAX_DOCUMENT_BYTES} bytes` : describeSkip(outcome.reason),
    };
  }
  const decoded = decodeText(outcome.bytes);
  return decoded.kind === 'text' ? { text: decoded.text } : { unreadable: describeSkip('binary') };
}
