import type { Diagnostic } from '../../model/diagnostic.ts';
import { escapeHidden, markHidden } from '../../redact/mark-hidden.ts';
import { safeJson } from '../../redact/outgoing-text.ts';
import type { CliIo } from './cli-io.ts';
import { type Colors, createColors, PAINT, wantsColor } from './colors.ts';
import type { GlobalFlags } from './command.ts';
import { printable, printableText } from './printable.ts';
import { createProgress, type Progress } from './progress.ts';

/** More than this many are a wall that nobody reads; `--json` has them all. */
const SHOWN_DIAGNOSTICS = 20;

/** Also said with `--quiet`: otherwise it would look as if the role's own file had been used. */
const ALWAYS_SAID: ReadonlySet<string> = new Set(['role-prompt-withheld']);

/** Where a command puts its result (stdout) and what it has to say about it (stderr). */
export interface Output {
  readonly colors: Colors;
  readonly progress: Progress;
  /** Whatever is in it, it leaves without secrets and hidden characters; a name in it must be `printable` already. */
  line(text?: string): void;
  /** What was made safe when it was made, such as a map, or must be seen as it is, such as what is to be trusted. */
  document(text: string): void;
  /** Without secrets, unless all of it has to be exact; names of files are. */
  json(value: unknown, isExact?: boolean): void;
  diagnostics(list: readonly Diagnostic[]): void;
}

export function createOutput(io: CliIo, flags: GlobalFlags): Output {
  const errorColors = createColors(wantsColor(io.env, io.isTerminal.stderr, flags.color));
  const progress = createProgress({
    write: (text) => void io.stderr.write(text),
    isOn: io.isTerminal.stderr && !flags.quiet && !flags.json,
    columns: io.columns,
  });
  const isPainted = wantsColor(io.env, io.isTerminal.stdout, flags.color);
  const write = (text: string) => {
    progress.clear();
    io.stdout.write(`${text}\n`);
  };
  return {
    colors: createColors(isPainted),
    progress,
    line: (text = '') => write(isPainted ? outside(PAINT, text, printableText) : printableText(text)),
    document: (text) => write(markHidden(text).text),
    json: (value, isExact = false) =>
      write(isExact ? escapeHidden(JSON.stringify(value, null, 2)) : safeJson(value, 2)),
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

/** Changes what stands between the matches. */
function outside(pattern: RegExp, text: string, change: (text: string) => string): string {
  return text
    .split(pattern)
    .map((piece, at) => (at % 2 === 0 ? change(piece) : piece))
    .join('');
}
