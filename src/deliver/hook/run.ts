import { environment } from '../../platform/environment.ts';
import { hookWorld } from './hook-world.ts';
import { runHook } from './run-hook.ts';

/** The program behind `loadout hook`: small, because every prompt waits for it. */
const { stdin, stdout } = process;
await runHook(process.argv.slice(3), hookWorld({ stdin, stdout, env: environment(), cwd: process.cwd() }));
// the thread may still be at work, and nobody waits for it any more
process.exit(0);
