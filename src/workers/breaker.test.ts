import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { retryDelay } from './attempts.ts';
import { afterFailure, askBreaker, BreakerStore, CLOSED, FAILURES_TO_OPEN } from './breaker.ts';

const KEY = { role: 'implementer', cli: 'claude', model: null };

function storeAt(clock: { now: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-breaker-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, open: () => new BreakerStore(folder, () => clock.now) };
}

describe('the breaker', () => {
  it('opens after failures in a row, lets one through after a pause, and outlives a restart', async () => {
    const clock = { now: 1_000_000 };
    const { open } = storeAt(clock);
    for (let count = 0; count < FAILURES_TO_OPEN; count += 1) {
      await open().enter(KEY, 'r');
      await open().leave(KEY, 'r', 'failed');
    }
    await expect(open().enter(KEY, 'r')).rejects.toMatchObject({ code: 'breaker-open' });
    await open().enter({ ...KEY, model: 'other' }, 'r');
    clock.now += 60_000;
    await open().enter(KEY, 'probe');
    await expect(open().enter(KEY, 'second')).rejects.toMatchObject({ code: 'breaker-open' });
    await open().leave(KEY, 'probe', 'worked');
    await open().enter(KEY, 'r');
  });

  it('waits twice as long after a probe that failed, and forgets a probe without a result', async () => {
    const clock = { now: 1_000_000 };
    const { open } = storeAt(clock);
    for (let count = 0; count < FAILURES_TO_OPEN; count += 1) await open().leave(KEY, 'r', 'failed');
    clock.now += 60_000;
    await open().enter(KEY, 'first');
    await open().leave(KEY, 'first', 'unknown');
    await open().enter(KEY, 'second');
    await open().leave(KEY, 'second', 'failed');
    clock.now += 60_000;
    await expect(open().enter(KEY, 'r')).rejects.toMatchObject({ code: 'breaker-open' });
    clock.now += 60_000;
    await open().enter(KEY, 'third');
  });

  it('is closed when its file is damaged', async () => {
    const { folder, open } = storeAt({ now: 0 });
    await open().leave(KEY, 'r', 'failed');
    for (const name of readdirSync(join(folder, 'breakers')))
      writeFileSync(join(folder, 'breakers', name), '{"failures":');
    await open().enter(KEY, 'r');
  });

  it('is never open for longer than half an hour, whatever the clock does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(10_000_000_000), { maxLength: 30 }),
        fc.nat(10_000_000_000),
        (times, now) => {
          const state = times.reduce(afterFailure, CLOSED);
          const answer = askBreaker(state, now, false);
          if (answer.kind === 'open') expect(answer.retryInMs).toBeLessThanOrEqual(30 * 60_000);
          if (times.length < FAILURES_TO_OPEN) expect(answer.kind).toBe('closed');
        },
      ),
    );
  });
});

describe('the delay before a retry', () => {
  it('grows, is never longer than a minute, and differs', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (failures, random) => {
          const delay = retryDelay(failures, () => random);
          expect(delay).toBeGreaterThanOrEqual(100);
          expect(delay).toBeLessThanOrEqual(Math.min(60_000, 1000 * 2 ** (failures - 1)));
        },
      ),
    );
    expect([1, 2, 3].map((failures) => retryDelay(failures, () => 0.5))).toEqual([500, 1000, 2000]);
  });
});
