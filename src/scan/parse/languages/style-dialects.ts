// SCSS and Less. No CSS grammar reads their syntax, so statements are found by semicolons and braces.
import type { Language, LocatedImport, RawDefinition } from '../language.ts';
import { css, readCssImport } from './css.ts';

const shared = {
  kind: css.kind,
  lexis: css.lexis,
  structure: {
    engine: 'lines',
    find: (text) => findStyleRules(text).definitions,
    findImports: (text) => findStyleRules(text).imports,
  },
} satisfies Partial<Language>;

export const scss: Language = { ...shared, id: 'scss', name: 'SCSS', extensions: ['.scss'] };

export const less: Language = { ...shared, id: 'less', name: 'Less', extensions: ['.less'] };

/** The findings of one style sheet. */
interface StyleFindings {
  readonly definitions: RawDefinition[];
  readonly imports: LocatedImport[];
}

/** How statements begin: imports, definitions that are called, variables. */
const IMPORT = /^@(?:use|forward|import|plugin)\b/;
const CALLABLE = /^@(?:mixin|function)\s+([\w-]+)/;
/** In Less, `.name(@a; @b) when (…)` before a block defines a mixin. */
const LESS_MIXIN = /^([.#][\w-]+)\s*\([^{}]*\)(?:\s*(?:when|!)[\s\S]*)?$/;
const VARIABLE = /^(\$[\w-]+|--[\w-]+|@(?!media|supports|layer|container|page|include|charset)[\w-]+)\s*:/;
/** Control statements. Their blocks belong to the rule around them. */
const TRANSPARENT = /^@(?:include|if|else|each|for|while|at-root|content|return|extend)\b/;
const LISTS_STEPS = /^@(?:-\w+-)?keyframes\b/;

const MAX_NAME = 200;
/** Characters of a selector that are read. It may be as long as the file. */
const MAX_PRELUDE = 4_000;

/** Where the comment, string or interpolation at `at` ends; `at` itself when there is none. */
function skipAtom(text: string, at: number): number {
  const character = text[at];
  if (character === '/' && text[at + 1] === '*') return endOf(text, '*/', at + 2);
  // not the slashes of `url(http://…)`
  if (character === '/' && text[at + 1] === '/' && text[at - 1] !== ':') return endOf(text, '\n', at) - 1;
  if (character === '"' || character === "'") {
    for (let here = at + 1; here < text.length; here++) {
      if (text[here] === '\\') here++;
      else if (text[here] === character || text[here] === '\n') return here + 1;
    }
    return text.length;
  }
  if ((character === '#' || character === '@') && text[at + 1] === '{') return endOf(text, '}', at);
  return at;
}

function endOf(text: string, close: string, from: number): number {
  const found = text.indexOf(close, from);
  return found === -1 ? text.length : found + close.length;
}

/** A block that is still open; without a definition when it defines nothing. */
interface OpenBlock {
  readonly definition: Omit<RawDefinition, 'bodyEnd' | 'end'> | null;
  readonly hasSteps: boolean;
}

/**
 * Finds rules, mixins, functions, variables and placeholders, statement by statement. A semicolon or a brace ends a
 * statement.
 */
export function findStyleRules(text: string): StyleFindings {
  const found: StyleFindings = { definitions: [], imports: [] };
  const open: OpenBlock[] = [];
  let depth = 0;
  let start = -1;
  const close = (end: number): void => {
    const block = open.pop();
    if (block?.definition) found.definitions.push({ ...block.definition, bodyEnd: end, end });
  };
  for (let at = 0; at < text.length; at++) {
    const behind = skipAtom(text, at);
    const isComment = behind > at && text[at] === '/';
    if (behind > at) {
      if (!isComment && start < 0) start = at;
      at = behind - 1;
      continue;
    }
    const character = text[at]!;
    if (character <= ' ') continue;
    if (character === '(' || character === '[') depth++;
    else if (character === ')' || character === ']') depth = Math.max(0, depth - 1);
    else if (depth === 0 && (character === ';' || character === '}')) {
      if (start >= 0) endStatement(found, text, start, at, open);
      start = -1;
      if (character === '}') close(at + 1);
      continue;
    } else if (character === '{' && (depth === 0 || start < 0)) {
      open.push(openBlock(text, start < 0 ? at : start, at, open));
      start = -1;
      depth = 0;
      continue;
    }
    if (start < 0) start = at;
  }
  while (open.length > 0) close(text.length);
  return found;
}

/** A statement that ends with a semicolon: an import or a variable. */
function endStatement(
  found: StyleFindings,
  text: string,
  start: number,
  end: number,
  open: readonly OpenBlock[],
): void {
  const statement = text.slice(start, end);
  if (IMPORT.test(statement)) {
    for (const reference of readCssImport(statement)) found.imports.push({ ...reference, start, end });
    return;
  }
  const name = VARIABLE.exec(statement)?.[1];
  // Inside a block only custom properties are visible elsewhere.
  if (!name || (open.length > 0 && !name.startsWith('--'))) return;
  const bracket = statement.includes('\n') ? statement.search(/[([]/) : -1;
  const isLong = bracket > 0 && /[)\]]$/.test(statement.trimEnd());
  found.definitions.push({
    kind: 'variable',
    name,
    nameStart: start,
    start,
    headerEnd: isLong ? start + bracket : end,
    bodyEnd: end,
    end,
  });
}

/** Decides what a block defines by the text before its brace. */
function openBlock(text: string, start: number, brace: number, open: readonly OpenBlock[]): OpenBlock {
  const prelude = text.slice(start, Math.min(brace, start + MAX_PRELUDE)).trimEnd();
  const hasSteps = LISTS_STEPS.test(prelude);
  const isStep = open.at(-1)?.hasSteps ?? false;
  // `font: { family: x }` nests a property
  const isNestedProperty = prelude.endsWith(':') && !VARIABLE.test(prelude);
  if (prelude === '' || isStep || isNestedProperty || TRANSPARENT.test(prelude))
    return { definition: null, hasSteps };
  const callable = CALLABLE.exec(prelude)?.[1] ?? LESS_MIXIN.exec(prelude)?.[1];
  const variable = VARIABLE.exec(prelude)?.[1];
  const name =
    callable ??
    variable ??
    prelude
      .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  return {
    hasSteps,
    definition: {
      kind: callable ? 'function' : variable ? 'variable' : 'rule',
      name: name.slice(0, MAX_NAME),
      nameStart: start + Math.max(0, prelude.indexOf(name)),
      start,
      headerEnd: brace,
    },
  };
}
