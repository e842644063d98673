/** What a bracket opens, by what may be blanked in it. */
export const KEEP = 0;
export const BODY = 1;
/** An object or a list: a function in it is a definition, while one in a body is not. */
export const VALUE = 2;
export const TEMPLATE = 3;
/** `type A = {`: nothing in it is a definition. */
export const ALIAS = 4;
export type Opened = typeof KEEP | typeof BODY | typeof VALUE | typeof TEMPLATE | typeof ALIAS;

export interface OpenBracket {
  /** Behind the bracket. */
  readonly start: number;
  readonly opened: Opened;
  /** Code of the bracket that closes it. */
  readonly closer: number;
  readonly parenDepth: number;
  hasKept: boolean;
  hasFunction: boolean;
  /** Blanked ranges so far when it was opened: a blanked body swallows those inside it. */
  readonly rangesBefore: number;
}

/** Whether the content of a bracket that was just closed may be blanked. */
export function isBlank({ opened, hasKept, hasFunction }: OpenBracket): boolean {
  if (hasKept || opened === KEEP || opened === TEMPLATE) return false;
  return opened !== VALUE || !hasFunction;
}
