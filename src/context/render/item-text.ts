import type { ContextItem, LineRun } from '../../model/context-pack.ts';

/** Numbers of the lines, null for lines of our own; none when the runs do not say. */
function numbersOf(runs: readonly LineRun[]): (number | null)[] {
  return runs.flatMap(({ startLine, count }) =>
    Array.from({ length: count }, (_, at) => (startLine === null ? null : startLine + at)),
  );
}

/** The content without its last line end, each line with its true number when asked. */
export function itemText({ content, lineRuns }: ContextItem, lineNumbers: boolean): string {
  const text = content.endsWith('\n') ? content.slice(0, -1) : content;
  if (!lineNumbers || lineRuns.length === 0 || text === '') return text;
  const numbers = numbersOf(lineRuns);
  const width = String(numbers.reduce<number>((most, one) => Math.max(most, one ?? 0), 0)).length;
  return text
    .split('\n')
    .map((line, at) => `${String(numbers[at] ?? '').padStart(width)}| ${line}`)
    .join('\n');
}

const MAX_RANGES = 8;

/** `10-42, 80`: the lines of the file that an excerpt shows. */
export function shownLines({ lineRuns }: ContextItem): string {
  const ranges = lineRuns.flatMap(({ startLine, count }) => {
    if (startLine === null || count === 0) return [];
    return [count === 1 ? `${startLine}` : `${startLine}-${startLine + count - 1}`];
  });
  const more = ranges.length - MAX_RANGES;
  return [...ranges.slice(0, MAX_RANGES), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
