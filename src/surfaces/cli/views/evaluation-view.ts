import type { AnswerSummary, Evaluation, Gap, Summary, Tuning } from '../../../context/evaluate/index.ts';
import { SIGNALS } from '../../../model/ranking.ts';
import type { Colors } from './terminal-text.ts';
import { align, printable } from './terminal-text.ts';

const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** An evaluation for people: how often the changed files were found, next to plain BM25. */
export function formatEvaluation({ summary, tuning }: Evaluation, colors: Colors): string[] {
  const lines = [`${summary.commits} commits, each asked for by its message at the state before it`, ''];
  const [head, ...rows] = table(summary);
  lines.push(colors.dim(head!), ...rows);
  // the two columns do not hold the same thing: a part of a file is less than the file
  if (summary.ranking.budgets.length > 0)
    lines.push(colors.dim('a package counts a file of which it holds a part; plain BM25 packs whole files'));
  if (tuning) lines.push('', ...tuningLines(tuning));
  return lines;
}

function table({ ranking, plain }: Summary): string[] {
  const row = (label: string, value: (answer: AnswerSummary) => number) => [
    label,
    percent(value(ranking)),
    percent(value(plain)),
  ];
  return align([
    ['', 'loadout', 'plain BM25'],
    row('all changed files first', ({ within1 }) => within1),
    row('all among the first 5', ({ within5 }) => within5),
    row('all among the first 10', ({ within10 }) => within10),
    row('changed files among the first 10', ({ recall10 }) => recall10),
    ...ranking.budgets.map(({ budget, all }, at) => [
      `all in a package of ${budget} tokens`,
      percent(all),
      percent(plain.budgets[at]!.all),
    ]),
  ]);
}

function tuningLines({ isBetter, multipliers, heldOut, before }: Tuning): string[] {
  const change = `${percent(before)} to ${percent(heldOut)}`;
  if (!isBetter)
    return [`weights stay as they are: others do not help on commits they were not chosen on (${change})`];
  const changed = SIGNALS.filter((signal) => multipliers[signal] !== 1);
  const list = changed.map((signal) => `${signal} x ${multipliers[signal]}`).join(', ');
  return [
    `weights kept for this repository: ${list}`,
    `on commits they were not chosen on the rankings are worth ${change}; loadout eval --reset forgets them`,
  ];
}

const MAX_SHOWN = 10;
const MAX_TASK = 60;

/** The gaps that agents reported, newest first. */
export function formatGaps(gaps: readonly Gap[]): readonly string[] {
  if (gaps.length === 0) return [];
  const newest = [...gaps].reverse();
  const lines = newest.slice(0, MAX_SHOWN).map(({ text, task, package: id }) => {
    const [title = ''] = task.trim().split('\n');
    const of = title === '' ? `package ${id}` : title.slice(0, MAX_TASK);
    return `  ${printable(text.replace(/\s+/g, ' '))}  (${printable(of)})`;
  });
  const more = gaps.length > MAX_SHOWN ? [`  and ${gaps.length - MAX_SHOWN} more`] : [];
  return ['', `${gaps.length} reported as missing, newest first`, ...lines, ...more];
}
