import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/security/support/temporary-directory.ts';
import { watchTree } from './watch-tree.ts';

/** Longer than the watch waits for the end of a burst. */
const LATE_MS = 1_000;

function write(root: string, path: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), 'x');
}

describe('watchTree', () => {
  it('reports a change, but no change that only a run makes', async () => {
    const root = temporaryDirectory();
    for (const folder of ['.git/worktrees/a', '.git/refs/heads', '.loadout/runs/b', 'node_modules/c', 'src'])
      mkdirSync(join(root, folder), { recursive: true });
    const closing = new AbortController();
    const watch = await watchTree(root, closing.signal);
    try {
      const changed = watch.changed().then(() => 'changed');
      await pause(100);
      write(root, '.git/worktrees/a/index');
      write(root, '.git/refs/heads/loadout/run');
      write(root, '.loadout/runs/b/events.jsonl');
      write(root, 'node_modules/c/index.js');
      expect(await Promise.race([changed, pause(LATE_MS, 'nothing')])).toBe('nothing');
      write(root, 'src/a.ts');
      expect(await Promise.race([changed, pause(10 * LATE_MS, 'nothing')])).toBe('changed');
      const again = watch.changed().then(() => 'changed');
      write(root, '.git/HEAD');
      expect(await Promise.race([again, pause(10 * LATE_MS, 'nothing')])).toBe('changed');
    } finally {
      closing.abort();
      await watch.close();
    }
  });
});
