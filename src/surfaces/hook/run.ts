import { environment } from '../../platform/environment.ts';
import { hookProcess } from './hook-process.ts';
import { runHook } from './run-hook.ts';

/** The program behind `loadout hook`. It is small, because every prompt waits for it. */
const { stdin, stdout } = process;
const hook = hookProcess({ stdin, stdout, env: environment(), cwd: process.cwd() });
// The thread may still be at work when the time is up, so end the process.
void runHook(process.argv.slice(3), hook).then(() => process.exit(0));
