/** The answer in a model's text: the last closed fenced block labelled json. */
export type AnswerSearch =
  /** `line` is that of the first line inside the block, from 1. */
  | { readonly kind: 'found'; readonly json: string; readonly line: number }
  | { readonly kind: 'cut-off'; readonly line: number; readonly fence: string }
  | { readonly kind: 'none'; readonly blocks: number; readonly nearMiss: NearMiss | null }
  | { readonly kind: 'too-large'; readonly what: string };

/** A place that looks like the block and is not one; told to the model so that it can do better. */
export interface NearMiss {
  readonly line: number;
  readonly reason: 'inside-another-fence' | 'indented';
}

const MAX_CHARACTERS = 32 * 1024 * 1024;
const MAX_FENCES = 200_000;
const NEAR_MISS_CHARACTERS = 64 * 1024;
const NEW_LINE = 10;

// Not `^` with the m flag, which also sees a new line behind U+2028, and JSON allows that in a text.
const FENCE_LINE = /(?<![^\n])( {0,3})(`{3,}|~{3,})([^\n]*)/g;
const INDENTED_LABEL = /(?<![^\n])(?: {4}| {0,3}\t)[ \t]*(?:`{3,}|~{3,})[ \t]*json\b/i;

interface OpenFence {
  readonly marks: string;
  readonly isJson: boolean;
  readonly at: number;
  readonly bodyStart: number;
}

/**
 * Walks the fences line by line, as CommonMark has them: a fence is closed by a bare line of the same mark,
 * at least as long, so that a longer fence may contain shorter ones. Nothing else is looked at: no marker
 * words, no JSON outside a fence.
 */
export function findAnswerBlock(text: string): AnswerSearch {
  if (text.length > MAX_CHARACTERS) return tooLarge(`${text.length} characters`, MAX_CHARACTERS);
  let open: OpenFence | null = null;
  let last: { readonly start: number; readonly end: number } | null = null;
  let nestedAt = -1;
  let fences = 0;
  let blocks = 0;
  for (const match of text.matchAll(FENCE_LINE)) {
    fences += 1;
    if (fences > MAX_FENCES) return tooLarge('more fences', MAX_FENCES);
    const marks = match[2]!;
    const info = match[3]!;
    if (open === null) {
      // As in CommonMark: with a backtick behind the marks it is code inside a line.
      if (marks.startsWith('`') && info.includes('`')) continue;
      open = {
        marks,
        isJson: isLabelledJson(info),
        at: match.index,
        bodyStart: Math.min(match.index + match[0].length + 1, text.length),
      };
    } else if (marks[0] === open.marks[0] && marks.length >= open.marks.length && info.trim() === '') {
      if (open.isJson) last = { start: open.bodyStart, end: match.index };
      blocks += 1;
      open = null;
    } else if (nestedAt < 0 && isLabelledJson(info)) nestedAt = match.index;
  }
  if (open) return { kind: 'cut-off', line: lineAt(text, open.at), fence: open.marks.slice(0, 10) };
  if (last) return { kind: 'found', json: text.slice(last.start, last.end), line: lineAt(text, last.start) };
  return { kind: 'none', blocks, nearMiss: findNearMiss(text, nestedAt) };
}

function findNearMiss(text: string, nestedAt: number): NearMiss | null {
  if (nestedAt >= 0) return { line: lineAt(text, nestedAt), reason: 'inside-another-fence' };
  // Answers stand at the end; a hint is not worth a second walk over everything.
  const start = Math.max(0, text.length - NEAR_MISS_CHARACTERS);
  const indented = INDENTED_LABEL.exec(text.slice(start));
  return indented && { line: lineAt(text, start + indented.index), reason: 'indented' };
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
