import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage } from '../../context/pack.ts';
import { mcpContextFor, type SampleRepository, sampleRepository } from '../mcp/mcp-context.test-kit.ts';
import { askServer, readServerState, writeServerState } from '../shared/server-client.ts';
import { accessToken } from './http-guard.ts';
import type { AnswerHook } from './routes.ts';
import { createSessionCache, startWarmServer, type WarmServer } from './start-warm-server.ts';

const TOKEN = 'a-token-that-only-tests-know';
const FINGERPRINT = 'the-fingerprint-of-these-tests';
const IDENTITY = { version: '1', fingerprint: FINGERPRINT, program: 'loadout', isBackground: false };

let repository: SampleRepository;
beforeAll(() => {
  repository = sampleRepository();
});
afterAll(() => repository.remove());

async function serve(answerHook: AnswerHook, idleMs = 0) {
  const stop = new AbortController();
  const context = mcpContextFor(repository);
  const sessions = createSessionCache();
  const server: WarmServer = await startWarmServer({
    port: 0,
    token: TOKEN,
    cacheDirectory: repository.cache,
    identity: { ...IDENTITY, version: '1.2.3' },
    idleMs,
    context,
    sessions,
    answerHook,
    signal: stop.signal,
  });
  server.announce();
  return { server, context, stop };
}

const question = { fingerprint: FINGERPRINT, event: 'user-prompt-submit', client: 'codex', timeoutMs: 5_000 };
const ask = (body = '{}') => askServer({ ...question, cacheDirectory: repository.cache, body });

describe('the warm server', () => {
  it('is found by its state file, answers hooks and removes the file at its end', async () => {
    const { server, stop } = await serve(async ({ event, client, input }) => ({ event, client, input }));
    const file = join(repository.cache, 'server.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse((await ask('{"prompt":"x"}'))!)).toEqual({
      event: 'user-prompt-submit',
      client: 'codex',
      input: { prompt: 'x' },
    });
    const health = await fetch(`http://127.0.0.1:${server.port}/health`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const answered = { hooks: 1 };
    expect(await health.json()).toEqual({ name: 'loadout', version: '1.2.3', warm: [], answered });
    stop.abort();
    expect(await server.ended).toBe('stopped');
    expect(existsSync(file)).toBe(false);
    expect(await ask()).toBeNull();
  });

  it('answers a hook that fails with nothing, and gives up on one that takes too long', async () => {
    const { server, stop } = await serve(({ input }) =>
      (input as { slow?: boolean }).slow ? new Promise(() => {}) : Promise.reject(new Error('no')),
    );
    expect(await ask()).toBe('{}');
    const slow = { ...question, cacheDirectory: repository.cache, body: '{"slow":true}', timeoutMs: 200 };
    expect(await askServer(slow)).toBeNull();
    stop.abort();
    await server.ended;
  });

  // The system may drop a connection of so many, and tries it again after 1, 3, 7 and 15 seconds.
  const crowded = { timeout: 90_000 };

  it.each([64, 2_000])(
    'answers 200 hooks at once while %d connections say nothing',
    crowded,
    async (count) => {
      const { server, stop } = await serve(async ({ input }) => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        return input;
      });
      const idle = Array.from({ length: count }, () => {
        const socket = connect(server.port, '127.0.0.1');
        socket.on('error', () => {});
        return { socket, closed: new Promise((resolve) => socket.once('close', resolve)) };
      });
      const bodies = Array.from({ length: 200 }, (_, at) => JSON.stringify({ at }));
      const asked = bodies.map((body) =>
        askServer({ ...question, cacheDirectory: repository.cache, body, timeoutMs: 25_000 }),
      );
      expect(await Promise.all(asked)).toEqual(bodies);
      // none of them keeps its place
      await Promise.all(idle.map(({ closed }) => closed));
      stop.abort();
      await server.ended;
    },
  );

  it('ends when it is idle', async () => {
    const { server } = await serve(async () => null, 200);
    expect(await server.ended).toBe('idle');
  });

  it('is not asked by a hook that expects other answers', async () => {
    const { server, stop } = await serve(async () => ({ said: true }));
    expect(await ask()).toBe('{"said":true}');
    const elsewhere = { ...question, fingerprint: 'another', cacheDirectory: repository.cache, body: '{}' };
    expect(await askServer(elsewhere)).toBeNull();
    stop.abort();
    await server.ended;
  });

  it('is not asked before it is announced, and ends when another server replaces it', async () => {
    const first = await serve(async () => null, 400);
    // uses count as such, so it is not idleness that ends it
    const busy = setInterval(() => void ask(), 50);
    const state = { port: 4711, token: 'another token', ...IDENTITY };
    writeServerState(repository.cache, state);
    expect(await first.server.ended).toBe('replaced');
    clearInterval(busy);
    // what the other one has said stays
    expect(readServerState(repository.cache)?.token).toBe('another token');
    rmSync(join(repository.cache, 'server.json'));
  });
});

