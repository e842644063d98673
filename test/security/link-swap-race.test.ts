import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSafeRoot } from '../../src/platform/safe-root.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

const SECRET = 'SECRET-FROM-OUTSIDE';

/** Swaps a file for a link to a secret, and a folder for a link to its look-alike outside, as fast as it can. */
const SWAPPER = `
  const { renameSync, symlinkSync, writeFileSync, rmSync } = require('node:fs');
  const [repo, outside] = process.argv.slice(1);
  process.chdir(repo);
  for (let round = 0; ; round += 1) {
    symlinkSync(outside + '/secret', 'link'); renameSync('link', 'file');
    writeFileSync('plain', 'inside'); renameSync('plain', 'file');
    renameSync('folder', 'parked'); symlinkSync(outside, 'folder');
    rmSync('folder'); renameSync('parked', 'folder');
    if (round === 0) process.stdout.write('go');
  }
`;

describe.skipIf(process.platform === 'win32')('files swapped for links while they are read', () => {
  it('give no byte from outside in 5,000 reads of each', async () => {
    const parent = temporaryDirectory();
    const repo = join(parent, 'repo');
    mkdirSync(join(repo, 'folder'), { recursive: true });
    mkdirSync(join(parent, 'outside'));
    writeFileSync(join(parent, 'outside/secret'), SECRET);
    writeFileSync(join(repo, 'folder/secret'), 'inside');
    writeFileSync(join(repo, 'file'), 'inside');
    const swapper = spawn(process.execPath, ['-e', SWAPPER, repo, join(parent, 'outside')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => swapper.stdout.once('data', resolve));
    const root = openSafeRoot(repo);
    const seen = new Map<string, number>();
    try {
      for (let round = 0; round < 5000; round += 1) {
        for (const path of ['file', 'folder/secret']) {
          const outcome = root.read(path, 100);
          const what = outcome.kind === 'content' ? outcome.bytes.toString() : outcome.reason;
          seen.set(`${path}: ${what}`, (seen.get(`${path}: ${what}`) ?? 0) + 1);
        }
        for (const entry of root.list('folder') ?? []) seen.set(`listed: ${entry.name}`, 1);
      }
    } finally {
      swapper.kill('SIGKILL');
      await new Promise((resolve) => swapper.once('close', resolve));
    }
    expect([...seen.keys()].filter((key) => key.includes(SECRET))).toEqual([]);
    expect(seen.get('file: inside')).toBeGreaterThan(0);
    expect(seen.get('folder/secret: inside')).toBeGreaterThan(0);
    // Both traps were met, or the race would prove nothing.
    expect(seen.get('file: symlink')).toBeGreaterThan(0);
    expect(seen.get('folder/secret: outside-root')).toBeGreaterThan(0);
  });
});
