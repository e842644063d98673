import type { TextPosition } from '../../schema/parsed-document.ts';
import type { FindingCode, PlaceKind, RoleFinding, RoleSource } from './role.ts';
import { showValue } from './show-value.ts';

/** A role file as far as it could be read. */
export interface RoleDocument extends RoleSource {
  readonly place: PlaceKind;
  /** May name what runs. */
  readonly isTrusted: boolean;
  /** Where the role of the same name is that the repository's file replaces; null when it replaces none. */
  readonly replaces: string | null;
  readonly bytes: number;
  /** By the names in the file; empty when nothing could be read. */
  readonly values: Readonly<Record<string, unknown>>;
  /** By JSON pointer. */
  readonly positions: ReadonlyMap<string, TextPosition>;
  readonly findings: readonly RoleFinding[];
}

interface FindingParts {
  readonly code: FindingCode;
  readonly severity?: RoleFinding['severity'];
  readonly position?: TextPosition | undefined;
  readonly field?: string;
  /** Left out when there is nothing to show. */
  readonly value?: { readonly of: unknown };
  readonly allowed?: string;
  /** What is said after the place. */
  readonly says: string;
}

export function roleFinding(file: string, parts: FindingParts): RoleFinding {
  const { line, column } = parts.position ?? { line: 1, column: 1 };
  return {
    code: parts.code,
    severity: parts.severity ?? 'error',
    file,
    line,
    column,
    field: parts.field ?? '',
    value: parts.value ? showValue(parts.value.of) : null,
    allowed: parts.allowed ?? null,
    message: `${file}:${line}:${column}: ${parts.says}`,
  };
}
