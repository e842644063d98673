/**
 * Runs of workers as text: the result of a run, the list of runs, and one line for each event. Text from agents
 * is shortened and made printable here.
 */

import { relative } from 'node:path';
import { cutToCharacters } from '../../../context/fit/index.ts';
import type {
  GateReport,
  RefusedRun,
  RunOutcome,
  RunResult,
  RunSummary,
  StoredEvent,
} from '../../../workers/index.ts';
import { align, type Colors, countOf, printable } from './output.ts';

/** Characters of a task in a list. */
const MAX_TASK = 60;

/** `1:02:03` or `2:03`. */
export function showDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** The fields that decide how a run is named. */
type Ending = Pick<RunSummary, 'outcome' | 'reason'>;

/** The end of a run in a word: its outcome, or the status of the answer that decided, such as `rejected`. */
function endingOf({ outcome, reason }: Ending, answer: string | null): string {
  if (reason !== 'answered-no' || answer === null) return outcome;
  return printable(answer).toLowerCase().replaceAll('_', ' ');
}

/** Green for passed, red for failed, yellow for runs that did not finish. */
function paint(outcome: RunOutcome | 'unfinished', colors: Colors, word: string = outcome): string {
  if (outcome === 'passed') return colors.green(word);
  return outcome === 'unfinished' || outcome === 'cancelled' ? colors.yellow(word) : colors.red(word);
}

/** The result of a run: one line with its outcome, then rows with answer, gates, patch and record. */
export function formatRun(result: RunResult, colors: Colors, root: string): string[] {
  const { run, outcome, attempts, durationMs, usage, costUsd, answer, keptTree } = result;
  const here = (path: string) => printable(relative(root, path));
  const facts = [
    countOf(attempts.length, 'attempt'),
    showDuration(durationMs),
    ...(usage === null ? [] : [`${usage.inputTokens} tokens in, ${usage.outputTokens} out`]),
    ...(costUsd === null ? [] : [`$${costUsd.toFixed(4)}`]),
  ];
  // Only the last attempt counts; the record has the others.
  const gates = attempts.at(-1)?.gates ?? [];
  const rows: Row[] = [
    ...whyRow(result),
    ...(answer === null ? [] : answerRows(answer)),
    ...gates.flatMap((gate): Row[] => [
      ['gate', `${gate.passed ? 'passed' : `failed (${whyGate(gate)})`}: ${printable(gate.gate)}`],
      ...(gate.passed || !gate.outputFile
        ? []
        : [['output', here(`${result.folder}/${gate.outputFile}`)] as Row]),
    ]),
    ['patch', patchText(result, here)],
    ...(result.branch === null ? [] : [['branch', result.branch] as [string, string]]),
    ...(result.applied ? [['applied', 'to your files'] as [string, string]] : []),
    ...(keptTree === null
      ? []
      : [['tree', `${printable(keptTree.path)} (${keptTree.why})`] as [string, string]]),
    ['record', here(result.folder)],
  ];
  const word = endingOf(result, answer?.status ?? null);
  return [
    `${paint(outcome, colors, word)} ${run}: ${facts.join(', ')}`,
    ...align(rows).map((line) => `  ${line}`),
  ];
}

/** The message of the run, unless the row of the answer or of a gate says the same. */
function whyRow({ outcome, reason, message }: RunResult): [string, string][] {
  const isSaidBelow = outcome === 'passed' || reason === 'answered-no' || reason === 'gate-failed';
  return isSaidBelow ? [] : [['why', printable(message)]];
}

/** The exit code of a gate, or another reason such as a timeout. */
function whyGate({ why, exitCode }: GateReport): string {
  return why === 'exit-code' ? `exit code ${exitCode}` : String(why);
}

/** Where the patch is, and how many files it changes. */
function patchText({ patchFile, changedFiles }: RunResult, here: (path: string) => string): string {
  if (changedFiles.length === 0) return 'nothing changed';
  const files = countOf(changedFiles.length, 'file');
  return patchFile === null ? `too large to be saved (${files})` : `${here(patchFile)} (${files})`;
}

/** The answer of the agent in short: verdict, actions or plan, and obstacles. */
function answerRows(answer: object & { readonly status: string }): Row[] {
  const fields = new Map<string, unknown>(Object.entries(answer));
  const rows = LISTS.flatMap(([name, label, textOf]) =>
    listIn(fields, name).map((one, at): Row => [label, shortText(textOf(one, at))]),
  );
  const texts = (name: string, label: string): Row[] => {
    const text = fields.get(name);
    return typeof text === 'string' && text.trim() !== '' ? [[label, shortText(text)]] : [];
  };
  const more = rows.length - MAX_ROWS;
  return [
    ['answer', printable(answer.status)],
    ...texts('action_taken', 'done'),
    ...rows.slice(0, MAX_ROWS),
    ...(more > 0 ? [['', `${more} more in record.json`] as Row] : []),
    ...texts('next_step', 'next'),
  ];
}

/** A label and its text. */
type Row = [string, string];

/** Rows from an answer; `record.json` has the rest. */
const MAX_ROWS = 20;
/** Characters of one row. */
const MAX_TEXT = 300;

