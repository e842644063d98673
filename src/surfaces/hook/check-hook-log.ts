import { wallClockMs } from '../../platform/clock.ts';
import type { Check } from '../cli/doctor-checks.ts';
import { type HookLogEntry, readHookLog } from './hook-log.ts';

const RECENT_MS = 24 * 3_600_000;
const MAX_READ = 500;
const MAX_SHOWN = 3;

/** Why agents lately went without context, or with less of it. */
export function checkHookLog(cacheDirectory: string): Check {
  const name = 'hooks';
  const all = readHookLog(cacheDirectory, MAX_READ);
  const since = new Date(wallClockMs() - RECENT_MS).toISOString();
  const recent = all.filter(({ at }) => at >= since);
  if (recent.length === 0) return { name, state: 'ok', detail: 'no problems in the last day' };
  const shown = recent.slice(0, MAX_SHOWN).map(describe).join('; ');
  const more = recent.length > MAX_SHOWN ? ` (and ${recent.length - MAX_SHOWN} more)` : '';
  return { name, state: 'limited', detail: `${shown}${more}` };
}

function describe({ at, client, event, milliseconds, problem }: HookLogEntry): string {
  return `${at} ${client} ${event} after ${milliseconds} ms: ${problem}`;
}
