// Reads YAML of users and repositories with the place of every value. Hostile files are refused before they
// cost much time, memory or stack.

import type * as Yaml from 'yaml';
import {
  checkDocumentSize,
  documentError,
  MAX_DOCUMENT_LEVELS,
  type ParsedDocument,
  pointerTo,
  type TextPosition,
} from './parsed-document.ts';

/** With its aliases written out; 100 aliases can still stand for billions of values. */
const MAX_EXPANDED_VALUES = 20_000;
/** Tags of YAML's core schema; every other tag could name a type. */
const CORE_TAG = /^tag:yaml\.org,2002:(str|int|float|bool|null|map|seq)$/;

/**
 * Reads YAML from any source: limits on size, depth and aliases; no tags beyond YAML's own, no merge
 * keys, no key twice. Every refusal is a `LoadoutError` with file, line and column.
 */
export async function parseYamlSafely(text: string, name: string): Promise<ParsedDocument> {
  checkDocumentSize(text, name);
  const yaml = await import('yaml');
  const lineCounter = new yaml.LineCounter();
  const tokens = readYamlTokens(yaml, text, name, lineCounter);
  // Keys are compared below instead: the library compares each with each.
  const composer = new yaml.Composer({ version: '1.2', schema: 'core', merge: false, uniqueKeys: false });
  const [document, second] = withoutStackTraces(() => [...composer.compose(tokens, true, text.length)]) as [
    Yaml.Document.Parsed,
    unknown,
  ];
  const problems = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  const place = (offset: number): TextPosition => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  if (problems[0]) throw documentError(name, place(problems[0].pos[0]), firstLine(problems[0].message));
  if (second) throw documentError(name, place(document.range[2]), 'a second document is not allowed');
  const reader = new YamlReader(yaml, name, place);
  return { value: reader.read(document.contents, '').value, positions: reader.positions };
}

/** One text can hold 100,000 mistakes, and the traces of their errors, never shown, cost seconds. */
function withoutStackTraces<Result>(work: () => Result): Result {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

/** The library adds a picture of the line to its messages. */
const firstLine = (message: string): string => message.split('\n', 1)[0]!;

/** A value and how many values it holds with its aliases written out. */
interface Expanded {
  readonly value: unknown;
  readonly count: number;
}

/** Turns nodes of the library into plain values, and notes where they are. */
class YamlReader {
  readonly positions = new Map<string, TextPosition>();
  private readonly yaml: typeof Yaml;
  private readonly name: string;
  private readonly place: (offset: number) => TextPosition;
  private readonly anchors = new Map<string, Expanded>();

  constructor(yaml: typeof Yaml, name: string, place: (offset: number) => TextPosition) {
    this.yaml = yaml;
    this.name = name;
    this.place = place;
  }

  /** A node with its aliases written out. The count stops an alias bomb. */
  read(node: unknown, pointer: string): Expanded {
    if (!this.yaml.isNode(node)) return { value: null, count: 1 };
    const position = this.positionOf(node);
    this.positions.set(pointer, position);
    if (this.yaml.isAlias(node)) {
      const target = this.anchors.get(node.source);
      if (!target) throw this.error(position, `the alias *${node.source} has no finished anchor before it`);
      return target;
    }
    if (node.tag !== undefined && !CORE_TAG.test(node.tag)) {
      throw this.error(position, `the tag ${node.tag} is not allowed`);
    }
    const expanded = this.readContent(node, pointer);
    if (expanded.count > MAX_EXPANDED_VALUES) {
      throw this.error(position, `more than ${MAX_EXPANDED_VALUES} values with the aliases written out`);
    }
    if (node.anchor) this.anchors.set(node.anchor, expanded);
    return expanded;
  }

  private readContent(node: Yaml.Node, pointer: string): Expanded {
    if (this.yaml.isMap(node)) return this.readMap(node, pointer);
    if (this.yaml.isSeq(node)) {
      const items = node.items.map((item, index) => this.read(item, pointerTo(pointer, index)));
      return { value: items.map((item) => item.value), count: total(items) };
    }
    return { value: this.yaml.isScalar(node) ? node.value : null, count: 1 };
  }

  /** Refuses a key that comes twice. */
  private readMap(node: Yaml.YAMLMap, pointer: string): Expanded {
    const entries = new Map<string, Expanded>();
    for (const pair of node.items) {
      const key = this.readKey(pair.key, node);
      if (entries.has(key))
        throw this.error(this.positionOf(pair.key), `${JSON.stringify(key)} is set twice`);
      const place = pointerTo(pointer, key);
      entries.set(key, this.read(pair.value, place));
      if (!this.positions.has(place)) this.positions.set(place, this.positionOf(pair.key));
    }
    const plain = [...entries].map(([key, expanded]) => [key, expanded.value] as const);
    return { value: Object.fromEntries(plain), count: total([...entries.values()]) };
  }

  /** Keys are texts; numbers and the like keep their spelling. */
  private readKey(key: unknown, map: Yaml.YAMLMap): string {
    if (!this.yaml.isScalar(key) || key.value === null || key.tag !== undefined) {
      throw this.error(this.positionOf(key ?? map), 'a key must be plain text');
    }
    if (key.value === '<<') throw this.error(this.positionOf(key), 'merge keys (<<) are not allowed');
    if (key.anchor) this.anchors.set(key.anchor, { value: key.value, count: 1 });
    return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
  }

  private positionOf(node: unknown): TextPosition {
    return this.place((this.yaml.isNode(node) ? node.range?.[0] : undefined) ?? 0);
  }

  private error(position: TextPosition, what: string) {
    return documentError(this.name, position, what);
  }
}

const total = (parts: readonly Expanded[]): number => parts.reduce((sum, part) => sum + part.count, 1);

/** Of one file. */
const MAX_YAML_ALIASES = 100;
/** Reading costs up to 10 µs a token, whatever its length: this keeps the worst file near a tenth of a second. */
const MAX_YAML_TOKENS = 10_000;

/**
 * The syntax tree of a text, given up as soon as it nests too deeply. On Node 20 the library's composer does
 * not throw when the stack runs out, it takes the whole process down. Lexer and parser are loops over a stack
 * of their own, so its height is watched here, token by token, before the composer sees anything.
 */
function readYamlTokens(
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

/** The document at the top of the stack and a scalar at its end do not count as levels. */
function levelsOpen(stack: readonly Yaml.CST.Token[]): number {
  const last = stack.at(-1);
  return stack.length - (last && 'items' in last ? 1 : 2);
}

function placeAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
