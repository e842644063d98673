import { isPlainMap, type PlainMap } from './check-role-fields.ts';
import { type AnyField, type FieldTable, isGroup, nameInFile } from './define-fields.ts';
import type { WithheldParts } from './role.ts';
import type { RoleDocument } from './role-document.ts';

export interface MergedRole {
  /** By the names in code; a group is a map of its own. What no file says is not there. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly extensions: ReadonlyMap<string, unknown>;
  readonly withheld: WithheldParts;
}

/** Folds a chain of checked files into one, the root of the chain first. */
export function mergeRoles(rootFirst: readonly RoleDocument[], table: FieldTable): MergedRole {
  const values = new Map<string, unknown>();
  const extensions = new Map<string, unknown>();
  const withheld = new Map<string, unknown>();
  const systemPrompts: string[] = [];
  const byFileName = new Map(Object.keys(table).map((name) => [nameInFile(name), name]));
  const own = Object.entries(table).filter(([, declared]) => !isGroup(declared) && declared.merge === 'own');
  for (const document of rootFirst) {
    for (const [name] of own) values.delete(name);
    const isHeld = ({ needsTrust }: AnyField) =>
      !document.isTrusted &&
      needsTrust !== undefined &&
      (needsTrust === 'always' || document.replaces !== null);
    const merge = (into: Map<string, unknown>, name: string, value: unknown, field: AnyField) => {
      if (!isHeld(field)) mergeField(into, name, value, field);
      else if (field.needsTrust === 'always') mergeField(withheld, name, value, field);
      else systemPrompts.push(String(value));
    };
    for (const [fileName, value] of inTableOrder(withAliases(document.values, table), table)) {
      const name = byFileName.get(fileName);
      const declared = name === undefined ? undefined : table[name];
      if (name === undefined || declared === undefined) extensions.set(fileName, value);
      else if (isGroup(declared)) {
        const inner = (values.get(name) as Map<string, unknown> | undefined) ?? new Map<string, unknown>();
        values.set(name, inner);
        mergeGroup(inner, extensions, fileName, value, declared.fields, merge);
      } else merge(values, name, value, declared);
    }
  }
  return {
    values,
    extensions,
    withheld: {
      flags: textsOf(withheld.get('flags')),
      gates: textsOf(withheld.get('gates')),
      model: (withheld.get('model') as string | undefined) ?? null,
      systemPrompts,
    },
  };
}

function mergeGroup(
  inner: Map<string, unknown>,
  extensions: Map<string, unknown>,
  group: string,
  value: unknown,
  fields: Readonly<Record<string, AnyField>>,
  merge: (into: Map<string, unknown>, name: string, value: unknown, field: AnyField) => void,
): void {
  if (!isPlainMap(value)) return;
  const names = new Map(Object.keys(fields).map((name) => [nameInFile(name), name]));
  for (const [fileName, one] of Object.entries(value)) {
    const name = names.get(fileName);
    if (name === undefined) extensions.set(`${group}.${fileName}`, one);
    else merge(inner, name, one, fields[name]!);
  }
}

function mergeField(target: Map<string, unknown>, name: string, value: unknown, { merge }: AnyField): void {
  const inherited = target.get(name);
  if (merge === 'extend-prompt') {
    const before = target.get('systemPrompt');
    // Without a prompt there is nothing to add to, and the role is not whole.
    if (typeof before === 'string') target.set('systemPrompt', joinPrompt(before, String(value)));
  } else if (merge === 'append') target.set(name, [...textsOf(inherited), ...textsOf(value)]);
  else if (merge === 'append-new') target.set(name, [...new Set([...textsOf(inherited), ...textsOf(value)])]);
  else target.set(name, value);
}

const joinPrompt = (before: string, addition: string): string => `${before.trimEnd()}\n\n${addition}`;

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value : []);

/** The same file with its aliases also under their own names. */
function withAliases(values: PlainMap, table: FieldTable): PlainMap {
  const own = new Map(Object.entries(values));
  for (const [group, declared] of Object.entries(table)) {
    if (!isGroup(declared)) continue;
    for (const [name, { alias }] of Object.entries(declared.fields)) {
      if (alias === undefined || values[alias] === undefined) continue;
      const said = own.get(nameInFile(group));
      own.set(nameInFile(group), { [nameInFile(name)]: values[alias], ...(isPlainMap(said) ? said : {}) });
    }
  }
  return Object.fromEntries(own);
}

/** A file may say its additions before its prompt; they come after it all the same. */
function inTableOrder(values: Readonly<Record<string, unknown>>, table: FieldTable): [string, unknown][] {
  const order = new Map(Object.keys(table).map((name, index) => [nameInFile(name), index]));
  const rank = (name: string) => order.get(name) ?? order.size;
  return Object.entries(values).sort(([left], [right]) => rank(left) - rank(right));
}
