import { readJson } from '../../platform/parse-json.ts';

/** The answer in a model's text: the last closed fenced block labelled json. */
export type AnswerSearch =
  /** `line` is that of the first line inside the block, from 1. */
  | { readonly kind: 'found'; readonly json: string; readonly line: number }
  /** The text ends inside of a block. */
  | { readonly kind: 'cut-off'; readonly line: number; readonly fence: string }
  /** The last block stands in an unusual place and says something else than one that does not. */
  | { readonly kind: 'ambiguous'; readonly line: number; readonly other: number }
  | { readonly kind: 'none'; readonly blocks: number; readonly nearMiss: NearMiss | null }
  | { readonly kind: 'too-large'; readonly what: string };

/** A place that looks like the block and is not one; told to the model so that it can do better. */
export interface NearMiss {
  readonly line: number;
  readonly reason: 'inside-another-fence' | 'no-object' | 'never-closed';
}

const MAX_CHARACTERS = 32 * 1024 * 1024;
const MAX_FENCES = 200_000;
const NEW_LINE = 10;
/** From here on a line is indented code in Markdown, and a fence in it is none. */
const CODE_INDENT = 4;

const MARKS = /`{3,}|~{3,}/g;
const LABEL = /^[ \t]*json(?=[\s{]|$)/i;

interface FenceLine {
  readonly at: number;
  /** Columns before the marks; null for marks behind other text. */
  readonly indent: number | null;
  readonly marks: string;
  readonly info: string;
  readonly infoAt: number;
}

interface OpenFence {
  readonly line: FenceLine;
  readonly isJson: boolean;
  /** There is a whole JSON object in it, so the text does not end in its middle. */
  readonly isComplete: boolean;
}

interface FoundBlock {
  readonly at: number;
  readonly start: number;
  readonly end: number;
  /** Where Markdown has fences: at the beginning of a line, indented by three columns at most. */
  readonly isUsual: boolean;
}

interface Walk {
  readonly last: FoundBlock | null;
  readonly lastUsual: FoundBlock | null;
  /** Labelled json, with a whole object, and nothing behind it closes it. */
  readonly unclosed: FenceLine | null;
  readonly open: OpenFence | null;
  readonly blocks: number;
  readonly missed: { readonly at: number; readonly reason: NearMiss['reason'] } | null;
}

/**
 * Walks the fences line by line, as CommonMark has them: a fence is closed by a bare line of the same mark, at least
 * as long, so that a longer fence may contain shorter ones. A fence labelled json may also be indented or stand
 * behind other text when a JSON object and closing marks follow: nothing else can be meant. No marker words, no JSON
 * outside a fence.
 */
export function findAnswerBlock(text: string): AnswerSearch {
  if (text.length > MAX_CHARACTERS) return tooLarge(`${text.length} characters`, MAX_CHARACTERS);
  const walk = walkBothWays(text);
  if (walk === null) return tooLarge('more fences', MAX_FENCES);
  const { last, lastUsual, unclosed, open, blocks, missed } = walk;
  const none = (at: number, reason: NearMiss['reason']): AnswerSearch => {
    return { kind: 'none', blocks, nearMiss: { line: lineAt(text, at), reason } };
  };
  if (open?.isComplete) return none(open.line.at, 'never-closed');
  if (open) return { kind: 'cut-off', line: lineAt(text, open.line.at), fence: open.line.marks.slice(0, 10) };
  if (unclosed && (last === null || unclosed.at > last.at)) return none(unclosed.at, 'never-closed');
  if (last === null)
    return missed ? none(missed.at, missed.reason) : { kind: 'none', blocks, nearMiss: null };
  const json = text.slice(last.start, last.end);
  if (!last.isUsual && lastUsual && !isSameJson(json, text.slice(lastUsual.start, lastUsual.end)))
    return { kind: 'ambiguous', line: lineAt(text, last.at), other: lineAt(text, lastUsual.at) };
  return { kind: 'found', json, line: lineAt(text, last.start) };
}

/**
 * Indented fences count, so that what they contain is no answer. When nothing closes one of them, or they leave nothing
 * but a block in the usual place is there, they are part of indented code and do not.
 */
function walkBothWays(text: string): Walk | null {
  const first = walkFences(text, true);
  if (first === null) return null;
  const endsIndented = first.open !== null && !first.open.isJson && !isUsualLine(first.open.line);
  if (!endsIndented && first.last !== null) return first;
  const second = walkFences(text, false);
  return endsIndented || second?.last?.isUsual ? second : first;
}

/** Null when there are too many fences. `seesIndented`: fences without the label count at any indentation. */
function walkFences(text: string, seesIndented: boolean): Walk | null {
  let open: OpenFence | null = null;
  let last: FoundBlock | null = null;
  let lastUsual: FoundBlock | null = null;
  let unclosed: FenceLine | null = null;
  let missed: Walk['missed'] = null;
  let blocks = 0;
  let fences = 0;
  const take = (block: FoundBlock) => {
    last = block;
    if (block.isUsual) lastUsual = block;
  };
  for (let line = fenceLineFrom(text, 0); line; ) {
    let next = line.infoAt + line.info.length;
    fences += 1;
    if (fences > MAX_FENCES) return null;
    const isLabelled = LABEL.test(line.info);
    const isUsual = line.indent !== null && line.indent < CODE_INDENT;
    if (open) {
      if (closes(line, open.line)) {
        const { at, infoAt, info } = open.line;
        const start = Math.min(infoAt + info.length + 1, text.length);
        if (open.isJson) take({ at, start, end: line.at, isUsual: isUsualLine(open.line) });
        blocks += 1;
        open = null;
      } else if (isLabelled && line.indent !== null)
        missed ??= { at: line.at, reason: 'inside-another-fence' };
      line = fenceLineFrom(text, next);
      continue;
    }
    const object = isLabelled ? readObject(text, line) : null;
    // As in CommonMark: with a backtick behind the marks it is code inside a line.
    const isInLine = line.marks.startsWith('`') && line.info.includes('`');
    if (
      object?.kind === 'closed' ||
      (object?.kind === 'broken' && object.end !== -1 && (isInLine || !isUsual))
    ) {
      const { start, end } = object;
      take({ at: line.at, start, end, isUsual });
      blocks += 1;
      next = endOfLine(text, skipSpace(text, end));
    } else if (isUsual && !isInLine)
      open = { line, isJson: isLabelledJson(line.info), isComplete: object?.kind === 'whole' };
    else if (object?.kind === 'whole') unclosed = line;
    else if (object?.kind === 'broken') open = { line, isJson: true, isComplete: false };
    else if (isLabelled) missed ??= { at: line.at, reason: 'no-object' };
    else if (seesIndented && line.indent !== null && !isUsual && !isInLine)
      open = { line, isJson: false, isComplete: false };
    line = fenceLineFrom(text, next);
  }
  return { last, lastUsual, unclosed, open, blocks, missed };
}

/** The next line that begins with marks, or that has backticks labelled json behind other text. */
function fenceLineFrom(text: string, from: number): FenceLine | null {
  MARKS.lastIndex = from;
  for (let match = MARKS.exec(text); match; match = MARKS.exec(text)) {
    const lineStart = text.lastIndexOf('\n', match.index - 1) + 1;
    const before = text.slice(lineStart, match.index);
    const lineEnd = endOfLine(text, match.index);
    const infoAt = match.index + match[0].length;
    const info = text.slice(infoAt, lineEnd);
    if (/^[ \t]*$/.test(before))
      return { at: lineStart, indent: columnsOf(before), marks: match[0], info, infoAt };
    if (match[0].startsWith('`') && LABEL.test(info))
      return { at: lineStart, indent: null, marks: match[0], info, infoAt };
    MARKS.lastIndex = lineEnd;
  }
  return null;
}

