import type { LineSpan } from '../../model/context-pack.ts';

/** Lines of a file that are to be shown; 1-based. */
export interface LineSet {
  add(first: number, last: number): void;
  has(line: number): boolean;
  /** How many. */
  size(): number;
  /** In order, as long as can be. */
  spans(): LineSpan[];
}

export function createLineSet(lineCount: number): LineSet {
  const marks = new Uint8Array(lineCount + 2);
  let marked = 0;
  return {
    add(first, last) {
      for (let line = Math.max(1, first); line <= Math.min(last, lineCount); line++) {
        if (marks[line] === 0) marked++;
        marks[line] = 1;
      }
    },
    has: (line) => marks[line] === 1,
    size: () => marked,
    spans() {
      const spans: LineSpan[] = [];
      for (let line = 1; line <= lineCount; line++) {
        if (marks[line] === 0) continue;
        const startLine = line;
        while (marks[line + 1] === 1) line++;
        spans.push({ startLine, endLine: line });
      }
      return spans;
    },
  };
}
