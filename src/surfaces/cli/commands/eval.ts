/**
 * `loadout eval` measures the ranking with past commits as tasks; `loadout gap` records the parts that a package lacked.
 * Both show how good packages are, and both improve later ones.
 */

import { integerKind } from '../../../config/index.ts';
import type {
  AnswerSummary,
  Evaluation,
  Gap,
  PackPaths,
  Summary,
  Tuning,
} from '../../../context/evaluate/index.ts';
import { LoadoutError } from '../../../model/loadout-error.ts';
import { SIGNALS } from '../../../model/ranking.ts';
import { wallClockMs } from '../../../platform/clock.ts';
import { type CliCommand, type CommandCall, numberFlag } from '../command.ts';
import { align, type Colors, printable } from '../views/output.ts';

/** A first figure; more commits make it steadier. */
const DEFAULT_COMMITS = 50;
/** Each commit costs a ranking and, with packages, one build for each budget. */
const MAX_COMMITS = 1_000;
/** The size of a brief, and of a usual package. */
const DEFAULT_BUDGETS = '8k,32k';

/** The command `eval`, a word that cannot be the name of a variable. */
export const evaluate: CliCommand = {
  name: 'eval',
  summary: "Measure the ranking with this repository's past commits as tasks.",
  arguments: [],
  groups: [
    { title: 'What to measure', flags: ['--commits', '--budgets', '--no-pack', '--include', '--exclude'] },
    { title: 'Learn weights', flags: ['--tune', '--reset'] },
  ],
  settings: ['include', 'exclude', 'astWeight', 'semanticWeight', 'historyLimit', 'maxFileBytes', 'cacheDir'],
  flags: [
    { syntax: '--commits <N>', help: `Number of commits, newest first. (default: ${DEFAULT_COMMITS})` },
    {
      syntax: '--budgets <LIST>',
      help: `Token budgets of the packages. (default: ${DEFAULT_BUDGETS})`,
    },
    { syntax: '--no-pack', help: 'Rank only; build no packages.' },
    {
      syntax: '--tune',
      help: 'Look for better weights for this repository; they are kept if they help on other commits.',
    },
    { syntax: '--reset', help: 'Forget the learned weights; do not measure.' },
  ],
  examples: [
    { line: 'loadout eval', does: 'measure with the last 50 commits that changed source files' },
    { line: 'loadout eval --commits 200 --tune', does: 'use more commits, and keep better weights' },
    { line: 'loadout eval --no-pack --json', does: 'measure the ranking only; print every commit as JSON' },
  ],
  run: async (call) => {
    // Flags are checked before anything is read, so that a typing error costs no time.
    if (call.flags.reset === true) return reset(call);
    const commits = numberFlag(call, 'commits', integerKind({ min: 1, max: MAX_COMMITS })) ?? DEFAULT_COMMITS;
    const budgets = await readBudgets(call.flags.budgets);
    const { settings } = await call.settings();
    const { evaluateRepository } = await import('../../../context/evaluate/evaluate-repository.ts');
    const evaluation = await evaluateRepository({
      repo: call.repository().path,
      settings,
      commits,
      budgets,
      ...(call.flags.pack === false ? {} : { packPaths }),
      tune: call.flags.tune === true,
      signal: call.signal,
      onProgress: call.output.progress.update,
    });
    call.output.progress.clear();
    call.output.diagnostics(evaluation.diagnostics);
    const gaps = await findGaps(call, settings.cacheDir);
    if (call.global.json) call.output.json({ ...evaluationJson(evaluation), gaps });
    else {
      const lines = [...formatEvaluation(evaluation, call.output.colors), ...formatGaps(gaps)];
      for (const line of lines) call.output.line(line);
    }
    return 0;
  },
};

/** The files whose content is in the package; a mention is only a path. */
const packPaths: PackPaths = async (request) => {
  const { buildPackage } = await import('../../../context/pack.ts');
  const { pack } = await buildPackage(request);
  return pack.items.filter(({ form }) => form !== 'mention').map(({ path }) => path);
};

/** The gaps that agents reported with `loadout gap`. */
async function findGaps(call: CommandCall, cacheDirectory: string): Promise<readonly Gap[]> {
  const { openRepository } = await import('../../../scan/repository.ts');
  const { readGaps } = await import('../../../context/evaluate/gaps.ts');
  return readGaps(await openRepository(call.repository().path, cacheDirectory), cacheDirectory);
}

