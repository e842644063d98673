import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readHookLog } from '../../src/surfaces/hook/hook-records.ts';
import { hookPlace } from '../support/hook-kit.ts';
import { runHookProcess } from '../support/run-hook-process.ts';

const TASK = 'Fix the race when the access token is refreshed in refreshToken';

function placeForProcess() {
  const place = hookPlace();
  const run = (
    words: readonly string[],
    input: string | null,
    more: { env?: Record<string, string>; cwd?: string; closeOutput?: boolean } = {},
  ) => {
    const { env = {}, cwd = place.path, closeOutput = false } = more;
    return runHookProcess(words, { cwd, env: { ...place.env, ...env }, input, closeOutput });
  };
  return { ...place, run, log: () => readHookLog(place.cache, 10).map(({ problem }) => problem) };
}

const submit = (cwd: string, prompt = TASK) => JSON.stringify({ session_id: 's', cwd, prompt });

describe('the hook process', () => {
  it('answers on standard output with one JSON object, nothing on standard error, exit code 0', async () => {
    const { run, path } = placeForProcess();
    const { exitCode, stdout, stderr } = await run(['user-prompt-submit', '--timeout', '30s'], submit(path));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout).hookSpecificOutput.additionalContext).toContain('src/auth/token.ts');
  });

  it.each([
    ['no JSON', '{"session_id":'],
    ['nothing at all', ''],
    ['JSON that is not an object', '[1,2]'],
    ['a NUL and other bytes', '\u0000\ud800 garbage'],
    ['deep nesting', '['.repeat(200_000)],
  ])('%s: the empty answer, exit code 0, a line in the log', async (_, input) => {
    const { run, log } = placeForProcess();
    const { exitCode, stdout, stderr } = await run(['user-prompt-submit', '--timeout', '20s'], input);
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: '{}\n', stderr: '' });
    expect(log()).toHaveLength(1);
  });

  it('10 MB of JSON: exit code 0, and an answer', async () => {
    const { run, path } = placeForProcess();
    const large = submit(path, `${TASK}\n${'x '.repeat(4_900_000)}`);
    const { exitCode, stdout } = await run(['user-prompt-submit', '--timeout', '60s'], large);
    expect(exitCode).toBe(0);
    expect(Object.keys(JSON.parse(stdout))).not.toEqual([]);
  });

  it('more than any event needs is not read', async () => {
    const { run, path, log } = placeForProcess();
    const { exitCode, stdout } = await run(['user-prompt-submit'], submit(path, 'x'.repeat(11_000_000)));
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '{}\n' });
    expect(log()).toEqual(['the input is too large']);
  });

  it.each([
    [['user-prompt-submit', '--timeout', '600ms']],
    [['pre-tool-use', '--client', 'codex', '--timeout=600ms']],
  ])('a client that never ends its input gets its answer in time: %s', async (words) => {
    const { run, log } = placeForProcess();
    const { exitCode, stdout, milliseconds } = await run(words, null);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '{}\n' });
    expect(milliseconds).toBeLessThan(5_000);
    expect(log()[0]).toMatch(/^no answer within \d+ ms$/);
  });

  it('answers in time even when the work blocks everything', async () => {
    const { run, path, home, log } = placeForProcess();
    const block = join(home, 'block.cjs');
    writeFileSync(block, "if (!require('node:worker_threads').isMainThread) for (;;);\n");
    const env = { NODE_OPTIONS: `--require=${block}` };
    const { exitCode, stdout, milliseconds } = await run(['session-start', '--timeout', '1s'], submit(path), {
      env,
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '{}\n' });
    expect(milliseconds).toBeLessThan(6_000);
    expect(log()[0]).toMatch(/^no answer within/);
  });

  it('a crash of the work is an empty answer', async () => {
    const { run, path, home, log } = placeForProcess();
    const crash = join(home, 'crash.cjs');
    writeFileSync(crash, "if (!require('node:worker_threads').isMainThread) throw new Error('broken');\n");
    const env = { NODE_OPTIONS: `--require=${crash}` };
    const { exitCode, stdout } = await run(['session-start'], submit(path), { env });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '{}\n' });
    expect(log()[0]).toContain('broken');
  });

  it.each([
    [[]],
    [['no-such-event']],
    [['user-prompt-submit', '--no-such-flag']],
    [['user-prompt-submit', '--client', 'nobody']],
    [['user-prompt-submit', '--timeout', 'soon']],
  ])('a call that makes no sense is answered with exit code 0: %j', async (words) => {
    const { run, home, log } = placeForProcess();
    const input = submit(home, 'a task that is long enough to count');
    const { exitCode, stdout } = await run(words, input, { cwd: home });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '{}\n' });
    if (words[0] !== 'no-such-event') expect(log().length).toBeGreaterThan(0);
  });

  it('a client that has disconnected causes no error', async () => {
    const { run, path } = placeForProcess();
    expect((await run(['session-start'], submit(path), { closeOutput: true })).exitCode).toBe(0);
  });

  it('LOADOUT_WORKER=1 is answered at once and leaves nothing behind', async () => {
    const { run, path, cache } = placeForProcess();
    const { stdout } = await run(['user-prompt-submit'], submit(path), { env: { LOADOUT_WORKER: '1' } });
    expect(stdout).toBe('{}\n');
    expect(() => readFileSync(join(cache, 'hook/log.jsonl'))).toThrow();
  });

  it('a cache directory that cannot be used is no reason to fail', async () => {
    const { run, path, home } = placeForProcess();
    const blocked = join(home, 'blocked');
    mkdirSync(blocked);
    writeFileSync(join(blocked, 'hook'), 'a file in the way');
    const env = { LOADOUT_CACHE_DIR: blocked };
    expect((await run(['user-prompt-submit', '--timeout', '30s'], submit(path), { env })).exitCode).toBe(0);
    writeFileSync(join(home, 'file'), '');
    const { exitCode, stdout } = await run(['user-prompt-submit'], submit(path), {
      env: { LOADOUT_CACHE_DIR: join(home, 'file') },
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '{}\n' });
  });
});
