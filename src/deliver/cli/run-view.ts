import { monotonicMs } from '../../platform/clock.ts';
import type { StoredEvent } from '../../run/run-event.ts';
import { createColors, wantsColor } from './colors.ts';
import type { CommandCall } from './command.ts';
import { formatEvent, showDuration } from './format-run.ts';
import { printable } from './printable.ts';

/** What people see while runs go on: lines on standard error, and on a terminal a last one that lives. */
export interface RunView {
  readonly event: (event: StoredEvent) => void;
  close(): void;
}

interface LiveRun {
  readonly started: number;
  step: string;
  last: string;
}

const REDRAW_MS = 250;
const CLEAR_LINE = '\r\u001b[2K';

export function createRunView({ io, global }: CommandCall, runs: number): RunView {
  if (global.json)
    return { event: (event) => void io.stdout.write(`${JSON.stringify(event)}\n`), close: () => {} };
  if (global.quiet) return { event: () => {}, close: () => {} };
  const colors = createColors(wantsColor(io.env, io.isTerminal.stderr, global.color));
  const live = new Map<string, LiveRun>();
  const isLive = io.isTerminal.stderr;
  const draw = () => {
    const lines = [...live.entries()].map(([run, state]) => liveLine(run, state, runs));
    if (lines.length > 0)
      io.stderr.write(`${CLEAR_LINE}${lines.at(-1)!.slice(0, Math.max(1, io.columns - 1))}`);
  };
  const timer = isLive ? setInterval(draw, REDRAW_MS) : undefined;
  return {
    event: (event) => {
      follow(live, event);
      const line = formatEvent(event, colors);
      if (line !== null) {
        const prefix = runs > 1 ? colors.dim(`${event.run.slice(-8)} `) : '';
        io.stderr.write(`${isLive ? CLEAR_LINE : ''}${prefix}${line}\n`);
      }
    },
    close: () => {
      clearInterval(timer);
      if (isLive) io.stderr.write(CLEAR_LINE);
    },
  };
}

function follow(live: Map<string, LiveRun>, event: StoredEvent): void {
  if (event.type === 'run-end') live.delete(event.run);
  else if (event.type === 'run-start')
    live.set(event.run, { started: monotonicMs(), step: 'work tree', last: '' });
  const state = live.get(event.run);
  if (state === undefined) return;
  if (event.type === 'attempt-start') Object.assign(state, { step: `attempt ${event.attempt}`, last: '' });
  if (event.type === 'gate-start') Object.assign(state, { step: 'gate', last: event.gate });
  if (event.type === 'agent-output') state.last = event.line;
}

function liveLine(run: string, { started, step, last }: LiveRun, runs: number): string {
  const name = runs > 1 ? `${run.slice(-8)}  ` : '';
  return `${name}${showDuration(monotonicMs() - started)}  ${step}  ${printable(last)}`.trimEnd();
}
