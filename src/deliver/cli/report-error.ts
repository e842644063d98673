import { LoadoutError } from '../../model/loadout-error.ts';
import { printable } from './printable.ts';

/** What a failed call says on stderr. A stack trace is shown for bugs only. */
export function describeError(error: unknown): string {
  if (error instanceof LoadoutError) {
    const hint = error.hint ? `hint: ${printable(error.hint)}\n` : '';
    return `loadout: ${printable(error.message)}\n${hint}`;
  }
  const trace = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  return `${printable(trace)}\nloadout: this is a bug in Loadout; please report it with the lines above\n`;
}
