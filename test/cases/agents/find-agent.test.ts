import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentStart } from '../../../src/agents/agent-worker.ts';
import { findAgent } from '../../../src/workers/run-environment.ts';

const START: AgentStart = {
  cwd: '/repo',
  permissions: 'edit',
  model: null,
  flags: [],
  schema: null,
  schemaFile: null,
  resume: null,
};

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-find-agent-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A program that prints this when it is asked for its version. */
function install(folder: string, name: string, script: string): string {
  mkdirSync(join(root, folder), { recursive: true });
  const path = join(root, folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const environment = (...folders: readonly string[]) => ({
  PATH: [...folders.map((folder) => join(root, folder)), '/usr/bin', '/bin'].join(':'),
});

describe('findAgent', () => {
  it('finds the program, starts it by its path and reads its version', async () => {
    const path = install('bin', 'claude', 'test "$1" = --version && echo "2.1.325 (Claude Code)"');
    const found = findAgent('claude', environment('bin'), join(root, 'repository'));
    expect(found.path).toBe(path);
    expect(found.adapter.start(START).command).toBe(path);
    expect(await found.readVersion()).toBe('2.1.325');
  });

  it('reads the version from the package that brings the program, without starting it', async () => {
    const bin = { qwen: 'dist/qwen.js' };
    const place = (manifest: string) => {
      const program = install('lib/node_modules/qwen/dist', 'qwen.js', 'echo 1.0.0');
      writeFileSync(join(root, 'lib/node_modules/qwen/package.json'), manifest);
      mkdirSync(join(root, 'bin'), { recursive: true });
      rmSync(join(root, 'bin/qwen'), { force: true });
      symlinkSync(program, join(root, 'bin/qwen'));
      return findAgent('qwen', environment('bin'), join(root, 'repository')).readVersion();
    };
    expect(await place(JSON.stringify({ version: '0.19.2-nightly.1', bin }))).toBe('0.19.2-nightly.1');
    expect(await place(JSON.stringify({ version: '0.19.2', bin: 'dist/qwen.js' }))).toBe('0.19.2');
    for (const other of [
      { bin },
      { version: 'next', bin },
      { version: '2.0.0' },
      { version: '2.0.0', bin: 'x' },
    ])
      expect(await place(JSON.stringify(other))).toBe('1.0.0');
    expect(await place('{')).toBe('1.0.0');
  });

  it('says how to install a missing agent', () => {
    expect(() => findAgent('qwen', { PATH: join(root, 'bin') }, root)).toThrow(
      expect.objectContaining({
        name: 'LoadoutError',
        code: 'agent-not-found',
        message: 'qwen is not on the PATH',
        hint: 'install it: npm install -g @qwen-code/qwen-code',
      }),
    );
  });

  it('does not use a program from the repository', () => {
    install('repository/node_modules/.bin', 'codex', 'echo codex-cli 9.9.9');
    expect(() =>
      findAgent('codex', { PATH: join(root, 'repository/node_modules/.bin') }, join(root, 'repository')),
    ).toThrow(/not on the PATH/);
  });

  it('shows the error output of an agent that does not work', async () => {
    install('bin', 'claude', 'echo "native binary not installed" >&2; exit 1');
    const found = findAgent('claude', environment('bin'), join(root, 'repository'));
    await expect(found.readVersion()).rejects.toMatchObject({
      code: 'agent-not-working',
      message: expect.stringContaining('exit code 1): native binary not installed'),
      hint: 'install it again: npm install -g @anthropic-ai/claude-code',
    });
  });

  it('keeps variables that lead gemini elsewhere from the .env of a repository, and the own ones', () => {
    install('bin', 'gemini', 'echo 0.61.0');
    const env = { ...environment('bin'), HTTPS_PROXY: 'http://proxy' };
    const invocation = findAgent('gemini', env, join(root, 'repository')).adapter.start(START);
    expect(invocation.env).toMatchObject({
      GOOGLE_GEMINI_BASE_URL: '',
      NODE_OPTIONS: '',
      LOADOUT_WORKER: '1',
    });
    expect(invocation.env).not.toHaveProperty('HTTPS_PROXY');
  });
});
