import type { QuotedText } from '../../model/task-analysis.ts';
import { anyOf } from './any-of.ts';
import type { ClassifiedLine } from './classified-line.ts';
import { hasWord, isWordUnit, wordRuns } from './word-runs.ts';

const PAIRS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['„', '“'],
  ['‘', '’'],
  ['«', '»'],
  ['「', '」'],
]);

const SHORTEST = 3;
const LONGEST = 300;

const READS_LIKE_ERROR = anyOf(
  /\b(?:error|exception|fail(?:s|ed|ure)?|panic(?:ked)?|overflow|timed out|refused|denied|no such|not found|missing)\b/i,
  /\b(?:cannot|can't|could not|couldn't|unable to|must be|not allowed|is not a|does not exist|has no attribute)\b/i,
  /\b(?:invalid|illegal|unexpected|undefined|unknown|unsupported|expected .{1,60} (?:but )?got)\b/i,
);

/** What the task quotes and the error messages it has, in order, each once. */
export function quotedTexts(lines: readonly ClassifiedLine[]): QuotedText[] {
  const found = new Map<string, boolean>();
  function add(text: string, isError: boolean): void {
    const known = found.get(text);
    if (known === undefined || (isError && !known)) found.set(text, isError);
  }
  for (const { text, kind, isError } of lines) {
    if (kind === 'blank' || kind === 'boilerplate') continue;
    const trimmed = text.trim();
    if (isError) add(errorMessage(trimmed), true);
    // quotes in code are its strings, and only those that read like a message tell where it came from
    const mustRead = kind === 'code' || kind === 'trace';
    for (const quoted of quotedIn(trimmed)) {
      const reads = quoted.includes(' ') && READS_LIKE_ERROR.test(quoted);
      if (reads || !mustRead || (quoted.includes(' ') && wordRuns(quoted).some((word) => word.length > 2)))
        add(quoted, reads);
    }
  }
  return [...found].map(([text, isError]) => ({ text, isError }));
}

/** Without the mark that a test runner puts in front of it. */
function errorMessage(line: string): string {
  return line.replace(/^E {1,6}/, '').slice(0, LONGEST);
}

/** Each quote is closed on its line or it is none; `'` between letters is an apostrophe. */
function quotedIn(line: string): string[] {
  const found: string[] = [];
  if (!/["'`“„‘«「]/.test(line)) return found;
  /** Where each mark closes next, so that many marks that open nothing are not looked for again and again. */
  const next = new Map<string, number>();
  let at = 0;
  while (at < line.length) {
    const close = PAIRS.get(line[at]!);
    if (close === undefined || standsBehindWord(line, at)) {
      at++;
      continue;
    }
    let end = next.get(close) ?? -1;
    if (end <= at) {
      end = closing(line, close, at + 1);
      next.set(close, end);
    }
    if (end - at > LONGEST) {
      at++;
      continue;
    }
    const text = line.slice(at + 1, end).trim();
    const isName = close === '`' && !text.includes(' ');
    if (text.length >= SHORTEST && !isName && hasWord(text)) found.push(text);
    at = end + 1;
  }
  return found;
}

/** An apostrophe, or the sign for inches. */
function standsBehindWord(line: string, at: number): boolean {
  if (line[at] === '"') return line[at - 1] !== undefined && line[at - 1]! >= '0' && line[at - 1]! <= '9';
  return line[at] === "'" && at > 0 && isWordUnit(line.charCodeAt(at - 1));
}

function closing(line: string, close: string, from: number): number {
  let end = line.indexOf(close, from);
  while (end !== -1 && close === "'" && isWordUnit(line.charCodeAt(end + 1)))
    end = line.indexOf(close, end + 1);
  return end === -1 ? Number.POSITIVE_INFINITY : end;
}
