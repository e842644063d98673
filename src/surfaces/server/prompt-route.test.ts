import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { LoadoutError } from '../../model/loadout-error.ts';
import { startLoopbackServer } from './loopback-server.ts';
import { type AnswerPrompt, createPromptRoute, EXPECTED_HEADER } from './prompt-route.ts';

const CACHE = mkdtempSync(join(tmpdir(), 'loadout-prompt-route-'));
const TREE = join(CACHE, 'runs/project-1/trees/one');
mkdirSync(TREE, { recursive: true });
symlinkSync(tmpdir(), join(TREE, 'link'));
afterAll(() => rmSync(CACHE, { recursive: true }));
const TOKEN = 'a-token-that-only-tests-know';
const PROMPT = { text: 'x', promptId: 'p', packageId: null, diagnostics: [] };
const question = {
  input: { root: TREE, role: {}, task: 'Fix it' },
  settings: { cacheDir: CACHE, packer: 'loadout' },
};

async function ask(body: unknown, answer: AnswerPrompt) {
  const server = await startLoopbackServer({
    port: 0,
    token: TOKEN,
    log: () => {},
    routes: [createPromptRoute(CACHE, answer)],
  });
  try {
    const response = await fetch(`http://127.0.0.1:${server.port}/prompt`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const expectedMs = response.headers.get(EXPECTED_HEADER);
    return { status: response.status, body: await response.json(), ...(expectedMs && { expectedMs }) };
  } finally {
    await server.close();
  }
}

describe('the route for prompts', () => {
  it('answers for a work tree of a run', async () => {
    expect(await ask(question, async () => PROMPT)).toEqual({ status: 200, body: PROMPT });
  });

  it('says when the prompt is near, and what becomes of it', async () => {
    const near = (end: () => Promise<typeof PROMPT>) =>
      ask(question, async (_, { onNear }) => {
        onNear(12.3);
        return end();
      });
    expect(await near(async () => PROMPT)).toEqual({ status: 200, body: PROMPT, expectedMs: '13' });
    await expect(
      near(() => Promise.reject(new LoadoutError('bad-target', 'no such file'))),
    ).rejects.toThrow();
  });

  it.each([
    ['another folder', { ...question, input: { ...question.input, root: '/etc' } }, 403],
    ['a way out', { ...question, input: { ...question.input, root: `${CACHE}/runs/../..` } }, 403],
    ['a link out', { ...question, input: { ...question.input, root: join(TREE, 'link') } }, 403],
    ['a tree that is gone', { ...question, input: { ...question.input, root: `${TREE}-2` } }, 403],
    ['another cache', { ...question, settings: { cacheDir: '/elsewhere' } }, 400],
    ['a packer that is a program', { ...question, settings: { cacheDir: CACHE, packer: 'repomix' } }, 400],
    ['no question', { input: null }, 400],
    ['no JSON', '{', 400],
  ])('refuses %s', async (_, body, status) => {
    let isAsked = false;
    const answer = async () => {
      isAsked = true;
      return PROMPT;
    };
    expect((await ask(body, answer)).status).toBe(status);
    expect(isAsked).toBe(false);
  });

  it('leaves mistakes of the user to who asked', async () => {
    const answer = () => Promise.reject(new LoadoutError('bad-target', 'no such file'));
    expect(await ask(question, answer)).toEqual({ status: 422, body: { error: 'no such file' } });
  });
});
