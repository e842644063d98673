import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/security/support/temporary-directory.ts';
import { tryLock, withLock } from './file-lock.ts';

const lockPath = (): string => join(temporaryDirectory(), 'lock');

/** A record as `tryLock` writes it, changed as if another process had. */
function leaveLock(path: string, changes: Record<string, unknown>): void {
  const own = tryLock(path);
  const record = JSON.parse(readFileSync(path, 'utf8'));
  own?.release();
  writeFileSync(path, JSON.stringify({ ...record, token: 'ab'.repeat(12), ...changes }));
}

const deadPid = (): number => spawnSync('true').pid;

describe('tryLock', () => {
  it('has one holder at a time and leaves nothing behind', () => {
    const path = lockPath();
    const lock = tryLock(path);
    expect(lock).not.toBeNull();
    expect(tryLock(path)).toBeNull();
    lock?.release();
    lock?.release();
    expect(readdirSync(join(path, '..'))).toEqual([]);
    expect(tryLock(path)).not.toBeNull();
  });

  it.each([
    ['a dead process', () => ({ pid: deadPid() })],
    ['a process whose number was given out again', () => ({ startTime: '1' })],
    ['a process of an earlier boot', () => ({ boot: 'another' })],
  ])('takes over from %s', (_, changes) => {
    const path = lockPath();
    leaveLock(path, changes());
    const lock = tryLock(path);
    expect(lock).not.toBeNull();
    expect(tryLock(path)).toBeNull();
    lock?.release();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it.each([
    ['a living process', () => ({})],
    ['a process on another machine', () => ({ host: 'elsewhere', pid: deadPid() })],
    ['a process in another container', () => ({ pidNamespace: 'pid:[1]', pid: deadPid() })],
    ['a process of another user', () => ({ pid: 1, startTime: null })],
  ])('never takes over from %s', (_, changes) => {
    const path = lockPath();
    leaveLock(path, changes());
    expect(tryLock(path)).toBeNull();
  });

  it('passes on the right of takers that died while taking over', () => {
    const path = lockPath();
    leaveLock(path, { pid: deadPid() });
    const dead = readFileSync(path, 'utf8');
    writeFileSync(`${path}.claim-${'ab'.repeat(12)}`, dead.replace('ab'.repeat(12), 'cd'.repeat(12)));
    writeFileSync(`${path}.claim-${'cd'.repeat(12)}`, dead.replace('ab'.repeat(12), 'ef'.repeat(12)));
    const lock = tryLock(path);
    expect(lock).not.toBeNull();
    lock?.release();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it('leaves a takeover to the living process that has begun it', () => {
    const path = lockPath();
    leaveLock(path, { pid: deadPid() });
    const living = JSON.stringify({
      ...JSON.parse(readFileSync(path, 'utf8')),
      pid: process.pid,
      token: 'cd'.repeat(12),
    });
    writeFileSync(`${path}.claim-${'ab'.repeat(12)}`, living);
    expect(tryLock(path)).toBeNull();
  });

  it('waits a while before it takes a damaged lock for abandoned', () => {
    const path = lockPath();
    writeFileSync(path, '{"pid":');
    expect(tryLock(path)).toBeNull();
    utimesSync(path, 1000, 1000);
    expect(tryLock(path)).not.toBeNull();
  });

  it('does not release a lock that is no longer its own', () => {
    const path = lockPath();
    const lock = tryLock(path);
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(/"token":"[^"]*"/, `"token":"${'ab'.repeat(12)}"`),
    );
    lock?.release();
    expect(existsSync(path)).toBe(true);
  });

  it('names the folder it cannot write to', () => {
    expect(() => tryLock('/proc/lock')).toThrow(
      expect.objectContaining({ code: 'cannot-write', subject: '/proc/lock' }),
    );
  });
});

describe('withLock', () => {
  it('runs one task after the other and returns their results', async () => {
    const path = lockPath();
    let running = 0;
    let most = 0;
    const work = async (value: number): Promise<number> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return value;
    };
    const results = await Promise.all([1, 2, 3, 4].map((value) => withLock(path, 10_000, () => work(value))));
    expect(results).toEqual([1, 2, 3, 4]);
    expect(most).toBe(1);
  });

  it('releases after an error, and passes it on', async () => {
    const path = lockPath();
    await expect(withLock(path, 0, () => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
    expect(existsSync(path)).toBe(false);
  });

  it('names the owner when it has waited long enough', async () => {
    const path = lockPath();
    tryLock(path);
    await expect(withLock(path, 120, async () => {})).rejects.toMatchObject({
      code: 'index-locked',
      message: expect.stringContaining(`process ${process.pid} `),
      hint: expect.stringContaining(path),
    });
  });
});
