import { describe, expect, it } from 'vitest';
import { ownCpuMs, processCpuMs } from './process-identity.ts';

describe('CPU time of a process', () => {
  it('grows with work and not with waiting', async () => {
    const before = ownCpuMs();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const waited = ownCpuMs() - before;
    while (ownCpuMs() - before < waited + 60);
    expect(waited).toBeLessThan(90);
    if (process.platform === 'linux')
      expect(Math.abs(processCpuMs(process.pid)! - ownCpuMs())).toBeLessThan(2_000);
  });

  it('is unknown for a process that is gone', () => {
    expect(processCpuMs(2 ** 30)).toBeNull();
  });
});
