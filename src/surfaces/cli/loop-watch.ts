import { setTimeout as sleep } from 'node:timers/promises';
import type { LoopStatusReport } from '../../workers/loop/inspect-loop.ts';
import type { CommandCall } from './command.ts';
import { formatLoop } from './loop-format.ts';

const REDRAW_MS = 1_000;
const CLEAR_SCREEN = '\u001b[2J\u001b[H';

/** Draws the tree again and again while a loop is working on it. */
export async function watchLoop(call: CommandCall, read: () => LoopStatusReport): Promise<void> {
  const { colors } = call.output;
  for (;;) {
    const status = read();
    call.io.stdout.write(`${CLEAR_SCREEN}${formatLoop(status, colors).join('\n')}\n`);
    if (!status.isRunning || call.signal.aborted) return;
    await sleep(REDRAW_MS, undefined, { signal: call.signal }).catch(() => {});
  }
}
