import { readFileSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { LoadoutError } from '../../model/loadout-error.ts';
import { decodeText } from '../../platform/fs/decode-text.ts';
import type { CommandCall } from './command.ts';

/** More is no goal any more; a tree of a thousand nodes fits. */
const MOST_BYTES = 256 * 1024;
const LOOKS_LIKE_A_FILE = /^[^\s]+\.(md|txt|json)$/i;

/** The text of `--goal`: a file when there is one of that name, else the words themselves; null when it is absent. */
export async function readGoal({ flags, io }: CommandCall): Promise<string | null> {
  if (typeof flags.goal !== 'string') return null;
  const { goal } = flags;
  const path = resolve(io.cwd, goal);
  const stats = statOrNull(path);
  if (stats?.isFile()) {
    if (stats.size > MOST_BYTES)
      throw refuse(`${goal} has ${stats.size} bytes; at most ${MOST_BYTES} are read`);
    const decoded = decodeText(readFileSync(path));
    if (decoded.kind === 'text') return decoded.text;
    throw refuse(`${goal} is not a text file`);
  }
  if (LOOKS_LIKE_A_FILE.test(goal)) throw refuse(`there is no file ${goal}`);
  return goal;
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
