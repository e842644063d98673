// Trust: whether the user allows a repository to name what runs. The answer is a file in the user's config
// directory, bound to the bytes of everything that could name something.

import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import type { Environment } from '../../platform/environment.ts';
import { writeFileAtomic } from '../../platform/fs/atomic-file.ts';
import { makeFolder } from '../../platform/fs/make-folder.ts';
import { isInsideRoot } from '../../platform/fs/path-codec.ts';
import { openSafeRoot, type SafeRoot } from '../../platform/fs/safe-root.ts';
import {
  type ArgumentKind,
  checkArguments,
  FUNCTION,
  objectWith,
  RECORD,
  required,
  TEXT,
} from '../../schema/check-arguments.ts';
import { parseJsonDocument } from '../../schema/parse-json-document.ts';
import { type CoveredFile, readTrustMaterial, type TrustMaterial } from './trust-material.ts';

/** Whether a repository is trusted now, and why. */
export interface TrustState {
  readonly isTrusted: boolean;
  readonly reason: 'trusted' | 'never' | 'changed';
  /** Of the files as they are now; empty when there are too many to be trusted. */
  readonly digest: string;
  /** The files that trust is bound to. */
  readonly files: readonly CoveredFile[];
  /** With reason `changed`: the files that are new, gone or different since. */
  readonly changes: readonly string[];
  /**
   * The repository to read roles and settings from: its covered files are the very bytes that were compared. Files that
   * are read through another root may have changed since.
   */
  readonly root: SafeRoot;
}

/** The part that other code needs: the decision, and the files that it was made for. */
export type TrustedRoot = Pick<TrustState, 'root' | 'isTrusted'>;

/**
 * Whether the user has said that this repository may name what runs. Bound to its real path and to every byte of
 * the files that could: after the smallest change it is untrusted until the user trusts it again.
 *
 * @example
 * const { isTrusted, root } = await readTrust(openSafeRoot('.'), environment());
 */
export async function readTrust(repository: SafeRoot, env: Environment): Promise<TrustState> {
  checkArguments('readTrust', { repository, env }, { repository: required(ROOT), env: required(RECORD) });
  const { digest, files, root } = readTrustMaterial(repository);
  const known = { digest, files, root };
  const record = readTrustRecord(repository, env);
  if (record === null) return { ...known, isTrusted: false, reason: 'never', changes: [] };
  if (digest !== '' && record.digest === digest)
    return { ...known, isTrusted: true, reason: 'trusted', changes: [] };
  return { ...known, isTrusted: false, reason: 'changed', changes: differences(record.files, files) };
}

/** Records the state that was shown to the user. Refuses when the files have changed by now. */
export async function grantTrust(root: SafeRoot, env: Environment, shown: TrustState): Promise<string> {
  const material = readTrustMaterial(root);
  if (material.digest === '') {
    throw new LoadoutError('too-much-to-trust', '.loadout has more files or bytes than can be trusted', {
      subject: '.loadout',
      hint: 'at most 1,000 files of 16 MB together',
    });
  }
  if (material.digest !== shown.digest) {
    throw new LoadoutError('trust-changed', 'the files changed while you looked at them', {
      hint: 'run "loadout trust" again',
    });
  }
  return writeTrustRecord(root, env, material);
}

/** True when the repository was trusted before, or had been until a change. */
export async function revokeTrust(root: SafeRoot, env: Environment): Promise<boolean> {
  return emptyTrustRecord(root, env);
}

/** A warning for a repository that was trusted until its files changed. */
export function trustDiagnostics({ reason, changes }: TrustState): readonly Diagnostic[] {
  if (reason !== 'changed') return [];
  const shown =
    changes.slice(0, 5).join(', ') + (changes.length > 5 ? ` and ${changes.length - 5} more` : '');
  const what = shown === '' ? 'its files changed' : `changed since: ${shown}`;
  const message = `this repository is no longer trusted (${what}); "loadout trust" shows what it asks for`;
  return [{ code: 'trust-changed', severity: 'warning', message }];
}

function differences(before: readonly CoveredFile[], now: readonly CoveredFile[]): readonly string[] {
  const known = new Map(before.map(({ path, sha256 }) => [path, sha256]));
  const current = new Map(now.map(({ path, sha256 }) => [path, sha256]));
  const paths = new Set([...known.keys(), ...current.keys()]);
  return [...paths].filter((path) => known.get(path) !== current.get(path)).sort();
}

/** An opened repository, as far as its files are read. */
export const ROOT: ArgumentKind = objectWith('an opened repository', {
  path: TEXT,
  stat: FUNCTION,
  read: FUNCTION,
  list: FUNCTION,
});

const FOLDER = 'trust';
const MAX_BYTES = 256 * 1024;

/** The state that the user has trusted. */
interface TrustRecord {
  readonly repository: string;
  readonly digest: string;
  readonly files: readonly CoveredFile[];
}

/** One file for each repository, so that two calls never write the same one for different reasons. */
function trustFile(root: SafeRoot, env: Environment): string {
  const name = createHash('sha256').update(root.path).digest('hex');
  return join(configDirectory(env), FOLDER, `${name}.json`);
}

/** Null when the user never said so, or when the record cannot be believed. */
function readTrustRecord(root: SafeRoot, env: Environment): TrustRecord | null {
  const bytes = readOutside(root, trustFile(root, env));
  if (bytes === null) return null;
  try {
    const { value } = parseJsonDocument(bytes.toString('utf8'), 'trust');
    return isRecord(value) && value.repository === root.path ? value : null;
  } catch (error) {
    if (error instanceof LoadoutError) return null;
    throw error;
  }
}

function writeTrustRecord(root: SafeRoot, env: Environment, material: TrustMaterial): string {
  const path = trustFile(root, env);
  const folder = makeFolder(join(configDirectory(env), FOLDER));
  if (isInsideRoot(root.path, folder)) {
    throw new LoadoutError('trust-inside-repository', `${folder} is inside ${root.path}`, {
      subject: folder,
      hint: 'a repository must not contain the record of its own trust: set LOADOUT_CONFIG_DIR to a folder outside',
    });
  }
  const record: TrustRecord = { repository: root.path, digest: material.digest, files: material.files };
  writeFileAtomic(path, `${JSON.stringify(record, null, 2)}\n`);
  return path;
}

/** True when there was something to forget. */
function emptyTrustRecord(root: SafeRoot, env: Environment): boolean {
  if (readTrustRecord(root, env) === null) return false;
  writeFileAtomic(trustFile(root, env), `${JSON.stringify({ repository: root.path, digest: '' })}\n`);
  return true;
}

/** The config directory may be reached through the user's own links, but never through the repository. */
function readOutside(root: SafeRoot, path: string): Buffer | null {
  try {
    const folder = openSafeRoot(dirname(path));
    if (isInsideRoot(root.path, folder.path)) return null;
    const outcome = folder.read(basename(path), MAX_BYTES);
    return outcome.kind === 'content' ? outcome.bytes : null;
  } catch (error) {
    if (error instanceof LoadoutError) return null;
    throw error;
  }
}

function isRecord(value: unknown): value is TrustRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { repository, digest, files } = value as Record<string, unknown>;
  if (typeof repository !== 'string' || typeof digest !== 'string' || digest === '') return false;
  return Array.isArray(files) && files.every(isFile);
}

function isFile(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { path, sha256 } = value as Record<string, unknown>;
  return typeof path === 'string' && typeof sha256 === 'string';
}
