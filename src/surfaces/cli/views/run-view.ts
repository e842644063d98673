/**
 * Shows running workers: events as lines that stay, and on a terminal a live line for each run. With `--json`
 * every event is a line of JSON on stdout.
 */

import type { Writable } from 'node:stream';
import { monotonicMs } from '../../../platform/clock.ts';
import { safeJson } from '../../../redact/index.ts';
import type { StoredEvent } from '../../../workers/index.ts';
import type { CommandCall } from '../command.ts';
import { createEventFilter, formatEvent, showDuration } from './format-run.ts';
import { createColors, printable, wantsColor } from './output.ts';

/** Shows runs to people: events as lines on standard error, and on a terminal a live line for each running one. */
interface RunView {
  /** Takes every event of every run. */
  readonly event: (event: StoredEvent) => void;
  /** Stops drawing, so that the results can be printed. */
  close(): void;
}

/** A run that is going on. */
interface LiveRun {
  /** Monotonic milliseconds. */
  readonly started: number;
  /** Its current step, such as `attempt 2`. */
  step: string;
  /** The last line of output of the agent or the gate. */
  last: string;
}

/** Live lines are redrawn by a timer, whatever happens between. */
const REDRAW_MS = 250;

/** The view for this call. With several runs each line starts with the end of the run's name. */
export function createRunView({ io, global }: Pick<CommandCall, 'io' | 'global'>, runs: number): RunView {
  if (global.json) return { event: (event) => void io.stdout.write(`${safeJson(event)}\n`), close: () => {} };
  if (global.quiet) return { event: () => {}, close: () => {} };
  const colors = createColors(wantsColor(io.env, io.isTerminal.stderr, global.color));
  const live = new Map<string, LiveRun>();
  const screen = io.isTerminal.stderr ? createLiveLines(io.stderr, io.columns) : null;
  const draw = () => screen?.draw([...live].map(([run, state]) => liveLine(run, state, runs)));
  const timer = screen === null ? undefined : setInterval(draw, REDRAW_MS);
  const filters = new Map<string, ReturnType<typeof createEventFilter>>();
  const filterOf = (run: string) => {
    const filter = filters.get(run) ?? createEventFilter(runs > 1);
    filters.set(run, filter);
    return filter;
  };
  const write = (event: StoredEvent): void => {
    const line = formatEvent(event, colors);
    if (line === null) return;
    const prefix = runs > 1 ? colors.dim(`${event.run.slice(-8)} `) : '';
    if (screen === null) io.stderr.write(`${prefix}${line}\n`);
    else screen.write(`${prefix}${line}`);
  };
  return {
    event: (event) => {
      follow(live, event);
      for (const shown of filterOf(event.run)(event)) write(shown);
      // Remove the line of a run that has ended at once.
      if (event.type === 'run-end') draw();
    },
    close: () => {
      clearInterval(timer);
      screen?.clear();
    },
  };
}

/** Updates the live state of a run by one event. */
function follow(live: Map<string, LiveRun>, event: StoredEvent): void {
  if (event.type === 'run-end') live.delete(event.run);
  else if (event.type === 'run-start')
    live.set(event.run, { started: monotonicMs(), step: 'work tree', last: '' });
  const state = live.get(event.run);
  if (state === undefined) return;
  if (event.type === 'tree-ready') state.step = 'prompt';
  if (event.type === 'attempt-start') Object.assign(state, { step: `attempt ${event.attempt}`, last: '' });
  if (event.type === 'gate-start') Object.assign(state, { step: 'gate', last: event.gate });
  if (event.type === 'agent-output') state.last = event.line;
}

/** Time, step and last output of a run. */
function liveLine(run: string, { started, step, last }: LiveRun, runs: number): string {
  const name = runs > 1 ? `${run.slice(-8)}  ` : '';
  return `${name}${showDuration(monotonicMs() - started)}  ${step}  ${last}`.trimEnd();
}

/** Lines at the end of a terminal that are drawn again and again; other lines come before them and stay. */
interface LiveLines {
  /** Replaces the live lines. */
  draw(lines: readonly string[]): void;
  /** A line that stays. */
  write(line: string): void;
  /** Removes the live lines. */
  clear(): void;
}

/** Where the terminal does not tell its height. */
const DEFAULT_ROWS = 24;
/** For the line that the cursor is in, and one that tells where the live ones begin. */
const SPARE_ROWS = 2;
const UP = (rows: number): string => (rows > 0 ? `\u001b[${rows}A` : '');
/** Back to the start of the line, and erase everything below. */
const CLEAR_BELOW = '\r\u001b[J';
/** A line that is too wide would take two rows, and the next drawing would begin in the wrong one. */
const NO_WRAP = '\u001b[?7l';
const WRAP = '\u001b[?7h';

/** Live lines on a terminal. They never need more rows than the terminal has. */
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

/** The first lines, and how many more there are. */
function fitRows(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines;
  const shown = lines.slice(0, most - 1);
  return [...shown, `and ${lines.length - shown.length} more`];
}

/** Output of an agent as one row without control characters. */
function oneRow(line: string, columns: number): string {
  return printable(line.replace(/\s/g, ' ')).slice(0, Math.max(1, columns - 1));
}
