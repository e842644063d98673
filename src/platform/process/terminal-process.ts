// Runs a program that takes over the terminal, such as the user's editor.

import { spawn } from 'node:child_process';
import { errorCode, LoadoutError } from '../../model/loadout-error.ts';
import type { Environment } from '../environment.ts';

/**
 * Runs a program on the streams of this process, until it ends. It is in our own process group, because only that group may
 * read from the terminal. The program comes from the user: a variable such as EDITOR, never from a repository.
 */
export function runInTerminal(
  program: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Environment },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { cwd, env, stdio: 'inherit', shell: false });
    child.once('error', (cause) => {
      const why = errorCode(cause) === 'ENOENT' ? 'there is no such program' : cause.message;
      reject(new LoadoutError('no-program', `cannot start ${program}: ${why}`, { subject: program, cause }));
    });
    child.once('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)));
  });
}