/** Agents choose what a list holds, so a value may be anything. */
const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Lists of an answer with the label of a row, the most important first. */
const LISTS: readonly (readonly [string, string, (value: unknown, at: number) => string])[] = [
  ['phases', 'phase', (phase, at) => `${at + 1}. ${phaseText(phase)}`],
  ['issues', 'issue', issueText],
  ['blockers', 'blocker', plain],
  ['security_concerns', 'security', plain],
  ['risks', 'risk', plain],
  ['suggestions', 'suggestion', plain],
];

/** An empty list for a field that is absent or of another kind. */
function listIn(fields: ReadonlyMap<string, unknown>, name: string): readonly unknown[] {
  const value = fields.get(name);
  return Array.isArray(value) ? value : [];
}

/** A planner chooses the fields of a phase; these are the usual names for its words. */
function phaseText(phase: unknown): string {
  if (typeof phase !== 'object' || phase === null) return plain(phase);
  const fields = new Map<string, unknown>(Object.entries(phase));
  const first = (...names: string[]) =>
    names.map((name) => fields.get(name)).find((value) => typeof value === 'string' && value.trim() !== '');
  const words = [first('title', 'name', 'phase'), first('description', 'goal', 'summary', 'task')];
  return words.filter((word) => word !== undefined).join(': ') || plain(phase);
}

/** An issue of a review: severity, place, description, suggestion. */
function issueText(issue: unknown): string {
  if (typeof issue !== 'object' || issue === null) return plain(issue);
  const { severity, file, line, description, suggestion } = issue as Record<string, unknown>;
  const place = [file, line].filter((part) => part !== null && part !== undefined).join(':');
  const text = [severity, place, description].filter((part) => part !== undefined && part !== '').join(': ');
  return typeof suggestion === 'string' && suggestion.trim() !== ''
    ? `${text} (suggestion: ${suggestion})`
    : text;
}

/** One line that is no longer than a few lines of a terminal. */
function shortText(value: string): string {
  const line = printable(value.replace(/\s+/g, ' ').trim());
  return line.length <= MAX_TEXT ? line : `${cutToCharacters(line, MAX_TEXT - 1)}…`;
}

/** A run of several that could not begin, and why. */
export function formatRefusal({ task, error }: RefusedRun, colors: Colors): string[] {
  return [`${colors.red('not started')}: ${printable(oneLine(task))}: ${printable(error.message)}`];
}

/** One row for each run: name, ending, role, agent, attempts, task. */
export function formatRunList(runs: readonly RunSummary[], colors: Colors): string[] {
  const words = runs.map((run) => endingOf(run, run.answer));
  const rows = runs.map(({ run, role, cli, attempts, task }, at) => [
    run,
    words[at]!,
    printable(role ?? '-'),
    printable(cli ?? '-'),
    `${attempts}x`,
    printable(oneLine(task ?? '')),
  ]);
  // Align first and paint afterwards: colour codes have no width on the screen.
  return align(rows).map((line, at) =>
    line.replace(words[at]!, paint(runs[at]!.outcome, colors, words[at]!)),
  );
}

/**
 * The events that are worth a line before the summary of the run. The summary tells how the last attempt and the run
 * ended, so these need no line, unless several runs go on at the same time.
 */
export function createEventFilter(hasEnd = false): (event: StoredEvent) => readonly StoredEvent[] {
  let held: StoredEvent | null = null;
  return (event) => {
    if (event.type === 'attempt-end') {
      held = event;
      return [];
    }
    if (event.type === 'run-end' && !hasEnd) return [];
    const isNext = event.type === 'attempt-start' || event.type === 'retry-scheduled';
    const shown = isNext && held !== null ? [held, event] : [event];
    if (isNext) held = null;
    return shown;
  };
}

/**
 * One line for people about an event; null for those that only fill the log. A refused answer has no line of its own:
 * it ends its attempt, and the line about that end has the same message.
 */
export function formatEvent(event: StoredEvent, colors: Colors): string | null {
  switch (event.type) {
    case 'run-start':
      return printable(
        `${event.role} with ${event.cli}${event.model ? ` (${event.model})` : ''}: ${oneLine(event.task)}`,
      );
    case 'diagnostic':
      return `${colors.yellow('warning')}: ${printable(event.message)}`;
    case 'attempt-start':
      return `attempt ${event.attempt}${event.mode === 'resume' ? ' (same session)' : ''}`;
    case 'gate-end':
      return printable(
        `gate ${event.passed ? 'passed' : `failed (${whyGate(event)})`} in ${showDuration(event.durationMs)}: ${event.gate}`,
      );
    case 'attempt-end':
      return `attempt ${event.attempt} ${paint(event.outcome, colors)}${event.reason === null ? '' : printable(`: ${event.message}`)}`;
    case 'retry-scheduled':
      return `again in ${(event.delayMs / 1000).toFixed(1)} s`;
    case 'tree-kept':
      return printable(`work tree kept (${event.why}): ${event.path}`);
    case 'run-end':
      return `${paint(event.outcome, colors)} ${event.run}`;
    default:
      return null;
  }
}

/** The first line of a task, cut to fit. */
function oneLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length <= MAX_TASK ? line : `${line.slice(0, MAX_TASK - 1)}…`;
}
