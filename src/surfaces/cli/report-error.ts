import { LoadoutError } from '../../model/loadout-error.ts';
import { printableText } from './printable.ts';

/** What a failed call says on stderr. A stack trace is shown for bugs only. */
export function describeError(error: unknown): string {
  if (error instanceof LoadoutError) {
    const hint = error.hint ? `hint: ${shown(error.hint)}\n` : '';
    return `loadout: ${shown(error.message)}\n${hint}`;
  }
  const trace = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  return `${shown(trace)}\nloadout: this is a bug in Loadout; please report it with the lines above\n`;
}

/** Several lines at most, none of which could be taken for one of ours. */
const shown = (text: string): string => printableText(text.trim()).replaceAll('\n', '\n    ');
