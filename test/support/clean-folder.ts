import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One folder for everything that the processes of a test run need. A worker that is ended cannot remove its own. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-clean-'));
  chmodSync(folder, 0o755);
  process.env.LOADOUT_TEST_FOLDER = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
