import { fileURLToPath } from 'node:url';
// Reads one role file: parse the YAML, refuse hostile structures, check the fields. Merging files is the work of
// `assemble-role.ts`.

import { LoadoutError } from '../../model/loadout-error.ts';
import { parseJson } from '../../model/read-json.ts';
import { parseYamlSafely } from '../../schema/parse-yaml-safely.ts';
import type { ParsedDocument, TextPosition } from '../../schema/parsed-document.ts';
import type { PlaceKind, RoleFinding, RoleSource } from './role.ts';
import type { FieldTable } from './role-fields.ts';
import { checkRoleFields, isPlainMap, type PlainMap, roleFinding, showValue } from './role-findings.ts';
import { readAnywhere } from './role-places.ts';

/** Counted with all aliases expanded: a file of 256 KB can expand to gigabytes. */
const MAX_CHARACTERS = 1024 * 1024;

/** A role file as a place has read it, not parsed yet. */
export interface RoleText extends RoleSource {
  readonly isTrusted: boolean;
  /** The text, or the reason why it cannot be read. */
  readonly content: { readonly text: string } | { readonly unreadable: string };
}

/** A parsed role file, with everything that is wrong with it. */
export interface RoleDocument extends RoleSource {
  readonly place: PlaceKind;
  /** Its flags, gates and model are used. */
  readonly isTrusted: boolean;
  /** The label of the place whose role this repository file replaces; null when it replaces none. */
  readonly replaces: string | null;
  /** Size of the text, for the limit of a whole chain. */
  readonly bytes: number;
  /** By the names in the file; empty when the file is not valid YAML. */
  readonly values: Readonly<Record<string, unknown>>;
  /** By JSON pointer. */
  readonly positions: ReadonlyMap<string, TextPosition>;
  readonly findings: readonly RoleFinding[];
}

/** Parses and checks one role file. It does not throw: mistakes are in the findings. */
export async function readRoleDocument(
  source: RoleText,
  table: FieldTable,
  replaces: string | null = null,
): Promise<RoleDocument> {
  const { name, place, file, isTrusted, content } = source;
  const unread = { name, place, file, isTrusted, replaces, bytes: 0, values: {}, positions: new Map() };
  if ('unreadable' in content) {
    const says = `the file cannot be read: ${content.unreadable}`;
    return { ...unread, findings: [roleFinding(file, { code: 'unreadable', says })] };
  }
  // Built-in roles were parsed by the build; everything else needs the YAML parser.
  const bytes = Buffer.byteLength(content.text);
  const known = place === 'built-in' ? parsedBuiltIn(content.text) : null;
  const parsed = known ?? (await parse(content.text, file));
  if (!('positions' in parsed)) return { ...unread, bytes, findings: [parsed] };
  // A file with a wrong structure has no fields to check.
  const { value, positions } = parsed;
  const broken = findStructureProblem(parsed, file);
  if (broken) return { ...unread, bytes, positions, findings: [broken] };
  const values = value as PlainMap;
  const findings = [
    ...checkRoleFields({ file, values, positions }, table),
    ...checkOwnName(values, name, file, positions),
  ];
  return { ...unread, bytes, values, positions, findings };
}

/** The parser throws a message that may begin with `file:line:column:`; a finding keeps that position. */
async function parse(text: string, file: string): Promise<ParsedDocument | RoleFinding> {
  try {
    return await parseYamlSafely(text, file);
  } catch (error) {
    if (!(error instanceof LoadoutError)) throw error;
    const says = error.message.startsWith(`${file}:`) ? error.message.slice(file.length + 1) : error.message;
    const place = /^(\d+):(\d+): /.exec(says);
    if (!place) return roleFinding(file, { code: 'bad-yaml', says });
    const position = { line: Number(place[1]), column: Number(place[2]) };
    return roleFinding(file, { code: 'bad-yaml', position, says: says.slice(place[0].length) });
  }
}

/** The first reason why the values of a file cannot be used at all. */
function findStructureProblem({ value, positions }: ParsedDocument, file: string): RoleFinding | null {
  const position = positions.get('');
  if (value === null) return roleFinding(file, { code: 'not-a-map', position, says: 'the file is empty' });
  const allowed = 'a map of fields, such as "name: reviewer"';
  if (!isPlainMap(value)) {
    const says = `the file holds ${showValue(value)}; allowed is ${allowed}`;
    return roleFinding(file, { code: 'not-a-map', position, value: { of: value }, allowed, says });
  }
  for (const [pointer, place] of positions) {
    // Harmless here, but code that copies the values by assignment would change a prototype.
    if (!/\/__proto__(\/|$)/.test(pointer)) continue;
    const says = 'a field cannot be called "__proto__"';
    return roleFinding(file, { code: 'unknown-field', position: place, field: '__proto__', says });
  }
  if (countCharacters(value, MAX_CHARACTERS) <= MAX_CHARACTERS) return null;
  const says = `more than ${MAX_CHARACTERS} characters with the aliases written out`;
  return roleFinding(file, { code: 'bad-yaml', position, says });
}

/** Stops above the limit. The parser already limits the number of values. */
function countCharacters(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  let count = 0;
  for (const [key, inner] of Object.entries(value)) {
    count += key.length + countCharacters(inner, limit);
    if (count > limit) break;
  }
  return count;
}

/** Each file has to name itself. Otherwise an overlay would inherit the name of its parent. */
function checkOwnName(
  values: PlainMap,
  fileName: string,
  file: string,
  positions: ReadonlyMap<string, TextPosition>,
): RoleFinding[] {
  const { name } = values;
  if (name === undefined) {
    const says = `name is missing; allowed is "${fileName}", as the file is called`;
    return [roleFinding(file, { code: 'missing-field', field: 'name', allowed: fileName, says })];
  }
  if (typeof name !== 'string' || name === fileName) return [];
  const says = `name is ${showValue(name)}; allowed is ${JSON.stringify(fileName)}, as the file is called`;
  return [
    roleFinding(file, {
      code: 'name-differs',
      position: positions.get('/name'),
      field: 'name',
      value: { of: name },
      allowed: fileName,
      says,
    }),
  ];
}

/** One entry of `roles.json`, which the build writes beside the program. */
interface ParsedText {
  readonly text: string;
  readonly value: unknown;
  readonly positions: readonly (readonly [pointer: string, position: TextPosition])[];
}

/**
 * The parsed form of a built-in role, so that a run with built-in roles loads no YAML parser. Null for any other text,
 * and when the sources run without a build.
 */
function parsedBuiltIn(text: string): ParsedDocument | null {
  const read = readAnywhere(fileURLToPath(new URL('./roles.json', import.meta.url)));
  if (read.kind !== 'content') return null;
  const roles = parseJson(read.bytes.toString('utf8'), 'roles.json') as readonly ParsedText[];
  const found = roles.find((role) => role.text === text);
  return found ? { value: found.value, positions: new Map(found.positions) } : null;
}
