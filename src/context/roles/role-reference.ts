// The published description of role files: the JSON Schema for editors and the table of fields in the documentation. Both
// come from `roleFields`; tests compare them with the files in the repository.

import { FILE_SCHEMAS, jsonSchemaOf, schemaHead } from '../../schema/object-schema.ts';
import { expectedOf, type JsonSchema } from '../../schema/schema.ts';
import {
  type AnyField,
  aliasesIn,
  type FieldTable,
  type FieldTrust,
  isGroup,
  type MergeRule,
  nameInFile,
  roleFields,
} from './role-fields.ts';

/** `file`: a file as people write it, where an overlay may leave fields out. `merged`: a role with all it inherits. */
export type SchemaOf = 'file' | 'merged';

/** JSON Schema of role files, for editors and other programs. */
export function roleJsonSchema(of: SchemaOf = 'file', table: FieldTable = roleFields()): JsonSchema {
  const needed = Object.entries(table).flatMap(([name, declared]) =>
    !isGroup(declared) && declared.isRequired ? [nameInFile(name)] : [],
  );
  const inherited = needed.filter((name) => name !== 'name');
  const head = schemaHead(FILE_SCHEMAS.role);
  return {
    ...(of === 'file' ? head : { $schema: head.$schema }),
    title: of === 'file' ? 'Loadout role' : 'Loadout role with all it inherits',
    type: 'object',
    ...(of === 'merged'
      ? { required: needed }
      : { required: ['name'], anyOf: [{ required: ['extends'] }, { required: inherited }] }),
    properties: { ...propertiesOf(table), ...aliasProperties(table) },
    patternProperties: EXTENSIONS,
    additionalProperties: false,
  };
}

const EXTENSIONS = { '^x-': { description: 'A field of your own.' } };

/** Groups accept unknown fields, because a role may have fields of its own there. */
function propertiesOf(table: FieldTable): JsonSchema {
  const entries = Object.entries(table).map(([name, declared]) => {
    const schema = isGroup(declared)
      ? {
          description: declared.help,
          type: 'object',
          properties: propertiesOf(declared.fields),
          additionalProperties: true,
        }
      : fieldSchema(declared);
    return [nameInFile(name), schema];
  });
  return Object.fromEntries(entries);
}

function aliasProperties(table: FieldTable): JsonSchema {
  return Object.fromEntries([...aliasesIn(table)].map(([name, field]) => [name, fieldSchema(field)]));
}

function fieldSchema({ help, kind, fallback }: AnyField): JsonSchema {
  const isSaid = fallback !== undefined && fallback !== null;
  return { description: help, ...jsonSchemaOf(kind), ...(isSaid ? { default: fallback } : {}) };
}

/** The line width of the formatter. */
const LINE_WIDTH = 110;

/** The text of `schema/role.schema.json`, in the layout of the formatter: short lists on one line. */
export function roleSchemaFile(): string {
  return `${layOut(roleJsonSchema('file'), '')}\n`;
}

function layOut(value: unknown, indent: string, room: number = LINE_WIDTH): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const line = `[${value.map((item) => layOut(item, inner)).join(', ')}]`;
    if (!line.includes('\n') && indent.length + line.length < room) return line;
    return `[\n${value.map((item) => inner + layOut(item, inner)).join(',\n')}\n${indent}]`;
  }
  const entries = Object.entries(value).map(([key, item]) => {
    const start = `${JSON.stringify(key)}: `;
    return inner + start + layOut(item, inner, LINE_WIDTH - start.length);
  });
  return entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n${indent}}`;
}

/** The merge rules in the words of the documentation. */
const RULES: Readonly<Record<MergeRule, string>> = {
  own: 'not inherited',
  replace: 'replaces',
  append: 'comes after, duplicates kept',
  'append-new': 'comes after, duplicates dropped',
  'extend-prompt': 'comes after the system prompt',
};

/** The table of all fields in `docs/guides/roles.md`. */
export function renderRoleFields(): string {
  const rows = rowsOf(roleFields(), '');
  return ['| field | what it says | allowed | in an overlay |', '|---|---|---|---|', ...rows].join('\n');
}

function rowsOf(table: FieldTable, prefix: string): string[] {
  return Object.entries(table).flatMap(([name, declared]) => {
    const field = `${prefix}${nameInFile(name)}`;
    if (isGroup(declared)) return rowsOf(declared.fields, `${field}.`);
    return [
      `| \`${field}\`${marks(declared)} | ${declared.help} | ${allowedIn(declared)} | ${RULES[declared.merge]} |`,
    ];
  });
}

const TRUST: Readonly<Record<FieldTrust, string>> = {
  always: ' (needs trust)',
  'in-place-of-another': ' (needs trust in the place of another role)',
};

const marks = ({ isRequired, needsTrust }: AnyField): string =>
  `${isRequired ? ' (required)' : ''}${needsTrust ? TRUST[needsTrust] : ''}`;

const allowedIn = ({ kind }: AnyField): string => expectedOf(kind).replaceAll('|', '\\|');
