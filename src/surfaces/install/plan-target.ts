/**
 * Plans the change of one file of a client: a file of our own, entries in a JSON file, or a marked block in a
 * TOML file. It also keeps the records by which exactly these changes can be undone.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse, type TomlTable } from 'smol-toml';
import type { JsonEntry, Scope, SetUpTarget } from '../../agents/index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { parseJson } from '../../model/read-json.ts';
import { writeFileAtomic } from '../../platform/fs/atomic-file.ts';
import { makeFolder } from '../../platform/fs/make-folder.ts';
import { readRegularFile } from '../../platform/fs/read-file.ts';
import { entryState, type Insertion, insertEntry, readJson, removeEntry } from './edit-json.ts';

/** The planned change of one file. */
export interface TargetPlan {
  /** The wanted content of the file, from the row of the client. */
  readonly target: SetUpTarget;
  /** Null when there is no file. */
  readonly before: string | null;
  /** Null when the file is to be deleted. */
  readonly after: string | null;
  /** The pieces that were added, for the record. */
  readonly insertions: readonly Insertion[];
  /** Entries that stay as they are, and why. */
  readonly notes: readonly string[];
}

/** The file as it is now, and its record. `shown` is its path for messages. */
type Current = {
  readonly text: string | null;
  readonly record: SetUpRecord | null;
  readonly shown: string;
  /** No client is left that could share an entry. */
  readonly isLast?: boolean;
};

/** A plan that leaves the file as it is. */
function unchanged(target: SetUpTarget, before: string | null, notes: readonly string[] = []): TargetPlan {
  return { target, before, after: before, insertions: [], notes };
}

/** Plans to add our entries, in place of those of an earlier version. */
export function planWriting(target: SetUpTarget, current: Current): TargetPlan {
  if (target.kind === 'file') return planOwnFile(target, current);
  const text = current.text ?? '';
  const { shown } = current;
  if (isComplete(target, text, shown)) return unchanged(target, current.text);
  // Remove the entries of an earlier version, then add those of this one.
  const base = current.record
    ? withoutOurs(target, text, current.record, shown)
    : withoutEarlier(target, text, shown);
  const insertions: Insertion[] = [];
  const notes: string[] = [];
  let after = base;
  const insert = ({ at, text: piece }: Insertion) => {
    const inserted = { at, text: base.includes('\r\n') ? piece.replaceAll('\n', '\r\n') : piece };
    insertions.push(inserted);
    after = after.slice(0, at) + inserted.text + after.slice(at);
  };
  if (target.kind === 'toml') {
    if (hasTomlTable(base, target)) notes.push(`[${target.table}] already exists and stays as it is`);
    else insert(insertTomlBlock(base, shown, target));
  } else {
    for (const entry of target.entries.filter(({ isGone }) => !isGone)) {
      const state = entryState(after, shown, entry);
      if (state === 'absent') for (const piece of insertEntry(after, shown, entry)) insert(piece);
      else if (state === 'other') notes.push(`${entry.path.join('.')} already exists and stays as it is`);
    }
  }
  return after === text
    ? unchanged(target, current.text, notes)
    : { target, before: current.text, after, insertions, notes };
}

/** Whether the file has everything, so that a second `init` changes nothing. */
function isComplete(target: Exclude<SetUpTarget, { kind: 'file' }>, text: string, shown: string): boolean {
  if (target.kind === 'json')
    return target.entries.every(
      (entry) => entryState(text, shown, entry) === (entry.isGone ? 'absent' : 'same'),
    );
  const block = findTomlBlock(text, target);
  return block !== null && text.slice(block.start, block.end).replaceAll('\r\n', '\n') === tomlBlock(target);
}

/** A file that belongs to Loadout as a whole. A file of the user in its place is never replaced. */
function planOwnFile(target: SetUpTarget & { kind: 'file' }, { text, record }: Current): TargetPlan {
  if (text === target.text) return unchanged(target, text);
  if (text !== null && hashOf(text) !== record?.hash)
    return unchanged(target, text, ['another file is in its place and stays as it is']);
  return { target, before: text, after: target.text, insertions: [], notes: [] };
}

