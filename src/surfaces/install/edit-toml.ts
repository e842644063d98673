import { parse, type TomlTable } from 'smol-toml';
import type { SetUpTarget } from '../../agents/index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { Insertion } from './edit-json.ts';

/** A table that `loadout init` adds to a client's TOML file. */
export type TomlTarget = SetUpTarget & { kind: 'toml' };

/** Appends the table of a target to a text, between two lines that mark it. */
export function insertTomlBlock(text: string, name: string, target: TomlTarget): Insertion {
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
export function hasTomlTable(text: string, { table }: TomlTarget): boolean {
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
export function findTomlBlock(
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
export function tomlBlock(target: TomlTarget): string {
  return [blockStart(target), `[${target.table}]`, ...target.lines, BLOCK_END, ''].join('\n');
}

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
