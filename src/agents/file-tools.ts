// Finds the files that a tool of an agent has read or edited, from its input and its result. Contents are never passed on.

import { isRecord, type JsonRecord, record } from './json-events.ts';

/** A file that a tool has read or edited. */
export interface FileUse {
  readonly how: 'read' | 'edit';
  /** As the client writes it: absolute, or below its directory. */
  readonly path: string;
  /** First and last line, counted from 1; null when the tool does not tell them. */
  readonly lines: readonly [number, number] | null;
  /** The new text of an edit without lines. Its place in the file tells them. */
  readonly text?: string;
}

/** A tool that was used, with its result. */
interface ToolUse {
  readonly input: JsonRecord;
  readonly response: unknown;
}

/** Tells the files of one use of a tool. */
export type FileTool = (use: ToolUse) => readonly FileUse[];

/** Clients spell the same words differently. */
const PATHS = ['file_path', 'filePath', 'path', 'absolute_path', 'notebook_path'];
const NEW_TEXTS = ['new_string', 'newString', 'new_str'];
const CONTENTS = ['content', 'file_text'];
const PATCHES = ['command', 'patch', 'patchText', 'input'];

const textOf = (input: JsonRecord, names: readonly string[]): string | null =>
  names.map((name) => input[name]).find((value): value is string => typeof value === 'string') ?? null;

const isLine = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

/** Lines from the first to the last one; null when that is not a range. */
function span(first: unknown, last: unknown): readonly [number, number] | null {
  return isLine(first) && isLine(last) && last >= first ? [first, last] : null;
}

/** A tool that shows a file, or some lines of it. */
export const readsFile: FileTool = ({ input, response }) => {
  const path = textOf(input, PATHS);
  return path === null ? [] : [{ how: 'read', path, lines: linesShown(input, response) }];
};

/** The result knows best; then the lines, the range or the offset that was asked for. */
function linesShown(input: JsonRecord, response: unknown): readonly [number, number] | null {
  const { startLine, numLines } = record(record(response).file);
  if (isLine(startLine) && isLine(numLines)) return [startLine, startLine + numLines - 1];
  const { offset, limit, start_line, end_line, view_range } = input;
  if (Array.isArray(view_range)) return span(view_range[0], view_range[1]);
  if (isLine(start_line) || isLine(end_line)) return span(start_line ?? 1, end_line);
  const first = isLine(offset) ? offset : 1;
  return isLine(limit) ? [first, first + limit - 1] : null;
}

/** A tool that replaces text in a file. */
export const editsFile: FileTool = ({ input, response }) => {
  const path = textOf(input, PATHS);
  if (path === null) return [];
  const hunks = record(response).structuredPatch;
  const changed = (Array.isArray(hunks) ? hunks : []).flatMap((hunk: unknown) => {
    const { newStart, newLines } = record(hunk);
    const lines = isLine(newStart) && isLine(newLines) ? span(newStart, newStart + newLines - 1) : null;
    return lines === null ? [] : [{ how: 'edit' as const, path, lines }];
  });
  if (changed.length > 0) return changed;
  const edits = Array.isArray(input.edits) ? input.edits.filter(isRecord) : [];
  const texts = (edits.length > 0 ? edits : [input]).map((edit) => textOf(edit, NEW_TEXTS));
  return texts.map((text) => ({ how: 'edit', path, lines: null, ...(text ? { text } : {}) }));
};

/** A tool that writes a whole file. */
export const writesFile: FileTool = ({ input }) => {
  const path = textOf(input, PATHS);
  if (path === null) return [];
  const content = textOf(input, CONTENTS);
  return [{ how: 'edit', path, lines: content ? [1, lineCount(content)] : null }];
};

const lineCount = (text: string): number => text.replace(/\n$/, '').split('\n').length;

/** One tool for reading and writing, which has the kind of work in `command`. */
export const viewsOrEditsFile: FileTool = (use) => {
  const { command } = use.input;
  if (command === 'view') return readsFile(use);
  return command === 'create' ? writesFile(use) : editsFile(use);
};

const PATCH_FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const PATCH_MOVE = /^\*\*\* Move to: (.+)$/;

/** A tool that takes a patch of several files. Its hunks have no line numbers, but the text that they lead to. */
export const patchesFiles: FileTool = ({ input }) => {
  const patch = textOf(input, PATCHES);
  if (patch === null || !patch.includes('*** Begin Patch')) return [];
  const found: { path: string; isNew: boolean; hunks: string[][] }[] = [];
  for (const line of patch.split(/\r?\n/)) {
    const [, kind, path = ''] = PATCH_FILE.exec(line) ?? [];
    const [, moved] = PATCH_MOVE.exec(line) ?? [];
    const file = found.at(-1);
    if (kind !== undefined) found.push({ path: path.trim(), isNew: kind === 'Add', hunks: [[]] });
    else if (moved !== undefined && file) file.path = moved.trim();
    else if (line.startsWith('@@')) file?.hunks.push([]);
    else if (/^[+ ]/.test(line)) file?.hunks.at(-1)?.push(line.slice(1));
  }
  return found.flatMap(({ path, isNew, hunks }): FileUse[] => {
    const filled = hunks.filter((lines) => lines.length > 0);
    if (filled.length === 0) return [{ how: 'edit', path, lines: null }];
    if (isNew) return [{ how: 'edit', path, lines: [1, filled.flat().length] }];
    return filled.map((lines) => ({ how: 'edit', path, lines: null, text: lines.join('\n') }));
  });
};

const WORD = /'[^']*'|"[^"$`\\]*"|[^\s'"|&;<>()$`\\*?]+/.source;
const SHOWS_RANGE = new RegExp(`^(?:sed -n (['"]?)(\\d+),(\\d+)p\\1) (${WORD})$`);
const SHOWS_HEAD = new RegExp(`^head (?:-n ?|-)(\\d+) (${WORD})$`);
const SHOWS_ALL = new RegExp(`^(?:cat|nl)(?: -[a-z]+)* (${WORD})$`);
const NUMBERED_RANGE = new RegExp(`^(?:cat -n|nl -ba) (${WORD}) \\| sed -n (['"]?)(\\d+),(\\d+)p\\2$`);

/** A shell, for clients that have no other tool to read a file. Only plain commands that show one file count. */
export const readsByCommand: FileTool = ({ input }) => {
  const command = (textOf(input, ['command', 'cmd']) ?? '').trim();
  const [, , first, last, ranged] = SHOWS_RANGE.exec(command) ?? [];
  const [, numbered, , from, to] = NUMBERED_RANGE.exec(command) ?? [];
  const [, count, head] = SHOWS_HEAD.exec(command) ?? [];
  const [, whole] = SHOWS_ALL.exec(command) ?? [];
  const path = ranged ?? numbered ?? head ?? whole;
  if (path === undefined) return patchesFiles({ input, response: null });
  const lines = span(Number(first ?? from ?? 1), Number(last ?? to ?? count));
  return [{ how: 'read', path: path.replace(/^(['"])(.*)\1$/, '$2'), lines }];
};
