import { describe, expect, it } from 'vitest';
import { readJson } from './edit-json.ts';
import { put, read, request, run, tree } from './set-up.test-kit.ts';

describe('a TOML file', () => {
  it.each([
    ['inside its parent', '[mcp_servers]\nloadout = { command = "mine" }\n'],
    ['with dots', 'mcp_servers.loadout.command = "mine"\n'],
    ['with quotes', '[mcp_servers."loadout"]\ncommand = "mine"\n'],
    ['in a file with a mistake', 'model = = 1\n[mcp_servers.loadout]\ncommand = "mine"\n'],
  ])('keeps a table of the user: %s', (_, text) => {
    put('.codex/config.toml', text);
    const notes = run(request('codex')).flatMap((file) => file.notes);
    expect(notes).toEqual(['[mcp_servers.loadout] already exists and stays as it is']);
    expect(read('.codex/config.toml')).toBe(text);
  });

  it('is not mistaken where a text or a comment only looks like the table', () => {
    const text = 'note = """\n[mcp_servers.loadout]\n"""\n# mcp_servers = 1\n';
    put('.codex/config.toml', text);
    expect(run(request('codex')).flatMap((file) => file.notes)).toEqual([]);
    expect(read('.codex/config.toml').startsWith(text)).toBe(true);
    run(request('codex', 'project', true));
    expect(read('.codex/config.toml')).toBe(text);
  });
});

describe('comments of a settings file', () => {
  it.each([
    [
      'behind the last member',
      '{\n  "theme": "dark" // I like it dark\n}\n',
      '"theme": "dark", // I like it dark\n',
    ],
    [
      'behind a trailing comma',
      '{\n  "theme": "dark", // I like it dark\n}\n',
      '"theme": "dark", // I like it dark\n',
    ],
    ['in a block', '{\n  "theme": "dark" /* why */\n}\n', '"theme": "dark", /* why */\n'],
    ['in one line', '{ "theme": "dark" /* why */ }\n', '"theme": "dark", /* why */ '],
    ['with Windows line ends', '{\r\n  "theme": "dark" // why\r\n}\r\n', '"theme": "dark", // why\r\n'],
    ['behind a list', '{\n  "a": [1] // list\n}\n', '"a": [1], // list\n'],
    ['in an empty object', '{ // nothing yet\n}\n', '{ // nothing yet\n'],
    ['on a line of its own', '{\n  "theme": "dark"\n  // the end\n}\n', '"theme": "dark"'],
  ])('stay where they are: %s', (_, text, kept) => {
    put('.gemini/settings.json', text);
    run(request('gemini'));
    expect(read('.gemini/settings.json')).toContain(kept);
    expect(readJson(read('.gemini/settings.json'), 'x')).toMatchObject({
      mcpServers: { loadout: {} },
    });
    // also when the file was edited since, and our text is found by its meaning
    const after = read('.gemini/settings.json');
    run(request('gemini', 'project', true));
    expect(read('.gemini/settings.json')).toBe(text);
    put('.gemini/settings.json', `// edited\n${after.replaceAll('"command"', '"command" ')}`);
    run(request('gemini', 'project', true));
    const rest = read('.gemini/settings.json');
    const comment = /\/\/ (?!edited).*|\/\*.*\*\//.exec(text)![0].trimEnd();
    expect(rest).toContain(comment);
    expect(rest).not.toContain('loadout');
  });
});

describe('set-ups that are refused', () => {
  it.each([
    ['.claude/settings.json', '{"hooks": [1]}', 'claude', /settings\.json: hooks is not an object/],
    ['.claude/settings.json', '{"hooks": {"PreToolUse": {}}}', 'claude', /hooks\.PreToolUse is not a list/],
    ['.claude/settings.json', '[]', 'claude', /the file is not an object/],
    ['.claude/settings.json', '{"a": 1', 'claude', /settings\.json:1: "," or "}" is expected here/],
    ['.claude/settings.json', '{"a": 01}', 'claude', /settings\.json:1: "," is expected here/],
    ['.claude/settings.json', '{"a": }', 'claude', /a value is expected here/],
    ['.mcp.json', '['.repeat(100_000), 'claude', /levels/],
    ['.codex/config.toml', 'mcp_servers = { a = 1 }\n', 'codex', /given as one value/],
  ] as const)('%s with %s is refused, and nothing at all is written', (path, text, client, message) => {
    put(path, text);
    const before = tree();
    expect(() => run(request(client))).toThrow(message);
    expect(tree()).toEqual(before);
  });
});
