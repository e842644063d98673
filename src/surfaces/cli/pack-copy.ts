import { LoadoutError } from '../../model/loadout-error.ts';
import { findProgram } from '../../platform/process/find-program.ts';
import { runProcess } from '../../platform/process/process-runner.ts';
import type { CommandCall } from './command.ts';

/**
 * Programs that take the text and end. Those of X11 and Wayland stay behind to hand it out, which a process group
 * that ends with its leader does not allow: there the terminal is asked instead.
 */
const PROGRAMS = ['pbcopy', 'clip.exe', 'clip'] as const;
/** Terminals cut or drop a longer request. */
const MAX_TERMINAL_BYTES = 74_994;
const PATIENCE_MS = 10_000;

/** Puts a text on the clipboard: by a program of the system, or by asking the terminal (OSC 52). */
export async function copyText(call: CommandCall, text: string): Promise<void> {
  const { io, signal } = call;
  const root = call.repository().path;
  const program = PROGRAMS.map((name) => findProgram(name, io.env, root)).find((found) => found !== null);
  if (program) {
    const result = await runProcess(program, [], { input: text, timeoutMs: PATIENCE_MS, signal });
    if (result.outcome === 'exited' && result.exitCode === 0) return;
    throw cannotCopy(`${program} failed`);
  }
  if (!io.isTerminal.stderr) throw cannotCopy('there is no clipboard program and no terminal to ask');
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_TERMINAL_BYTES)
    throw cannotCopy(`${bytes.length} bytes are more than a terminal takes (${MAX_TERMINAL_BYTES})`);
  io.stderr.write(`\u001b]52;c;${bytes.toString('base64')}\u0007`);
}

function cannotCopy(why: string): LoadoutError {
  return new LoadoutError('cannot-copy', `--copy: ${why}`, {
    subject: '--copy',
    hint: 'pipe the package into a program of your own, such as: loadout pack "..." | wl-copy',
  });
}
