import { type ContextPack, ITEM_FORMS } from '../../../model/context-pack.ts';
import { SHOWN_ID_LENGTH } from '../../hook/index.ts';
import { type Colors, countOf, printable } from './terminal-text.ts';

const BAR_WIDTH = 24;
const SHOWN_ITEMS = 5;

/** One line: `package 4f1c22ab90d3e617: 12 files, 29,120 of 30,000 tokens, secrets redacted in 2 files`. */
export function packReportLine({ id, ...rest }: ContextPack): string {
  return `package ${id.slice(0, SHOWN_ID_LENGTH)}: ${contentsLine(rest)}`;
}

/** The part that all reports share: files, tokens, redactions. */
export function contentsLine({
  items,
  tokenCount,
  tokenBudget,
  diagnostics,
}: Pick<ContextPack, 'tokenCount' | 'tokenBudget' | 'diagnostics'> & {
  readonly items: readonly unknown[];
}): string {
  const secrets = diagnostics.filter(({ code }) => code === 'secret-redacted').length;
  const redacted = secrets > 0 ? `, secrets redacted in ${countOf(secrets, 'file')}` : '';
  const tokens = `${tokenCount.toLocaleString('en-US')} of ${tokenBudget.toLocaleString('en-US')} tokens`;
  return `${countOf(items.length, 'file')}, ${tokens}${redacted}`;
}

/** A report for a terminal: the number of files, the use of the budget, the best files. */
export function packReport(pack: ContextPack, milliseconds: number, { bold, dim }: Colors): string[] {
  const { id, items, tokenCount, tokenBudget } = pack;
  const forms = ITEM_FORMS.map((form) => [form, items.filter((item) => item.form === form).length] as const)
    .filter(([, count]) => count > 0)
    .map(([form, count]) => `${count} ${form}`);
  const share = tokenBudget > 0 ? tokenCount / tokenBudget : 0;
  const filled = Math.min(BAR_WIDTH, Math.round(share * BAR_WIDTH));
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}]`;
  const number = (value: number) => value.toLocaleString('en-US');
  return [
    `${bold(countOf(items.length, 'file'))} (${forms.join(', ')})`,
    `${bar} ${number(tokenCount)} of ${number(tokenBudget)} tokens (${Math.round(share * 100)} %)`,
    ...items.slice(0, SHOWN_ITEMS).map(({ path, form, tokens, combinedScore }) => {
      return `  ${combinedScore.toFixed(2)}  ${form.padEnd(10)}  ${number(tokens).padStart(7)}  ${printable(path)}`;
    }),
    ...(items.length > SHOWN_ITEMS ? [dim(`  and ${items.length - SHOWN_ITEMS} more`)] : []),
    dim(`package ${id.slice(0, SHOWN_ID_LENGTH)}, ${(milliseconds / 1000).toFixed(2)} s`),
  ];
}
