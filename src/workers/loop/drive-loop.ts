import type { LoopEnvironment } from './loop-environment.ts';
import type { OpenLoop } from './open-loop.ts';
import { type StepOptions, type StepReport, stepLoop } from './step-loop.ts';

export interface DriveOptions extends StepOptions {
  /** Iterations at most; absent means until the tree passes or is stuck. */
  readonly most?: number | undefined;
  readonly onReport?: (report: StepReport) => void;
}

export interface DriveResult {
  /** `open`: the iterations were used up. */
  readonly outcome: 'passed' | 'stuck' | 'open';
  readonly steps: readonly StepReport[];
}

/** Steps until the tree passes, is stuck, or as often as was asked for. Every step is counted, so it ends. */
export async function driveLoop(
  loop: OpenLoop,
  environment: LoopEnvironment,
  options: DriveOptions,
): Promise<DriveResult> {
  const steps: StepReport[] = [];
  while (steps.length < (options.most ?? Number.POSITIVE_INFINITY)) {
    const report = await stepLoop(loop, environment, options);
    steps.push(report);
    options.onReport?.(report);
    if (report.outcome !== 'open') return { outcome: report.outcome, steps };
  }
  return { outcome: 'open', steps };
}
