/**
 * Plans and applies the set-up of a client. A plan can be shown before anything is written, and every change is
 * recorded so that it can be undone exactly.
 */

import { existsSync, realpathSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import {
  INSTALL_CLIENTS,
  type InstallClient,
  type InstallPlace,
  installOf,
  type JsonEntry,
  type LaunchCommand,
  type Scope,
  type SetUpExtra,
  type SetUpTarget,
} from '../../agents/index.ts';
import type { LoadedGuideline } from '../../context/guidelines/index.ts';
import { errorCode, LoadoutError } from '../../model/loadout-error.ts';
import type { Environment } from '../../platform/environment.ts';
import { writeFileAtomic } from '../../platform/fs/atomic-file.ts';
import { makeFolder } from '../../platform/fs/make-folder.ts';
import { isInsideRoot, withSlashes } from '../../platform/fs/path-codec.ts';
import { readRegularFile } from '../../platform/fs/read-file.ts';
import { findProgram } from '../../platform/process/find-program.ts';
import { entryValue } from './edit-json.ts';
import {
  hashOf,
  isTargetGone,
  planRemoval,
  planWriting,
  type SetUpRecord,
  type SetUpRecords,
  type TargetPlan,
} from './plan-target.ts';

/** A client to set up, or to undo the set-up of. */
export interface SetUpRequest {
  readonly client: InstallClient;
  /** The repository or the user's home directory. */
  readonly place: InstallPlace;
  /** The command that the client will start. */
  readonly launch: LaunchCommand;
  readonly records: SetUpRecords;
  /** Tools that the user's guidelines refuse. */
  readonly tools: readonly string[];
  /** Undo the set-up. */
  readonly remove: boolean;
  /** Parts that the user asks for. One that is already there stays without being asked for. */
  readonly extras?: readonly SetUpExtra[];
  /** The clients that the same call removes: what they share does not stay for one of them. */
  readonly leaving?: readonly InstallClient[];
}

/** The folder in which clients look for the settings of a repository or of the user. */
export function installPlace(env: Environment, repository: string, scope: Scope): InstallPlace {
  const home = env.HOME || env.USERPROFILE || homedir();
  return { scope, base: scope === 'project' ? repository : home, home, env };
}

/** Tools that the user's own guidelines refuse, as they are written there. Others only advise. */
export function restrictedTools(guidelines: readonly LoadedGuideline[]): readonly string[] {
  const tools = guidelines.flatMap(({ place, guideline: { enabled, action, condition } }) => {
    const isAsked = condition.events.length === 0 || condition.events.includes('pre-tool-use');
    return place === 'user' && enabled && isAsked && action.type === 'tool_restriction' ? action.tools : [];
  });
  return [...new Set(tools)].sort();
}

/** One file of a plan. */
export interface PlannedFile extends TargetPlan {
  /** The file itself, links followed. */
  readonly path: string;
  /** For people: below the repository or the home directory. */
  readonly shown: string;
  /** The effect on the file on disk. */
  readonly action: 'create' | 'change' | 'delete' | 'keep';
  /** Our entries are removed. */
  readonly isUndone: boolean;
}

/**
 * Plans the changes that set up a client, or undo it. Nothing is written. `texts` are files as earlier plans of the
 * same call will leave them, by path.
 */
export function planSetUp(
  request: SetUpRequest,
  texts: ReadonlyMap<string, string | null> = new Map(),
): readonly PlannedFile[] {
  const { client, place, launch, tools, records } = request;
  return installOf(client)
    .targets(place, launch, tools)
    .map((every) => {
      const path = resolveTarget(every.path, place.base, place.scope);
      const below = relative(place.base, every.path).replaceAll('\\', '/');
      const shown = below.startsWith('..') ? every.path : place.scope === 'user' ? `~/${below}` : below;
      const record = records.read(recordOwner(every, client), path);
      const text = texts.has(path) ? texts.get(path)! : readTarget(path);
      const { target, notes } = withExtras(every, { text, shown }, request, texts);
      // Every client is removed, so no client needs a shared entry any longer.
      const isLast = INSTALL_CLIENTS.every((one) => request.leaving?.includes(one));
      const current = { text, record, shown, isLast };
      const isUndone = request.remove || isTargetGone(target);
      // An entry that another client reads as well must stay.
      const others = isUndone ? otherOwners(target, record, client) : [];
      const staysFor = others.filter((one) => !request.leaving?.some((leaving) => leaving === one));
      const plan =
        staysFor.length > 0
          ? {
              target,
              before: current.text,
              after: current.text,
              insertions: [],
              notes: [`${staysFor.join(', ')} also uses it, so it stays`],
            }
          : holdsNothing(target, current.text)
            ? { target, before: current.text, after: current.text, insertions: [], notes: [] }
            : (isUndone ? planRemoval : planWriting)(target, current);
      const action = actionOf(plan);
      if (action === 'change' || action === 'delete') refuseReadOnly(path, shown);
      return { ...plan, notes: [...notes, ...plan.notes], path, shown, action, isUndone };
    });
}

/**
 * The target with those entries on request that are wanted: asked for and not in the way of the user's own, or there
 * already. Notes say why one that was asked for is left out.
 */
function withExtras(
  target: SetUpTarget,
  { text, shown }: { readonly text: string | null; readonly shown: string },
  { extras = [], remove }: SetUpRequest,
  texts: ReadonlyMap<string, string | null>,
): { readonly target: SetUpTarget; readonly notes: readonly string[] } {
  if (target.kind !== 'json' || !target.entries.some(({ request }) => request)) return { target, notes: [] };
  const notes: string[] = [];
  const entries = target.entries.filter((entry) => {
    const { request } = entry;
    if (request === undefined) return true;
    const isAsked = !remove && extras.includes(request.flag);
    const value = valueIn(text, shown, entry, isAsked);
    if (value !== undefined && (isDeepStrictEqual(value, entry.value) || entry.isOurs?.(value))) return true;
    if (!isAsked) return false;
    const textOf = (file: string) => texts.get(file) ?? readTarget(file);
    const other =
      value !== undefined
        ? shown
        : request.otherFiles.find((file) => valueIn(textOf(file), file, entry, true) !== undefined);
    if (other === undefined) return true;
    notes.push(`${other} has a ${entry.path.join('.')} of its own, which stays; ${request.advice}`);
    return false;
  });
  return { target: { ...target, entries }, notes };
}

/** The value of an entry in a text. A file that the call does not change need not be valid. */
function valueIn(text: string | null, shown: string, entry: JsonEntry, isAsked: boolean): unknown {
  try {
    return text === null ? undefined : entryValue(text, shown, entry);
  } catch (error) {
    if (isAsked || !(error instanceof LoadoutError)) throw error;
    return undefined;
  }
}

/** A user who made a file read-only wants it as it is. A rename would replace it anyway. */
function refuseReadOnly(path: string, shown: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & 0o200) !== 0) return;
  throw new LoadoutError('read-only-file', `${shown} is read-only`, {
    subject: path,
    hint: 'make it writable first; nothing was written',
  });
}

