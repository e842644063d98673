import { isDeepStrictEqual } from 'node:util';
import type { JsonEntry } from '../../agents/agent-client.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { type JsonMember, type JsonNode, outlineJson } from './json-outline.ts';

export type EntryState = 'absent' | 'same' | 'other';

/** A piece of text that was put into a text. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

interface EntryPlace {
  readonly state: EntryState;
  readonly container: JsonNode;
  readonly member: JsonMember | null;
}

/** What a file says about an entry. */
export function entryState(text: string, name: string, entry: JsonEntry): EntryState {
  return findEntry(text, name, entry)?.state ?? 'absent';
}

function findEntry(text: string, name: string, { path, value, kind, isOurs }: JsonEntry): EntryPlace | null {
  const root = outlineJson(text, name);
  if (root === null) return null;
  let node = expectKind(root, 'object', name, []);
  const folders = kind === 'member' ? path.slice(0, -1) : path;
  for (const [level, key] of folders.entries()) {
    const next = memberOf(node, key);
    if (!next) return null;
    const isList = kind === 'element' && level === folders.length - 1;
    node = expectKind(next.node, isList ? 'array' : 'object', name, folders.slice(0, level + 1));
  }
  if (kind === 'member') {
    const member = memberOf(node, path.at(-1)!) ?? null;
    const state = !member ? 'absent' : isDeepStrictEqual(member.node.value, value) ? 'same' : 'other';
    return { state, container: node, member };
  }
  const same = node.members.find((one) => isDeepStrictEqual(one.node.value, value));
  const member = same ?? node.members.find((one) => isOurs?.(one.node.value)) ?? null;
  return { state: same ? 'same' : member ? 'other' : 'absent', container: node, member };
}

/** The last of several members with one name is the one that counts. */
function memberOf({ members }: JsonNode, key: string): JsonMember | undefined {
  return members.findLast((one) => one.key === key);
}

function expectKind(
  node: JsonNode,
  kind: 'object' | 'array',
  name: string,
  path: readonly string[],
): JsonNode {
  if (node.kind === kind) return node;
  const where = path.length > 0 ? path.join('.') : 'the file';
  throw new LoadoutError(
    'unexpected-settings',
    `${name}: ${where} is not ${kind === 'array' ? 'a list' : 'an object'}`,
    {
      subject: name,
      hint: 'correct the file first; nothing was written',
    },
  );
}

/**
 * Puts an entry in by adding text and changing none: order, comments and formatting of the rest stay. In the order in
 * which the pieces are to be put in.
 */
export function insertEntry(text: string, name: string, entry: JsonEntry): readonly Insertion[] {
  const root = outlineJson(text, name);
  const unit = indentUnit(text);
  if (root === null) {
    const whole = `${JSON.stringify(nest(entry.path, entry), null, unit)}\n`;
    return [{ at: text.length, text: text === '' || text.endsWith('\n') ? whole : `\n${whole}` }];
  }
  let node = expectKind(root, 'object', name, []);
  const folders = entry.kind === 'member' ? entry.path.slice(0, -1) : entry.path;
  let depth = 0;
  for (; depth < folders.length; depth++) {
    const next = memberOf(node, folders[depth]!);
    if (!next) break;
    node = next.node;
  }
  const rest = entry.path.slice(depth);
  const isElement = node.kind === 'array';
  const value = isElement ? entry.value : nest(rest.slice(1), entry);
  return addMember(text, node, isElement ? null : rest[0]!, value, unit);
}

/** What has to be put under a path whose first name is there already. */
function nest(path: readonly string[], { kind, value }: JsonEntry): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return kind === 'element' ? [value] : value;
  return { [key]: nest(rest, { kind, value, path: rest }) };
}

function addMember(
  text: string,
  node: JsonNode,
  key: string | null,
  value: unknown,
  unit: string,
): readonly Insertion[] {
  const isFirst = node.members.length === 0;
  const sibling = node.members[0];
  const outer = indentAt(text, node.start);
  const isInline = !isFirst && !text.slice(node.start, sibling!.start).includes('\n');
  const indent = isFirst || isInline ? outer + unit : indentAt(text, sibling!.start);
  const body = JSON.stringify(value, null, unit)
    .split('\n')
    .map((line, at) => (at === 0 ? line : indent + line))
    .join('\n');
  const member = `${key === null ? '' : `${JSON.stringify(key)}: `}${body}`;
  const comma = isFirst || node.hasTrailingComma ? '' : ',';
  // a comment behind the last member is about that member
  COMMENT.lastIndex = node.insertAt;
  const comment = COMMENT.exec(text)?.[0] ?? '';
  const at = node.insertAt + comment.length;
  const lead = isInline && !comment.includes('//') ? ' ' : `\n${indent}`;
  const isTight = isFirst && !text.slice(at, node.end).includes('\n');
  const piece = `${lead}${member}${isTight ? `\n${outer}` : ''}`;
  if (comment === '' || comma === '') return [{ at, text: comma + piece }];
  return [
    { at, text: piece },
    { at: node.insertAt, text: comma },
  ];
}

/** On the same line. */
const COMMENT = /[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)/y;

/** The white space at the beginning of the line that holds an offset. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))![0];
}

/** What the file indents by. */
function indentUnit(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}

/** Takes an entry out, with the comma it needed; containers that are left empty by it go as well. */
export function removeEntry(text: string, name: string, entry: JsonEntry): string {
  const place = findEntry(text, name, entry);
  if (!place?.member) return text;
  const shorter = cutMember(text, place.container, place.member);
  const after = entry.kind === 'element' ? entry.path : entry.path.slice(0, -1);
  return dropEmpty(shorter, name, after);
}

function dropEmpty(text: string, name: string, path: readonly string[]): string {
  if (path.length === 0) return text;
  const folders: JsonNode[] = [];
  let member: JsonMember | undefined;
  let node = outlineJson(text, name)!;
  for (const key of path) {
    folders.push(node);
    member = memberOf(node, key);
    if (!member) return text;
    node = member.node;
  }
  if (node.members.length > 0) return text;
  return dropEmpty(cutMember(text, folders.at(-1)!, member!), name, path.slice(0, -1));
}

/** The member with the comma that it needed, and the white space in front of it; comments stay. */
function cutMember(text: string, { members, start, end }: JsonNode, member: JsonMember): string {
  const at = members.indexOf(member);
  const before = members[at - 1];
  const from = text.slice(0, member.start).trimEnd().length;
  const to = member.comma === null ? member.node.end : member.comma + 1;
  // the last one had made a comma necessary
  const lone = member.comma === null && before ? before.comma : null;
  const head = lone === null ? text.slice(0, from) : text.slice(0, lone) + text.slice(lone + 1, from);
  const rest = text.slice(to);
  const isEmpty = members.length === 1 && text.slice(start + 1, from).trim() === '';
  if (isEmpty && text.slice(to, end - 1).trim() === '') return head + rest.trimStart();
  return head + rest;
}
