// How `loadout stats` shows its report: sums with a sparkline over the weeks, a table of repositories, and the misses.

import type { StatsReport, WeekTotals } from '../../stats/index.ts';
import { align, type Colors, countOf, printable } from './output.ts';

const BARS = '▁▂▃▄▅▆▇█';
const MAX_REPOSITORIES = 20;
const MAX_MISSES = 5;
const MAX_PROMPT = 60;

const number = (value: number): string => Math.round(value).toLocaleString('en-US');
const share = (value: number | null): string => (value === null ? '-' : `${Math.round(value * 100)}%`);

/** A bar for each value; a dot where there is none. */
function sparkline(values: readonly (number | null)[]): string {
  const most = Math.max(0, ...values.map((value) => value ?? 0));
  return values
    .map((value) => {
      if (value === null || most === 0) return '·';
      return BARS[Math.min(BARS.length - 1, Math.floor((value / most) * (BARS.length - 1)))];
    })
    .join('');
}

/** The report for people. */
export function statsLines(
  report: StatsReport,
  { colors, records }: { readonly colors: Colors; readonly records: string },
): readonly string[] {
  const { totals, runs, loops, since, notes } = report;
  const hasWork = runs.runs + loops.loops > 0;
  const lines = totals.answers === 0 ? nothingYet(report, records) : hookLines(report, colors);
  return [
    ...lines,
    ...(hasWork ? [''] : []),
    ...(runs.runs === 0 ? [] : [runLine(report)]),
    ...(loops.loops === 0 ? [] : [loopLine(report)]),
    ...notes.map((note) => `note: ${printable(note)}`),
    ...(totals.answers === 0 && !hasWork
      ? []
      : [colors.dim(`Counted since ${since.slice(0, 10)}, on this machine.`)]),
  ];
}

function nothingYet({ since }: StatsReport, records: string): readonly string[] {
  const head = `no hook has answered since ${since.slice(0, 10)}`;
  if (records === 'off') return [`${head}: the setting hookRecords is off, so nothing is recorded`];
  return [
    head,
    'set up an agent and give it a task: loadout init CLIENT (loadout init --help names the clients)',
  ];
}

function hookLines(report: StatsReport, colors: Colors): readonly string[] {
  const { totals, weeks, repositories, misses } = report;
  const { milliseconds: time, uncounted } = totals;
  const over = (measure: (week: WeekTotals) => number | null) =>
    sparkline(weeks.map((week) => (week.answers === 0 ? null : measure(week))));
  const missed =
    totals.missesWhenSilent === 0
      ? ''
      : `; ${number(totals.missesWhenSilent)} more after hooks added nothing`;
  const rows = [
    [
      'spoke',
      `${number(totals.spoke)} of ${number(totals.answers)}`,
      over(({ spoke }) => spoke),
      `in ${countOf(totals.sessions, 'session')}`,
    ],
    ['hit rate', share(totals.hitRate), over(({ hitRate }) => hitRate), hitDetail(report)],
    [
      'misses',
      number(totals.misses),
      over((week) => week.misses),
      `files that agents used and no hook had named${missed}`,
    ],
    [
      'tokens',
      number(totals.tokens),
      over(({ tokens }) => tokens),
      `added to prompts${uncounted === 0 ? '' : `; ${countOf(uncounted, 'older answer')} not counted`}`,
    ],
    [
      'time',
      `${number(time?.median ?? 0)} ms`,
      over((week) => week.milliseconds?.median ?? null),
      `median; 95 of 100 within ${number(time?.p95 ?? 0)} ms`,
    ],
  ];
  return [
    ...align(rows),
    ...(totals.silent.length === 0
      ? []
      : [
          '',
          `Silent: ${totals.silent
            .slice(0, 5)
            .map(({ reason, count }) => `${number(count)} ${printable(reason)}`)
            .join('; ')}`,
        ]),
    '',
    ...repositoryLines(repositories, colors),
    ...(misses.length === 0 ? [] : ['', 'Last misses:']),
    ...misses.slice(0, MAX_MISSES).map(({ at, path, how, prompt }) => {
      const words = printable(prompt.replace(/\s+/g, ' ').slice(0, MAX_PROMPT));
      return `  ${at.slice(0, 10)} ${how === 'edit' ? 'edited' : 'read'} ${printable(path)}  ${colors.dim(`"${words}"`)}`;
    }),
  ];
}

function hitDetail({ totals: { watched, read, edited, injected } }: StatsReport): string {
  if (watched === 0) return `${number(injected)} places were shown or named; no use of a file was recorded`;
  const unknown = injected - watched;
  const others = unknown === 0 ? '' : `; ${number(unknown)} in sessions without a record of files`;
  return `of ${number(watched)} places ${number(read)} were then read and ${number(edited)} edited${others}`;
}

function repositoryLines(all: StatsReport['repositories'], colors: Colors): readonly string[] {
  const rows = all
    .slice(0, MAX_REPOSITORIES)
    .map(({ repository, totals }) => [
      ...[number(totals.answers), number(totals.spoke), share(totals.hitRate), number(totals.misses)],
      ...[number(totals.tokens), printable(repository)],
    ]);
  const [head = '', ...lines] = align([
    ['answers', 'spoke', 'hit rate', 'misses', 'tokens', 'repository'],
    ...rows,
  ]);
  const more = all.length - rows.length;
  return [colors.bold(head), ...lines, ...(more > 0 ? [`and ${more} more; --json shows all`] : [])];
}

function runLine({ runs }: StatsReport): string {
  const { passed, failed } = runs.gates;
  const cost =
    runs.costUsd === null
      ? 'no agent reported a cost'
      : `$${runs.costUsd.toFixed(2)} as the agents reported it${runs.withoutCost > 0 ? ` (${countOf(runs.withoutCost, 'run')} without)` : ''}`;
  return [
    `Runs: ${number(runs.runs)}, ${number(runs.passed)} passed`,
    ...(runs.unfinished > 0 ? [`${number(runs.unfinished)} not finished`] : []),
    countOf(runs.attempts, 'attempt'),
    `gates ${number(passed)} passed, ${number(failed)} failed`,
    `${number(runs.durationMs / 60_000)} min`,
    cost,
  ].join('; ');
}

function loopLine({ loops }: StatsReport): string {
  const { iterations, passed, decomposed, leaves, durationMs } = loops;
  return [
    `Loops: ${number(loops.loops)}, ${number(leaves.passed)} of ${number(leaves.all)} leaves pass`,
    `${countOf(iterations, 'iteration')}, ${number(passed)} passed`,
    ...(decomposed > 0 ? [`${number(decomposed)} split their task`] : []),
    `${number(durationMs / 60_000)} min`,
  ].join('; ');
}
