import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { LoadoutError } from '../../model/loadout-error.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import type { Environment } from '../../platform/environment.ts';
import { writeFileAtomic } from '../../platform/fs/atomic-file.ts';
import { isInsideRoot } from '../../platform/fs/inside-root.ts';
import { makeFolder } from '../../platform/fs/make-folder.ts';
import { openSafeRoot, type SafeRoot } from '../../platform/fs/safe-root.ts';
import { parseJsonDocument } from '../../schema/parse-json-document.ts';
import type { CoveredFile, TrustMaterial } from './trust-material.ts';

const FOLDER = 'trust';
const MOST_BYTES = 256 * 1024;

/** What the user said yes to. */
export interface TrustRecord {
  readonly repository: string;
  readonly digest: string;
  readonly files: readonly CoveredFile[];
}

/** One file for each repository, so that two calls never write the same one for different reasons. */
export function trustFile(root: SafeRoot, env: Environment): string {
  const name = createHash('sha256').update(root.path).digest('hex');
  return join(configDirectory(env), FOLDER, `${name}.json`);
}

/** Null when the user never said so, or when the record cannot be believed. */
export function readTrustRecord(root: SafeRoot, env: Environment): TrustRecord | null {
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

export function writeTrustRecord(root: SafeRoot, env: Environment, material: TrustMaterial): string {
  const path = trustFile(root, env);
  const folder = makeFolder(join(configDirectory(env), FOLDER));
  if (isInsideRoot(root.path, folder)) {
    throw new LoadoutError('trust-inside-repository', `${folder} lies inside ${root.path}`, {
      subject: folder,
      hint: 'a repository must not be able to bring its own trust: set LOADOUT_CONFIG_DIR to a folder outside',
    });
  }
  const record: TrustRecord = { repository: root.path, digest: material.digest, files: material.files };
  writeFileAtomic(path, `${JSON.stringify(record, null, 2)}\n`);
  return path;
}

/** True when there was something to forget. */
export function emptyTrustRecord(root: SafeRoot, env: Environment): boolean {
  if (readTrustRecord(root, env) === null) return false;
  writeFileAtomic(trustFile(root, env), `${JSON.stringify({ repository: root.path, digest: '' })}\n`);
  return true;
}

/** The config directory may be reached through links of the user's own, but never through the repository. */
function readOutside(root: SafeRoot, path: string): Buffer | null {
  try {
    const folder = openSafeRoot(dirname(path));
    if (isInsideRoot(root.path, folder.path)) return null;
    const outcome = folder.read(basename(path), MOST_BYTES);
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
