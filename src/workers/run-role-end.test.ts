import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHANGES, runKit, say, scriptAgent } from './run.test-kit.ts';
import type { RunEnvironment } from './run-request.ts';
import { runRole } from './run-role.ts';

describe('a run', () => {
  it('does not wait for a version that never comes, and ends the process that was asked', async () => {
    const { environment, request } = runKit(scriptAgent(`cat > /dev/null; ${say()}`));
    let isEnded = false;
    const readVersion = (signal?: AbortSignal) =>
      new Promise<string>((_, reject) => {
        signal?.addEventListener('abort', () => {
          isEnded = true;
          reject(new Error('ended'));
        });
      });
    const { adapter } = environment.findAgent('claude', request.repository);
    const slow = { ...environment, findAgent: () => ({ adapter, readVersion }) };
    expect(await runRole(request, slow).result).toMatchObject({ outcome: 'passed', cliVersion: null });
    expect(isEnded).toBe(true);
  });

  it.each([
    ['passes', say(), {}, false],
    ['keeps its tree', `echo x > a.txt; ${say()}`, { keep: true }, false],
    ['crashes without an agent', say(), {}, true],
    ['fails', 'exit 1', { maxRetries: 0 }, false],
  ])('that %s has a lease at every moment until its end is written', async (_, script, more, isBroken) => {
    const { repository, environment, request } = runKit(scriptAgent(`cat > /dev/null; ${script}`));
    const runs = join(repository.path, '.loadout/runs');
    const moments: string[] = [];
    const look = (): void => {
      const run = (existsSync(runs) ? readdirSync(runs) : []).find((name) => /^\d{8}-/.test(name));
      if (run === undefined) return;
      const log = join(runs, run, 'events.jsonl');
      const isEnded = existsSync(log) && readFileSync(log, 'utf8').includes('"run-end"');
      const [place] = readdirSync(join(repository.cache, 'runs'));
      const leases = readdirSync(join(repository.cache, 'runs', place!, 'leases')).filter((name) =>
        name.endsWith('.json'),
      );
      moments.push(isEnded ? 'ended' : leases.length > 0 ? 'leased' : 'lost');
    };
    const watched: RunEnvironment = {
      ...environment,
      wallClockMs: () => {
        look();
        return environment.wallClockMs();
      },
      monotonicMs: () => {
        look();
        return environment.monotonicMs();
      },
      buildPrompt: (input) =>
        isBroken ? Promise.reject(new Error('no prompt')) : environment.buildPrompt(input),
    };
    const timer = setInterval(look, 1);
    await runRole({ ...request, ...more }, watched).result.catch(() => {});
    clearInterval(timer);
    look();
    expect(moments).toContain('leased');
    expect(moments).not.toContain('lost');
    expect(moments.at(-1)).toBe('ended');
  });

  it('ends at its timeout and at its deadline', async () => {
    const { environment, request } = runKit(scriptAgent('cat > /dev/null; sleep 60'));
    const slow = await runRole({ ...request, timeoutMs: 300, maxRetries: 1 }, environment).result;
    expect(slow.attempts.map(({ reason }) => reason)).toEqual(['agent-timed-out', 'agent-timed-out']);
    const late = await runRole({ ...request, deadlineMs: 700 }, environment).result;
    expect(late).toMatchObject({ outcome: 'timed-out', reason: 'deadline' });
    expect(late.durationMs).toBeLessThan(4000);
  });

  it('can be cancelled, and keeps the work', async () => {
    const { environment, request } = runKit(scriptAgent(`${CHANGES} sleep 60`));
    const handle = runRole(request, environment);
    for await (const { type } of handle.events) {
      if (type !== 'agent-start') continue;
      setTimeout(() => handle.cancel(), 300);
    }
    const result = await handle.result;
    expect(result).toMatchObject({ outcome: 'cancelled', keptTree: { why: 'cancelled' } });
    expect(readFileSync(join(result.keptTree!.path, 'a.txt'), 'utf8')).toBe('changed\n');
  });

  it('stops calling an agent that fails again and again', async () => {
    const { environment, request } = runKit(scriptAgent('cat > /dev/null; exit 1'));
    for (let failures = 0; failures < 5; failures += 1) await runRole(request, environment).result;
    await expect(runRole(request, environment).result).rejects.toMatchObject({ code: 'breaker-open' });
    const later = { ...environment, wallClockMs: () => Date.now() + 61_000 };
    expect((await runRole(request, later).result).reason).toBe('agent-failed');
    await expect(runRole(request, later).result).rejects.toMatchObject({ code: 'breaker-open' });
  });
});
