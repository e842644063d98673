import { setTimeout as pause } from 'node:timers/promises';
import { LoadoutError } from '../../model/loadout-error.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { readServerState, type ServerState } from './server-state.ts';

const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 50;

/** Asks the running server to end and waits until it has; null when none runs. */
export async function stopServer(cacheDirectory: string): Promise<ServerState | null> {
  const running = readServerState(cacheDirectory);
  if (!running) return null;
  const { pid } = running.process;
  process.kill(pid, 'SIGTERM');
  const end = monotonicMs() + PATIENCE_MS;
  while (readServerState(cacheDirectory)?.token === running.token) {
    if (monotonicMs() > end)
      throw new LoadoutError('still-running', `process ${pid} does not end`, {
        subject: `${pid}`,
        hint: `end it with "kill -9 ${pid}"`,
      });
    await pause(LOOK_EVERY_MS);
  }
  return running;
}
