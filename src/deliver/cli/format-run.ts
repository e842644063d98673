import { relative } from 'node:path';
import type { RunSummary } from '../../run/log/read-runs.ts';
import type { RunOutcome, StoredEvent } from '../../run/run-event.ts';
import type { RefusedRun } from '../../run/run-many.ts';
import type { RunResult } from '../../run/run-record.ts';
import { align } from './align.ts';
import type { Colors } from './colors.ts';
import { printable } from './printable.ts';

const LONGEST_TASK = 60;

/** `1:02:03` or `2:03`. */
export function showDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

function paint(outcome: RunOutcome | 'unfinished', colors: Colors): string {
  if (outcome === 'passed') return colors.green(outcome);
  return outcome === 'unfinished' || outcome === 'cancelled' ? colors.yellow(outcome) : colors.red(outcome);
}

export function formatRun(result: RunResult, colors: Colors, root: string): string[] {
  const { run, outcome, message, attempts, durationMs, usage, costUsd, answer, keptTree } = result;
  const here = (path: string) => printable(relative(root, path));
  const facts = [
    countOf(attempts.length, 'attempt'),
    showDuration(durationMs),
    ...(usage === null ? [] : [`${usage.inputTokens} tokens in, ${usage.outputTokens} out`]),
    ...(costUsd === null ? [] : [`$${costUsd.toFixed(4)}`]),
  ];
  const gates = attempts.at(-1)?.gates ?? [];
  const rows: [string, string][] = [
    ...(outcome === 'passed' ? [] : [['why', printable(message)] as [string, string]]),
    ...(answer === null ? [] : [['answer', printable(answer.status)] as [string, string]]),
    ...gates.map((gate): [string, string] => [
      'gate',
      `${gate.passed ? 'passed' : `failed (${gate.why})`}: ${printable(gate.gate)}`,
    ]),
    ...(result.patchFile === null
      ? [['patch', 'nothing changed'] as [string, string]]
      : [
          ['patch', `${here(result.patchFile)} (${countOf(result.changedFiles.length, 'file')})`] as [
            string,
            string,
          ],
        ]),
    ...(result.branch === null ? [] : [['branch', result.branch] as [string, string]]),
    ...(result.applied ? [['applied', 'to your files'] as [string, string]] : []),
    ...(keptTree === null
      ? []
      : [['tree', `${printable(keptTree.path)} (${keptTree.why})`] as [string, string]]),
    ['record', here(result.folder)],
  ];
  return [`${paint(outcome, colors)} ${run}: ${facts.join(', ')}`, ...align(rows).map((line) => `  ${line}`)];
}

export function formatRefusal({ task, error }: RefusedRun, colors: Colors): string[] {
  return [`${colors.red('not begun')}: ${printable(oneLine(task))}: ${printable(error.message)}`];
}

export function formatRunList(runs: readonly RunSummary[], colors: Colors): string[] {
  const rows = runs.map(({ run, outcome, role, cli, attempts, task }) => [
    run,
    outcome,
    printable(role ?? '-'),
    printable(cli ?? '-'),
    `${attempts}x`,
    printable(oneLine(task ?? '')),
  ]);
  return align(rows).map((line, at) => line.replace(runs[at]!.outcome, paint(runs[at]!.outcome, colors)));
}

/** One line for people about an event; null for those that only fill the log. */
export function formatEvent(event: StoredEvent, colors: Colors): string | null {
  switch (event.type) {
    case 'run-start':
      return printable(
        `${event.role} with ${event.cli}${event.model ? ` (${event.model})` : ''}: ${oneLine(event.task)}`,
      );
    case 'attempt-start':
      return `attempt ${event.attempt}${event.mode === 'resume' ? ' (same session)' : ''}`;
    case 'answer-refused':
      return printable(`answer refused: ${event.message}`);
    case 'gate-end':
      return printable(
        `gate ${event.passed ? 'passed' : `failed (${event.why})`} in ${showDuration(event.durationMs)}: ${event.gate}`,
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

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function oneLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.length <= LONGEST_TASK ? line : `${line.slice(0, LONGEST_TASK - 1)}…`;
}
