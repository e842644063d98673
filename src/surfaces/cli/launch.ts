/** The entry point of the built program. It loads the program from compiled code that an earlier call kept. */

import { join } from 'node:path';
import { keepCompiledCode, loadScript, useCodeFolder } from '../../platform/cache/load-script.ts';
import { cacheDirectory } from '../../platform/cache/user-directories.ts';

declare const __LOADOUT_PROGRAM__: { readonly name: string; readonly commands: readonly string[] };

/** Resources that may still write something. */
const PENDING = /^(?:FSReq|ProcessWrap|WriteWrap|ShutdownWrap)/;

void launch();

/**
 * Starts the built program from code that an earlier run compiled: that takes a tenth of a second less than to compile
 * it again. Each command keeps its own, because each uses other parts.
 */
async function launch(): Promise<void> {
  const { name, commands } = __LOADOUT_PROGRAM__;
  const command = process.argv.slice(2).find((word) => commands.includes(word)) ?? 'help';
  useCodeFolder(join(cacheDirectory(process.env), 'code'));
  const file = new URL('./program.cjs', import.meta.url);
  const program = loadScript(file, `${name}-${command}`, (specifier) => import(specifier)) as {
    run(): Promise<number>;
  };
  const exitCode = await program.run();
  process.exitCode = exitCode;
  // A failed call has not run the code that the next one needs.
  if (exitCode < 2) keepCompiledCode(Date.now());
  const isWritten = process.stdout.writableLength === 0 && process.stderr.writableLength === 0;
  // Exit without freeing the memory, which takes as long as a small command.
  if (isWritten && !process.getActiveResourcesInfo().some((kind) => PENDING.test(kind))) process.exit();
}
