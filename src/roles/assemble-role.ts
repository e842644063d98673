import type { Diagnostic } from '../model/diagnostic.ts';
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

function withheldDiagnostics(documents: readonly RoleDocument[]): Diagnostic[] {
  return documents.flatMap((document) => {
    if (document.isTrusted) return [];
    return ['flags', 'gates'].flatMap((field): Diagnostic[] => {
      const items = document.values[field];
      if (!Array.isArray(items) || items.length === 0) return [];
      const { line, column } = document.positions.get(`/${field}`) ?? { line: 1, column: 1 };
      const why = 'because a repository may not name what runs until you trust it';
      const message = `${document.file}:${line}:${column}: ${field} are withheld, ${why}`;
      return [
        {
          code: `role-${field}-withheld`,
          severity: 'warning',
          message,
          ...(document.place === 'repository' ? { path: document.file } : {}),
        },
      ];
    });
  });
}