describe('the state file', () => {
  const file = () => join(repository.cache, 'server.json');
  const state = { port: 4711, token: TOKEN, ...IDENTITY };

  it('of a process that has ended is ignored', () => {
    writeServerState(repository.cache, state);
    expect(readServerState(repository.cache)?.port).toBe(4711);
    const kept = JSON.parse(readFileSync(file(), 'utf8'));
    writeFileSync(file(), JSON.stringify({ ...kept, process: { ...kept.process, pid: 2 ** 22 + 1 } }));
    expect(readServerState(repository.cache)).toBeNull();
  });

  it.each([
    ['nonsense', '{'],
    ['an invalid port', JSON.stringify({ ...state, port: 70_000, process: { pid: 1 } })],
    ['another type', '[]'],
  ])('with %s counts as none', (_name, text) => {
    rmSync(file(), { force: true });
    writeFileSync(file(), text, { mode: 0o600 });
    expect(readServerState(repository.cache)).toBeNull();
  });

  it('that other users can write or read is ignored', () => {
    writeServerState(repository.cache, state);
    chmodSync(file(), 0o644);
    expect(readServerState(repository.cache)).toBeNull();
    writeServerState(repository.cache, state);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    rmSync(file());
  });
});

describe('the token', () => {
  it('is new each time, or the one of the environment', () => {
    expect(accessToken({}).token).not.toBe(accessToken({}).token);
    expect(accessToken({}).token.length).toBeGreaterThanOrEqual(43);
    expect(accessToken({ LOADOUT_SERVER_TOKEN: TOKEN })).toEqual({ token: TOKEN, isNew: false });
    expect(() => accessToken({ LOADOUT_SERVER_TOKEN: 'short' })).toThrow('at least 16');
  });
});

describe('the sessions of a server', () => {
  it('never show content that is no longer on disk', async () => {
    const { settings, repo } = mcpContextFor(repository);
    const sessions = createSessionCache();
    const build = async (task: string) => {
      const request = { repo, settings: { ...settings, tokenBudget: 3_000 }, task };
      return (await buildPackage(request, await sessions.get(repo, settings))).text;
    };
    expect(await build('Fix fetchJson')).toContain('path + token');
    const path = join(repo, 'src/http.ts');
    for (let round = 0; round < 5; round++) {
      const before = readFileSync(path, 'utf8');
      writeFileSync(path, before.replace(/path \+ token.*/, `path + token, // round ${round}`));
      const text = await build('Fix fetchJson');
      expect(text).toContain(`// round ${round}`);
      if (round > 0) expect(text).not.toContain(`// round ${round - 1}`);
    }
    await sessions.close();
  });

  it('find a new file soon after it is written', async () => {
    const { settings, repo } = mcpContextFor(repository);
    const sessions = createSessionCache();
    const find = async () => {
      const session = await sessions.get(repo, settings);
      const { pack } = await buildPackage({ repo, settings, task: 'Fix countZebras' }, session);
      return pack.items.map(({ path }) => path);
    };
    await find();
    writeFileSync(join(repo, 'src/zebra.ts'), 'export function countZebras(): number {\n  return 3;\n}\n');
    await expect.poll(find, { timeout: 10_000 }).toContain('src/zebra.ts');
    await sessions.close();
  });

  it('are kept by settings, and the least recently used goes first', async () => {
    const { settings } = mcpContextFor(repository);
    const closed: string[] = [];
    const sessions = createSessionCache(async (path, { maxFiles }) => ({
      use: () => Promise.reject(new Error('not used')),
      refresh() {},
      close: async () => void closed.push(`${path} ${maxFiles}`),
    }));
    const { maxFiles } = settings;
    for (let number = 0; number < 8; number++) await sessions.get(`/${number}`, settings);
    await sessions.get('/0', settings);
    await sessions.get('/8', settings);
    expect(sessions.paths()).toEqual(['/2', '/3', '/4', '/5', '/6', '/7', '/0', '/8']);
    await sessions.get('/8', { ...settings, maxFiles: 3 });
    await expect.poll(() => closed).toEqual([`/1 ${maxFiles}`, `/8 ${maxFiles}`]);
  });
});
