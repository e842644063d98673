import { parentPort, workerData } from 'node:worker_threads';
import { keepCompiledCode, loadScript, useCodeFolder } from '../../platform/cache/load-script.ts';
import type { HookJob } from './hook-process.ts';
import type { workOn } from './hook-work.ts';

declare const __LOADOUT_HOOK_CODE__: string;

/** The program of the hook thread. It keeps the compiled code: a hook has no time to compile a megabyte each time. */
const port = parentPort;
if (port) {
  const job = workerData as HookJob;
  useCodeFolder(`${job.cacheDirectory}/code`);
  const script = new URL('./hook-work.cjs', import.meta.url);
  const work = loadScript(script, `${__LOADOUT_HOOK_CODE__}-${job.event}`, (name) => import(name)) as {
    readonly workOn: typeof workOn;
  };
  work.workOn(port, job, keepCompiledCode);
}
