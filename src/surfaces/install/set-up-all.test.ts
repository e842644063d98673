import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SCALE } from '../../../test/support/scan-kit.ts';
import type { Scope } from '../../agents/agent-client.ts';
import { INSTALL_CLIENTS, type InstallClient } from '../../agents/table.ts';
import { installPlace, planSetUp } from './plan-set-up.ts';
import { openSetUpRecords } from './plan-target.ts';
import { base, home, put, tree } from './set-up.test-kit.ts';
import { applyAll, filesToCommit, findClients, planAll, type SharedRequest } from './set-up-all.ts';

function shared(remove = false, scope: Scope = 'project', records = 'config'): SharedRequest {
  return {
    place: installPlace({ HOME: base }, base, scope),
    launch: { program: 'loadout', args: [] },
    records: openSetUpRecords(join(home, records)),
    tools: [],
    remove,
  };
}

function run(request: SharedRequest, clients: readonly InstallClient[] = INSTALL_CLIENTS) {
  return applyAll(planAll(clients, request), request);
}

const isWhole = (client: InstallClient) =>
  planSetUp({ ...shared(), client }).every(({ action }) => action === 'keep');
const stateOf = (results: ReturnType<typeof run>, client: InstallClient) =>
  results.find((one) => one.client === client)?.state;

const JSON_FILES = [
  ...['.claude/settings.json', '.claude/settings.local.json', '.mcp.json', '.codex/hooks.json'],
  ...['.gemini/settings.json', 'opencode.json', '.cursor/mcp.json', '.qwen/settings.json'],
  ...['.claude.json', '.copilot/mcp-config.json', '.config/opencode/opencode.json'],
];
const jsonText = fc
  .tuple(
    fc.constantFrom('', '\uFEFF', '// mine\n', '\n'),
    fc.constantFrom(
      ...['', '{}', '{ }', '{"a":1}', '{\n  "a": [1, 2], // why\n}', '{\n\t"mcpServers": {}\n}'],
      ...['{\n  "mcpServers": { "other": { "command": "x" } },\n  "hooks": {}\n}', '{"é": "\\u0000"}'],
    ),
    fc.constantFrom('', '\n', '\n\n', '  '),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([start, text, end, newline]) => (start + text + end).replaceAll('\n', newline));
const tomlText = fc.constantFrom('', 'model = "x"', 'model = "x"\r\n', '# note\n[a]\nb = 1\n\n');
/** Null: the file does not exist. With `folder`, its folder does. */
const content = fc.oneof(fc.constant(null), fc.constant('folder' as const), fc.record({ text: jsonText }));

describe('all clients at once', () => {
  it('are set up and removed, and every byte is as it was', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Scope>('project', 'user'),
        fc.array(content, { minLength: JSON_FILES.length, maxLength: JSON_FILES.length }),
        fc.option(tomlText),
        (scope, contents, toml) => {
          rmSync(base, { recursive: true, force: true });
          mkdirSync(base);
          for (const [at, path] of JSON_FILES.entries()) {
            const given = contents[at]!;
            if (given === 'folder') mkdirSync(dirname(join(base, path)), { recursive: true });
            else if (given) put(path, given.text);
          }
          if (toml !== null) put('.codex/config.toml', toml);
          const before = tree();
          expect(new Set(run(shared(false, scope)).map(({ state }) => state))).toEqual(new Set(['done']));
          expect(
            planAll(INSTALL_CLIENTS, shared(false, scope)).files.every(({ action }) => action === 'keep'),
          ).toBe(true);
          run(shared(true, scope));
          expect(tree()).toEqual(before);
        },
      ),
      { numRuns: 4 * SCALE },
    );
  });

  it('show a file that several of them share once', () => {
    const { files } = planAll(INSTALL_CLIENTS, shared());
    expect(files.filter(({ shown }) => shown === '.mcp.json')).toHaveLength(1);
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
  });

  it('are removed without records, too: a colleague has only the files', () => {
    run(shared());
    run(shared(true, 'project', 'of-a-colleague'));
    expect(Object.values(tree()).filter((text) => text.includes('loadout'))).toEqual([]);
  });

  it('one that is removed alone leaves what another needs', () => {
    run(shared());
    run(shared(true), ['claude']);
    expect(isWhole('copilot')).toBe(true);
    expect(isWhole('claude')).toBe(false);
  });
});

describe('a client that fails', () => {
  it('because its file is not valid is left alone, and the others are set up', () => {
    put('.codex/hooks.json', '{ broken');
    const before = tree();
    const results = run(shared());
    expect(stateOf(results, 'codex')).toBe('failed');
    expect(results.filter(({ state }) => state === 'done')).toHaveLength(INSTALL_CLIENTS.length - 1);
    expect(existsSync(join(base, '.codex/config.toml'))).toBe(false);
    expect(existsSync(join(base, '.agents'))).toBe(false);
    run(shared(true));
    expect(tree()).toEqual(before);
  });

  it('because its file is read-only is left alone', () => {
    put('.gemini/settings.json', '{}');
    chmodSync(join(base, '.gemini/settings.json'), 0o444);
    const results = run(shared());
    expect(results.find(({ client }) => client === 'gemini')).toMatchObject({
      state: 'failed',
      error: { code: 'read-only-file' },
    });
    expect(readdirSync(join(base, '.gemini'))).toEqual(['settings.json']);
  });

  it('in the middle of its files gets back those that were written, records included', () => {
    // A file where a folder is needed: the first files can be written, this one cannot.
    put('.claude/agents', 'a file');
    const before = tree();
    const results = run(shared());
    expect(stateOf(results, 'claude')).toBe('failed');
    expect(isWhole('copilot')).toBe(true);
    run(
      shared(true),
      INSTALL_CLIENTS.filter((one) => one !== 'claude'),
    );
    expect(tree()).toEqual(before);
    expect(shared().records.list()).toEqual([]);
  });

  it('to be removed keeps the entry that it shares with one that is removed', () => {
    run(shared());
    put('.claude/settings.json', '{ broken');
    expect(stateOf(run(shared(true)), 'claude')).toBe('failed');
    expect(readFileSync(join(base, '.mcp.json'), 'utf8')).toContain('loadout');
  });

  it('because a file changed after it was shown is left alone', () => {
    const plan = planAll(INSTALL_CLIENTS, shared());
    put('.qwen/settings.json', '{"new": 1}');
    const results = applyAll(plan, shared());
    expect(stateOf(results, 'qwen')).toBe('failed');
    expect(readdirSync(join(base, '.qwen'))).toEqual(['settings.json']);
  });
});

it('finds clients by their program and by their folder', () => {
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin/codex'), '#!/bin/sh\n');
  chmodSync(join(home, 'bin/codex'), 0o755);
  mkdirSync(join(home, '.qwen'));
  mkdirSync(join(home, 'elsewhere'));
  const env = { PATH: join(home, 'bin'), CLAUDE_CONFIG_DIR: join(home, 'elsewhere') };
  expect(findClients(env, base, home)).toEqual([
    { client: 'claude', evidence: join(home, 'elsewhere') },
    { client: 'codex', evidence: join(home, 'bin/codex') },
    { client: 'qwen', evidence: join(home, '.qwen') },
  ]);
});

it('names the files to commit, without those of this user', () => {
  const request = { ...shared(), tools: ['Bash'] };
  const commit = filesToCommit(planAll(['claude'], request).files);
  expect(commit).toEqual([
    '.claude/agents/repo-mapper.md',
    '.claude/settings.json',
    '.claude/skills/loadout/SKILL.md',
    '.mcp.json',
  ]);
});
