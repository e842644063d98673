import type { HookJob } from './hook-message.ts';
import { type HookThread, listenTo } from './hook-thread.ts';
import { loadHookWork } from './load-hook-work.ts';

/**
 * Does the work in this very thread, which saves the start of another one. Nobody can cut it short while it computes:
 * for repositories whose hooks are known to be quick. Whatever goes wrong is a problem to be logged, as in a thread.
 */
export function startHookHere(job: HookJob): HookThread {
  const { heard, ended, ...thread } = listenTo();
  const fail = (error: unknown) => ended(error instanceof Error ? error.message : String(error));
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  let begin = (_: string): void => {};
  try {
    loadHookWork(job, {
      onInput: (use) => {
        begin = use;
      },
      say: heard,
    });
  } catch (error) {
    fail(error);
  }
  return { ...thread, begin: (input) => begin(input) };
}