/** Plans to remove our entries and nothing else. */
export function planRemoval(target: SetUpTarget, current: Current): TargetPlan {
  const { text, record, shown } = current;
  if (text === null) return unchanged(target, null);
  if (target.kind === 'file') {
    if (text === target.text || hashOf(text) === record?.hash)
      return { target, before: text, after: null, insertions: [], notes: [] };
    const isForeign = record === null;
    return unchanged(target, text, isForeign ? [] : ['it was edited and stays: remove it yourself']);
  }
  // Without a record the entry may belong to another client.
  if (target.kind === 'json' && target.isShared && record === null && !current.isLast)
    return unchanged(target, text);
  const after = withoutOurs(target, text, record, shown);
  const isLeftOver = (record?.isNew ?? false) && isEmpty(target, after, shown);
  return { target, before: text, after: isLeftOver ? null : after, insertions: [], notes: [] };
}

/** Whether nothing but white space, an empty object or keys of the client itself is left. */
function isEmpty(target: SetUpTarget, text: string, shown: string): boolean {
  if (text.trim() === '') return true;
  if (target.kind !== 'json') return false;
  const value = readJson(text, shown);
  const { clientKeys = [] } = target;
  return (
    typeof value === 'object' && value !== null && Object.keys(value).every((key) => clientKeys.includes(key))
  );
}

/** Removes exactly the inserted text, or, if it was edited since, the entries with the same meaning. */
function withoutOurs(
  target: Exclude<SetUpTarget, { kind: 'file' }>,
  text: string,
  record: SetUpRecord | null,
  shown: string,
): string {
  const exact = record && takeOut(text, record.insertions);
  if (target.kind === 'toml') {
    if (exact !== null && findTomlBlock(exact, target) === null) return exact;
    const block = findTomlBlock(text, target);
    return block ? text.slice(0, block.start) + text.slice(block.end) : text;
  }
  if (exact !== null && isWithout(target.entries, exact, shown)) return exact;
  return target.entries.reduce((rest, entry) => {
    const state = entryState(rest, shown, entry);
    const isOurs =
      state === 'same' ||
      (state === 'other' && (record !== null || entry.kind === 'element' || entry.request !== undefined));
    return isOurs ? removeEntry(rest, shown, entry) : rest;
  }, text);
}

/** Removes hooks of Loadout that another set-up wrote: another version, or one for other tools. */
function withoutEarlier(target: Exclude<SetUpTarget, { kind: 'file' }>, text: string, shown: string): string {
  if (target.kind === 'toml') return text;
  return target.entries.reduce((rest, entry) => {
    const state = entryState(rest, shown, entry);
    // An entry on request that is still in the list and has another value is one of an earlier version.
    const isOwn = entry.kind === 'element' || entry.request !== undefined;
    const isEarlier = isOwn && (entry.isGone ? state !== 'absent' : state === 'other');
    return isEarlier ? removeEntry(rest, shown, entry) : rest;
  }, text);
}

/** Whether none of the entries is wanted any more. */
export function isTargetGone(target: SetUpTarget): boolean {
  return target.kind === 'json' && target.entries.every(({ isGone }) => isGone === true);
}

/** False for a text that cannot be parsed: removing our text must not break the file. */
function isWithout(entries: readonly JsonEntry[], text: string, shown: string): boolean {
  try {
    return entries.every((entry) => entryState(text, shown, entry) !== 'same');
  } catch {
    return false;
  }
}

/**
 * Removes inserted pieces, the last one first; null when one is missing, or found more than once, so that it is unclear
 * which one is meant.
 */
function takeOut(text: string, inserted: readonly Insertion[]): string | null {
  let current = text;
  for (const { at, text: piece } of [...inserted].reverse()) {
    const found = current.startsWith(piece, at) ? at : onlyPlace(current, piece);
    if (found === null) return null;
    current = current.slice(0, found) + current.slice(found + piece.length);
  }
  return current;
}

/** The only place of a piece in a text; null when there are none or several. */
function onlyPlace(text: string, piece: string): number | null {
  const at = text.indexOf(piece);
  return at === -1 || text.indexOf(piece, at + 1) !== -1 ? null : at;
}

/** A table that `loadout init` adds to a client's TOML file. */
type TomlTarget = SetUpTarget & { kind: 'toml' };

/** Appends the table of a target to a text, between two lines that mark it. */
function insertTomlBlock(text: string, name: string, target: TomlTarget): Insertion {
  const gap = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  const insertion = { at: text.length, text: gap + tomlBlock(target) };
  // The file alone can be read and the file with the block cannot: its parent is an inline table or another value.
  if (parseToml(text) !== null && parseToml(text + insertion.text) === null) {
    const [parent = ''] = target.table.split('.');
    const message = `${name}: ${parent} is given as one value, and a table cannot be added to it`;
    const hint = `write it as [${parent}.NAME] tables first; nothing was written`;
    throw new LoadoutError('unexpected-settings', message, { subject: name, hint });
  }
  return insertion;
}

