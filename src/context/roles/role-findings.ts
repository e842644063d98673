import { nearestName } from '../../schema/nearest-name.ts';
import { pointerTo, type TextPosition } from '../../schema/parsed-document.ts';
import type { Schema } from '../../schema/schema.ts';
import { findIssues } from '../../schema/value-issues.ts';
import type { FindingCode, RoleFinding } from './role.ts';
import {
  type AnyField,
  aliasesIn,
  type FieldTable,
  filePatterns,
  isGroup,
  nameInFile,
  PATTERN_VARIABLES,
} from './role-fields.ts';

const MAX_LENGTH = 80;

/** A value for a message: a text or a number as written, of anything larger only what it is. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') {
    // Cut before it is quoted: aliases can make one text stand in a thousand places.
    return value.length > MAX_LENGTH
      ? `${JSON.stringify(value.slice(0, MAX_LENGTH))}…`
      : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return `a map of ${Object.keys(value).length}`;
  return value === null ? 'empty' : String(value);
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

export type PlainMap = Readonly<Record<string, unknown>>;

export interface CheckedText {
  readonly file: string;
  readonly values: PlainMap;
  readonly positions: ReadonlyMap<string, TextPosition>;
}

export const isPlainMap = (value: unknown): value is PlainMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isExtension = (name: string): boolean => name.startsWith('x-');

/**
 * Checks the values of one file against the table: known fields by their schema, then names that are not known. A
 * missing field is no finding yet: an overlay may leave out what it inherits.
 */
export function checkRoleFields(text: CheckedText, table: FieldTable): RoleFinding[] {
  return new FieldChecker(text).check(table);
}

class FieldChecker {
  private readonly text: CheckedText;
  private readonly findings: RoleFinding[] = [];

  constructor(text: CheckedText) {
    this.text = text;
  }

  check(table: FieldTable): RoleFinding[] {
    const known = new Map(Object.entries(table).map(([name, declared]) => [nameInFile(name), declared]));
    const aliases = aliasesIn(table);
    for (const [name, value] of Object.entries(this.text.values)) {
      const declared = known.get(name) ?? aliases.get(name);
      const pointer = pointerTo('', name);
      if (!declared) this.checkUnknown(name, pointer, '', known.keys());
      else if (isGroup(declared)) this.checkGroup(name, value, pointer, declared.fields);
      else this.checkKind(declared.kind, value, name, pointer);
    }
    return this.findings;
  }

  private checkGroup(
    group: string,
    value: unknown,
    pointer: string,
    fields: Readonly<Record<string, AnyField>>,
  ) {
    const known = new Map(Object.entries(fields).map(([name, field]) => [nameInFile(name), field]));
    if (!isPlainMap(value)) {
      const allowed = `a map of ${[...known.keys()].join(', ')}`;
      this.report('wrong-type', group, value, pointer, allowed);
      return;
    }
    for (const [name, inner] of Object.entries(value)) {
      const field = known.get(name);
      const place = pointerTo(pointer, name);
      if (field) this.checkKind(field.kind, inner, `${group}.${name}`, place);
      else this.checkUnknown(name, place, `${group}.`, known.keys());
    }
  }

  private checkKind(kind: Schema<unknown>, value: unknown, field: string, pointer: string): void {
    const issues = findIssues(kind, value);
    for (const { path, value: given, allowed, isWrongType } of issues) {
      // A value inside a list is named by its place: `flags[2]`.
      const name = `${field}${path.map((step) => `[${String(step)}]`).join('')}`;
      const place = path.reduce<string>(pointerTo, pointer);
      this.report(isWrongType ? 'wrong-type' : 'bad-value', name, given, place, allowed);
    }
    if (kind !== filePatterns || issues.length > 0) return;
    for (const [index, pattern] of (value as readonly string[]).entries())
      this.checkVariable(pattern, `${field}[${index}]`, pointerTo(pointer, index));
  }

  private checkVariable(pattern: string, field: string, pointer: string): void {
    const variable = /^\$\w*/.exec(pattern)?.[0];
    if (variable === undefined || PATTERN_VARIABLES.some((known) => known === variable)) return;
    const allowed = PATTERN_VARIABLES.join(', ');
    const near = nearestName(variable, PATTERN_VARIABLES);
    const hint = near ? `did you mean ${near}?` : `known are ${allowed}`;
    this.findings.push(
      roleFinding(this.text.file, {
        code: 'unknown-variable',
        severity: 'warning',
        position: this.text.positions.get(pointer),
        field,
        value: { of: pattern },
        allowed,
        says: `${field} is ${showValue(pattern)}, and there is no such variable; ${hint}`,
      }),
    );
  }

  /**
   * At the top nothing unknown is let through. Inside a map a role may carry fields of its own, but what looks
   * like a slip of a known name is one.
   */
  private checkUnknown(name: string, pointer: string, prefix: string, known: Iterable<string>): void {
    if (isExtension(name)) return;
    const names = [...known];
    const near = nearestName(name, names);
    const isRefused = prefix === '' || near !== null;
    const field = `${prefix}${name.slice(0, 80)}`;
    const hint = near ? `did you mean ${prefix}${near}?` : `known are ${names.join(', ')}`;
    const what = isRefused ? 'there is no field' : 'nothing is known of the field';
    this.findings.push(
      roleFinding(this.text.file, {
        code: 'unknown-field',
        severity: isRefused ? 'error' : 'warning',
        position: this.text.positions.get(pointer),
        field,
        allowed: `${names.join(', ')} and names that begin with x-`,
        says: `${what} ${JSON.stringify(field)}; ${hint} (a field of your own begins with x-)`,
      }),
    );
  }

  private report(
    code: 'wrong-type' | 'bad-value',
    field: string,
    value: unknown,
    pointer: string,
    allowed: string,
  ): void {
    this.findings.push(
      roleFinding(this.text.file, {
        code,
        position: this.text.positions.get(pointer),
        field,
        value: { of: value },
        allowed,
        says: `${field} is ${showValue(value)}; allowed is ${allowed}`,
      }),
    );
  }
}
