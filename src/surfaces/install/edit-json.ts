/**
 * Adds entries to the JSON files of clients and removes them again. Text is inserted and cut in place, so that
 * comments, order and formatting of the user stay as they are.
 */

import { isDeepStrictEqual } from 'node:util';
import {
  createScanner,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import type { JsonEntry } from '../../agents/index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';

/** Whether a file has an entry: not at all, exactly, or with another value. */
export type EntryState = 'absent' | 'same' | 'other';

/** A piece of text that was put into a text. */
export interface Insertion {
  /** Offset in the text before this piece was inserted. */
  readonly at: number;
  readonly text: string;
}

/** Finds out whether a text has an entry already. */
export function entryState(text: string, name: string, entry: JsonEntry): EntryState {
  return findEntry(text, name, entry)?.state ?? 'absent';
}

/** The value at the place of a member; undefined when it is absent. */
export function entryValue(text: string, name: string, entry: JsonEntry): unknown {
  const found = findEntry(text, name, entry);
  return found?.member ? plainValue(valueIn(found.member)) : undefined;
}

/**
 * Adds an entry by inserting text and changing none: order, comments and formatting of the rest stay. The pieces are in
 * the order in which they must be inserted. `jsonc-parser` has an editor too, but it puts a new member between the
 * last one and the comment after it.
 */
export function insertEntry(text: string, name: string, entry: JsonEntry): readonly Insertion[] {
  const root = parseJson(text, name);
  const unit = indentUnit(text);
  if (root === null) {
    const whole = `${JSON.stringify(nest(entry.path, entry), null, unit)}\n`;
    return [{ at: text.length, text: text === '' || text.endsWith('\n') ? whole : `\n${whole}` }];
  }
  // Go down the path as far as it exists, and put the rest of it in as one value.
  let node = expectKind(root, 'object', name, []);
  const folders = entry.kind === 'member' ? entry.path.slice(0, -1) : entry.path;
  let depth = 0;
  for (; depth < folders.length; depth++) {
    const next = memberOf(node, folders[depth]!);
    if (!next) break;
    node = valueIn(next);
  }
  const rest = entry.path.slice(depth);
  const isElement = node.type === 'array';
  const value = isElement ? entry.value : nest(rest.slice(1), entry);
  return addMember(text, node, isElement ? null : rest[0]!, value, unit);
}

/** Removes an entry and the comma it needed. Containers that become empty are removed as well. */
export function removeEntry(text: string, name: string, entry: JsonEntry): string {
  const found = findEntry(text, name, entry);
  if (!found?.member) return text;
  const shorter = cutMember(text, found.container, found.member);
  return dropEmpty(shorter, name, entry.kind === 'element' ? entry.path : entry.path.slice(0, -1));
}

/** The value of a JSON text with comments, trailing commas or a byte order mark; undefined when it has none. */
export function readJson(text: string, name: string): unknown {
  const root = parseJson(text, name);
  return root === null ? undefined : plainValue(root);
}

/** An entry, or the place where it would be. */
interface FoundEntry {
  readonly state: EntryState;
  /** The object or list that holds the entry. */
  readonly container: Node;
  /** The property or element; null when it is absent. */
  readonly member: Node | null;
}

/** Null when the path to the entry does not exist. Throws when a part of the path has another type. */
function findEntry(text: string, name: string, { path, value, kind, isOurs }: JsonEntry): FoundEntry | null {
  const root = parseJson(text, name);
  if (root === null) return null;
  let container = expectKind(root, 'object', name, []);
  const folders = kind === 'member' ? path.slice(0, -1) : path;
  for (const [level, key] of folders.entries()) {
    const next = memberOf(container, key);
    if (!next) return null;
    const isList = kind === 'element' && level === folders.length - 1;
    container = expectKind(valueIn(next), isList ? 'array' : 'object', name, folders.slice(0, level + 1));
  }
  const isSame = (one: Node) => isDeepStrictEqual(plainValue(valueIn(one)), value);
  if (kind === 'member') {
    const member = memberOf(container, path.at(-1)!) ?? null;
    return { state: !member ? 'absent' : isSame(member) ? 'same' : 'other', container, member };
  }
  const members = membersOf(container);
  // An exact match counts first; otherwise an element that an earlier version wrote.
  const same = members.find(isSame);
  const member = same ?? members.find((one) => isOurs?.(plainValue(one))) ?? null;
  return { state: same ? 'same' : member ? 'other' : 'absent', container, member };
}

/** Messages by the names of `printParseErrorCode`. */
const ERRORS: Readonly<Record<string, string>> = {
  InvalidNumberFormat: 'this number is not valid',
  PropertyNameExpected: 'a name in quotes is expected here',
  ValueExpected: 'a value is expected here',
  ColonExpected: '":" is expected here',
  CommaExpected: '"," is expected here',
  CloseBraceExpected: '"," or "}" is expected here',
  CloseBracketExpected: '"," or "]" is expected here',
  EndOfFileExpected: 'nothing may follow the value',
  UnexpectedEndOfComment: 'this comment has no end',
  UnexpectedEndOfString: 'this text has no end',
};

/** Reads JSON with the comments and trailing commas that many clients allow; null for a text without a value. */
function parseJson(text: string, name: string): Node | null {
  const errors: ParseError[] = [];
  // a space in place of the byte order mark keeps every offset
  const plain = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text;
  let root: Node | undefined;
  try {
    root = parseTree(plain, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch (error) {
    if (error instanceof RangeError) throw badFile(name, 1, 'the values have too many levels');
    throw error;
  }
  const [first] = errors;
  if (!first) return root ?? null;
  const line = text.slice(0, first.offset).split('\n').length;
  throw badFile(name, line, ERRORS[printParseErrorCode(first.error)] ?? 'this is not valid JSON');
}

/** An error with the line of the mistake. Nothing has been written at this point. */
function badFile(name: string, line: number, message: string): LoadoutError {
  return new LoadoutError('bad-settings-file', `${name}:${line}: ${message}`, {
    subject: name,
    hint: 'correct the file first; nothing was written',
  });
}

/** The user's file may hold something else at this place; then it must not be touched. */
function expectKind(node: Node, kind: 'object' | 'array', name: string, path: readonly string[]): Node {
  if (node.type === kind) return node;
  const where = path.length > 0 ? path.join('.') : 'the file';
  const message = `${name}: ${where} is not ${kind === 'array' ? 'a list' : 'an object'}`;
  const hint = 'correct the file first; nothing was written';
  throw new LoadoutError('unexpected-settings', message, { subject: name, hint });
}

/** Properties of an object or elements of a list. */
const membersOf = ({ children }: Node): readonly Node[] => children ?? [];
/** The offset after a node. */
const endOf = ({ offset, length }: Node): number => offset + length;

/** The objects of `getNodeValue` have no prototype, so they equal no other object. */
const plainValue = (node: Node): unknown => structuredClone(getNodeValue(node));

/** The value of a member of an object; an element of a list is its own value. */
const valueIn = (member: Node): Node => (member.type === 'property' ? member.children![1]! : member);

/** Of several members with one name, the last one counts. */
function memberOf(node: Node, key: string): Node | undefined {
  return membersOf(node).findLast(({ children }) => children?.[0]?.value === key);
}

/** The offset of the comma after a member; null without one. */
function commaBehind(text: string, member: Node): number | null {
  const scanner = createScanner(text, true);
  scanner.setPosition(endOf(member));
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === ',' ? at : null;
}

/** The value for the end of a path, inside the objects that the path names. */
function nest(path: readonly string[], { kind, value }: JsonEntry): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return kind === 'element' ? [value] : value;
  return { [key]: nest(rest, { kind, value, path: rest }) };
}

/** Inserts a property, or an element when `key` is null, after the last one. */
function addMember(
  text: string,
  node: Node,
  key: string | null,
  value: unknown,
  unit: string,
): readonly Insertion[] {
  const members = membersOf(node);
  const [sibling] = members;
  const last = members.at(-1);
  const trailingComma = last ? commaBehind(text, last) : null;
  const insertAt = !last ? node.offset + 1 : trailingComma === null ? endOf(last) : trailingComma + 1;
  // The new member looks like its siblings: indented as they are, or on their line.
  const outer = indentAt(text, node.offset);
  const isInline = sibling !== undefined && !text.slice(node.offset, sibling.offset).includes('\n');
  const indent = sibling === undefined || isInline ? outer + unit : indentAt(text, sibling.offset);
  const body = JSON.stringify(value, null, unit).replaceAll('\n', `\n${indent}`);
  const member = `${key === null ? '' : `${JSON.stringify(key)}: `}${body}`;
  // A comment after the last member is about that member, so the new one is added after the comment.
  COMMENT.lastIndex = insertAt;
  const comment = COMMENT.exec(text)?.[0] ?? '';
  const at = insertAt + comment.length;
  const lead = isInline && !comment.includes('//') ? ' ' : `\n${indent}`;
  const isTight = sibling === undefined && !text.slice(at, endOf(node)).includes('\n');
  const piece = `${lead}${member}${isTight ? `\n${outer}` : ''}`;
  const comma = sibling === undefined || trailingComma !== null ? '' : ',';
  if (comment === '' || comma === '') return [{ at, text: comma + piece }];
  return [
    { at, text: piece },
    { at: insertAt, text: comma },
  ];
}

/** On the same line. */
const COMMENT = /[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)/y;

/** The white space at the beginning of the line that holds an offset. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))![0];
}

/** The indentation that the file uses for one level. */
function indentUnit(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}

/** Removes the containers of a path that are empty, from the inside out. */
function dropEmpty(text: string, name: string, path: readonly string[]): string {
  if (path.length === 0) return text;
  let container = parseJson(text, name)!;
  for (const [level, key] of path.entries()) {
    const member = memberOf(container, key);
    if (!member) return text;
    const node = valueIn(member);
    if (level === path.length - 1 && membersOf(node).length === 0)
      return dropEmpty(cutMember(text, container, member), name, path.slice(0, -1));
    container = node;
  }
  return text;
}

/** Cuts a member, the comma that it needed, and the white space in front of it. Comments stay. */
function cutMember(text: string, container: Node, member: Node): string {
  const members = membersOf(container);
  const before = members[members.indexOf(member) - 1];
  const comma = commaBehind(text, member);
  const from = text.slice(0, member.offset).trimEnd().length;
  const to = comma === null ? endOf(member) : comma + 1;
  // Without a comma after it, it was the last one, and the comma before it is removed.
  const lone = comma === null && before ? commaBehind(text, before) : null;
  const head = lone === null ? text.slice(0, from) : text.slice(0, lone) + text.slice(lone + 1, from);
  const rest = text.slice(to);
  const isEmpty = members.length === 1 && text.slice(container.offset + 1, from).trim() === '';
  if (isEmpty && text.slice(to, endOf(container) - 1).trim() === '') return head + rest.trimStart();
  return head + rest;
}
