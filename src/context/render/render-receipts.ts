import type { ContextPack, Receipt } from '../../model/context-pack.ts';
import { inlinePath, inlineText } from '../../redact/index.ts';
import { groupedNumber } from './shown-text.ts';

/** A longer path pushes its own line to the right, not the whole table. */
const WIDEST_PATH = 60;

type Row = readonly [path: string, form: string, tokens: string, score: string, why: string];

const IN_HEADING: Row = ['path', 'form', 'tokens', 'score', 'why'];
const OUT_HEADING: Row = ['left out', 'form', 'would cost', 'score', 'why'];

function rowOf({ part, path, form, tokens, combinedScore, why }: Receipt, otherForm = '-'): Row {
  return [
    path === '' ? `(${part})` : inlinePath(path),
    form ?? otherForm,
    groupedNumber(tokens),
    combinedScore === null ? '-' : combinedScore.toFixed(2),
    inlineText(why),
  ];
}

function table(rows: readonly Row[]): string {
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => [...row[column]!].length)));
  const [path, form, tokens, score] = widths as [number, number, number, number];
  return rows
    .map((row) =>
      [
        row[0].padEnd(Math.min(path, WIDEST_PATH)),
        row[1].padEnd(form),
        row[2].padStart(tokens),
        row[3].padStart(score),
        row[4],
      ]
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

function outRows({ receipts, omitted }: ContextPack): Row[] {
  const costs = new Map(omitted.map(({ path, cost }) => [path, cost]));
  const told = receipts.filter(({ form }) => form === null);
  const known = new Set(told.map(({ path }) => path));
  return [
    ...told.map((receipt) => rowOf(receipt, costs.get(receipt.path)?.form ?? '-')),
    ...omitted
      .filter(({ path }) => !known.has(path))
      .map(
        ({ path, cost, combinedScore, reason }): Row => [
          inlinePath(path),
          cost?.form ?? '-',
          cost === null ? '-' : groupedNumber(cost.tokens),
          combinedScore.toFixed(2),
          inlineText(reason),
        ],
      ),
  ];
}

/** Lists why each part is in and what it costs, then the files that are out and what they would have cost. Plain text, in columns. */
export function renderReceipts(pack: ContextPack): string {
  const inside = pack.receipts.filter(({ form }) => form !== null).map((receipt) => rowOf(receipt));
  const outside = outRows(pack);
  const total = `${groupedNumber(pack.tokenCount)} of ${groupedNumber(pack.tokenBudget)} tokens\n`;
  const left = outside.length > 0 ? `\n${table([OUT_HEADING, ...outside])}` : '';
  return `${inside.length > 0 ? table([IN_HEADING, ...inside]) : ''}${total}${left}`;
}
