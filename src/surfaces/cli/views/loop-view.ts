/** Loops as text: the task tree with marks, one line for each iteration, and a live line while a worker is busy. */

import { setTimeout as sleep } from 'node:timers/promises';
import type {
  LoopStatusReport,
  ShownIteration,
  StepEvent,
  StepReport,
  TreeLine,
} from '../../../workers/loop/index.ts';
import type { CommandCall } from '../command.ts';
import { type Colors, printable } from './output.ts';

/** The last lines of a log say why it failed. */
const SHOWN_LOG_LINES = 12;

/** The tree with marks, the attempts, and why the last iteration failed. */
export function formatLoop(status: LoopStatusReport, colors: Colors): string[] {
  const { outcome, leaves, runState, failure, isRunning, isInterrupted } = status;
  const end = { passed: colors.green('passed'), stuck: colors.red('stuck'), open: 'open' }[outcome];
  const running = isRunning ? `, ${colors.bold('working')}` : isInterrupted ? ', interrupted' : '';
  const lines = [
    `${end}${running}: ${leaves.passed} of ${leaves.all} leaves pass, next iteration ${runState.next_iter}`,
    '',
    ...status.lines.map((line) => formatNode(line, colors)),
  ];
  if (runState.last_summary !== null)
    lines.push(
      '',
      `last: ${runState.last_status}, guard ${runState.last_guard}`,
      `  ${oneLine(runState.last_summary)}`,
    );
  if (failure !== null) lines.push('', colors.bold('last failure'), ...tail(failure));
  return lines;
}

/** One node, indented by its depth: `[x]` passed, `[ ]` open, `[>]` selected, `[!]` stuck. */
function formatNode({ depth, node, mark }: TreeLine, { green, red, yellow, dim }: Colors): string {
  const marks = { passed: green('[x]'), open: '[ ]', selected: yellow('[>]'), stuck: red('[!]') };
  const attempts = node.attempts > 0 ? dim(` ${node.attempts} of ${node.max_attempts} attempts`) : '';
  return `${'  '.repeat(depth)}${marks[mark]} ${node.id}  ${printable(node.title)}${attempts}`;
}

/** One iteration in two lines. */
export function formatStep(report: StepReport, { green, red, yellow, dim }: Colors): string[] {
  if (report.kind === 'ended')
    return [
      report.outcome === 'passed'
        ? green('the tree passes')
        : red('stuck: the next node has no attempt left'),
    ];
  const { iteration, node, title, result, status, guard, summary, attempts, maxAttempts, outcome } = report;
  const paint = { passed: green, failed: yellow, decomposed: dim, repair: yellow }[result];
  const how = result === 'repair' ? 'left a tree that was not accepted' : `${status}, guard ${guard}`;
  const tries = attempts > 0 ? dim(` (attempts: ${attempts} of ${maxAttempts})`) : '';
  const lines = [
    `${iteration}  ${paint(how)}  ${node}  ${printable(title)}${tries}`,
    dim(`   ${oneLine(summary)}`),
  ];
  if (outcome === 'passed') lines.push(green('the tree passes'));
  if (outcome === 'stuck') lines.push(red(`stuck: ${node} has no attempt left`));
  return lines;
}

/** Everything about one iteration. Its record may be incomplete, so every field can be missing. */
export function formatIteration(shown: ShownIteration, colors: Colors): string[] {
  const { run, iteration, folder, meta, log, files } = shown;
  const text = (name: string) => printable(String(meta?.[name] ?? '-'));
  const dropped =
    Array.isArray(meta?.dropped) && meta.dropped.length > 0 ? `, without ${meta.dropped.join(', ')}` : '';
  return [
    colors.bold(`iteration ${iteration} of ${run}`),
    `node     ${text('path')}`,
    `outcome  ${text('outcome')} (status ${text('status')}, guard ${text('guard')})`,
    `summary  ${oneLine(String(meta?.summary ?? '-'))}`,
    `prompt   ${text('prompt_bytes')} bytes${printable(dropped)}`,
    `time     ${text('started_at')} to ${text('ended_at')}`,
    `files    ${folder}: ${printable(files.join(', '))}`,
    ...(log === null ? [] : ['', colors.bold('log'), ...tail(log)]),
  ];
}

/** The end of a log, with the number of lines that are left out. */
function tail(log: string): string[] {
  const lines = log.trimEnd().split('\n');
  const shown = lines.slice(-SHOWN_LOG_LINES).map((line) => `  ${printable(line)}`);
  const left = lines.length - shown.length;
  return left > 0 ? [`  (${left} lines above these)`, ...shown] : shown;
}

const oneLine = (text: string): string => printable(text.replace(/\s+/g, ' ').trim());

/** Shows the steps of a running iteration. */
interface LoopView {
  /** Called when an iteration, a worker or the final check starts. */
  readonly step: (event: StepEvent) => void;
  /** Removes the live line, before other output and at the end. */
  readonly clear: () => void;
}

/** The line shows whole seconds. */
const REDRAW_MS = 1_000;

/** Shows a running iteration as one live line, on a terminal only. */
export function createLoopView({ output }: Pick<CommandCall, 'output'>): LoopView {
  let what = '';
  let label = '';
  let seconds = 0;
  let timer: NodeJS.Timeout | undefined;
  const draw = () => output.progress.update({ label, done: 0, total: 0 });
  return {
    step: (event) => {
      if (event.type === 'iteration-start') what = `${event.iteration}  ${event.selected.node.id}`;
      const doing = { 'iteration-start': 'context', 'worker-start': 'worker', 'guard-start': 'guard' }[
        event.type
      ];
      seconds = 0;
      label = `${what}  ${doing}`;
      draw();
      clearInterval(timer);
      timer = setInterval(() => {
        seconds += REDRAW_MS / 1000;
        label = `${what}  ${doing}  ${seconds} s`;
        draw();
      }, REDRAW_MS);
      timer.unref();
    },
    clear: () => {
      clearInterval(timer);
      output.progress.clear();
    },
  };
}

/** Time between two looks at the state of a loop. */
const WATCH_MS = 1_000;
/** Clears the terminal and moves the cursor to its top. */
const CLEAR_SCREEN = '\u001b[2J\u001b[H';

/** Draws the tree again and again while a loop is working on it. */
export async function watchLoop(call: CommandCall, read: () => LoopStatusReport): Promise<void> {
  const { colors } = call.output;
  for (;;) {
    const status = read();
    call.io.stdout.write(`${CLEAR_SCREEN}${formatLoop(status, colors).join('\n')}\n`);
    if (!status.isRunning || call.signal.aborted) return;
    await sleep(WATCH_MS, undefined, { signal: call.signal }).catch(() => {});
  }
}
