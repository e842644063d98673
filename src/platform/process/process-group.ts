import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { processState } from './process-state.ts';

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const guarded = new Set<number>();

/** Sends a signal to every member of the group; a group that is already gone is fine. */
export function killProcessGroup(group: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    // Windows has no groups: taskkill walks the tree, and only by force.
    if (signal === 'SIGKILL')
      spawn('taskkill', ['/pid', String(group), '/T', '/F'], { stdio: 'ignore' }).unref();
    return;
  }
  try {
    process.kill(-group, signal);
  } catch {
    // Gone already.
  }
}

export function processGroupIsAlive(group: number): boolean {
  if (process.platform === 'win32') return false;
  try {
    process.kill(-group, 0);
  } catch {
    return false;
  }
  return process.platform !== 'linux' || hasLivingMember(group);
}

/** In a container nobody may be there to bury the dead, and a signal finds them as well. */
function hasLivingMember(group: number): boolean {
  try {
    return readdirSync('/proc').some((name) => {
      const state = /^\d+$/.test(name) ? processState(Number(name)) : null;
      return state?.group === group && !state.isDead;
    });
  } catch {
    return true;
  }
}

/**
 * A group of its own does not see the terminal's Ctrl-C, so it would outlive us. While a group is guarded, our own
 * end takes it along. The returned function ends the guard.
 */
export function guardProcessGroup(group: number): () => void {
  if (guarded.size === 0) {
    process.on('exit', killGuarded);
    for (const name of ENDING_SIGNALS) process.on(name, endWithGroups);
  }
  guarded.add(group);
  return () => {
    if (!guarded.delete(group) || guarded.size > 0) return;
    process.off('exit', killGuarded);
    for (const name of ENDING_SIGNALS) process.off(name, endWithGroups);
  };
}

function killGuarded(): void {
  for (const group of guarded) killProcessGroup(group, 'SIGKILL');
}

function endWithGroups(signal: NodeJS.Signals): void {
  // Somebody else handles this signal and will end us, or abort the run, in an orderly way.
  if (process.listenerCount(signal) > 1) return;
  killGuarded();
  for (const name of ENDING_SIGNALS) process.off(name, endWithGroups);
  process.kill(process.pid, signal);
}
