/**
 * The output of a command: results on stdout, notes and progress on stderr, colours where they are wanted.
 * Lines, JSON and diagnostics lose their secrets and control characters here.
 */

import type { Diagnostic } from '../../../model/diagnostic.ts';
import { monotonicMs } from '../../../platform/clock.ts';
import type { Environment } from '../../../platform/environment.ts';
import { escapeHidden, markHidden, safeJson, safeLine, safeText } from '../../../redact/index.ts';
import type { CliIo, GlobalFlags } from '../command.ts';

/** More lines than this are hard to read; `--json` has all diagnostics. */
const SHOWN_DIAGNOSTICS = 20;

/** Printed with `--quiet` too: otherwise it would look as if the role's own file had been used. */
const ALWAYS_SAID: ReadonlySet<string> = new Set(['role-prompt-withheld']);

/** Takes the result of a command (for stdout) and the notes about it (for stderr). */
export interface Output {
  /** For stdout. They change nothing when colours are off. */
  readonly colors: Colors;
  /** Shown on a terminal only. */
  readonly progress: Progress;
  /** Prints a line without secrets and hidden characters. Names in it must be `printable` already. */
  line(text?: string): void;
  /** Prints a text that is already safe, such as a map, or that must be exact, such as a request for trust. */
  document(text: string): void;
  /** Prints JSON without secrets; with `isExact` nothing is replaced. */
  json(value: unknown, isExact?: boolean): void;
  /** Prints notes and warnings on stderr. */
  diagnostics(list: readonly Diagnostic[]): void;
}

/** The output of one call. Standard output and standard error decide about colours separately. */
export function createOutput(io: CliIo, flags: GlobalFlags): Output {
  const errorColors = createColors(wantsColor(io.env, io.isTerminal.stderr, flags.color));
  const progress = createProgress({
    write: (text) => void io.stderr.write(text),
    isOn: io.isTerminal.stderr && !flags.quiet && !flags.json,
    columns: io.columns,
  });
  const isPainted = wantsColor(io.env, io.isTerminal.stdout, flags.color);
  const write = (text: string) => {
    progress.clear();
    io.stdout.write(`${text}\n`);
  };
  return {
    colors: createColors(isPainted),
    progress,
    line: (text = '') => write(isPainted ? outside(PAINT, text, printableText) : printableText(text)),
    document: (text) => write(markHidden(text).text),
    json: (value, isExact = false) =>
      write(isExact ? escapeHidden(JSON.stringify(value, null, 2)) : safeJson(value, 2)),
    diagnostics: (all) => {
      const list = flags.quiet ? all.filter(({ code }) => ALWAYS_SAID.has(code)) : all;
      if (list.length === 0) return;
      progress.clear();
      const lines = list.slice(0, SHOWN_DIAGNOSTICS).map(({ severity, message }) => {
        const label = severity === 'warning' ? errorColors.yellow('warning') : errorColors.dim('note');
        return `${label}: ${printable(message)}`;
      });
      const more = list.length - lines.length;
      if (more > 0) lines.push(errorColors.dim(`and ${more} more; --json shows all`));
      io.stderr.write(`${lines.join('\n')}\n`);
    },
  };
}

/** Changes the text between the matches. */
function outside(pattern: RegExp, text: string, change: (text: string) => string): string {
  return text
    .split(pattern)
    .map((piece, at) => (at % 2 === 0 ? change(piece) : piece))
    .join('');
}

/** A step of long work. */
export interface ProgressStep {
  /** The current work, such as `reading files`. */
  readonly label: string;
  readonly done: number;
  /** 0 while it is not known. */
  readonly total: number;
}

/** A line at the bottom of the terminal that shows the current step. */
export interface Progress {
  /** Cheap to call: most calls do not draw. */
  update(step: ProgressStep): void;
  /** Removes the line, so that the next output starts on a clean one. */
  clear(): void;
}

