/**
 * Opens the repository and the settings of a call. The command line and hooks use the same functions, so that a
 * setting means the same everywhere.
 */

import { resolve } from 'node:path';
import {
  type LoadedSettings,
  readSettings,
  readTrust,
  type SettingsSources,
  trustDiagnostics,
} from '../../config/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { describeSkip } from '../../model/file-entry.ts';
import { errorCode, LoadoutError } from '../../model/loadout-error.ts';
import { cacheDirectory, configDirectory } from '../../platform/cache/user-directories.ts';
import type { Environment } from '../../platform/environment.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import { readRegularFile } from '../../platform/fs/read-file.ts';
import { openSafeRoot, type SafeRoot } from '../../platform/fs/safe-root.ts';
import { locateRepository } from '../../platform/git/locate-repository.ts';
import { MAX_DOCUMENT_BYTES } from '../../schema/parsed-document.ts';

/** The directory and the environment of a call. */
interface CallPlace {
  /** Where the search for a repository starts. */
  readonly cwd: string;
  readonly env: Environment;
}

/** Opens the folder that `--repo` names; without it the work tree around the current directory, or that directory. */
export function openRepositoryRoot({ cwd }: CallPlace, flags: { readonly repo: string }): SafeRoot {
  if (flags.repo) return openSafeRoot(resolve(cwd, flags.repo));
  const place = locateRepository(cwd);
  return openSafeRoot(place.kind === 'found' ? place.workTree : cwd);
}

/**
 * Reads the settings of a call from its flags, the environment, the file of `--config`, the repository's file and the
 * user's. A repository that is not trusted sets only harmless ones.
 */
export async function openSettings(
  io: CallPlace,
  global: { readonly config: string },
  flags: SettingsSources['flags'],
  root: SafeRoot | null,
): Promise<LoadedSettings> {
  const problems: Diagnostic[] = [];
  const userDirectory = configDirectory(io.env);
  const trust = root ? await readTrust(root, io.env) : null;
  const loaded = await readSettings({
    flags,
    environment: io.env,
    trusted: trust?.isTrusted === true,
    // A variable for it is a setting like any other; only the directory of the platform is a default.
    defaults: { cacheDir: cacheDirectory({ ...io.env, LOADOUT_CACHE_DIR: undefined }) },
    readRepositoryFile: (name) => (trust ? readFromRepository(trust.root, name, problems) : null),
    readUserFile: (name) => readUserText(resolve(userDirectory, name)),
    userDirectory,
    configFlagFile: global.config
      ? { name: global.config, text: readNamedText(resolve(io.cwd, global.config)) }
      : null,
  });
  return {
    ...loaded,
    diagnostics: [...(trust ? trustDiagnostics(trust) : []), ...problems, ...loaded.diagnostics],
  };
}

/** The repository's settings file, read through the safe root so that no link leads out; null without one. */
function readFromRepository(root: SafeRoot, name: string, problems: Diagnostic[]): string | null {
  const outcome = root.read(name, MAX_DOCUMENT_BYTES);
  if (outcome.kind === 'content') return textOf(outcome.bytes, name);
  if (outcome.reason === 'vanished') return null;
  if (outcome.reason === 'too-large') {
    const message = `${name} has ${outcome.size} bytes; at most ${MAX_DOCUMENT_BYTES} bytes are read`;
    throw new LoadoutError('bad-config-file', message, { subject: name });
  }
  const message = `${name} is not read: ${describeSkip(outcome.reason)}`;
  problems.push({ code: 'config-not-read', severity: 'warning', message, path: name });
  return null;
}

/** The text of the user's file; null when there is none. */
function readUserText(path: string): string | null {
  try {
    return textOf(readRegularFile(path, MAX_DOCUMENT_BYTES), path);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw cannotRead(path, code, error);
  }
}

/** The file of `--config`. The user named it, so it must exist. */
function readNamedText(path: string): string {
  try {
    return textOf(readRegularFile(path, MAX_DOCUMENT_BYTES), path);
  } catch (error) {
    throw cannotRead(path, errorCode(error), error);
  }
}

/** Settings files are text in any encoding that can be recognised. */
function textOf(bytes: Buffer, name: string): string {
  const decoded = decodeText(bytes);
  if (decoded.kind === 'text') return decoded.text;
  throw new LoadoutError('bad-config-file', `${name} is not a text file`, { subject: name });
}

/** Gives an error of the file system a message that names the file. */
function cannotRead(path: string, code: string, cause: unknown): unknown {
  if (cause instanceof LoadoutError || code === '') return cause;
  const why = code === 'ENOENT' ? 'it does not exist' : code;
  return new LoadoutError('unreadable', `cannot read the config file ${path}: ${why}`, {
    subject: path,
    cause,
  });
}
