export interface DeclaredName {
  readonly name: string;
  /** Offset inside the declarator. */
  readonly at: number;
  /** `a::b` in front of `::name`; empty when there is none. */
  readonly scope: string;
  readonly isFunction: boolean;
}

/** A name stands near the front; what follows may be a table of any length. */
const MAX_DECLARATOR = 1_000;

/** Pointers, brackets, qualifiers and macros in front of a name. */
const LEADING =
  /^(?:[\s*&(^]|\.\.\.|\[\[[^\]]*\]\]|(?:const|volatile|restrict|__restrict|_Nonnull|_Nullable|__attribute__\s*\(\(.*?\)\)|(?:__\w+|[A-Z][A-Z0-9_]*)(?=\s+[\w*&]))(?![\w:]))*/s;
const QUALIFIED = /^((?:(?:::\s*)?[A-Za-z_]\w*\s*(?:<[^;{}]*>)?\s*::\s*)*)(~?\s*[A-Za-z_]\w*)/s;
const OPERATOR =
  /^operator(?!\w)\s*(?:""\s*\w+|\(\s*\)|\[\s*\]|[^\s\w(]+|(?:new|delete)(?:\s*\[\s*\])?|co_await|[^(]+)/;

/** The name a declarator declares: `**deep(void)`, `(*signal(int, void (*)(int)))(int)`, `Foo<T>::ptr() const`. */
export function declaredName(whole: string): DeclaredName | null {
  const declarator = whole.slice(0, MAX_DECLARATOR);
  const lead = LEADING.exec(declarator)![0].length;
  const rest = declarator.slice(lead);
  const qualified = QUALIFIED.exec(rest);
  if (!qualified) return null;
  const scope = qualified[1]!.replace(/\s*::\s*$/, '').trim();
  const at = lead + qualified[1]!.length;
  const operator = OPERATOR.exec(declarator.slice(at));
  if (operator) {
    const isCast = /^operator\s+\w/.test(operator[0]);
    const name = operator[0].replace(/\s+/g, isCast ? ' ' : '').trim();
    return { name, at, scope, isFunction: true };
  }
  const after = declarator.slice(lead + qualified[0].length).trimStart();
  // `(*callback)(int)` is a variable that points to a function
  const pointed = /\([\s*&^]*[*&^]/.test(declarator.slice(0, lead));
  const isFunction = after.startsWith('(') || (!pointed && /^\)\s*\(/.test(after));
  return { name: qualified[2]!.replace(/\s+/g, ''), at, scope, isFunction };
}
