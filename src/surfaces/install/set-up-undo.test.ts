import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SCALE } from '../../../test/support/scan-kit.ts';
import { SCOPES } from '../../agents/agent-client.ts';
import { INSTALL_CLIENTS, type InstallClient } from '../../agents/table.ts';
import { readJson } from './edit-json.ts';
import { planSetUp } from './plan-set-up.ts';
import { base, home, put, read, request, run, tree } from './set-up.test-kit.ts';

const FILES: Readonly<Record<InstallClient, readonly string[]>> = {
  claude: ['.claude/settings.json', '.claude/settings.local.json', '.mcp.json', '.claude.json'],
  codex: ['.codex/hooks.json', '.codex/config.toml'],
  gemini: ['.gemini/settings.json'],
  copilot: ['.mcp.json', '.copilot/mcp-config.json'],
  opencode: ['opencode.json', '.config/opencode/opencode.json'],
  cursor: ['.cursor/mcp.json'],
  qwen: ['.qwen/settings.json'],
};

const name = fc.oneof(
  fc.constantFrom('hooks', 'mcpServers', 'mcp', 'PreToolUse', 'BeforeModel', 'permissions', 'a"b', '\\', 'é'),
  fc.string({ maxLength: 6 }),
);
const plain = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string({ maxLength: 12 }));
const value = fc.letrec((tie) => ({
  any: fc.oneof({ depthSize: 'small' }, plain, tie('list'), tie('object')),
  list: fc.array(tie('any'), { maxLength: 3 }),
  object: fc.dictionary(name, tie('any'), { maxKeys: 3 }),
})).any;
const foreignHook = fc.record({
  matcher: fc.string({ maxLength: 5 }),
  hooks: fc.array(fc.record({ type: fc.constant('command'), command: fc.string() }), { maxLength: 2 }),
});
const lists = fc.dictionary(
  fc.constantFrom('PreToolUse', 'SessionStart', 'BeforeModel', 'Stop'),
  fc.array(foreignHook, { maxLength: 2 }),
);
const settings = fc
  .tuple(
    fc.dictionary(name, value, { maxKeys: 4 }),
    fc.record(
      { hooks: lists, mcpServers: fc.dictionary(fc.string({ maxLength: 4 }), value), mcp: fc.constant({}) },
      { requiredKeys: [] },
    ),
  )
  .map(([rest, known]) => {
    const { hooks: _h, mcpServers: _m, mcp: _c, ...foreign } = rest as Record<string, unknown>;
    return { ...foreign, ...known };
  });

