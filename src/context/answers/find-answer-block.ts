import { readJson } from '../../model/read-json.ts';

// Finds the answer in the text of a model: the last closed fenced block labelled json. Models indent fences, quote other
// answers and stop in the middle, so the search also says why there is no clear answer.

/** The result of the search. Lines are counted from 1. */
export type AnswerSearch =
  /** `line` is the first line inside the block. */
  | { readonly kind: 'found'; readonly json: string; readonly line: number }
  /** The text ends inside a block. */
  | { readonly kind: 'cut-off'; readonly line: number; readonly fence: string }
  /** The last block is in an unusual place and differs from the last one in a usual place. */
  | { readonly kind: 'ambiguous'; readonly line: number; readonly other: number }
  /** `blocks` counts all closed blocks, whatever their label. */
  | { readonly kind: 'none'; readonly blocks: number; readonly nearMiss: NearMiss | null }
  | { readonly kind: 'too-large'; readonly what: string };

/** Something that looks like the answer block but is not. The feedback names it, so that the model can correct it. */
export interface NearMiss {
  readonly line: number;
  readonly reason: 'inside-another-fence' | 'no-object' | 'never-closed';
}

const MAX_CHARACTERS = 32 * 1024 * 1024;
const MAX_FENCES = 200_000;
const NEW_LINE = 10;
/** In columns. From here on a line is indented code in Markdown, and marks in it are not a fence. */
const CODE_INDENT = 4;

const MARKS = /`{3,}|~{3,}/g;
const LABEL = /^[ \t]*json(?=[\s{]|$)/i;

/** A line with fence marks. Offsets are into the whole text. */
interface FenceLine {
  readonly at: number;
  /** Columns before the marks; null for marks after other text. */
  readonly indent: number | null;
  /** The backticks or tildes. */
  readonly marks: string;
  /** The rest of the line after the marks. */
  readonly info: string;
  readonly infoAt: number;
}

/** A fence that is not closed yet. */
interface OpenFence {
  readonly line: FenceLine;
  readonly isJson: boolean;
  /** It holds a complete JSON object, so the answer was not cut off. */
  readonly isComplete: boolean;
}

/** A closed block labelled json: where its fence begins, and where its content is. */
interface FoundBlock {
  readonly at: number;
  readonly start: number;
  readonly end: number;
  /** In a place where Markdown allows fences: at the beginning of a line, indented by at most three columns. */
  readonly isUsual: boolean;
}

/** Everything that one walk through the fences found. */
interface Walk {
  readonly last: FoundBlock | null;
  readonly lastUsual: FoundBlock | null;
  /** A fence labelled json with a complete object, but without closing marks. */
  readonly unclosed: FenceLine | null;
  /** The fence in which the text ends. */
  readonly open: OpenFence | null;
  readonly blocks: number;
  readonly missed: { readonly at: number; readonly reason: NearMiss['reason'] } | null;
}

/**
 * Walks the fences line by line, by the rules of CommonMark: a fence is closed by a bare line of the same mark, at least
 * as long, so a longer fence may contain shorter ones. A fence labelled json may also be indented or follow other text
 * if a JSON object and closing marks come next: nothing else can be meant. Marker words and JSON outside a fence do not
 * count.
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
 * Walks the text twice if needed. First, indented fences count, so that a block inside one is not taken for an answer.
 * If one of them is never closed, or if no answer is left, they are probably part of indented code: the second walk
 * ignores them.
 */
function walkBothWays(text: string): Walk | null {
  const first = walkFences(text, true);
  if (first === null) return null;
  const endsIndented = first.open !== null && !first.open.isJson && !isUsualLine(first.open.line);
  if (!endsIndented && first.last !== null) return first;
  const second = walkFences(text, false);
  return endsIndented || second?.last?.isUsual ? second : first;
}

/** Null when there are too many fences. With `seesIndented`, fences without the label count at any indentation. */
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
    // Inside a block only its closing line matters.
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
    // Outside a block: is this a whole answer, the beginning of a block, or only marks inside a line?
    const object = isLabelled ? readObject(text, line) : null;
    // As in CommonMark: with a backtick after the marks, this is inline code.
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

/** The next line that begins with marks, or that has backticks labelled json after other text; null at the end. */
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

/** Whether a line closes an open fence. An indented fence is closed at about its own indentation. */
function closes({ indent, marks, info }: FenceLine, open: FenceLine): boolean {
  if (indent === null || marks[0] !== open.marks[0] || marks.length < open.marks.length) return false;
  if (info.trim() !== '') return false;
  if (open.indent === null || open.indent < CODE_INDENT) return indent < CODE_INDENT;
  return indent >= CODE_INDENT && indent < open.indent + CODE_INDENT;
}

const isUsualLine = ({ indent }: FenceLine): boolean => indent !== null && indent < CODE_INDENT;

/** The rest of the line after the label json. */
type ReadObject =
  /** An object with closing marks after it. */
  | { readonly kind: 'closed'; readonly start: number; readonly end: number }
  /** An object with something else after it. */
  | { readonly kind: 'whole' }
  /** Text that begins like an object. `end` is at the next marks, -1 when there are none. */
  | { readonly kind: 'broken'; readonly start: number; readonly end: number };

/** The object after the label, on the same line or on the next ones; null when something else follows. */
function readObject(text: string, { info, infoAt, marks, indent }: FenceLine): ReadObject | null {
  const behindLabel = infoAt + LABEL.exec(info)![0].length;
  // Words after the label belong to the fence.
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

/** Whether marks close a block. Marks with a word after them, as in ```python, open another one. */
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

/**
 * The offset after the object; null when the text stops being JSON before that. It ends at the next marks, so no part
 * of a long text is scanned twice.
 */
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

/** The offset of the closing quotation mark; -1 when there is none on the line. */
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

/** Compares values, so that two blocks with different layout count as one answer. */
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

/** Columns as Markdown counts them: a tab goes to the next multiple of four. */
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
