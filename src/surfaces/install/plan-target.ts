import type { JsonEntry, SetUpTarget } from '../../agents/index.ts';
import { entryState, type Insertion, insertEntry, readJson, removeEntry } from './edit-json.ts';
import { findTomlBlock, hasTomlTable, insertTomlBlock, tomlBlock } from './edit-toml.ts';
import { hashOf, type SetUpRecord } from './set-up-record.ts';

/** The planned change of one file. */
export interface TargetPlan {
  readonly target: SetUpTarget;
  /** Null when there is no file. */
  readonly before: string | null;
  readonly after: string | null;
  readonly insertions: readonly Insertion[];
  /** Entries that stay as they are, and why. */
  readonly notes: readonly string[];
}

type Current = { readonly text: string | null; readonly record: SetUpRecord | null; readonly shown: string };

function unchanged(target: SetUpTarget, before: string | null, notes: readonly string[] = []): TargetPlan {
  return { target, before, after: before, insertions: [], notes };
}

/** Plans to add our entries, in place of those of an earlier version. */
export function planWriting(target: SetUpTarget, current: Current): TargetPlan {
  if (target.kind === 'file') return planOwnFile(target, current);
  const text = current.text ?? '';
  const { shown } = current;
  if (isComplete(target, text, shown)) return unchanged(target, current.text);
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
    if (hasTomlTable(base, target)) notes.push(`[${target.table}] is there already and stays as it is`);
    else insert(insertTomlBlock(base, shown, target));
  } else {
    for (const entry of target.entries.filter(({ isGone }) => !isGone)) {
      const state = entryState(after, shown, entry);
      if (state === 'absent') for (const piece of insertEntry(after, shown, entry)) insert(piece);
      else if (state === 'other') notes.push(`${entry.path.join('.')} is there already and stays as it is`);
    }
  }
  return after === text
    ? unchanged(target, current.text, notes)
    : { target, before: current.text, after, insertions, notes };
}

function isComplete(target: Exclude<SetUpTarget, { kind: 'file' }>, text: string, shown: string): boolean {
  if (target.kind === 'json')
    return target.entries.every(
      (entry) => entryState(text, shown, entry) === (entry.isGone ? 'absent' : 'same'),
    );
  const block = findTomlBlock(text, target);
  return block !== null && text.slice(block.start, block.end).replaceAll('\r\n', '\n') === tomlBlock(target);
}

function planOwnFile(target: SetUpTarget & { kind: 'file' }, { text, record }: Current): TargetPlan {
  if (text === target.text) return unchanged(target, text);
  if (text !== null && hashOf(text) !== record?.hash)
    return unchanged(target, text, ['there is another file in its place, and it stays as it is']);
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
    return unchanged(target, text, isForeign ? [] : ['it was changed since and stays: remove it yourself']);
  }
  // Without a record the entry may belong to another client.
  if (target.kind === 'json' && target.isShared && record === null) return unchanged(target, text);
  const after = withoutOurs(target, text, record, shown);
  const isLeftOver = (record?.isNew ?? false) && isEmpty(target, after, shown);
  return { target, before: text, after: isLeftOver ? null : after, insertions: [], notes: [] };
}

function isEmpty(target: SetUpTarget, text: string, shown: string): boolean {
  if (text.trim() === '') return true;
  if (target.kind !== 'json') return false;
  const value = readJson(text, shown);
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
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
    const isOurs = state === 'same' || (state === 'other' && (record !== null || entry.kind === 'element'));
    return isOurs ? removeEntry(rest, shown, entry) : rest;
  }, text);
}

/** Removes hooks of Loadout that another set-up wrote: another version, or one for other tools. */
function withoutEarlier(target: Exclude<SetUpTarget, { kind: 'file' }>, text: string, shown: string): string {
  if (target.kind === 'toml') return text;
  return target.entries.reduce((rest, entry) => {
    const state = entryState(rest, shown, entry);
    const isEarlier = entry.kind === 'element' && (entry.isGone ? state !== 'absent' : state === 'other');
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

function onlyPlace(text: string, piece: string): number | null {
  const at = text.indexOf(piece);
  return at === -1 || text.indexOf(piece, at + 1) !== -1 ? null : at;
}
