import { monotonicMs } from '../../platform/clock.ts';
import { printable } from './printable.ts';

export interface ProgressStep {
  /** What is going on: `reading files`. */
  readonly label: string;
  readonly done: number;
  /** 0 while it is not known. */
  readonly total: number;
}

export interface Progress {
  update(step: ProgressStep): void;
  /** Takes the line away, so that what follows starts on a clean one. */
  clear(): void;
}

export interface ProgressOptions {
  readonly write: (text: string) => void;
  readonly isOn: boolean;
  readonly columns: number;
  readonly now?: () => number;
}

/** Redrawing costs more than the work it reports on if every step does it. */
const REDRAW_MS = 80;
const BAR_WIDTH = 24;
const CLEAR_LINE = '\r\u001b[2K';

/** One line that is drawn again and again; silent when nobody watches. */
export function createProgress({ write, isOn, columns, now = monotonicMs }: ProgressOptions): Progress {
  let label = '';
  let labelStarted = 0;
  let lastDrawn = Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  return {
    update: (step) => {
      if (!isOn) return;
      const time = now();
      if (step.label !== label) {
        label = step.label;
        labelStarted = time;
        lastDrawn = Number.NEGATIVE_INFINITY;
      }
      if (time - lastDrawn < REDRAW_MS) return;
      lastDrawn = time;
      isDrawn = true;
      write(CLEAR_LINE + renderStep(step, time - labelStarted).slice(0, Math.max(1, columns - 1)));
    },
    clear: () => {
      if (isDrawn) write(CLEAR_LINE);
      isDrawn = false;
    },
  };
}

export function renderStep({ label, done, total }: ProgressStep, elapsedMs: number): string {
  const rate = elapsedMs >= 500 ? `  ${Math.round((done * 1000) / elapsedMs)}/s` : '';
  const count = total > 0 ? `${done}/${total}` : done > 0 ? String(done) : '';
  const filled = total > 0 ? Math.round((Math.min(done, total) / total) * BAR_WIDTH) : 0;
  const bar = total > 0 ? `[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ` : '';
  return `${printable(label)}  ${bar}${count}${rate}`.trimEnd();
}
