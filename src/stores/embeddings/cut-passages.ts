import type { LineSpan } from '../../model/ranking.ts';

export interface Passage extends LineSpan {
  readonly text: string;
}

/** Small models read about 500 tokens. */
const MOST_CHARACTERS = 1600;
const MOST_LINES = 60;
const LONGEST_LINE = 400;
/** Of a longer file the beginning stands for the rest. */
const MOST_PASSAGES = 40;

/** Goes up when the same file is cut differently. */
export const PASSAGE_FORMAT = 1;

/** Pieces of a text that a model can read, each under the file's path; empty stretches are left out. */
export function cutPassages(path: string, text: string): readonly Passage[] {
  const passages: Passage[] = [];
  let lines: string[] = [];
  let size = 0;
  let startLine = 1;
  const finish = (endLine: number) => {
    const body = lines.join('\n').trim();
    if (body !== '') passages.push({ startLine, endLine, text: `${path}\n${body}` });
    lines = [];
    size = 0;
    startLine = endLine + 1;
  };
  const all = text.split('\n');
  for (const [at, written] of all.entries()) {
    const line = written.length > LONGEST_LINE ? written.slice(0, LONGEST_LINE) : written;
    if (lines.length > 0 && (size + line.length > MOST_CHARACTERS || lines.length >= MOST_LINES)) finish(at);
    if (passages.length >= MOST_PASSAGES) return passages;
    lines.push(line);
    size += line.length + 1;
  }
  finish(all.length);
  return passages.slice(0, MOST_PASSAGES);
}
