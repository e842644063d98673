import { LoadoutError } from '../../model/loadout-error.ts';
import type { Insertion } from './edit-json.ts';

export const BLOCK_START = '# >>> loadout: "loadout init codex --remove" takes this block out';
export const BLOCK_END = '# <<< loadout';

/** A table at the end of a TOML file, between two lines that mark it as ours. */
export function tomlBlock(table: string, lines: readonly string[]): string {
  return [BLOCK_START, `[${table}]`, ...lines, BLOCK_END, ''].join('\n');
}

/** Where our block stands, its line end included. */
export function findTomlBlock(text: string): { readonly start: number; readonly end: number } | null {
  const start = text.indexOf(BLOCK_START);
  const close = start === -1 ? -1 : text.indexOf(BLOCK_END, start);
  if (close === -1) return null;
  const end = close + BLOCK_END.length;
  return { start, end: text.startsWith('\r\n', end) ? end + 2 : text.startsWith('\n', end) ? end + 1 : end };
}

/** Whether the file has the table already, as a table of its own or inside another. */
export function hasTomlTable(text: string, table: string): boolean {
  const [parent = '', child = ''] = table.split('.');
  const header = new RegExp(`^\\s*\\[\\s*${parent}\\s*\\.\\s*["']?${child}["']?\\s*[.\\]]`, 'm');
  const dotted = new RegExp(`^\\s*${parent}\\s*\\.\\s*["']?${child}["']?\\s*[.=]`, 'm');
  return header.test(text) || dotted.test(text);
}

export function insertTomlBlock(
  text: string,
  name: string,
  table: string,
  lines: readonly string[],
): Insertion {
  const [parent = ''] = table.split('.');
  if (new RegExp(`^\\s*${parent}\\s*=`, 'm').test(text)) {
    const message = `${name}: ${parent} is given as one value, and a table cannot be added to it`;
    const hint = `write it as [${parent}.NAME] tables first; nothing was written`;
    throw new LoadoutError('unexpected-settings', message, { subject: name, hint });
  }
  const gap = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return { at: text.length, text: gap + tomlBlock(table, lines) };
}
