import { LoadoutError } from '../model/loadout-error.ts';
import { isPlainArgument, PLAIN_ARGUMENT_ALLOWED } from '../schema/plain-argument.ts';

/**
 * Values that roles, flags or answers bring to the command line of an agent come through here and nowhere else. What
 * does not look like a name is refused: after `--model`, a value such as `--yolo` would be an option of its own.
 */
export function plainArgument(what: string, value: string): string {
  if (isPlainArgument(value)) return value;
  const shown = JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  throw new LoadoutError(
    'bad-argument',
    `the ${what} ${shown} is not allowed; allowed is ${PLAIN_ARGUMENT_ALLOWED}`,
    {
      subject: what,
    },
  );
}

/** Flag and value as one argument, so that no parser can take them for two; nothing when there is no value. */
export function option(flag: string, what: string, value: string | null): readonly string[] {
  return value === null ? [] : [`${flag}=${plainArgument(what, value)}`];
}

/** Our own hooks and MCP server stay silent in a worker: its prompt holds the context already. */
export const WORKER_ENVIRONMENT = { LOADOUT_WORKER: '1' } as const;
