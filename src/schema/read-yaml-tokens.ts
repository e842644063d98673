import type * as Yaml from 'yaml';
import { documentError, MAX_DOCUMENT_LEVELS, type TextPosition } from './parsed-document.ts';

export const MAX_YAML_ALIASES = 100;
/** Reading costs up to 10 µs a token, whatever its length: this keeps the worst file near a tenth of a second. */
export const MAX_YAML_TOKENS = 10_000;

/**
 * The syntax tree of a text, given up as soon as it nests too deeply. On Node 20 the library's composer does
 * not throw when the stack runs out, it takes the whole process down. Lexer and parser are loops over a stack
 * of their own, so its height is watched here, token by token, before the composer sees anything.
 */
export function readYamlTokens(
  yaml: typeof Yaml,
  text: string,
  name: string,
  lineCounter: Yaml.LineCounter,
): Yaml.CST.Token[] {
  const parser = new yaml.Parser(lineCounter.addNewLine);
  const tokens: Yaml.CST.Token[] = [];
  let offset = 0;
  let count = 0;
  let aliases = 0;
  let isScalar = false;
  const refuse = (what: string) => documentError(name, placeAt(text, offset), what);

  lineCounter.addNewLine(0);
  for (const source of new yaml.Lexer().lex(text)) {
    const type: Yaml.CST.TokenType | null = isScalar ? null : yaml.CST.tokenType(source);
    isScalar = type === 'scalar';
    count += 1;
    if (type === 'alias') aliases += 1;
    if (type === 'directive-line') throw refuse('directives such as %YAML and %TAG are not allowed');
    if (count > MAX_YAML_TOKENS) throw refuse(`more than ${MAX_YAML_TOKENS} words and marks`);
    if (aliases > MAX_YAML_ALIASES) throw refuse(`more than ${MAX_YAML_ALIASES} aliases`);
    for (const token of parser.next(source)) {
      if (token.type === 'error') throw refuse(token.message.split('\n', 1)[0]!);
      tokens.push(token);
    }
    if (levelsOpen(parser.stack) > MAX_DOCUMENT_LEVELS)
      throw refuse(`more than ${MAX_DOCUMENT_LEVELS} levels of nesting`);
    // The marks in front of a scalar, a document and a broken flow are not part of the text.
    if (!isScalar && type !== 'doc-mode' && type !== 'flow-error-end') offset += source.length;
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

/** The document at the top of the stack and a scalar at its end are no levels. */
function levelsOpen(stack: readonly Yaml.CST.Token[]): number {
  const last = stack.at(-1);
  return stack.length - (last && 'items' in last ? 1 : 2);
}

function placeAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
