import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A real path, removed when the test ends. */
export function temporaryDirectory(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-test-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