/** The terminal that shows progress. */
export interface ProgressOptions {
  readonly write: (text: string) => void;
  readonly isOn: boolean;
  /** Width of the terminal; a longer line is cut. */
  readonly columns: number;
  /** Monotonic milliseconds; tests pass their own. */
  readonly now?: () => number;
}

/** Redrawing costs more than the work it reports on if every step does it. */
const REDRAW_MS = 80;
/** Characters between the brackets. */
const BAR_WIDTH = 24;
/** Back to the start of the line, and erase it. */
const CLEAR_LINE = '\r\u001b[2K';

/** A progress line that is redrawn; it prints nothing when it is off. */
export function createProgress({ write, isOn, columns, now = monotonicMs }: ProgressOptions): Progress {
  let label = '';
  let labelStarted = 0;
  let lastDrawn = Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  return {
    update: (step) => {
      if (!isOn) return;
      const time = now();
      if (step.label !== label) {
        label = step.label;
        labelStarted = time;
        lastDrawn = Number.NEGATIVE_INFINITY;
      }
      if (time - lastDrawn < REDRAW_MS) return;
      lastDrawn = time;
      isDrawn = true;
      write(CLEAR_LINE + renderStep(step, time - labelStarted).slice(0, Math.max(1, columns - 1)));
    },
    clear: () => {
      if (isDrawn) write(CLEAR_LINE);
      isDrawn = false;
    },
  };
}

/** `reading files  [####----] 12/80  340/s`. The rate appears after half a second, when it means something. */
export function renderStep({ label, done, total }: ProgressStep, elapsedMs: number): string {
  const rate = elapsedMs >= 500 ? `  ${Math.round((done * 1000) / elapsedMs)}/s` : '';
  const count = total > 0 ? `${done}/${total}` : done > 0 ? String(done) : '';
  const filled = total > 0 ? Math.round((Math.min(done, total) / total) * BAR_WIDTH) : 0;
  const bar = total > 0 ? `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ` : '';
  return `${printable(label)}  ${bar}${count}${rate}`.trimEnd();
}

/** Bytes of a file name that are not UTF-8 travel as these lone surrogates. */
const RAW_BYTE = /(?<![\ud800-\udbff])[\udc80-\udcff]/g;

/** Shows a byte that is not UTF-8 as `\xff`. */
function rawBytes(text: string): string {
  return text.replace(RAW_BYTE, (byte) => `\\x${(byte.charCodeAt(0) - 0xdc00).toString(16)}`);
}

/** Makes foreign text safe for one line of a terminal: no control characters, no hidden text, no secrets. */
export function printable(text: string): string {
  return safeLine(rawBytes(text));
}

/** The same for text of several lines. */
export function printableText(text: string): string {
  return safeText(rawBytes(text));
}

/** Terminal codes that start and end a style. */
const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

/** Matches exactly the codes that `createColors` puts around a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
const PAINT = /(\u001b\[(?:1|2|22|31|32|33|39)m)/;

/** Functions that paint a text. */
export type Colors = Readonly<Record<keyof typeof CODES, (text: string) => string>>;

/** When off, every function returns its text as it is. */
export function createColors(isOn: boolean): Colors {
  const paint = ([open, close]: readonly [number, number]) =>
    isOn ? (text: string) => `\u001b[${open}m${text}\u001b[${close}m` : (text: string) => text;
  const styles = Object.entries(CODES).map(([name, codes]) => [name, paint(codes)]);
  return Object.fromEntries(styles) as Colors;
}

/** Colours are for people at a terminal who have not said no (https://no-color.org). */
export function wantsColor(env: Environment, isTerminal: boolean, colorFlag: boolean): boolean {
  return isTerminal && colorFlag && !env.NO_COLOR && env.TERM !== 'dumb';
}

/** Rows as columns of equal width, two spaces apart; the last column is as long as it is. */
export function align(rows: readonly (readonly string[])[]): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at]!)))
      .join('  ')
      .trimEnd(),
  );
}

/** `1 file`, `2,000 files`. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}
