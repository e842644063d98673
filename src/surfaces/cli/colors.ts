import type { Environment } from '../../platform/environment.ts';

const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;

/** What `createColors` puts around a text, and nothing else. */
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