/** Carries out a plan: all of its files, or, when one cannot be written, none. */
export function applySetUp(files: readonly PlannedFile[], request: SetUpRequest): void {
  const { client, records, place, remove, leaving = [] } = request;
  const where = { base: place.base, scope: place.scope };
  const done: DoneFile[] = [];
  try {
    // Undo in reverse order, so that folders are empty when it is their turn.
    for (const file of remove ? [...files].reverse() : files) {
      const record = records.read(recordOwner(file.target, client), file.path);
      done.push({ file, record, folders: missingFolders(dirname(file.path)) });
      applyPlan(file, file.path, { client, records, leaving, where }, file.isUndone);
    }
  } catch (error) {
    for (const one of done.reverse()) takeBack(one, client, records);
    throw error;
  }
}

/** A file of a plan that was carried out, with everything that is needed to take it back. */
interface DoneFile {
  readonly file: PlannedFile;
  /** The record before. */
  readonly record: SetUpRecord | null;
  /** The folders that did not exist before. */
  readonly folders: readonly string[];
}

/** Puts the text, the folders and the record of a file back. */
function takeBack({ file, record, folders }: DoneFile, client: string, records: SetUpRecords): void {
  const { path, before, after, target } = file;
  if (readTarget(path) !== before && readTarget(path) === after) {
    if (before === null) rmSync(path);
    else {
      makeFolder(dirname(path));
      writeFileAtomic(path, before);
    }
  }
  if (before === null) removeEmpty(folders);
  if (record) records.write(record);
  else records.remove(recordOwner(target, client), path);
}

/** A file that is only checked for old entries, and has none, need not be valid. */
function holdsNothing(target: SetUpTarget, text: string | null): boolean {
  return isTargetGone(target) && !(text ?? '').includes('loadout');
}

/** Null stands for a file that does not exist. */
function actionOf({ before, after }: TargetPlan): PlannedFile['action'] {
  if (before === after) return 'keep';
  if (before === null) return 'create';
  return after === null ? 'delete' : 'change';
}

/** Larger than any settings file, smaller than what could hurt. */
const MAX_BYTES = 20_000_000;

/** The text of a client's file; null when there is none. */
function readTarget(path: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      readRegularFile(path, MAX_BYTES),
    );
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (error instanceof LoadoutError) throw error;
    const why = error instanceof TypeError ? 'it is not UTF-8' : code;
    throw new LoadoutError('unreadable', `cannot read ${path}: ${why}`, { subject: path, cause: error });
  }
}

