// Sets and removes one setting in the text of a config file. Everything else in the text stays as it is: comments,
// order, blank lines, line ends. The result is read again and compared before it counts.

import { isDeepStrictEqual } from 'node:util';
import { applyEdits, type ModificationOptions, modify } from 'jsonc-parser';
import { LoadoutError } from '../model/loadout-error.ts';
import { type ConfigFile, readConfigDocument } from './config-file.ts';

/** A setting to write, or to remove when there is no value. */
export interface ConfigChange {
  readonly setting: string;
  /** As the file has it, such as `30k` or `["src/**"]`; undefined removes the setting. */
  readonly value: unknown;
}

/** Whether a file of this name is YAML. */
const isYamlName = (name: string): boolean => /\.ya?ml$/i.test(name);

/** The text of a config file after a change. Throws when the file cannot be read, or cannot be changed without harm. */
export async function editConfig(file: ConfigFile, change: ConfigChange): Promise<string> {
  const before = await readConfigDocument(file);
  const isThere = before.entries.has(change.setting);
  if (change.value === undefined && !isThere) return file.text;
  const changed = isYamlName(file.name) ? await editYaml(file.text, change) : editJson(file.text, change);
  const after = await entriesOf({ ...file, text: changed });
  const wanted = new Map([...before.entries].map(([key, { value }]) => [key, value]));
  if (change.value === undefined) wanted.delete(change.setting);
  else wanted.set(change.setting, change.value);
  if (after !== null && isDeepStrictEqual(asObject(after), asObject(wanted))) return changed;
  throw new LoadoutError('cannot-edit', `${file.name} is written in a way that cannot be changed safely`, {
    subject: file.name,
    hint: `change ${change.setting} in an editor: loadout settings edit`,
  });
}

/** The values of a text; null when it cannot be read any more. */
async function entriesOf(file: ConfigFile): Promise<ReadonlyMap<string, unknown> | null> {
  try {
    const { entries } = await readConfigDocument(file);
    return new Map([...entries].map(([key, { value }]) => [key, value]));
  } catch (error) {
    if (error instanceof LoadoutError) return null;
    throw error;
  }
}

const asObject = (entries: ReadonlyMap<string, unknown>): unknown => Object.fromEntries(entries);

const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

function editJson(text: string, { setting, value }: ConfigChange): string {
  const eol = lineEndOf(text);
  if (text.trim() === '') return `${JSON.stringify({ [setting]: value }, null, 2)}\n`;
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  const formattingOptions: ModificationOptions['formattingOptions'] = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol,
  };
  return applyEdits(text, modify(text, [setting], value, { formattingOptions }));
}

/** A piece of a text, by its offsets. */
interface Piece {
  readonly start: number;
  readonly end: number;
}

/**
 * Cuts and inserts text by the places of the nodes. The library could also write the whole document anew, but it would
 * change the user's line breaks and indentation.
 */
async function editYaml(text: string, { setting, value }: ConfigChange): Promise<string> {
  const { isMap, isScalar, isNode, parseDocument, stringify } = await import('yaml');
  const { contents } = parseDocument(text, { version: '1.2', schema: 'core' });
  const pairs = isMap(contents) && !contents.flow ? contents.items : [];
  const pair = pairs.find(({ key }) => isScalar(key) && key.value === setting);
  const written =
    value === undefined ? '' : stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim();
  if (!pair || !isNode(pair.key) || !pair.key.range) {
    // A document in braces, or with an end mark: the check after this finds out.
    return insertLine(text, setting, written);
  }
  const place: Piece = {
    start: pair.key.range[0],
    end: isNode(pair.value) && pair.value.range ? pair.value.range[1] : pair.key.range[1],
  };
  if (value === undefined) return withoutLines(text, place);
  if (!isNode(pair.value) || !pair.value.range || pair.value.range[0] === pair.value.range[1]) {
    const colon = text.indexOf(':', pair.key.range[1]) + 1;
    return `${text.slice(0, colon)} ${written}${text.slice(colon)}`;
  }
  const [start, end] = pair.value.range;
  // The range of a list may end after its last line end.
  const kept = /\s*$/.exec(text.slice(start, end))![0];
  return `${text.slice(0, start)}${written}${kept}${text.slice(end)}`;
}

/** A new line: after the commented-out default of an example file, or at the end. */
function insertLine(text: string, setting: string, written: string): string {
  const eol = lineEndOf(text);
  const line = `${setting}: ${written}${eol}`;
  const example = new RegExp(`^#[ \\t]?${setting}:.*(?:\\r?\\n|$)`, 'm').exec(text);
  const at = example ? example.index + example[0].length : text.length;
  const gap = at > 0 && text[at - 1] !== '\n' ? eol : '';
  return `${text.slice(0, at)}${gap}${line}${text.slice(at)}`;
}

/** Without the whole lines of a setting. Comments above them stay. */
function withoutLines(text: string, { start, end }: Piece): string {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  // The end of a list may already be the start of the next line.
  const last = text[end - 1] === '\n' ? end - 1 : end;
  const lineEnd = text.indexOf('\n', last);
  return text.slice(0, from) + (lineEnd < 0 ? '' : text.slice(lineEnd + 1));
}
