/** Lines of a file with colours. Only those near the window are in the page, so a long file is as quick as a short one. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { MARK_KINDS } from '../../../model/text-mark.ts';
import type { FileAnswer } from '../file-data.ts';

/** As in the style sheet. */
const LINE_HEIGHT = 20;
const MARGIN = 30;

type Ranges = FileAnswer['kept'];

/** `numbers` are the lines to show, from 1. */
export function CodeView({ answer, numbers }: { answer: FileAnswer; numbers: readonly number[] }) {
  const { path, lines, kept, marks } = answer;
  const frame = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  const first = Math.max(0, Math.floor(top / LINE_HEIGHT) - MARGIN);
  const last = Math.ceil((top + window.innerHeight) / LINE_HEIGHT) + MARGIN;
  const firstKept = kept[0]?.[0] ?? 1;
  // A file opens at what the agent gets.
  useLayoutEffect(() => {
    frame.current!.scrollTop = Math.max(0, (numbers.indexOf(firstKept) - 2) * LINE_HEIGHT);
  }, [path, numbers.length, firstKept]);
  const width = String(lines.length).length;
  return (
    <section
      class="code"
      ref={frame}
      tabIndex={0}
      aria-label={`Lines of ${path}; lines that are left out are pale`}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div style={{ height: `${numbers.length * LINE_HEIGHT}px` }}>
        <pre style={{ transform: `translateY(${first * LINE_HEIGHT}px)` }}>
          {numbers.slice(first, last).map((number) => {
            const isKept = isIn(kept, number);
            const isPlain = kept.length > 0 && !isKept;
            return (
              <div key={number} class={isKept ? 'kept' : 'left'}>
                <span class="place">{String(number).padStart(width)}</span>
                {isPlain ? lines[number - 1] : coloured(lines[number - 1]!, marks[number - 1] ?? [])}
              </div>
            );
          })}
        </pre>
      </div>
    </section>
  );
}

function isIn(ranges: Ranges, line: number): boolean {
  return ranges.some(([first, last]) => line >= first && line <= last);
}

function coloured(text: string, marks: readonly number[]) {
  const pieces = [];
  let at = 0;
  for (let mark = 0; mark < marks.length; mark += 3) {
    const [start, end, kind] = [marks[mark]!, marks[mark + 1]!, marks[mark + 2]!];
    if (start > at) pieces.push(text.slice(at, start));
    pieces.push(
      <span key={start} class={`mark-${MARK_KINDS[kind]}`}>
        {text.slice(start, end)}
      </span>,
    );
    at = end;
  }
  pieces.push(text.slice(at));
  return pieces;
}
