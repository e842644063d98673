// Where a set-up may write, and what it writes only into the user's own files.

import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Scope } from '../../agents/agent-client.ts';
import { INSTALL_CLIENTS, type InstallClient } from '../../agents/table.ts';
import { base, home, put, read, request, run, tree } from './set-up.test-kit.ts';

describe('tools that guidelines of the user refuse', () => {
  const matcher = (path: string, event = 'PreToolUse') => {
    const { hooks } = JSON.parse(read(path)) as { hooks: Record<string, { matcher: string }[]> };
    return hooks[event]?.map((one) => one.matcher);
  };
  const refusing = (client: InstallClient, scope: Scope, ...tools: string[]) =>
    request(client, scope, false, 'loadout', tools);

  it("are asked for in the user's own files", () => {
    run(refusing('claude', 'user', 'Bash', 'mcp__x__*'));
    expect(matcher('.claude/settings.json')).toEqual(['^(?:Agent|Task|Bash|bash|mcp__x__.*)$']);
    run(refusing('codex', 'user', 'bash'));
    expect(matcher('.codex/hooks.json')).toEqual(['Bash|bash']);
    run(refusing('gemini', 'user', 'write_file'));
    expect(matcher('.gemini/settings.json', 'BeforeTool')).toEqual(['invoke_agent|write_file']);
    run(refusing('qwen', 'user', 'Bash'));
    expect(matcher('.qwen/settings.json')).toEqual(['Bash|bash']);
    run(refusing('copilot', 'user', 'Bash'));
    expect(read('.copilot/hooks/loadout.json')).toContain('"matcher": "Bash|bash"');
    run(refusing('opencode', 'user', 'Bash'));
    expect(read('.config/opencode/plugins/loadout.js')).toContain('REFUSED = ["bash"]');
  });

  it('are in no file that others of the repository read', () => {
    for (const client of INSTALL_CLIENTS) run(refusing(client, 'project', 'SecretTool'));
    const holders = Object.entries(tree()).filter(([, text]) => /secrettool/i.test(text));
    expect(holders.map(([path]) => path)).toEqual([join(base, '.claude/settings.local.json')]);
    expect(matcher('.claude/settings.local.json')).toEqual(['SecretTool|secrettool']);
    expect(matcher('.claude/settings.json')).toEqual(['Agent|Task']);
  });

  it('are no longer asked for when they are allowed again', () => {
    put('.claude/settings.local.json', '{"permissions": {}}');
    put('.codex/hooks.json', '{"hooks": {"PreToolUse": []}}');
    const before = tree();
    run(refusing('claude', 'project', 'Bash'));
    run(refusing('codex', 'user', 'Bash'));
    run(request('claude'));
    run(request('codex', 'user'));
    expect(read('.claude/settings.local.json')).toBe('{"permissions": {}}');
    expect(matcher('.codex/hooks.json')).toEqual([]);
    run(request('claude', 'project', true));
    run(request('codex', 'user', true));
    expect(tree()).toEqual(before);
  });

  it('an unreadable file does not matter when no tools are refused', () => {
    put('.claude/settings.local.json', '{ not json');
    run(request('claude'));
    expect(() => run(refusing('claude', 'project', 'Bash'))).toThrow(/settings\.local\.json:1/);
  });
});

describe('set-ups that are refused', () => {
  it('a link of the repository leads nowhere outside of it; one of the user is followed and stays', () => {
    writeFileSync(join(home, 'elsewhere.json'), '{}');
    symlinkSync('../elsewhere.json', join(base, '.mcp.json'));
    expect(() => run(request('claude'))).toThrow('leads out of the repository through a link');
    symlinkSync('../elsewhere.json', join(base, '.claude.json'));
    run(request('claude', 'user'));
    expect(readFileSync(join(home, 'elsewhere.json'), 'utf8')).toContain('mcpServers');
    run(request('claude', 'user', true));
    expect(readFileSync(join(home, 'elsewhere.json'), 'utf8')).toBe('{}');
  });

  it('a folder that is a link is not written through either', () => {
    mkdirSync(join(home, 'elsewhere'));
    symlinkSync('../elsewhere', join(base, '.claude'));
    expect(() => run(request('claude'))).toThrow('leads out of the repository');
    expect(readdirSync(join(home, 'elsewhere'))).toEqual([]);
  });
});
