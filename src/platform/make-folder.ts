import { mkdirSync } from 'node:fs';
import { LoadoutError } from '../model/loadout-error.ts';

/** Creates a folder and those above it. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw new LoadoutError('cannot-write', `cannot create the folder ${path}: ${(cause as Error).message}`, {
      subject: path,
      hint: 'choose a folder that can be written',
      cause,
    });
  }
}
