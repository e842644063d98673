import type { Writable } from 'node:stream';
import { printable } from './printable.ts';

/** Lines at the end of a terminal that are drawn again and again; other lines come before them and stay. */
export interface LiveLines {
  draw(lines: readonly string[]): void;
  /** A line that stays. */
  write(line: string): void;
  clear(): void;
}

const DEFAULT_ROWS = 24;
/** For the line that the cursor is in, and one that tells where the live ones begin. */
const SPARE_ROWS = 2;
const UP = (rows: number): string => (rows > 0 ? `\u001b[${rows}A` : '');
const CLEAR_BELOW = '\r\u001b[J';
/** A line that is too wide would take two rows, and the next drawing would begin in the wrong one. */
const NO_WRAP = '\u001b[?7l';
const WRAP = '\u001b[?7h';

export function createLiveLines(terminal: Writable & { readonly rows?: number }, columns: number): LiveLines {
  let drawn: readonly string[] = [];
  const erase = (): string => (drawn.length === 0 ? '' : `${UP(drawn.length - 1)}${CLEAR_BELOW}`);
  const block = (lines: readonly string[]): string =>
    lines.length === 0 ? '' : `${NO_WRAP}${lines.join('\n')}${WRAP}`;
  return {
    draw: (lines) => {
      const most = Math.max(1, (terminal.rows ?? DEFAULT_ROWS) - SPARE_ROWS);
      const next = fitRows(lines, most).map((line) => oneRow(line, columns));
      const text = erase() + block(next);
      drawn = next;
      if (text !== '') terminal.write(text);
    },
    write: (line) => terminal.write(`${erase()}${line}\n${block(drawn)}`),
    clear: () => {
      const text = erase();
      drawn = [];
      if (text !== '') terminal.write(text);
    },
  };
}

function fitRows(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines;
  const shown = lines.slice(0, most - 1);
  return [...shown, `and ${lines.length - shown.length} more`];
}

function oneRow(line: string, columns: number): string {
  return printable(line.replace(/\s/g, ' ')).slice(0, Math.max(1, columns - 1));
}