/**
 * The file that a path leads to. A user's settings may be a link into a folder of their own; a repository's may not
 * lead out of it, because a link would let the repository choose the file that is written.
 */
function resolveTarget(path: string, base: string, scope: Scope): string {
  const folder = nearestFolder(dirname(path));
  const real = existsSync(path)
    ? realpathSync(path)
    : join(realpathSync(folder), path.slice(folder.length + 1));
  if (scope === 'user' || isInsideRoot(withSlashes(realpathSync(base)), withSlashes(real))) return real;
  throw new LoadoutError('path-outside-root', `${path} leads out of the repository through a link`, {
    subject: path,
    hint: 'remove the link, or use --scope user',
  });
}

/** The innermost folder of a path that exists. */
function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path));
}

/** Shared by all files of a plan when they are written. */
interface ApplyOptions {
  readonly client: string;
  readonly records: SetUpRecords;
  readonly leaving: readonly string[];
  readonly where: { readonly base: string; readonly scope: Scope };
}

/** The name in the record. An entry that several clients read has one record for all of them. */
function recordOwner(target: SetUpTarget, client: string): string {
  return target.kind === 'json' && target.isShared ? 'shared' : client;
}

/** The other clients that use the entry. */
function otherOwners(target: SetUpTarget, record: SetUpRecord | null, client: string): readonly string[] {
  if (recordOwner(target, client) === client) return [];
  return (record?.owners ?? []).filter((one) => one !== client);
}

/** Writes or removes one file, and records how to undo it. */
function applyPlan(
  plan: TargetPlan,
  path: string,
  { client, records, leaving, where }: ApplyOptions,
  remove: boolean,
): void {
  const { before, after, insertions, target } = plan;
  const owner = recordOwner(target, client);
  const record = records.read(owner, path);
  const others = otherOwners(target, record, client).filter((one) => !remove || !leaving.includes(one));
  const isShared = owner !== client;
  if (before === after) {
    if (remove && others.length === 0) records.remove(owner, path);
    // Without a record the entry existed before and must stay.
    else if (isShared && record) records.write({ ...record, owners: remove ? others : [...others, client] });
    return;
  }
  // The user has confirmed the changes to this text and no other.
  if (readTarget(path) !== before)
    throw new LoadoutError('changed-meanwhile', `${path} was changed by another program in the meantime`, {
      subject: path,
      hint: 'run the command again',
    });
  if (remove) {
    if (after === null) removeFile(path, record?.folders ?? []);
    else writeFileAtomic(path, after);
    records.remove(owner, path);
    return;
  }
  const folders = record?.folders.length ? record.folders : missingFolders(dirname(path));
  makeFolder(dirname(path));
  // Write the record before the file: after a crash everything can still be undone.
  records.write({
    path,
    client: owner,
    ...(isShared ? { owners: [...others, client] } : {}),
    isNew: record?.isNew ?? before === null,
    insertions,
    hash: target.kind === 'file' ? hashOf(after!) : '',
    folders,
    ...where,
  });
  writeFileAtomic(path, after!);
}

/** The folders that have to be created for a path, the outermost first. */
function missingFolders(path: string): readonly string[] {
  return existsSync(path) || basename(path) === '' ? [] : [...missingFolders(dirname(path)), path];
}

/** Removes a file, and the folders that were created for it if they are empty now. */
function removeFile(path: string, folders: readonly string[]): void {
  rmSync(path);
  removeEmpty(folders);
}

/** Removes folders, the innermost first, until one is not empty. */
function removeEmpty(folders: readonly string[]): void {
  for (const folder of [...folders].reverse()) {
    try {
      rmdirSync(folder);
    } catch {
      // The folder holds other files.
      return;
    }
  }
}

/** The way to start Loadout from a client. */
export interface FoundCommand {
  readonly launch: LaunchCommand;
  /** Works on other machines too. */
  readonly isPortable: boolean;
}

/** The command by which clients start Loadout: its name if that is on the PATH, otherwise its path. */
export function findLaunchCommand(env: Environment, repository: string): FoundCommand {
  if (findProgram('loadout', env, repository))
    return { launch: { program: 'loadout', args: [] }, isPortable: true };
  return { launch: { program: process.execPath, args: [ownScript()] }, isPortable: false };
}

/** `bin/loadout.js`, from the bundle or from the sources. */
function ownScript(): string {
  const places = ['../bin/loadout.js', '../../../bin/loadout.js'];
  const paths = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return paths.find((path) => existsSync(path)) ?? process.argv[1] ?? 'loadout';
}