/** Forgets the learned weights of this repository. */
async function reset(call: CommandCall): Promise<number> {
  const { settings } = await call.settings();
  const { openRepository } = await import('../../../scan/repository.ts');
  const { forgetTunedWeights } = await import('../../../context/evaluate/tuned-weights.ts');
  const repository = await openRepository(call.repository().path, settings.cacheDir);
  const wasTuned = forgetTunedWeights(repository, settings.cacheDir);
  if (call.global.json) call.output.json({ forgotten: wasTuned });
  else call.output.line(wasTuned ? 'the weights of this repository are forgotten' : 'there were no weights');
  return 0;
}

/** The budgets of `--budgets`, each once and in growing order, as the table shows them. */
async function readBudgets(given: unknown): Promise<readonly number[]> {
  const { parseBudget } = await import('../../../context/fit/models.ts');
  const text = typeof given === 'string' ? given : DEFAULT_BUDGETS;
  return [...new Set(text.split(',').map((one) => parseBudget(one)))].sort((a, b) => a - b);
}

function evaluationJson({ head, summary, tuning, tasks, diagnostics }: Evaluation) {
  return { head, summary, tuning, commits: tasks, diagnostics };
}

/** The command `gap`. Agents with MCP call `report_gap` instead. */
export const gap: CliCommand = {
  name: 'gap',
  summary:
    'Report what a package was missing, so that similar tasks get it next time. "loadout eval" lists all gaps.',
  arguments: [{ syntax: '[TEXT]', help: 'What was missing; name a path or a definition if you can.' }],
  settings: ['cacheDir'],
  flags: [
    {
      syntax: '--package <ID>',
      help: 'Id of the package: "loadout pack" prints it on stderr, and --json contains it.',
    },
    { syntax: '--task <TASK>', help: 'The task, for a package that was not built here.' },
    { syntax: '--forget', help: 'Forget all gaps of this repository.' },
  ],
  examples: [
    {
      line: 'loadout gap --package 4f1c22ab90d3e617 "the settings of the retry queue, src/queue/retry.ts"',
      does: 'report what was missing, and where it was found',
    },
    { line: 'loadout gap --forget', does: 'forget all gaps and start again' },
  ],
  run: async (call) => {
    const { settings } = await call.settings();
    const { openRepository } = await import('../../../scan/repository.ts');
    const repository = await openRepository(call.repository().path, settings.cacheDir);
    const { forgetGaps } = await import('../../../context/evaluate/gaps.ts');
    if (call.flags.forget === true) {
      const forgotten = forgetGaps(repository, settings.cacheDir);
      if (call.global.json) call.output.json({ forgotten });
      else call.output.line(`forgot ${forgotten} ${forgotten === 1 ? 'gap' : 'gaps'}`);
      return 0;
    }
    const { reportGap } = await import('../../hook/report-gap.ts');
    const reported = reportGap(repository, settings.cacheDir, {
      package: textFlag(call, 'package'),
      task: textFlag(call, 'task'),
      text: call.arguments[0] ?? '',
      nowMs: wallClockMs(),
    });
    if (call.global.json) call.output.json(reported);
    else {
      const of =
        reported.task === '' ? 'no package of this id was built here: give --task to make it a hint' : '';
      call.output.line(`kept: ${printable(reported.text)}${of === '' ? '' : ` (${of})`}`);
    }
    return 0;
  },
};

/** The value of a flag. `--package` is required, because a gap without a package cannot be used. */
function textFlag(call: CommandCall, name: 'package' | 'task'): string {
  const given = call.flags[name];
  if (typeof given === 'string') return given;
  if (name === 'task') return '';
  throw new LoadoutError('missing-flag', '"loadout gap" needs --package ID', {
    subject: '--package',
    hint: '"loadout pack" prints the id on stderr, and --json has it',
  });
}

/** A share between 0 and 1. */
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

/** Two columns: this ranking, and plain BM25 on the same files. */
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

/** The outcome of `--tune`. Weights are judged on commits that they were not chosen on. */
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

/** Gaps on the screen; `--json` has all. */
const MAX_SHOWN = 10;
/** Characters of a task's title. */
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
