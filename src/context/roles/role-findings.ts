// The problems that a role file can have, and their messages. Reading, merging and loading roles all report through
// `roleFinding`, so every message begins with file, line and column.

import { pointerTo, type TextPosition } from '../../schema/parsed-document.ts';
import type { Schema } from '../../schema/schema.ts';
import { findIssues, nearestName } from '../../schema/value-issues.ts';
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

/** In characters. */
const MAX_LENGTH = 80;

/** A value for a message: texts and numbers as written, lists and maps only by their size. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') {
    // Cut before quoting: YAML aliases can repeat one long text a thousand times.
    return value.length > MAX_LENGTH
      ? `${JSON.stringify(value.slice(0, MAX_LENGTH))}…`
      : JSON.stringify(value);
  }
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return `a map of ${Object.keys(value).length}`;
  return value === null ? 'empty' : String(value);
}

/** A finding before its message is put together. */
interface FindingParts {
  readonly code: FindingCode;
  /** An error if absent. */
  readonly severity?: RoleFinding['severity'];
  /** The beginning of the file if absent. */
  readonly position?: TextPosition | undefined;
  readonly field?: string;
  /** The value that is wrong. Wrapped in an object, because `undefined` can be a value. */
  readonly value?: { readonly of: unknown };
  readonly allowed?: string;
  /** The part of the message after the position. */
  readonly says: string;
}

/** The one place that makes findings, so that all messages have the same form. */
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

/** A YAML map of unknown content. */
export type PlainMap = Readonly<Record<string, unknown>>;

/** A parsed role file, as the checks need it. */
export interface CheckedText {
  readonly file: string;
  readonly values: PlainMap;
  /** By JSON pointer. */
  readonly positions: ReadonlyMap<string, TextPosition>;
}

export const isPlainMap = (value: unknown): value is PlainMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isExtension = (name: string): boolean => name.startsWith('x-');

/**
 * Checks the values of one file against the table: known fields by their schema, then unknown names. Missing fields
 * are checked after the merge, because an overlay may inherit them.
 */
export function checkRoleFields(text: CheckedText, table: FieldTable): RoleFinding[] {
  return new FieldChecker(text).check(table);
}

/** Collects the findings of one file. */
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
      // A value inside a list is named by its index: `flags[2]`.
      const name = `${field}${path.map((step) => `[${String(step)}]`).join('')}`;
      const place = path.reduce<string>(pointerTo, pointer);
      this.report(isWrongType ? 'wrong-type' : 'bad-value', name, given, place, allowed);
    }
    // Only file lists have variables, and only a valid list can be searched for them.
    if (kind !== filePatterns || issues.length > 0) return;
    for (const [index, pattern] of (value as readonly string[]).entries())
      this.checkVariable(pattern, `${field}[${index}]`, pointerTo(pointer, index));
  }

  /** An unknown variable matches no files and does no other harm, so it is only a warning. */
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
   * An unknown field at the top level is an error. Inside a map a role may have fields of its own, unless the name
   * looks like a misspelled known one.
   */
  private checkUnknown(name: string, pointer: string, prefix: string, known: Iterable<string>): void {
    if (isExtension(name)) return;
    const names = [...known];
    const near = nearestName(name, names);
    const isRefused = prefix === '' || near !== null;
    const field = `${prefix}${name.slice(0, 80)}`;
    const hint = near ? `did you mean ${prefix}${near}?` : `known are ${names.join(', ')}`;
    const what = isRefused ? 'there is no field' : 'unknown field';
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
