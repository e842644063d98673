import type { JsonEntry, SetUpTarget } from '../../agents/agent-client.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { entryState, type Insertion, insertEntry, removeEntry } from './edit-json.ts';
import { outlineJson } from './json-outline.ts';
import { hashOf, type SetUpRecord } from './set-up-record.ts';

/** What is to become of one file. */
export interface TargetPlan {
  readonly target: SetUpTarget;
  /** Null when there is no file. */
  readonly before: string | null;
  readonly after: string | null;
  readonly insertions: readonly Insertion[];
  /** What was left as it is, and why. */
  readonly notes: readonly string[];
}

type Current = { readonly text: string | null; readonly record: SetUpRecord | null; readonly shown: string };

function unchanged(target: SetUpTarget, before: string | null, notes: readonly string[] = []): TargetPlan {
  return { target, before, after: before, insertions: [], notes };
}

/** Writes what is ours into the text, in place of what an earlier version wrote. */
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
    if (hasTomlTable(base, target.table)) notes.push(`[${target.table}] is there already and stays as it is`);
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
  const wanted = insertTomlBlock('', shown, target).text;
  return block !== null && text.slice(block.start, block.end).replaceAll('\r\n', '\n') === wanted;
}

function planOwnFile(target: SetUpTarget & { kind: 'file' }, { text, record }: Current): TargetPlan {
  if (text === target.text) return unchanged(target, text);
  if (text !== null && hashOf(text) !== record?.hash)
    return unchanged(target, text, ['there is another file in its place, and it stays as it is']);
  return { target, before: text, after: target.text, insertions: [], notes: [] };
}

/** Takes out what is ours and nothing else. */
export function planRemoval(target: SetUpTarget, current: Current): TargetPlan {
  const { text, record, shown } = current;
  if (text === null) return unchanged(target, null);
  if (target.kind === 'file') {
    if (text === target.text || hashOf(text) === record?.hash)
      return { target, before: text, after: null, insertions: [], notes: [] };
    const isForeign = record === null;
    return unchanged(target, text, isForeign ? [] : ['it was changed since and stays: remove it yourself']);
  }
  // another client's, as far as anybody knows
  if (target.kind === 'json' && target.isShared && record === null) return unchanged(target, text);
  const after = withoutOurs(target, text, record, shown);
  const isLeftOver = (record?.isNew ?? false) && isEmpty(target, after, shown);
  return { target, before: text, after: isLeftOver ? null : after, insertions: [], notes: [] };
}

function isEmpty(target: SetUpTarget, text: string, shown: string): boolean {
  if (text.trim() === '') return true;
  return target.kind === 'json' && outlineJson(text, shown)?.members.length === 0;
}

/** The very text that was put in, or, when somebody has changed it, whatever means the same. */
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

/** Without hooks of ours that somebody else's set-up wrote, another version's or for other tools. */
function withoutEarlier(target: Exclude<SetUpTarget, { kind: 'file' }>, text: string, shown: string): string {
  if (target.kind === 'toml') return text;
  return target.entries.reduce((rest, entry) => {
    const state = entryState(rest, shown, entry);
    const isEarlier = entry.kind === 'element' && (entry.isGone ? state !== 'absent' : state === 'other');
    return isEarlier ? removeEntry(rest, shown, entry) : rest;
  }, text);
}

/** Nothing of ours is wanted in it. */
export function isTargetGone(target: SetUpTarget): boolean {
  return target.kind === 'json' && target.entries.every(({ isGone }) => isGone === true);
}

/** A text that cannot be read any more was not ours to leave like that. */
function isWithout(entries: readonly JsonEntry[], text: string, shown: string): boolean {
  try {
    return entries.every((entry) => entryState(text, shown, entry) !== 'same');
  } catch {
    return false;
  }
}

/**
 * Takes pieces out that were put in, the last one first; null when one is not there as it was, or not only once, so
 * that nobody can tell which one is meant.
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

type TomlTarget = SetUpTarget & { kind: 'toml' };

const blockStart = ({ owner }: TomlTarget): string =>
  `# >>> loadout: "loadout init ${owner} --remove" takes this block out`;
const BLOCK_END = '# <<< loadout';

/** A table at the end of a TOML file, between two lines that mark it as ours. */
function tomlBlock(target: TomlTarget): string {
  return [blockStart(target), `[${target.table}]`, ...target.lines, BLOCK_END, ''].join('\n');
}

/** Where our block stands, its line end included. */
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

/** Whether the file has the table already, as a table of its own or inside another. */
function hasTomlTable(text: string, table: string): boolean {
  const [parent = '', child = ''] = table.split('.');
  const header = new RegExp(`^\\s*\\[\\s*${parent}\\s*\\.\\s*["']?${child}["']?\\s*[.\\]]`, 'm');
  const dotted = new RegExp(`^\\s*${parent}\\s*\\.\\s*["']?${child}["']?\\s*[.=]`, 'm');
  return header.test(text) || dotted.test(text);
}

function insertTomlBlock(text: string, name: string, target: TomlTarget): Insertion {
  const [parent = ''] = target.table.split('.');
  if (new RegExp(`^\\s*${parent}\\s*=`, 'm').test(text)) {
    const message = `${name}: ${parent} is given as one value, and a table cannot be added to it`;
    const hint = `write it as [${parent}.NAME] tables first; nothing was written`;
    throw new LoadoutError('unexpected-settings', message, { subject: name, hint });
  }
  const gap = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return { at: text.length, text: gap + tomlBlock(target) };
}
