import { expectedOf } from '../../schema/schema.ts';
import {
  type AnyField,
  type FieldTable,
  type FieldTrust,
  isGroup,
  type MergeRule,
  nameInFile,
} from './define-fields.ts';
import { roleFields } from './role-fields.ts';

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