/** Whether a text has the table of a target already. A file with mistakes is searched for its name. */
function hasTomlTable(text: string, { table }: TomlTarget): boolean {
  const root = parseToml(text);
  if (root === null) return text.includes(table);
  let value: unknown = root;
  for (const key of table.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as TomlTable)[key];
  }
  return true;
}

/** The marked block of a target in a text, its line end included; null when there is none. */
function findTomlBlock(
  text: string,
  target: TomlTarget,
): { readonly start: number; readonly end: number } | null {
  const start = text.indexOf(blockStart(target));
  const close = start === -1 ? -1 : text.indexOf(BLOCK_END, start);
  if (close === -1) return null;
  const end = close + BLOCK_END.length;
  return { start, end: text.startsWith('\r\n', end) ? end + 2 : text.startsWith('\n', end) ? end + 1 : end };
}

/** The table between the two marks, as it is written. */
function tomlBlock(target: TomlTarget): string {
  return [blockStart(target), `[${target.table}]`, ...target.lines, BLOCK_END, ''].join('\n');
}

/** The first line of the block tells a reader of the file how to remove it. */
const blockStart = ({ owner }: TomlTarget): string =>
  `# >>> loadout: "loadout init ${owner} --remove" takes this block out`;
const BLOCK_END = '# <<< loadout';

/** Null for a file with mistakes: its client will tell the user, and `init` must not depend on it. */
function parseToml(text: string): TomlTable | null {
  try {
    return parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    return null;
  }
}

/** Records the text that was inserted into one file, so that exactly this text can be removed again. */
export interface SetUpRecord {
  /** The real path of the file, links followed. */
  readonly path: string;
  /** The client, or `shared` for an entry that several clients read. */
  readonly client: string;
  /** The file did not exist before. */
  readonly isNew: boolean;
  readonly insertions: readonly Insertion[];
  /** The hash of a file that Loadout wrote as a whole; empty for other files. */
  readonly hash: string;
  /** Folders that were created for it, the outermost first. */
  readonly folders: readonly string[];
  /** The repository, or the home directory of the user: where the set-up was made. */
  readonly base?: string;
  readonly scope?: Scope;
  /** The clients that were set up, for an entry that several of them read. */
  readonly owners?: readonly string[];
}

/** The stored records of all clients. */
export interface SetUpRecords {
  /** Null when nothing was recorded, or when the record cannot be read. */
  read(client: string, path: string): SetUpRecord | null;
  write(record: SetUpRecord): void;
  /** It is no error if there is no record. */
  remove(client: string, path: string): void;
  /** Every record that can be read, in the order of their names. */
  list(): readonly SetUpRecord[];
}

/** The hash of a text, for records. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The name of a record in its folder. */
export const recordName = ({ client, path }: Pick<SetUpRecord, 'client' | 'path'>): string =>
  `${client}-${hashOf(path).slice(0, 24)}.json`;

/** A record holds the inserted text, which can be as large as a settings file. */
const MAX_RECORD_BYTES = 20_000_000;

/** Records in the user's configuration directory, one file each. */
export function openSetUpRecords(configDirectory: string): SetUpRecords {
  const folder = join(configDirectory, 'init');
  const fileOf = (client: string, path: string) => join(folder, recordName({ client, path }));
  const readRecord = (file: string): SetUpRecord | null => {
    try {
      const record = parseJson(readRegularFile(file, MAX_RECORD_BYTES).toString(), file) as SetUpRecord;
      const isWhole = Array.isArray(record.insertions) && Array.isArray(record.folders);
      return isWhole && file === fileOf(record.client, record.path) ? record : null;
    } catch {
      return null;
    }
  };
  return {
    read(client, path) {
      const record = readRecord(fileOf(client, path));
      return record?.path === path ? record : null;
    },
    list() {
      const names = existsSync(folder) ? readdirSync(folder).sort() : [];
      return names.flatMap((name) => readRecord(join(folder, name)) ?? []);
    },
    write(record) {
      makeFolder(folder);
      writeFileAtomic(fileOf(record.client, record.path), `${JSON.stringify(record, null, 2)}\n`);
    },
    remove: (client, path) => rmSync(fileOf(client, path), { force: true }),
  };
}
