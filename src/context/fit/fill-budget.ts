import type { CountTokens } from './count-tokens.ts';

interface BudgetPart {
  /** The whole part. */
  readonly render: () => string;
  /** A line that only names it. */
  readonly mention: () => string;
}

export interface FillRequest {
  readonly limit: number;
  readonly count: CountTokens;
  readonly header: string;
  /** Comes before the mentions. */
  readonly laterHeading: string;
  /** Best first. */
  readonly parts: readonly BudgetPart[];
  /** A part larger than this is only mentioned. */
  readonly largest: number;
}

export interface Filled {
  readonly text: string;
  readonly tokens: number;
  readonly used: readonly { readonly part: number; readonly form: 'signatures' | 'mention' }[];
}

/** Parts that did not fit before one gives up looking for smaller ones. */
const PATIENCE = 20;

/** Takes parts in order while they fit, then mentions the rest; the finished text never exceeds the limit. */
export function fillBudget({ limit, count, header, laterHeading, parts, largest }: FillRequest): Filled {
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
  const mentions: { part: number; text: string }[] = [];
  let room = limit - tokens - count(laterHeading);
  for (const part of left) {
    const text = parts[part]!.mention();
    room -= count(text);
    if (room < 0) break;
    mentions.push({ part, text });
  }
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
    // joined texts may count a little more than their sum
    (mentions.length > 0 ? mentions : whole).pop();
  }
}
