import { Readable, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { hookPlace, PROJECT } from '../../../test/support/hook-kit.ts';
import { checkHookLog } from '../cli/commands/doctor.ts';
import { logHook } from './hook-log.ts';
import { startHookThread } from './hook-process.ts';
import { readHookLog } from './hook-records.ts';
import { type HookProcess, readHookArguments, runHook } from './run-hook.ts';

function hookWith(changes: Partial<HookProcess>): { hook: HookProcess; printed: () => string } {
  let text = '';
  const stdout = new Writable({
    write: (chunk, _, done) => {
      text += String(chunk);
      done();
    },
  });
  const hook: HookProcess = {
    stdin: Readable.from(['{"prompt":"x"}']),
    stdout,
    environment: {},
    cwd: '/',
    hasServer: () => false,
    askServer: async () => null,
    startThread: startHookThread,
    warmUp: () => {},
    startServer: () => {},
    ...changes,
  };
  return { hook, printed: () => text };
}

describe('a hook process beside a server', () => {
  it("passes the input on and prints the server's answer, without starting anything", async () => {
    const { cache } = hookPlace({});
    const asked: unknown[] = [];
    const { hook, printed } = hookWith({
      environment: { LOADOUT_CACHE_DIR: cache },
      hasServer: () => true,
      askServer: async (...question) => {
        asked.push(question.slice(0, 3));
        return '{"additionalContext":"warm"}';
      },
    });
    await runHook(['user-prompt-submit', '--client', 'copilot'], hook);
    expect(printed()).toBe('{"additionalContext":"warm"}\n');
    expect(asked).toEqual([['user-prompt-submit', 'copilot', '{"prompt":"x"}']]);
    expect(readHookLog(cache, 10)).toEqual([]);
  });

  it('does not wait for a server that says nothing', async () => {
    const { cache } = hookPlace({});
    const { hook, printed } = hookWith({
      environment: { LOADOUT_CACHE_DIR: cache },
      hasServer: () => true,
      askServer: () => new Promise(() => {}),
    });
    await runHook(['user-prompt-submit', '--timeout', '250ms'], hook);
    expect(printed()).toBe('{}\n');
    expect(readHookLog(cache, 10)[0]?.problem).toBe('no answer within 100 ms');
  });
});

describe('a hook process without a server', () => {
  it('answers from a thread, and starts a server when the thread wants one', async () => {
    const { path, cache } = hookPlace(PROJECT);
    const started: string[] = [];
    const { hook, printed } = hookWith({
      environment: { LOADOUT_CACHE_DIR: cache },
      cwd: path,
      startThread: () => ({
        progress: { root: path, wantsServer: true },
        outcome: Promise.resolve({ answer: '{"x":1}' }),
        begin: () => {},
      }),
      startServer: (root) => started.push(root),
    });
    await runHook(['user-prompt-submit'], hook);
    expect(printed()).toBe('{"x":1}\n');
    expect(started).toEqual([path]);
  });

  it('answers {} in time when the thread does not, and builds the index for the next hook', async () => {
    const { path, cache } = hookPlace(PROJECT);
    const warmed: string[] = [];
    const { hook, printed } = hookWith({
      environment: { LOADOUT_CACHE_DIR: cache },
      cwd: path,
      startThread: () => ({
        progress: { root: path, wantsServer: false },
        outcome: new Promise(() => {}),
        begin: () => {},
      }),
      warmUp: (root) => warmed.push(root),
    });
    await runHook(['user-prompt-submit', '--timeout', '250ms'], hook);
    expect(printed()).toBe('{}\n');
    expect(warmed).toEqual([path]);
  });
});

describe('arguments', () => {
  it('are read in any order; invalid ones are reported and get their default', () => {
    expect(readHookArguments(['--timeout=2s', 'session-start', '--client', 'codex'])).toEqual({
      ...{ event: 'session-start', client: 'codex', timeoutMs: 2000, repo: '', problems: [] },
    });
    const odd = readHookArguments(['--what', '--timeout', '99h']);
    expect(odd).toMatchObject({ event: '', client: '', timeoutMs: 5000 });
    expect(odd.problems).toHaveLength(3);
  });
});

describe('the log', () => {
  const entry = (problem: string, at = new Date().toISOString()) => {
    return { at, event: 'session-start', client: 'claude', milliseconds: 7, problem };
  };

  it('is bounded, newest first, and doctor shows the recent entries', () => {
    const { cache } = hookPlace({});
    expect(checkHookLog(cache).state).toBe('ok');
    logHook(cache, entry('old', '2020-01-01T00:00:00.000Z'));
    expect(checkHookLog(cache).state).toBe('ok');
    for (let number = 0; number < 2_000; number++)
      logHook(cache, entry(`problem ${number} ${'x'.repeat(600)}`));
    const kept = readHookLog(cache, 10_000);
    expect(kept[0]?.problem).toContain('problem 1999 ');
    expect(kept.length).toBeGreaterThan(50);
    expect(kept.length).toBeLessThan(300);
    expect(checkHookLog(cache)).toMatchObject({
      state: 'limited',
      detail: expect.stringContaining('problem 1999'),
    });
  });
});

it('asks for a server unless the user does not want one', async () => {
  const { answerHook } = await import('./answer-hook.ts');
  const { path, env } = hookPlace(PROJECT);
  let wanted = 0;
  const ask = (event: string, environment: Record<string, string>) =>
    answerHook(
      event,
      { session_id: 's', cwd: path, source: 'startup' },
      {
        ...{ client: 'claude', environment, cwd: path, signal: new AbortController().signal },
        wantServer: () => {
          wanted += 1;
        },
      },
    );
  await ask('session-start', { ...env, LOADOUT_WARM_SERVER: 'running' });
  expect(wanted).toBe(0);
  const { LOADOUT_WARM_SERVER: _, ...usual } = env;
  await ask('session-start', usual);
  expect(wanted).toBe(1);
});
