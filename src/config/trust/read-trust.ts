import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { Environment } from '../../platform/environment.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { type CoveredFile, readTrustMaterial } from './trust-material.ts';
import { emptyTrustRecord, readTrustRecord, writeTrustRecord } from './trust-store.ts';

export interface TrustState {
  readonly isTrusted: boolean;
  readonly reason: 'trusted' | 'never' | 'changed';
  /** Of the files as they are now; empty when there are too many to be trusted. */
  readonly digest: string;
  /** The files that trust is bound to. */
  readonly files: readonly CoveredFile[];
  /** With reason `changed`: what is new, gone or different since. */
  readonly changes: readonly string[];
  /**
   * The repository to read roles and settings from: its covered files are the very bytes that were compared. What is
   * read through another root may have changed since.
   */
  readonly root: SafeRoot;
}

/** As much of it as decides what a repository may say, and what it says. */
export type TrustedRoot = Pick<TrustState, 'root' | 'isTrusted'>;

/**
 * Whether the user has said that this repository may name what runs. Bound to its real path and to every byte of
 * the files that could: after the smallest change the answer is no until the user says so again.
 *
 * @example
 * const { isTrusted, root } = await readTrust(openSafeRoot('.'), environment());
 */
export async function readTrust(repository: SafeRoot, env: Environment): Promise<TrustState> {
  const { digest, files, root } = readTrustMaterial(repository);
  const known = { digest, files, root };
  const record = readTrustRecord(repository, env);
  if (record === null) return { ...known, isTrusted: false, reason: 'never', changes: [] };
  if (digest !== '' && record.digest === digest)
    return { ...known, isTrusted: true, reason: 'trusted', changes: [] };
  return { ...known, isTrusted: false, reason: 'changed', changes: differences(record.files, files) };
}

/** Remembers the state that was shown to the user; refuses when the files are others by now. */
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

/** What to tell somebody whose repository is not trusted any more. */
export function trustDiagnostics({ reason, changes }: TrustState): readonly Diagnostic[] {
  if (reason !== 'changed') return [];
  const shown =
    changes.slice(0, 5).join(', ') + (changes.length > 5 ? ` and ${changes.length - 5} more` : '');
  const what = shown === '' ? 'its files changed' : `changed since: ${shown}`;
  const message = `this repository is not trusted any more (${what}); "loadout trust" shows what it asks for`;
  return [{ code: 'trust-changed', severity: 'warning', message }];
}

function differences(before: readonly CoveredFile[], now: readonly CoveredFile[]): readonly string[] {
  const known = new Map(before.map(({ path, sha256 }) => [path, sha256]));
  const current = new Map(now.map(({ path, sha256 }) => [path, sha256]));
  const paths = new Set([...known.keys(), ...current.keys()]);
  return [...paths].filter((path) => known.get(path) !== current.get(path)).sort();
}