const jsonText = fc
  .record({
    settings,
    indent: fc.constantFrom('', '  ', '    ', '\t'),
    newline: fc.constantFrom('\n', '\r\n'),
    end: fc.constantFrom('', '\n', '\n\n', '  '),
    start: fc.constantFrom('', '\uFEFF', '\n', '// mine\n', '/* a\n b */ '),
    comma: fc.boolean(),
    comment: fc.boolean(),
  })
  .map(({ settings: data, indent, newline, end, start, comma, comment }) => {
    let text = JSON.stringify(data, null, indent);
    // only where a line ends, so that no string is touched
    if (indent !== '' && comma) text = text.replace(/([\d\]}"el])\n(\s*[\]}])/g, '$1,\n$2');
    if (indent !== '' && comment) text = text.replace(/\{\n/, '{ // a note, with "quotes" {\n');
    return start + text.replaceAll('\n', newline) + end;
  });
const tomlText = fc
  .array(
    fc.constantFrom(
      'model = "x"',
      '# note',
      '[mcp_servers.other]',
      'command = "y"',
      '',
      '[profiles.a]',
      '  [b]',
    ),
    { maxLength: 6 },
  )
  .map((lines) => lines.join('\n'));

describe('setting up and undoing', () => {
  it('leaves every byte as it was, whatever was there', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...INSTALL_CLIENTS),
        fc.constantFrom(...SCOPES),
        fc.array(jsonText, { minLength: 4, maxLength: 4 }),
        tomlText,
        fc.boolean(),
        fc.array(fc.constantFrom('Bash', 'write_file', 'mcp__*', '*'), { maxLength: 2 }),
        (client, scope, texts, toml, isAbsent, tools) => {
          const wanted = request(client, scope, false, 'loadout', tools);
          rmSync(base, { recursive: true, force: true });
          mkdirSync(base);
          if (!isAbsent)
            for (const [at, path] of FILES[client].entries())
              put(path, path.endsWith('.toml') ? toml : texts[at]!);
          const before = tree();
          const written = run(wanted).filter(({ isUndone }) => !isUndone);
          expect(written.every(({ action, notes }) => action !== 'keep' || notes.length > 0)).toBe(true);
          expect(new Set(planSetUp(wanted).map(({ action }) => action))).toEqual(new Set(['keep']));
          run(request(client, scope, true));
          expect(tree()).toEqual(before);
        },
      ),
      { numRuns: 40 * SCALE },
    );
  });

  it('keeps the entries of others, in their order', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        rmSync(base, { recursive: true, force: true });
        put('.claude/settings.json', text);
        const before = readJson(text, 'x') as Record<string, unknown>;
        run(request('claude'));
        const after = readJson(read('.claude/settings.json'), 'x') as Record<string, unknown>;
        expect(Object.keys(after).slice(0, Object.keys(before).length)).toEqual(Object.keys(before));
        const { hooks: oldHooks, ...oldRest } = before;
        const { hooks, ...rest } = after as { hooks: Record<string, unknown[]> };
        expect(rest).toEqual(oldRest);
        for (const [event, list] of Object.entries((oldHooks ?? {}) as Record<string, unknown[]>))
          expect(hooks[event]!.slice(0, list.length)).toEqual(list);
        expect(JSON.stringify(hooks.PreToolUse!.at(-1))).toContain('loadout hook pre-tool-use');
      }),
      { numRuns: 25 * SCALE },
    );
  });

  it('undoes it also after the user has edited and reformatted the file', () => {
    put('.claude/settings.json', '{"model": "x"}');
    run(request('claude'));
    const edited = { ...JSON.parse(read('.claude/settings.json')), added: true };
    put('.claude/settings.json', JSON.stringify(edited, null, 8));
    run(request('claude', 'project', true));
    expect(JSON.parse(read('.claude/settings.json'))).toEqual({ model: 'x', added: true });
  });

  it('removes a file that it created, also when the client has written its own key into it', () => {
    const empty = tree();
    run(request('qwen'));
    const text = read('.qwen/settings.json');
    put('.qwen/settings.json', text.replace(/\n\}\n$/, ',\n  "$version": 4\n}\n'));
    run(request('qwen', 'project', true));
    expect(tree()).toEqual(empty);
    put('.qwen/settings.json', '{"$version": 4}\n');
    run(request('qwen'));
    run(request('qwen', 'project', true));
    expect(read('.qwen/settings.json')).toBe('{"$version": 4}\n');
  });

  it('removes our entries without a record, and keeps entries that others changed', () => {
    run(request('claude'));
    rmSync(join(home, 'config'), { recursive: true });
    put('.claude/agents/repo-mapper.md', 'my own mapper');
    run(request('claude', 'project', true));
    expect(read('.claude/agents/repo-mapper.md')).toBe('my own mapper');
    expect(JSON.parse(read('.claude/settings.json'))).toEqual({});
  });

  it('leaves an entry that another client wrote for both', () => {
    run(request('claude'));
    run(request('copilot'));
    run(request('copilot', 'project', true));
    expect(read('.mcp.json')).toContain('loadout');
    run(request('claude', 'project', true));
    expect(tree()).toEqual({});
  });

  it('replaces the entries of an earlier version', () => {
    put('.claude/settings.json', '{"hooks": {"Stop": []}}\n');
    run(request('claude', 'project', false, '/old/place/loadout'));
    run(request('claude'));
    expect(read('.claude/settings.json')).not.toContain('/old/place');
    expect(read('.mcp.json')).not.toContain('/old/place');
    run(request('claude', 'project', true));
    expect(read('.claude/settings.json')).toBe('{"hooks": {"Stop": []}}\n');
  });

  it('replaces hooks of another set-up, and keeps the rest of the list', () => {
    const foreign = { matcher: 'Bash', hooks: [{ type: 'command', command: 'mine' }] };
    put('.claude/settings.json', JSON.stringify({ hooks: { PreToolUse: [foreign] } }, null, 2));
    run(request('claude', 'project', false, '/old/place/loadout'));
    rmSync(join(home, 'config'), { recursive: true });
    run(request('claude'));
    expect(read('.claude/settings.json')).not.toContain('/old/place');
    expect(JSON.parse(read('.claude/settings.json')).hooks.PreToolUse).toHaveLength(2);
    run(request('claude', 'project', true));
    expect(JSON.parse(read('.claude/settings.json'))).toEqual({ hooks: { PreToolUse: [foreign] } });
  });

  it('keeps an entry of the user that has our name', () => {
    put('.mcp.json', '{"mcpServers": {"loadout": {"command": "mine"}}}');
    put('.codex/config.toml', '[mcp_servers.loadout]\ncommand = "mine"\n');
    const files = [...run(request('claude')), ...run(request('codex'))];
    expect(files.flatMap(({ notes }) => notes)).toEqual([
      'mcpServers.loadout already exists and stays as it is',
      '[mcp_servers.loadout] already exists and stays as it is',
    ]);
    expect(read('.mcp.json')).toBe('{"mcpServers": {"loadout": {"command": "mine"}}}');
  });
});

describe('clients that share a file', () => {
  const PAIRS = INSTALL_CLIENTS.flatMap((first) =>
    INSTALL_CLIENTS.filter((one) => one !== first).map((second) => [first, second] as const),
  );
  const isSetUp = (client: InstallClient) =>
    planSetUp(request(client)).every(({ before, after }) => before === after);

  it.each(PAIRS)(
    '%s and %s: removing one leaves the other working, removing both leaves nothing',
    (first, second) => {
      put('.mcp.json', '{\n  "mcpServers": {\n    "other": { "command": "x" } // mine\n  }\n}\n');
      put('.claude/settings.json', '{ "theme": "dark" }\n');
      const before = tree();
      for (const [gone, left] of [
        [first, second],
        [second, first],
      ] as const) {
        run(request(first));
        run(request(second));
        expect([isSetUp(first), isSetUp(second)]).toEqual([true, true]);
        run(request(gone, 'project', true));
        expect(isSetUp(left)).toBe(true);
        // once more changes nothing
        run(request(gone, 'project', true));
        expect(isSetUp(left)).toBe(true);
        run(request(left, 'project', true));
        expect(tree()).toEqual(before);
      }
    },
  );

  it('removing a client that was never set up takes nothing from another', () => {
    run(request('claude'));
    run(request('copilot', 'project', true));
    expect(isSetUp('claude')).toBe(true);
  });

  it('another command reaches all of them, and both can still be undone', () => {
    const before = tree();
    run(request('claude'));
    run(request('copilot', 'project', false, '/opt/loadout'));
    expect(read('.mcp.json')).toContain('/opt/loadout');
    run(request('claude', 'project', true));
    run(request('copilot', 'project', true, '/opt/loadout'));
    expect(tree()).toEqual(before);
  });
});
