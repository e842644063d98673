/**
 * The library's functions about a repository as a whole: bring its index up to date, outline it, and list
 * changed files.
 */

import { librarySettings, type Settings } from '../../config/index.ts';
import { changedPaths } from '../../context/compose/index.ts';
import { mapRepository, type RepositoryMap } from '../../context/map.ts';
import { SCAN_MODES, type ScanMode, type ScanResult } from '../../model/snapshot.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { openGit } from '../../platform/git/git.ts';
import { type ScanStep, useIndex } from '../../scan/index.ts';
import {
  type ArgumentKinds,
  checkArguments,
  FUNCTION,
  oneOf,
  RECORD,
  required,
  SIGNAL,
  TEXT,
  TEXTS,
} from '../../schema/check-arguments.ts';

/** The options that scan and map share. */
export interface RepositoryOptions {
  /** A folder; a git work tree or not. */
  readonly repo: string;
  /** On top of the environment's variables and the defaults. */
  readonly settings?: Partial<Settings>;
  /** Ends the work early; the promise rejects. */
  readonly signal?: AbortSignal;
  /** Called often while files are read. */
  readonly onProgress?: (step: ScanStep) => void;
}

/** The options of `scan`. */
export interface ScanOptions extends RepositoryOptions {
  /** Without it the setting `scanMode` counts. */
  readonly mode?: ScanMode;
}

/** The options of `map`. The budget is the setting `tokenBudget`. */
export interface MapOptions extends RepositoryOptions {
  /** Files or folders around which the outline is drawn, relative to the repository. */
  readonly focus?: readonly string[];
}

/** The options of `changedFiles`. */
export interface ChangedFilesOptions {
  /** A folder of a git work tree. */
  readonly repo: string;
  /** A commit, branch or tag. */
  readonly since: string;
}

const REPOSITORY_KINDS: ArgumentKinds<RepositoryOptions> = {
  repo: required(TEXT),
  settings: RECORD,
  signal: SIGNAL,
  onProgress: FUNCTION,
};
const SCAN_KINDS: ArgumentKinds<ScanOptions> = { ...REPOSITORY_KINDS, mode: oneOf(SCAN_MODES) };
const MAP_KINDS: ArgumentKinds<MapOptions> = { ...REPOSITORY_KINDS, focus: TEXTS };
const CHANGED_KINDS: ArgumentKinds<ChangedFilesOptions> = { repo: required(TEXT), since: required(TEXT) };

/** Leaves out undefined values, which optional fields do not accept. */
function present<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
}

/**
 * Brings the index of a repository up to date.
 *
 * @example
 * const { filesScanned, symbolsIndexed } = await scan({ repo: '.' });
 */
export async function scan(options: ScanOptions): Promise<ScanResult> {
  checkArguments('scan', options, SCAN_KINDS);
  const { repo, mode, settings, signal, onProgress } = options;
  const chosen = librarySettings(settings);
  const request = { repo, mode: mode ?? chosen.scanMode, settings: chosen };
  const more = present({ signal: signal!, onProgress: onProgress! });
  return useIndex({ ...request, ...more }, ({ result }) => result);
}

/**
 * Outlines a repository inside a token budget: its most central files and their signatures.
 *
 * @example
 * const { text, tokenCount } = await map({ repo: '.', settings: { tokenBudget: 4_000 } });
 */
export async function map(options: MapOptions): Promise<RepositoryMap> {
  checkArguments('map', options, MAP_KINDS);
  const { repo, focus = [], settings, signal, onProgress } = options;
  const root = openSafeRoot(repo);
  const request = {
    repo,
    settings: librarySettings(settings),
    focus: focus.map((path) => root.contain(path, root.path)),
  };
  return mapRepository({ ...request, ...present({ signal: signal!, onProgress: onProgress! }) });
}

/**
 * Lists the files that differ from a commit, and those that are new on disk, relative to the folder.
 *
 * @example
 * const paths = await changedFiles({ repo: '.', since: 'main' });
 */
export async function changedFiles(options: ChangedFilesOptions): Promise<string[]> {
  checkArguments('changedFiles', options, CHANGED_KINDS);
  const { repo, since } = options;
  const root = openSafeRoot(repo);
  const opening = await openGit(root.path);
  return changedPaths(opening.kind === 'git' ? opening.client : null, root.path, since);
}
