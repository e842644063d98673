import { firstCharacters } from './character-cuts.ts';

/** A text by its lines, without making each of them a string before it is needed. */
export class Lines {
  readonly text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
    // a line end at the very end of the text does not begin another line
    if (text !== '' && this.#starts.at(-1) === text.length) this.#starts.pop();
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Where a line begins; null behind the last. */
  startOf(at: number): number | null {
    return this.#starts[at] ?? null;
  }

  /** From 0; without its line end. */
  line(at: number): string {
    const start = this.#starts[at]!;
    return this.text.slice(start, start + this.lengthOf(at));
  }

  lengthOf(at: number): number {
    const end = this.#starts[at + 1] ?? this.text.length + (this.text.endsWith('\n') ? 0 : 1);
    return end - 1 - this.#starts[at]!;
  }

  /** The number of the line that holds a character. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** How long `numberedLines` gets for lines that follow each other, without writing them. */
export function numberedLength(lines: Lines, wanted: readonly number[]): number {
  return wanted.reduce((sum, at) => sum + `${at + 1}: `.length + lines.lengthOf(at) + 1, -1);
}

const GAP = '…';

/** Lines with their numbers, gaps marked, as many as fit the limit. The first is cut when not even it fits. */
export function numberedLines(lines: Lines, wanted: readonly number[], limit: number): string {
  const shown: string[] = [];
  let used = 0;
  let before: number | null = null;
  for (const at of wanted) {
    const isGap = before !== null && at !== before + 1;
    const entry = `${isGap ? `${GAP}\n` : ''}${at + 1}: ${lines.line(at)}`;
    const cost = entry.length + (shown.length > 0 ? 1 : 0);
    if (used + cost > limit) {
      if (shown.length === 0) shown.push(firstCharacters(entry, limit));
      break;
    }
    shown.push(entry);
    used += cost;
    before = at;
  }
  return shown.join('\n');
}
