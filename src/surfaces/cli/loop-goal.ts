import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { LoadoutError } from '../../model/loadout-error.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import type { CommandCall } from './command.ts';

/** More is no goal any more; a tree of a thousand nodes fits. */
const MAX_BYTES = 256 * 1024;
const LOOKS_LIKE_A_FILE = /^[^\s]+\.(md|txt|json)$/i;

interface Goal {
  /** Null when `--goal` is absent. */
  readonly goal: string | null;
  /** Where it was read from, when that is in the repository. */
  readonly goalFile?: string;
}

/** The text of `--goal`: of a file when there is one of that name, else the words themselves. */
export function readGoal({ flags, io, repository }: CommandCall): Goal {
  if (typeof flags.goal !== 'string') return { goal: null };
  const { goal } = flags;
  const path = resolve(io.cwd, goal);
  const stats = statOrNull(path);
  if (stats?.isFile()) {
    if (stats.size > MAX_BYTES)
      throw refuse(`${goal} has ${stats.size} bytes; at most ${MAX_BYTES} are read`);
    const decoded = decodeText(readFileSync(path));
    if (decoded.kind !== 'text') throw refuse(`${goal} is not a text file`);
    const inside = relative(repository().path, `${realpathSync(dirname(path))}/${basename(path)}`);
    return { goal: decoded.text, ...(inside.startsWith('..') ? {} : { goalFile: inside }) };
  }
  if (LOOKS_LIKE_A_FILE.test(goal)) throw refuse(`there is no file ${goal}`);
  return { goal };
}

function refuse(message: string): LoadoutError {
  return new LoadoutError('bad-goal', `--goal: ${message}`, {
    subject: '--goal',
    hint: 'give a text file, a tree in JSON, or the goal in words',
  });
}

/** Words can be too long or too odd for a name: then they are no file. */
function statOrNull(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
