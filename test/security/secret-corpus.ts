import { readFileSync } from 'node:fs';
import { seededRandom } from '../../src/redact/synthetic-secrets.test-kit.ts';

/**
 * A text with or without a secret. Values are made up when the corpus is built, the same ones every time, so that no
 * token is in the repository.
 */
export interface CorpusCase {
  readonly id: string;
  readonly path: string;
  readonly text: string;
  /** The text that must be gone; empty in a case without a secret. */
  readonly secrets: readonly string[];
  /** Hidden on purpose or by accident: in pieces, encoded, glued to other text. */
  readonly isHard: boolean;
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
export const ALPHABETS: Readonly<Record<string, string>> = {
  W: LOWER + UPPER + DIGITS,
  A: LOWER + UPPER,
  L: LOWER + DIGITS,
  U: UPPER + DIGITS,
  H: '0123456789abcdef',
  X: `${UPPER}234567`,
  B: `${LOWER}${UPPER}${DIGITS}+/`,
  D: DIGITS,
  P: `${LOWER}${UPPER}${DIGITS}!@%^*-_+`,
};

export function pick(random: () => number, alphabet: string, length: number): string {
  return Array.from(
    { length },
    () => alphabet[Math.floor(random() * alphabet.length) % alphabet.length],
  ).join('');
}

/** `{W32}`: 32 random letters and digits. `{uuid}`: a UUID. `{b64:…}`: that in base64. */
function fill(template: string, random: () => number): string {
  const filled = template
    .replaceAll('\\n', '\n')
    .replace(/\{uuid\}/g, () =>
      [8, 4, 4, 4, 12].map((length) => pick(random, ALPHABETS.H!, length)).join('-'),
    )
    .replace(/\{([A-Z])(\d+)\}/g, (_, name: string, length: string) =>
      pick(random, ALPHABETS[name]!, Number(length)),
    );
  return filled.replace(/\{b64:([^}]*)\}/g, (_, plain: string) => Buffer.from(plain).toString('base64'));
}

/** One case each line: a path, a bar, the text. What stands between « and » is secret. */
function casesOf(name: string, times: number, isHard = false): CorpusCase[] {
  const cases: CorpusCase[] = [];
  const lines = readFileSync(new URL(`secret-corpus/${name}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  for (const [at, line] of lines.entries()) {
    if (line.startsWith('# ')) continue;
    const bar = line.indexOf(' | ');
    for (let time = 0; time < times; time++) {
      const text = fill(line.slice(bar + 3), seededRandom(1 + at * 613 + time * 100_003));
      const secrets = [...text.matchAll(/«([^»]*)»/g)].map((match) => match[1]!);
      cases.push({
        id: `${name} ${at + 1}.${time + 1}`,
        path: line.slice(0, bar),
        text: `${text.replace(/[«»]/g, '')}\n`,
        secrets,
        isHard,
      });
    }
  }
  return cases;
}

export function secretCorpus(): CorpusCase[] {
  return [
    ...casesOf('providers', 1),
    ...casesOf('formats', 2),
    ...casesOf('named', 2),
    ...casesOf('hard', 1, true),
  ];
}

export function benignCorpus(): CorpusCase[] {
  return [...casesOf('benign', 1), ...casesOf('look-alikes', 2)];
}

const MAX_LEFT = 9;

/** True when more of a secret than a few characters is still in the text. */
export function leaks({ secrets }: CorpusCase, text: string): boolean {
  return secrets.some((secret) =>
    secret.split(/[\s"'+\\]+/).some((piece) => {
      const width = Math.min(piece.length, MAX_LEFT + 1);
      for (let at = 0; width >= 4 && at + width <= piece.length; at++)
        if (text.includes(piece.slice(at, at + width))) return true;
      return false;
    }),
  );
}
