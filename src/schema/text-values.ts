// Values that arrive as texts: amounts with units, arguments for other programs, and patterns with `*`.

/** The value of each unit, by its name in lower case. */
export type Units = Readonly<Record<string, number>>;

/** Decimal for `MB`, binary for `MiB`, as the standards have it. */
export const BYTE_UNITS: Units = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};
export const TOKEN_UNITS: Units = { '': 1, k: 1e3, m: 1e6 };
/** In milliseconds; a bare number is seconds. */
export const DURATION_UNITS: Units = { '': 1e3, ms: 1, s: 1e3, m: 60e3, h: 3600e3 };

/** `'2MB'`, `'1.5k'`, `'100_000'` as a whole number, or undefined when the text is none of these. */
export function readQuantity(text: string, units: Units): number | undefined {
  const match = /^(\d[\d_]*(?:\.\d+)?) ?([a-z]*)$/i.exec(text.trim());
  const factor =
    match && Object.hasOwn(units, match[2]!.toLowerCase()) ? units[match[2]!.toLowerCase()] : null;
  if (!match || !factor) return undefined;
  const amount = Number(match[1]!.replaceAll('_', '')) * factor;
  const whole = Math.round(amount);
  // 0.1 * 1000 and its like are off by a rounding error, not by intention.
  return Number.isSafeInteger(whole) && Math.abs(amount - whole) < 1e-6 ? whole : undefined;
}

/** The texts that `readQuantity` understands, as a pattern for a JSON Schema. */
export function quantityPattern(units: Units): string {
  const anyCase = (name: string) => name.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
  const names = Object.keys(units).filter((name) => name !== '');
  return `^\\s*\\d[\\d_]*(\\.\\d+)? ?(${names.map(anyCase).join('|')})?\\s*$`;
}

/** The shortest exact way to write an amount: 2000000 bytes are `2MB`, 1500 are `1500`. */
export function showQuantity(amount: number, units: Units, names: readonly string[]): string {
  const fitting = names.filter((name) => amount !== 0 && amount % units[name.toLowerCase()]! === 0);
  const best = fitting.sort((a, b) => units[b.toLowerCase()]! - units[a.toLowerCase()]!)[0] ?? names[0]!;
  return `${amount / units[best.toLowerCase()]!}${best}`;
}

/**
 * A value for the command line of another program: it can neither pose as an option nor be split or
 * read as anything else. Brackets are part of names such as `sonnet[1m]` of Claude Code.
 */
export const PLAIN_ARGUMENT_PATTERN = '^[A-Za-z0-9._:/@\\[\\]][A-Za-z0-9._:/@\\[\\]-]{0,199}$';
export const PLAIN_ARGUMENT_ALLOWED =
  'up to 200 letters, digits and the characters . _ : / @ [ ] -, not beginning with -';

const PLAIN_ARGUMENT = new RegExp(PLAIN_ARGUMENT_PATTERN);

export const isPlainArgument = (value: string): boolean => PLAIN_ARGUMENT.test(value);

/** Whether a name fits a pattern in which `*` stands for any characters. Each piece is looked for once. */
export function matchesWildcard(pattern: string, name: string): boolean {
  const pieces = pattern.split('*');
  if (pieces.length === 1) return pattern === name;
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
    return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = name.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= name.length - last.length;
}
