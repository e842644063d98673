import { rmSync } from 'node:fs';
import { encodePath } from './path-codec.ts';

/** Removes a folder of ours with everything in it; false when something could not be removed. */
export function removeFolder(path: string): boolean {
  try {
    rmSync(encodePath(path), { recursive: true, force: true, maxRetries: 2, retryDelay: 20 });
    return true;
  } catch {
    return false;
  }
}
