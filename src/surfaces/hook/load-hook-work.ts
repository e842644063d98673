import { keepCompiledCode, loadScript, useCodeFolder } from '../../platform/cache/load-script.ts';
import type { HookJob } from './hook-message.ts';
import type { HookPort, workOn } from './hook-work.ts';

declare const __LOADOUT_HOOK_CODE__: string;

/** Loads what answers and connects it; compiled once, because a hook has no time to compile a megabyte each time. */
export function loadHookWork(job: HookJob, port: HookPort): void {
  useCodeFolder(`${job.cacheDirectory}/code`);
  const script = new URL('./hook-work.cjs', import.meta.url);
  const name = `${__LOADOUT_HOOK_CODE__}-${job.event}`;
  const work = loadScript(script, name, (specifier) => import(specifier)) as {
    readonly workOn: typeof workOn;
  };
  work.workOn(port, job, keepCompiledCode);
}
