import { wordParts } from '../../model/word-parts.ts';

/** The place that a title begins with: `fix(net): …`, `net/http: …`, `[net] …`, `str expand: …`. */
export interface Scope {
  /** Lower case, as written: what a person would call it. */
  readonly name: string;
  /** Its words, lower case; equal parts make equal scopes whatever stands between them. */
  readonly parts: readonly string[];
}

const MAX_LINE = 300;
const COMMIT_TYPE = /^[a-z]{2,12}\(([^()]{1,80})\)!?:\s/i;
const BRACKETS = /^\[([^\]]{2,40})\]:?\s*/;
/** Up to three words, or a list of places, and what is to be done behind the colon. */
const PREFIX = /^((?:[\w./@*+`$-]{1,40}(?:,\s?|\s)?){1,3}):\s+\S/;
const MAX_PREFIX = 40;
/** Kinds of work, not places. */
const KINDS =
  /^(?:fix(?:es|ed)?|feat(?:ure)?s?|chore|bug(?:fix)?|docs?|tests?|refactor|perf|build|ci|style|revert|release|backport.*|pr\b.*|wip|security|deps.*|note|todo|breaking)$/;

/** The places that the first line of a task or of a commit's message names before it says what is to be done. */
export function scopesOf(text: string): Scope[] {
  const line = text.trimStart().slice(0, MAX_LINE).split('\n', 1)[0]!;
  const found = new Map<string, Scope>();
  for (const written of placesIn(line)) {
    const name = written.replaceAll('`', '').trim().toLowerCase();
    if (name.length < 2 || KINDS.test(name)) continue;
    const parts = wordsOf(written);
    if (parts.length > 0) found.set(parts.join('/'), { name, parts });
  }
  return [...found.values()];
}

function placesIn(line: string): string[] {
  const brackets = BRACKETS.exec(line);
  const rest = line.slice(brackets?.[0].length ?? 0);
  const inBrackets = brackets ? [brackets[1]!] : [];
  const commit = COMMIT_TYPE.exec(rest);
  if (commit) return [...inBrackets, ...commit[1]!.split(/[,;|]/)];
  const prefix = PREFIX.exec(rest)?.[1] ?? '';
  return prefix.length > MAX_PREFIX ? inBrackets : [...inBrackets, ...prefix.split(',')];
}

/** The words of a name or a path, in order: `htmlReporter`, `html-reporter` and `html_reporter` have the same. */
export function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{M}\p{N}]+/u).flatMap((word) => {
    const [whole, ...parts] = wordParts(word);
    return parts.length > 0 ? parts : whole ? [whole] : [];
  });
}
