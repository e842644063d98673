import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { mayBeAlive, type ProcessIdentity } from '../../../src/platform/process/process-identity.ts';
import { type HookPlace, hookPlace } from '../../support/hook-kit.ts';
import { runCli } from '../../support/run-cli.ts';
import { runHookProcess } from '../../support/run-hook-process.ts';

const TASK = 'Fix the race when the access token is refreshed in refreshToken';
let place: HookPlace;

/** As users have it: a hook that finds no server starts one. */
const usual = () => ({ ...place.env, LOADOUT_WARM_SERVER: 'start' });
const serve = (...words: string[]) =>
  runCli(['serve', ...words], { cwd: place.path, env: usual(), cache: place.cache });

async function ask(session: string, prompt = TASK, variables: Readonly<Record<string, string>> = {}) {
  const input = JSON.stringify({ session_id: session, cwd: place.path, prompt });
  const env = { ...usual(), ...variables };
  const run = await runHookProcess(['user-prompt-submit', '--timeout', '30s'], {
    cwd: place.path,
    env,
    input,
  });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  return run.stdout;
}

const stateFile = () => join(place.cache, 'server.json');
const processOf = (): ProcessIdentity => JSON.parse(readFileSync(stateFile(), 'utf8')).process;

describe('a hook that finds no server', () => {
  afterEach(async () => {
    await serve('--stop');
  });

  it('starts one that gives the same answers and sees later changes', { timeout: 60_000 }, async () => {
    place = hookPlace();
    const alone = await ask('first');
    expect(alone).toContain('src/auth/token.ts');
    await expect.poll(() => existsSync(stateFile()), { timeout: 30_000 }).toBe(true);
    const server = processOf();
    expect(await ask('second')).toBe(alone);
    // the caller has left no other one
    expect(processOf()).toEqual(server);

    writeFileSync(join(place.path, 'src/zebra.ts'), 'export function countZebras() {\n  return 3;\n}\n');
    let round = 0;
    const zebras = () => ask(`zebra ${round++}`, 'Fix countZebras, which counts a zebra twice');
    await expect.poll(zebras, { timeout: 10_000 }).toContain('src/zebra.ts');

    // settings of the environment are those of who asks
    expect(await ask('third', TASK, { CONTEXT_PACKAGE_ENABLED: 'false' })).toBe('{}\n');
    expect(processOf()).toEqual(server);

    expect((await serve('--stop')).stdout).toBe(`stopped process ${server.pid}\n`);
    await expect.poll(() => mayBeAlive(server), { timeout: 10_000 }).toBe(false);
    expect(JSON.parse((await serve('--stop', '--json')).stdout)).toEqual({ stopped: null });
    expect(await ask('fourth')).toContain('src/auth/token.ts');
  });

  it('leaves none when the user does not want that', async () => {
    place = hookPlace();
    await ask('first', TASK, { LOADOUT_WARM_SERVER: 'running' });
    expect(existsSync(join(place.cache, 'hook/serving'))).toBe(false);
    await ask('second');
    expect(existsSync(join(place.cache, 'hook/serving'))).toBe(true);
    await expect.poll(() => existsSync(stateFile()), { timeout: 30_000 }).toBe(true);
  });
});
