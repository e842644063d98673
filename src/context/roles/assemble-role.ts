// Merges the files of an `extends` chain into one role. Fields that need trust are taken out of untrusted files here,
// and nowhere else.

import type { Diagnostic } from '../../model/diagnostic.ts';
import { expectedOf } from '../../schema/schema.ts';
import type { RoleDocument } from './read-role-document.ts';
import type { Role, RoleFinding, WithheldParts } from './role.ts';
import type { RoleValues } from './role-fields.ts';
import { type AnyField, type FieldTable, isGroup, nameInFile } from './role-fields.ts';
import { isPlainMap, type PlainMap, roleFinding } from './role-findings.ts';

interface AssembledRole {
  /** Null when a required field is missing. */
  readonly role: Role | null;
  readonly findings: readonly RoleFinding[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Builds a role from a chain of files without errors. The role's own file comes first. */
export function assembleRole(documents: readonly RoleDocument[], table: FieldTable): AssembledRole {
  const merged = mergeRoles(documents.toReversed(), table);
  const findings = missingFields(documents, merged, table);
  const diagnostics = withheldDiagnostics(documents);
  if (findings.length > 0) return { role: null, findings, diagnostics };
  const role: Role = {
    ...(fillIn(merged.values, table) as unknown as RoleValues),
    baseRole: documents.length > 1 ? documents.at(-1)!.name : null,
    chain: documents.map(({ name, place, file }) => ({ name, place, file })),
    extensions: Object.fromEntries(merged.extensions),
    isTrusted: documents.every(({ isTrusted }) => isTrusted),
    withheld: merged.withheld,
  };
  return { role, findings, diagnostics };
}

/** Required fields that no file sets. This can be known only after the merge, because overlays inherit. */
function missingFields(
  documents: readonly RoleDocument[],
  { values }: MergedRole,
  table: FieldTable,
): RoleFinding[] {
  const [own] = documents;
  const inherits = documents.length > 1 ? `, and no file in the chain sets it` : '';
  return Object.entries(table).flatMap(([name, declared]) => {
    if (isGroup(declared) || !declared.isRequired || values.has(name)) return [];
    const field = nameInFile(name);
    const allowed = expectedOf(declared.kind);
    return roleFinding(own!.file, {
      code: 'missing-field',
      position: own!.positions.get(''),
      field,
      allowed,
      says: `${field} is missing${inherits}; allowed is ${allowed}`,
    });
  });
}

/** The merged values as an object in the order of the table, with fallbacks for the rest. */
function fillIn(values: ReadonlyMap<string, unknown>, table: FieldTable): Record<string, unknown> {
  const entries = Object.entries(table).flatMap(([name, declared]): [string, unknown][] => {
    if (isGroup(declared)) {
      const inner = (values.get(name) as ReadonlyMap<string, unknown> | undefined) ?? new Map();
      return [[name, fillIn(inner, declared.fields)]];
    }
    if (declared.merge === 'extend-prompt') return [];
    return [[name, values.has(name) ? values.get(name) : declared.fallback]];
  });
  return Object.fromEntries(entries);
}

/** The fields that always need trust: where they are, and how a diagnostic names them. */
const NEED_TRUST: readonly (readonly [pointer: string, code: string, what: string])[] = [
  ['/flags', 'role-flags-withheld', 'flags are withheld'],
  ['/gates', 'role-gates-withheld', 'gates are withheld'],
  ['/config/model', 'role-model-withheld', 'config.model is withheld'],
  ['/x-model', 'role-model-withheld', 'x-model is withheld'],
];
const PROMPT_FIELDS = ['system_prompt', 'system_prompt_additions'];

/** Tells the user which fields of untrusted files are not used. */
function withheldDiagnostics(documents: readonly RoleDocument[]): Diagnostic[] {
  return documents.flatMap((document) => {
    if (document.isTrusted) return [];
    const { file, name, place, positions, replaces, values } = document;
    const at = (pointer: string) => {
      const { line, column } = positions.get(pointer) ?? { line: 1, column: 1 };
      return `${file}:${line}:${column}`;
    };
    const path = place === 'repository' ? { path: file } : {};
    const withheld = NEED_TRUST.flatMap(([pointer, code, what]): Diagnostic[] => {
      const value = pointer
        .slice(1)
        .split('/')
        .reduce<unknown>((inner, key) => (isPlainMap(inner) ? inner[key] : undefined), values);
      if (value === undefined || (Array.isArray(value) && value.length === 0)) return [];
      const message = `${at(pointer)}: ${what}, because a repository may not choose what runs until you trust it`;
      return [{ code, severity: 'warning', message, ...path }];
    });
    // A prompt is used unless it replaces that of another role. The user should know about both.
    const field = PROMPT_FIELDS.find((one) => values[one] !== undefined);
    if (field === undefined) return withheld;
    const prompt: Diagnostic =
      replaces === null
        ? {
            code: 'role-not-trusted',
            severity: 'info',
            message: `${at(`/${field}`)}: the text of the role ${name} comes from a repository that you have not trusted`,
            ...path,
          }
        : {
            code: 'role-prompt-withheld',
            severity: 'warning',
            message: `${at(`/${field}`)}: ${field} is not used, because a repository may not speak for the role ${name} of ${replaces} until you trust it; "loadout trust" shows what it asks for`,
            ...path,
          };
    return [...withheld, prompt];
  });
}

interface MergedRole {
  /** By the names in code. A group is a map of its own. Fields that no file sets are absent. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly extensions: ReadonlyMap<string, unknown>;
  readonly withheld: WithheldParts;
}

/** Merges a chain of checked files. The root of the chain comes first, so later files win. */
function mergeRoles(rootFirst: readonly RoleDocument[], table: FieldTable): MergedRole {
  const values = new Map<string, unknown>();
  const extensions = new Map<string, unknown>();
  const withheld = new Map<string, unknown>();
  const systemPrompts: string[] = [];
  const byFileName = new Map(Object.keys(table).map((name) => [nameInFile(name), name]));
  const own = Object.entries(table).filter(([, declared]) => !isGroup(declared) && declared.merge === 'own');
  for (const document of rootFirst) {
    // Fields such as `name` are never inherited.
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
    // Unknown names are extensions: the checks have let through only those that a role may have.
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

/** Merges the fields of `context` or `config`. Unknown ones become extensions named `group.field`. */
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

/** Applies the merge rule of one field. */
function mergeField(target: Map<string, unknown>, name: string, value: unknown, { merge }: AnyField): void {
  const inherited = target.get(name);
  if (merge === 'extend-prompt') {
    const before = target.get('systemPrompt');
    // Without a prompt there is nothing to extend; the missing prompt is reported later.
    if (typeof before === 'string') target.set('systemPrompt', joinPrompt(before, String(value)));
  } else if (merge === 'append') target.set(name, [...textsOf(inherited), ...textsOf(value)]);
  else if (merge === 'append-new') target.set(name, [...new Set([...textsOf(inherited), ...textsOf(value)])]);
  else target.set(name, value);
}

const joinPrompt = (before: string, addition: string): string => `${before.trimEnd()}\n\n${addition}`;

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value : []);

/** The values with each alias copied to the field that it stands for. */
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

/** A file may list its additions before its prompt, but the prompt must be merged first. */
function inTableOrder(values: Readonly<Record<string, unknown>>, table: FieldTable): [string, unknown][] {
  const order = new Map(Object.keys(table).map((name, index) => [nameInFile(name), index]));
  const rank = (name: string) => order.get(name) ?? order.size;
  return Object.entries(values).sort(([left], [right]) => rank(left) - rank(right));
}
