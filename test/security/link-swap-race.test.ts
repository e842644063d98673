import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSafeRoot } from '../../src/platform/fs/safe-root.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

const SECRET = 'SECRET-FROM-OUTSIDE';

/** Swaps a file for a link to a secret, and a folder for a link to its look-alike outside, as fast as it can. */
const SWAPPER = `
  const { renameSync, symlinkSync, writeFileSync, rmSync } = require('node:fs');
  const [repo, outside] = process.argv.slice(1);
  process.chdir(repo);
  // Up to 100 microseconds in each state, so that a reader meets all of them at every distance.
  const stay = () => { const end = process.hrtime.bigint() + BigInt(Math.floor(Math.random() * 1e5)); while (process.hrtime.bigint() < end); };
  for (let round = 0; ; round += 1) {
    symlinkSync(outside + '/secret', 'link'); renameSync('link', 'file'); stay();
    writeFileSync('plain', 'inside'); renameSync('plain', 'file'); stay();
    renameSync('folder', 'parked'); symlinkSync(outside, 'folder'); stay();
    rmSync('folder'); renameSync('parked', 'folder'); stay();
    if (round === 0) process.stdout.write('go');
  }
`;

/** Outcomes that a reader must have met; without them the race proves nothing. */
const STATES = ['file: inside', 'folder/secret: inside', 'file: symlink', 'folder/secret: outside-root'];

const PATIENCE_MS = 60_000;

describe.skipIf(process.platform === 'win32')('files swapped for links while they are read', () => {
  it('give no byte from outside in at least 5,000 reads of each', { timeout: 2 * PATIENCE_MS }, async () => {
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
      const end = performance.now() + PATIENCE_MS;
      // Two processes that take turns on one busy core may need more rounds to meet.
      const isDone = (round: number) =>
        (round >= 5000 && STATES.every((state) => seen.has(state))) || performance.now() > end;
      for (let round = 0; !isDone(round); round += 1) {
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
    expect([...seen.keys()]).toEqual(expect.arrayContaining(STATES));
  });
});
