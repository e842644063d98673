import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorkplace, type Workplace } from './support/built-package.ts';

const STAND_IN = fileURLToPath(new URL('support/stand-in-claude.mjs', import.meta.url));
const EXAMPLES = ['ai-sdk', 'claude-agent-sdk', 'langchain', 'lean-agent', 'openai-agents'];

/** A wrong adapter: it leaves every call as it is. */
const DOES_NOTHING: Readonly<Record<string, string>> = {
  'ai-sdk':
    "export const recallBlockMiddleware = () => ({ specificationVersion: 'v4', transformParams: async ({ params }) => params });",
  'claude-agent-sdk': 'export const recallBlockHooks = () => ({});',
  langchain:
    "export const recallBlockHooks = () => ({ name: 'nothing', wrapModelCall: (request, handler) => handler(request) });",
  'openai-agents': 'export const recallBlockFilter = () => async ({ modelData }) => modelData;',
};

let workplace: Workplace;
beforeAll(() => {
  workplace = createWorkplace();
});
afterAll(() => workplace?.remove());

function runExample(name: string) {
  const { PATH, HOME } = process.env;
  return spawnSync(process.execPath, [join(workplace.examples, `${name}.mjs`)], {
    cwd: workplace.examples,
    encoding: 'utf8',
    timeout: 100_000,
    env: { PATH, HOME, CLAUDE_CODE_EXECUTABLE: STAND_IN },
  });
}

describe('examples, with the built package', () => {
  it('are all listed here', () => {
    const found = readdirSync(workplace.examples).filter((name) => /\.mjs$/.test(name));
    expect(found.sort()).toEqual([...EXAMPLES, 'check'].map((name) => `${name}.mjs`).sort());
  });

  it.each(EXAMPLES)('%s succeeds', (name) => {
    const { status, stdout, stderr } = runExample(name);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/: 11 calls, /);
    expect(status).toBe(0);
  });

  it.each(Object.keys(DOES_NOTHING))('%s fails when the model does not see the pack', (name) => {
    const file = join(workplace.loadout, `dist/session-${name}.js`);
    const before = readFileSync(file);
    try {
      writeFileSync(file, DOES_NOTHING[name]!);
      const { status, stderr } = runExample(name);
      expect(stderr).toContain('AssertionError');
      expect(status).toBe(1);
    } finally {
      writeFileSync(file, before);
    }
  });
});
