/**
 * Plans and carries out `loadout uninstall`: the set-ups of all places that records name, the caches, the records. Only
 * entries that Loadout makes are removed, so a cache directory that holds other files keeps them.
 */

import { existsSync, lstatSync, readdirSync, rmdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { INSTALL_CLIENTS, type InstallClient, type Scope } from '../../agents/index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { removeFolder } from '../../platform/fs/make-folder.ts';
import { recordName, type SetUpRecord } from './plan-target.ts';
import { type AllPlans, applyAll, type ClientResult, planAll, type SharedRequest } from './set-up-all.ts';

/** The entries that Loadout makes in its cache directory. A test compares them with the source. */
export const CACHES: readonly string[] = [
  ...['breakers', 'code', 'copies', 'eval', 'hook', 'index', 'repomix', 'runs', 'scratch'],
  ...['server.json', 'tmp', 'tokens', 'vectors'],
];
/** The entries that Loadout, and not the user, writes into the configuration directory. */
const RECORDS = ['init', 'trust'];

/** A file or folder that is removed. */
interface OwnEntry {
  readonly path: string;
  /** Of all files in it; links count as nothing. */
  readonly bytes: number;
}

/** The set-ups of one repository or of the user. */
interface PlaceSetUp {
  readonly base: string;
  readonly scope: Scope;
  readonly plan: AllPlans;
  readonly request: SharedRequest;
}

/** Everything that `loadout uninstall` would remove, and what it leaves. */
export interface UninstallPlan {
  readonly places: readonly PlaceSetUp[];
  readonly caches: readonly OwnEntry[];
  readonly records: readonly OwnEntry[];
  /** The user's own files in the configuration directory. */
  readonly kept: readonly string[];
  /** Files with set-ups of a version that did not record their place. They stay, and so do their records. */
  readonly older: readonly SetUpRecord[];
  /** Parts that cannot be removed, and why. */
  readonly notes: readonly string[];
  readonly folders: readonly string[];
}

/** The input of a plan. */
export interface UninstallRequest {
  readonly cacheDirectory: string;
  readonly configDirectory: string;
  readonly keepCaches: boolean;
  /** The request of a removal, for the home directory of the user. */
  readonly request: SharedRequest;
}

/** Plans the removal of everything. Nothing is written. */
export function planUninstall(options: UninstallRequest): UninstallPlan {
  const { cacheDirectory, configDirectory, keepCaches, request } = options;
  const notes: string[] = [];
  const own = (folder: string, names: readonly string[]): readonly OwnEntry[] => {
    if (!isOwnFolder(folder, notes)) return [];
    return names
      .map((name) => join(folder, name))
      .filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined)
      .map((path) => ({ path, bytes: bytesOf(path) }));
  };
  const caches = keepCaches ? [] : own(cacheDirectory, CACHES);
  const older = olderRecords(request, notes);
  const records = own(configDirectory, RECORDS).flatMap((entry) =>
    older.length > 0 && basename(entry.path) === 'init' ? withoutOlder(entry.path, older) : [entry],
  );
  const kept = existsSync(configDirectory)
    ? readdirSync(configDirectory)
        .filter((name) => !RECORDS.includes(name))
        .sort()
        .map((name) => join(configDirectory, name))
    : [];
  const folders = [...(keepCaches ? [] : [cacheDirectory]), configDirectory];
  return { places: planPlaces(request, notes), caches, records, kept, older, notes, folders };
}

/**
 * Records of a version that did not note the repository or the user they belong to, for files that are still there.
 * Without its record a set-up could no longer be undone byte by byte.
 */
function olderRecords({ records }: SharedRequest, notes: string[]): readonly SetUpRecord[] {
  const older = records
    .list()
    .filter(({ base, scope, path }) => (base === undefined || scope === undefined) && existsSync(path));
  for (const { path, client } of older) {
    const name = INSTALL_CLIENTS.find((one) => one === client) ?? '';
    const command = ['loadout init', name, '--remove'].filter(Boolean).join(' ');
    notes.push(
      `${path} was set up by an older version and stays, with its record: ` +
        `run "${command}" where it was set up (for your own files with --scope user), then uninstall again`,
    );
  }
  return older;
}

