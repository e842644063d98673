import type { LineSpan } from '../../model/ranking.ts';

const PASSAGE_LINES = 40;
const LINES_BEFORE = 3;

/** For a file without definitions: the stretch of lines with the most to it. */
export function bestLines(gains: ReadonlyMap<number, number>, lineCount: number): LineSpan[] {
  const lines = [...gains.keys()].sort((a, b) => a - b);
  let best: LineSpan | null = null;
  let most = 0;
  let worth = 0;
  let last = 0;
  lines.forEach((line, at) => {
    while (last < lines.length && lines[last]! <= line + PASSAGE_LINES) worth += gains.get(lines[last++]!)!;
    if (worth > most) {
      most = worth;
      const endLine = Math.min(line + PASSAGE_LINES, Math.max(line, lineCount));
      best = { startLine: Math.max(1, line - LINES_BEFORE), endLine };
    }
    worth -= gains.get(lines[at]!)!;
  });
  return best ? [best] : [];
}
