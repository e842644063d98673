import { describe, expect, it } from 'vitest';
import { watchSilence } from './segment-pool.ts';

const JOB = {
  files: [{ path: 'a.py', plain: false, light: false }],
  parseLimitMs: 5_000,
};

/** A worker whose wall clock and CPU clock are set by hand. */
function watched(cpu: (nowMs: number) => number | null) {
  let nowMs = 0;
  const silence = watchSilence(
    JOB,
    {
      get cpuMs() {
        return cpu(nowMs);
      },
    },
    () => nowMs,
  );
  return {
    silence,
    patienceAt: (ms: number) => {
      nowMs = ms;
      return silence.patience(1);
    },
  };
}

describe('watchSilence', () => {
  it('waits for a worker that gets no processor time', () => {
    const { silence, patienceAt } = watched((now) => now / 20);
    patienceAt(0);
    expect(patienceAt(30_000)).toBe(60_000);
    expect(silence.isOver(1)).toBe(false);
  });

  it('has none with one that works on a file without end', () => {
    const { silence, patienceAt } = watched((now) => now);
    patienceAt(0);
    expect(patienceAt(10_200)).toBe(10_000);
    expect(silence.isOver(1)).toBe(true);
  });

  it('treats a worker that never works as hung in the end', () => {
    const { silence, patienceAt } = watched(() => 0);
    patienceAt(0);
    expect(patienceAt(60_100)).toBe(60_000);
    expect(silence.isOver(1)).toBe(true);
  });

  it('uses the clock where processor time is not known', () => {
    const { silence, patienceAt } = watched(() => null);
    patienceAt(0);
    expect(patienceAt(10_200)).toBe(10_000);
    expect(silence.isOver(1)).toBe(true);
  });
});
