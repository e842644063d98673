import type { Environment } from '../../../platform/environment.ts';
import { safeLine, safeText } from '../../../redact/index.ts';

/** Bytes of a file name that are not UTF-8 travel as these lone surrogates. */
const RAW_BYTE = /(?<![\ud800-\udbff])[\udc80-\udcff]/g;

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

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

/** Matches exactly the codes that `createColors` puts around a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
export const PAINT = /(\u001b\[(?:1|2|22|31|32|33|39)m)/;

export type Colors = Readonly<Record<keyof typeof CODES, (text: string) => string>>;

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
