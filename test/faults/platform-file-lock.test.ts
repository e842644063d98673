import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tryLock } from '../../src/platform/fs/file-lock.ts';
import { bundleScript } from '../security/support/bundle-script.ts';
import { temporaryDirectory } from '../security/support/temporary-directory.ts';

/** Appends `+` and `-` around what must not overlap; now and then dies while it holds the lock. */
const WORKER = `
  import { appendFileSync } from 'node:fs';
  import { withLock } from './fs/file-lock.ts';
  const [lock, log, rounds, dies] = process.argv.slice(2);
  for (let round = 0; round < Number(rounds); round += 1) {
    await withLock(lock!, 20_000, async () => {
      appendFileSync(log!, '+');
      if (dies === 'dies' && round === 2) { appendFileSync(log!, '-'); process.kill(process.pid, 'SIGKILL'); }
      await new Promise((resolve) => setTimeout(resolve, 1));
      appendFileSync(log!, '-');
    });
  }
`;

describe('the lock among processes', () => {
  it('is held by one at a time, though holders die', async () => {
    const work = temporaryDirectory();
    const script = await bundleScript(WORKER, join(work, 'worker.mjs'));
    const folder = temporaryDirectory();
    const [lock, log] = [join(folder, 'lock'), join(work, 'log')];
    const codes = await Promise.all(
      ['lives', 'dies', 'lives', 'dies', 'lives', 'dies'].map(
        (fate) =>
          new Promise((resolve) => {
            const args = [script, lock, log, '15', fate];
            spawn(process.execPath, args, { stdio: 'inherit' }).once('exit', (code, signal) =>
              resolve(code ?? signal),
            );
          }),
      ),
    );
    expect(codes).toEqual([0, 'SIGKILL', 0, 'SIGKILL', 0, 'SIGKILL']);
    expect(readFileSync(log, 'utf8')).toBe('+-'.repeat(3 * 15 + 3 * 3));
    // The last to hold it may have died.
    const last = tryLock(lock);
    expect(last).not.toBeNull();
    last?.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of a dead owner goes to exactly one of many processes that want it at the same moment', async () => {
    const work = temporaryDirectory();
    const taker = `
      import { tryLock } from './fs/file-lock.ts';
      const [folder, rounds] = process.argv.slice(2);
      process.stdin.once('data', () => {
        const taken = Array.from({ length: Number(rounds) }, (_, round) => (tryLock(folder + '/lock' + round) ? '1' : '0'));
        process.stdout.write(taken.join(''));
        setTimeout(() => process.exit(), 1500);
      });
      process.stderr.write('ready');
    `;
    const script = await bundleScript(taker, join(work, 'taker.mjs'));
    const folder = temporaryDirectory();
    const rounds = 50;
    const own = tryLock(join(folder, 'own'));
    const record = JSON.parse(readFileSync(join(folder, 'own'), 'utf8'));
    own?.release();
    const pid = spawnSync('true').pid;
    for (let round = 0; round < rounds; round += 1) {
      const token = round.toString(16).padStart(24, '0');
      writeFileSync(join(folder, `lock${round}`), JSON.stringify({ ...record, pid, token }));
    }
    const takers = Array.from({ length: 6 }, () => spawn(process.execPath, [script, folder, String(rounds)]));
    await Promise.all(takers.map((child) => new Promise((resolve) => child.stderr.once('data', resolve))));
    const outputs = takers.map(
      (child) => new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data)))),
    );
    for (const child of takers) child.stdin.write('go');
    const taken = await Promise.all(outputs);
    const holders = Array.from(
      { length: rounds },
      (_, round) => taken.filter((answer) => answer[round] === '1').length,
    );
    expect(Math.max(...holders)).toBe(1);
    // Whoever meets a takeover under way comes back later; most rounds have their winner at once.
    expect(holders.filter((count) => count === 1).length).toBeGreaterThan(rounds / 2);
    await Promise.all(takers.map((child) => new Promise((resolve) => child.once('exit', resolve))));
  });
});
