import { environment } from '../../platform/environment.ts';
import { hookWorld } from './hook-world.ts';
import { runHook } from './run-hook.ts';

/** The program behind `loadout hook`: small, because every prompt waits for it. */
const { stdin, stdout } = process;
const world = hookWorld({ stdin, stdout, env: environment(), cwd: process.cwd() });
// the thread may still be at work, and nobody waits for it any more
void runHook(process.argv.slice(3), world).then(() => process.exit(0));