function closes({ indent, marks, info }: FenceLine, open: FenceLine): boolean {
  if (indent === null || marks[0] !== open.marks[0] || marks.length < open.marks.length) return false;
  if (info.trim() !== '') return false;
  if (open.indent === null || open.indent < CODE_INDENT) return indent < CODE_INDENT;
  return indent >= CODE_INDENT && indent < open.indent + CODE_INDENT;
}

const isUsualLine = ({ indent }: FenceLine): boolean => indent !== null && indent < CODE_INDENT;

type ReadObject =
  /** The object, and closing marks behind it. */
  | { readonly kind: 'closed'; readonly start: number; readonly end: number }
  /** The object, and something else behind it. */
  | { readonly kind: 'whole' }
  /** What begins like one; `end` is at the next marks, -1 when there are none. */
  | { readonly kind: 'broken'; readonly start: number; readonly end: number };

/** The object that follows the label at once or on the next lines; null when something else does. */
function readObject(text: string, { info, infoAt, marks, indent }: FenceLine): ReadObject | null {
  const behindLabel = infoAt + LABEL.exec(info)![0].length;
  // Words behind the label belong to the fence.
  const starts = indent === null ? [behindLabel] : [behindLabel, infoAt + info.length];
  for (const from of starts) {
    const start = skipSpace(text, from);
    if (text[start] !== '{') continue;
    const end = endOfObject(text, start);
    if (end === null || !isJson(text.slice(start, end)))
      return { kind: 'broken', start, end: text.indexOf(marks, start) };
    return isClosing(text, skipSpace(text, end), marks) ? { kind: 'closed', start, end } : { kind: 'whole' };
  }
  return null;
}

/** Marks with a word at them, as in ```python, open another block. */
function isClosing(text: string, at: number, marks: string): boolean {
  if (!text.startsWith(marks, at)) return false;
  let end = at;
  while (text[end] === marks[0]) end += 1;
  return !/[\w+#-]/.test(text[end] ?? '');
}

function endOfLine(text: string, from: number): number {
  const newLine = text.indexOf('\n', from);
  return newLine === -1 ? text.length : newLine;
}

/** Null when the text is no JSON before the object ends. It stops at the next fence: those are never scanned twice. */
function endOfObject(text: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]!;
    if (character === '"') {
      at = endOfText(text, at);
      if (at === -1) return null;
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (character === '`' || character === '~') return null;
  }
  return null;
}

/** The place of the closing quotation mark; -1 when there is none on the line. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') return at;
    if (character === '\n') return -1;
    if (character === '\\') at += 1;
  }
  return -1;
}

const isJson = (text: string): boolean => readJson(text).kind === 'json';

function isSameJson(one: string, other: string): boolean {
  if (one.trim() === other.trim()) return true;
  const [left, right] = [readJson(one), readJson(other)];
  if (left.kind === 'invalid' || right.kind === 'invalid') return false;
  return JSON.stringify(left.value) === JSON.stringify(right.value);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text[at]!)) at += 1;
  return at;
}

/** As Markdown counts: a tab goes to the next multiple of four. */
function columnsOf(space: string): number {
  let columns = 0;
  for (const character of space) columns += character === '\t' ? 4 - (columns % 4) : 1;
  return columns;
}

function isLabelledJson(info: string): boolean {
  return /^[ \t]*json(?:\s|$)/i.test(info);
}

function tooLarge(what: string, limit: number): AnswerSearch {
  return { kind: 'too-large', what: `${what}; at most ${limit} are read` };
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = 0; at < offset; at += 1) if (text.charCodeAt(at) === NEW_LINE) line += 1;
  return line;
}
