import { LoadoutError } from '../../model/loadout-error.ts';
import { firstCharacters, headAndTail, lastCharacters } from './character-cuts.ts';
import { queryJson } from './json-path.ts';
import { Lines, numberedLines } from './line-blocks.ts';
import { compileLinePattern } from './line-pattern.ts';
import { relevantLines } from './relevant-lines.ts';
import { isSelectorName, type Selection, type SelectorName, showSelection } from './selection.ts';

export interface SelectedText {
  /** Never longer than the limit, no pair split. */
  readonly text: string;
  /** What was used in the end. */
  readonly selector: SelectorName;
  /** Why it is not what was asked for; empty when it is. */
  readonly notice: string;
}

const LARGEST_JSON = 32 * 1024 * 1024;
const CONTEXT_LINES = 2;
const MOST_MATCHES = 10_000;

/** Takes a part of a text, never more than `limit` characters. What cannot be done falls back, and says so. */
export function applySelector(text: string, selection: Selection, limit: number, query = ''): SelectedText {
  const { selector } = selection;
  const fallback = (notice: string): SelectedText => ({
    text: firstCharacters(text, limit),
    selector: 'first_chars',
    notice: `${showSelection(selection)}: ${notice}; first_chars instead`,
  });
  if (!isSelectorName(selector)) return fallback('this selector is not known');
  if (selector === 'first_chars') return { text: firstCharacters(text, limit), selector, notice: '' };
  if (selector === 'last_chars') return { text: lastCharacters(text, limit), selector, notice: '' };
  if (selector === 'head_tail') return { text: headAndTail(text, limit), selector, notice: '' };
  try {
    const found = SEARCHES[selector](text, selection.argument, limit, query);
    if (typeof found === 'string') return { text: found, selector, notice: '' };
    if ('problem' in found) return fallback(found.problem);
    return { text: found.text, selector, notice: `${showSelection(selection)}: ${found.notice}` };
  } catch (error) {
    if (error instanceof LoadoutError) return fallback(error.message);
    throw error;
  }
}

type Search = (
  text: string,
  argument: string,
  limit: number,
  query: string,
) => string | { readonly problem: string } | { readonly text: string; readonly notice: string };

const SEARCHES: Readonly<Record<'lines' | 'json_path' | 'grep' | 'relevant', Search>> = {
  lines(text, argument, limit) {
    const range = /^(\d{1,9})?\s*(-)?\s*(\d{1,9})?$/.exec(argument);
    const [, first, dash, last] = range ?? [];
    if (range === null || (first === undefined && last === undefined))
      return { problem: 'a range such as 10-40, 10- or -40 is missing' };
    const lines = new Lines(text);
    const start = Math.max(1, Number(first ?? 1));
    const end = Math.min(lines.count, dash === undefined ? start : Number(last ?? lines.count));
    if (end < start) return { problem: `the result has ${lines.count} lines` };
    return numberedLines(lines, upTo(start - 1, end, limit), limit);
  },
  json_path(text, argument, limit) {
    if (text.length > LARGEST_JSON) return { problem: 'the result is too large to be read as JSON' };
    const { values, isPartial } = queryJson(parseJson(text), argument);
    if (values.length === 0) return { problem: 'nothing is there' };
    const shown: string[] = [];
    let used = 0;
    for (const value of values) {
      const line = typeof value === 'string' && values.length === 1 ? value : showJson(value);
      shown.push(line);
      used += line.length + 1;
      if (used > limit) break;
    }
    const found = firstCharacters(shown.join('\n') + (isPartial ? '\n…' : ''), limit);
    const notice = `the path leads to too many values; ${values.length} of them were taken`;
    return isPartial ? { text: found, notice } : found;
  },
  grep(text, argument, limit) {
    const [, flags, pattern] = /^(?:\(\?(i)\))?(.*)$/su.exec(argument)!;
    if (pattern === undefined || pattern === '') return { problem: 'the pattern is missing' };
    const { test } = compileLinePattern(pattern, flags === 'i');
    const lines = new Lines(text);
    const wanted = new Set<number>();
    let room = limit;
    for (let at = 0, hits = 0; at < lines.count && hits < MOST_MATCHES && room > 0; at++) {
      if (!test(lines.line(at))) continue;
      hits += 1;
      const last = Math.min(lines.count - 1, at + CONTEXT_LINES);
      for (let near = Math.max(0, at - CONTEXT_LINES); near <= last; near++) {
        if (!wanted.has(near)) room -= lines.line(near).length + 1;
        wanted.add(near);
      }
    }
    if (wanted.size === 0) return { problem: 'no line matches' };
    return numberedLines(lines, [...wanted], limit);
  },
  relevant(text, argument, limit, query) {
    const found = relevantLines(text, argument === '' ? query : argument, limit);
    return found === '' ? { problem: 'no word of the step occurs' } : found;
  },
};

function upTo(start: number, end: number, most: number): number[] {
  return Array.from({ length: Math.min(end - start, most + 1) }, (_, at) => start + at);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new LoadoutError('bad-json', 'the result is not JSON');
  }
}

/** Writing goes through calls, and a value can be nested deeper than the stack. */
function showJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw new LoadoutError('bad-json', 'the value is nested too deeply to be shown');
  }
}
