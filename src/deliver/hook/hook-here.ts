import type { HookJob, HookMessage } from './hook-message.ts';
import { type HookThread, listenTo } from './hook-thread.ts';
import { loadHookWork } from './load-hook-work.ts';

/**
 * Does the work in this very thread, which saves the start of another one. Nobody can cut it short while it computes:
 * for repositories whose hooks are known to be quick.
 */
export function startHookHere(job: HookJob): HookThread {
  const { heard, ...thread } = listenTo();
  let begin = (_: string): void => {};
  loadHookWork(job, {
    onInput: (use) => {
      begin = use;
    },
    say: (message: HookMessage) => heard(message),
  });
  return { ...thread, begin: (input) => begin(input) };
}
