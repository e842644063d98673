import type { Diagnostic } from '../../model/diagnostic.ts';
import type { CliIo } from './cli-io.ts';
import { type Colors, createColors, wantsColor } from './colors.ts';
import type { GlobalFlags } from './command.ts';
import { printable } from './printable.ts';
import { createProgress, type Progress } from './progress.ts';

/** More than this many are a wall that nobody reads; `--json` has them all. */
const SHOWN_DIAGNOSTICS = 20;

/** Also said with `--quiet`: otherwise it would look as if the role's own file had been used. */
const ALWAYS_SAID: ReadonlySet<string> = new Set(['role-prompt-withheld']);

/** Where a command puts its result (stdout) and what it has to say about it (stderr). */
export interface Output {
  readonly colors: Colors;
  readonly progress: Progress;
  line(text?: string): void;
  json(value: unknown): void;
  diagnostics(list: readonly Diagnostic[]): void;
}

export function createOutput(io: CliIo, flags: GlobalFlags): Output {
  const errorColors = createColors(wantsColor(io.env, io.isTerminal.stderr, flags.color));
  const progress = createProgress({
    write: (text) => void io.stderr.write(text),
    isOn: io.isTerminal.stderr && !flags.quiet && !flags.json,
    columns: io.columns,
  });
  return {
    colors: createColors(wantsColor(io.env, io.isTerminal.stdout, flags.color)),
    progress,
    line: (text = '') => {
      progress.clear();
      io.stdout.write(`${text}\n`);
    },
    json: (value) => {
      progress.clear();
      io.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
    },
    diagnostics: (all) => {
      const list = flags.quiet ? all.filter(({ code }) => ALWAYS_SAID.has(code)) : all;
      if (list.length === 0) return;
      progress.clear();
      const lines = list.slice(0, SHOWN_DIAGNOSTICS).map(({ severity, message }) => {
        const label = severity === 'warning' ? errorColors.yellow('warning') : errorColors.dim('note');
        return `${label}: ${printable(message)}`;
      });
      const more = list.length - lines.length;
      if (more > 0) lines.push(errorColors.dim(`and ${more} more; --json shows all`));
      io.stderr.write(`${lines.join('\n')}\n`);
    },
  };
}
