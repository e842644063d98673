import type { StepEvent } from '../../workers/loop/step-loop.ts';
import type { CommandCall } from './command.ts';

export interface LoopView {
  readonly step: (event: StepEvent) => void;
  readonly clear: () => void;
}

const REDRAW_MS = 1_000;

/** What people see while an iteration goes on: one line that lives, on a terminal only. */
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
