import { parentPort, workerData } from 'node:worker_threads';
import { keepCompiledCode, loadScript, useCodeFolder } from '../../platform/load-script.ts';
import type { HookJob } from './hook-message.ts';
import type { workOn } from './hook-work.ts';

declare const __LOADOUT_HOOK_CODE__: string;

const job = workerData as HookJob;
useCodeFolder(`${job.cacheDirectory}/code`);
// compiled once: a hook has no time to compile a megabyte each time
const script = new URL('./hook-work.cjs', import.meta.url);
const work = loadScript(
  script,
  `${__LOADOUT_HOOK_CODE__}-${job.event}`,
  (specifier) => import(specifier),
) as {
  readonly workOn: typeof workOn;
};
if (parentPort) work.workOn(parentPort, job, keepCompiledCode);