/** The records of a folder that go, one by one: all but those of older versions. */
function withoutOlder(folder: string, older: readonly SetUpRecord[]): readonly OwnEntry[] {
  const stay = new Set(older.map(recordName));
  return readdirSync(folder)
    .filter((name) => !stay.has(name))
    .sort()
    .map((name) => ({ path: join(folder, name), bytes: bytesOf(join(folder, name)) }));
}

/** A folder that is a link leads to a place of the user, and its content must not be removed. */
function isOwnFolder(folder: string, notes: string[]): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.isDirectory()) return true;
  notes.push(`${folder} is ${stats.isSymbolicLink() ? 'a link' : 'no folder'} and stays: remove it yourself`);
  return false;
}

/** The size of a file or of all files in a folder. Links are not followed. */
function bytesOf(path: string): number {
  let sum = 0;
  const waiting = [path];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const stats = lstatSync(next, { throwIfNoEntry: false });
    if (stats?.isFile()) sum += stats.size;
    if (!stats?.isDirectory()) continue;
    for (const name of readdirSync(next)) waiting.push(join(next, name));
  }
  return sum;
}

/** The removal of all set-ups that records name. A repository that is gone needs none. */
function planPlaces(request: SharedRequest, notes: string[]): readonly PlaceSetUp[] {
  const groups = new Map<string, SetUpRecord[]>();
  for (const record of request.records.list()) {
    const key = JSON.stringify([record.scope ?? '', record.base ?? '']);
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  return [...groups.values()].flatMap((records) => {
    const { base, scope } = records[0]!;
    if (base === undefined || scope === undefined || !existsSync(base)) return [];
    const place = { ...request.place, base, scope, ...(scope === 'user' ? { home: base } : {}) };
    const there = { ...request, place };
    const plan = planAll(clientsOf(records), there);
    const known = new Set(plan.files.map(({ path }) => path));
    for (const { path } of records)
      if (!known.has(path) && existsSync(path) && plan.plans.every((one) => 'files' in one))
        notes.push(`${path} is no longer a file of its client and stays: remove our part yourself`);
    return [{ base, scope, plan, request: there }];
  });
}

/** The clients that records belong to, also as owners of shared files. */
function clientsOf(records: readonly SetUpRecord[]): readonly InstallClient[] {
  const names = new Set(records.flatMap(({ client, owners = [] }) => [client, ...owners]));
  return INSTALL_CLIENTS.filter((client) => names.has(client));
}

/** The result of a plan. */
export interface Uninstalled {
  readonly results: readonly { readonly base: string; readonly results: readonly ClientResult[] }[];
  /** Entries that could not be removed. */
  readonly left: readonly string[];
}

/** Removes everything of a plan. Records stay while a set-up stays, so that it can still be undone. */
export function applyUninstall({ places, caches, records, folders }: UninstallPlan): Uninstalled {
  const results = places.map(({ base, plan, request }) => ({ base, results: applyAll(plan, request) }));
  const hasFailed = results.some((one) => one.results.some(({ state }) => state === 'failed'));
  const isKept = ({ path }: OwnEntry) =>
    hasFailed && (basename(path) === 'init' || basename(dirname(path)) === 'init');
  const entries = [...caches, ...records.filter((entry) => !isKept(entry))];
  const left = entries.filter(({ path }) => !removeFolder(path)).map(({ path }) => path);
  for (const folder of folders) removeIfEmpty(folder);
  return { results, left };
}

function removeIfEmpty(folder: string): void {
  try {
    if (lstatSync(folder).isDirectory()) rmdirSync(folder);
  } catch {
    // It holds files of the user, or it is gone.
  }
}

/** The error of an uninstall without a terminal and without `--yes`. */
export function needsYes(): LoadoutError {
  return new LoadoutError('no-terminal', 'there is no terminal to ask on, and nothing was removed', {
    hint: 'give --yes to remove, or --dry-run to see what would be removed',
  });
}
