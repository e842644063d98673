import type { CountTokens } from './count-tokens.ts';

// The simple fitter for lists, such as the map: parts in order while they fit, the others by name.

/** A part that is shown whole or by name. Both are functions, because most parts are never rendered. */
interface BudgetPart {
  /** The whole part. */
  readonly render: () => string;
  /** A line that only names it. */
  readonly mention: () => string;
}

/** The options of `fillBudget`. */
export interface FillRequest {
  /** In tokens. */
  readonly limit: number;
  readonly count: CountTokens;
  /** The first lines of the text. They are always in. */
  readonly header: string;
  /** Comes before the mentions. */
  readonly laterHeading: string;
  /** Best first. */
  readonly parts: readonly BudgetPart[];
  /** In tokens. A larger part is only mentioned. */
  readonly largest: number;
}

/** The finished text. */
export interface Filled {
  readonly text: string;
  readonly tokens: number;
  /** The parts in the text, by their index in the request. */
  readonly used: readonly { readonly part: number; readonly form: 'signatures' | 'mention' }[];
}

/** After this many parts in a row that do not fit, the search for smaller ones ends. */
const PATIENCE = 20;

/** Takes parts in order while they fit, then mentions the rest. The finished text never exceeds the limit. */
export function fillBudget({ limit, count, header, laterHeading, parts, largest }: FillRequest): Filled {
  // First the whole parts.
  const whole: { part: number; text: string }[] = [];
  const left: number[] = [];
  let tokens = count(header);
  let misses = 0;
  for (let part = 0; part < parts.length; part++) {
    if (misses > PATIENCE) {
      left.push(part);
      continue;
    }
    const text = parts[part]!.render();
    const cost = count(text);
    if (cost <= largest && tokens + cost <= limit) {
      whole.push({ part, text });
      tokens += cost;
      misses = 0;
    } else {
      left.push(part);
      misses++;
    }
  }
  // Then the names of the others, while there is room.
  const mentions: { part: number; text: string }[] = [];
  let room = limit - tokens - count(laterHeading);
  for (const part of left) {
    const text = parts[part]!.mention();
    room -= count(text);
    if (room < 0) break;
    mentions.push({ part, text });
  }
  // Count the joined text, and drop parts from the end until it fits.
  for (;;) {
    const text = [
      header,
      ...whole.map((one) => one.text),
      mentions.length > 0 ? laterHeading : '',
      ...mentions.map((one) => one.text),
    ].join('');
    const total = count(text);
    if (total <= limit || whole.length + mentions.length === 0) {
      const used = [
        ...whole.map(({ part }) => ({ part, form: 'signatures' as const })),
        ...mentions.map(({ part }) => ({ part, form: 'mention' as const })),
      ];
      return { text, tokens: total, used: total <= limit ? used : [] };
    }
    // A joined text may have a few more tokens than its parts.
    (mentions.length > 0 ? mentions : whole).pop();
  }
}
