import type { Diagnostic } from '../../model/diagnostic.ts';
import { isPlainMap } from './check-role-fields.ts';
import { type FieldTable, isGroup, nameInFile } from './define-fields.ts';
import { type MergedRole, mergeRoles } from './merge-roles.ts';
import type { Role, RoleFinding } from './role.ts';
import { type RoleDocument, roleFinding } from './role-document.ts';
import type { RoleValues } from './role-fields.ts';

export interface AssembledRole {
  /** Null when something is missing. */
  readonly role: Role | null;
  readonly findings: readonly RoleFinding[];
  readonly diagnostics: readonly Diagnostic[];
}

/** One role from a chain of files without errors, the role's own file first. */
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

/** Only now, after the merge: what an overlay leaves out, it inherits. */
function missingFields(
  documents: readonly RoleDocument[],
  { values }: MergedRole,
  table: FieldTable,
): RoleFinding[] {
  const [own] = documents;
  const inherits = documents.length > 1 ? `, and no file of the chain says it` : '';
  return Object.entries(table).flatMap(([name, declared]) => {
    if (isGroup(declared) || !declared.isRequired || values.has(name)) return [];
    const field = nameInFile(name);
    const { allowed } = declared.kind;
    return roleFinding(own!.file, {
      code: 'missing-field',
      position: own!.positions.get(''),
      field,
      allowed,
      says: `${field} is missing${inherits}; allowed is ${allowed}`,
    });
  });
}

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

/** By the pointer of what is withheld. */
const NEED_TRUST: readonly (readonly [pointer: string, code: string, what: string])[] = [
  ['/flags', 'role-flags-withheld', 'flags are withheld'],
  ['/gates', 'role-gates-withheld', 'gates are withheld'],
  ['/config/model', 'role-model-withheld', 'config.model is withheld'],
  ['/x-model', 'role-model-withheld', 'x-model is withheld'],
];
const PROMPT_FIELDS = ['system_prompt', 'system_prompt_additions'];

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
      const message = `${at(pointer)}: ${what}, because a repository may not name what runs until you trust it`;
      return [{ code, severity: 'warning', message, ...path }];
    });
    const field = PROMPT_FIELDS.find((one) => values[one] !== undefined);
    if (field === undefined) return withheld;
    const prompt: Diagnostic =
      replaces === null
        ? {
            code: 'role-not-trusted',
            severity: 'info',
            message: `${at(`/${field}`)}: the text of the role ${name} is that of a repository that you have not trusted`,
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
