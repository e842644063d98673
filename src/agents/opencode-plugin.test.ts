import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MARK_START } from '../model/context-pack.ts';
import { opencodePlugin } from './opencode.ts';

interface Part {
  type: string;
  text: string;
  synthetic?: boolean;
}
interface Plugin {
  event(input: { event: unknown }): Promise<void>;
  'chat.message'(input: { sessionID: string; agent?: string }, output: { parts: Part[] }): Promise<void>;
  'tool.execute.after'(input: {
    tool: string;
    sessionID: string;
    callID: string;
    args: Record<string, unknown>;
  }): Promise<void>;
  'tool.execute.before'(
    input: { tool: string; sessionID: string; callID: string },
    output: { args: Record<string, unknown> },
  ): Promise<void>;
}

/** Stands for `loadout`: notes what it is asked and answers by the event. */
const PROGRAM = `
import { appendFileSync, readFileSync } from 'node:fs';
const [log, , event] = process.argv.slice(2);
const input = JSON.parse(readFileSync(0, 'utf8'));
appendFileSync(log, JSON.stringify({ event, ...input }) + '\\n');
const text = '${MARK_START}' + event + '</context-pack>';
if (event !== 'pre-tool-use') console.log(JSON.stringify({ additionalContext: text }));
else if (input.tool === 'task') console.log(JSON.stringify({ toolInput: { prompt: text + input.args.prompt } }));
else if (input.tool === 'write') console.log('not json');
else console.log(JSON.stringify({ permissionDecision: 'deny', permissionDecisionReason: 'not here' }));
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-plugin-'));
  writeFileSync(join(folder, 'program.mjs'), PROGRAM);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function load(name: string, tools: readonly string[], program = process.execPath): Promise<Plugin> {
  const args = [join(folder, 'program.mjs'), join(folder, 'log')];
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, opencodePlugin({ program, args }, tools));
  const { Loadout } = (await import(pathToFileURL(path).href)) as {
    Loadout(input: { directory: string }): Promise<Plugin>;
  };
  return Loadout({ directory: folder });
}

async function say(plugin: Plugin, sessionID: string, text: string): Promise<string> {
  const parts: Part[] = [
    { type: 'text', text: 'of the client', synthetic: true },
    { type: 'text', text },
  ];
  await plugin['chat.message']({ sessionID, agent: 'build' }, { parts });
  expect(parts[0]!.text).toBe('of the client');
  return parts[1]!.text;
}

const asked = (): readonly Record<string, unknown>[] =>
  readFileSync(join(folder, 'log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const marked = (event: string) => `${MARK_START}${event}</context-pack>`;

it('tells a session its map once, again after a compaction, and each task its package', async () => {
  const plugin = await load('map', []);
  const first = `${marked('session-start')}\n\n${marked('user-prompt-submit')}\n\none`;
  expect(await say(plugin, 's', 'one')).toBe(first);
  expect(await say(plugin, 's', 'two')).toBe(`${marked('user-prompt-submit')}\n\ntwo`);
  await plugin.event({ event: { type: 'session.compacted', properties: { sessionID: 's' } } });
  expect(await say(plugin, 's', 'three')).toContain(marked('session-start'));
  const sources = asked().flatMap(({ source }) => (source === undefined ? [] : [source]));
  expect(sources).toEqual(['startup', 'compact']);
});

it('puts the package before the task of a subagent, which is welcomed in the session of its parent', async () => {
  const plugin = await load('task', []);
  const args: Record<string, unknown> = { prompt: 'look', subagent_type: 'general' };
  await plugin['tool.execute.before']({ tool: 'task', sessionID: 'parent', callID: 'c' }, { args });
  expect(args).toEqual({ prompt: `${marked('pre-tool-use')}look`, subagent_type: 'general' });
  const told = await say(plugin, 'child', String(args.prompt));
  expect(told).toBe(`${marked('subagent-start')}\n\n${args.prompt}`);
  expect(asked().at(-1)).toMatchObject({ sessionID: 'parent', agentID: 'child' });
});

it('adds nothing when the plugin of another set-up has answered', async () => {
  const [one, other] = [await load('one', []), await load('other', [])];
  const told = await say(one, 's', 'a task');
  expect(await say(other, 's', told)).toBe(told);
});

it('asks about tools that are refused, and about no others', async () => {
  const plugin = await load('tools', ['Bash', 'write', 'mcp_*']);
  const use = (tool: string) =>
    plugin['tool.execute.before']({ tool, sessionID: 's', callID: 'c' }, { args: {} });
  await expect(use('bash')).rejects.toThrow('not here');
  await expect(use('mcp_x')).rejects.toThrow('not here');
  await expect(use('write')).resolves.toBeUndefined();
  await use('bashful');
  expect(asked().map(({ tool }) => tool)).toEqual(['bash', 'mcp_x', 'write']);
});

it('reports files that were read and edited, without waiting, and no other tool', async () => {
  const plugin = await load('after', []);
  const use = (tool: string) =>
    plugin['tool.execute.after']({ tool, sessionID: 's', callID: 'c', args: { filePath: 'a.ts' } });
  await use('bash');
  await use('read');
  await expect
    .poll(() => (existsSync(join(folder, 'log')) ? asked() : []), { timeout: 5_000 })
    .toMatchObject([{ event: 'post-tool-use', tool: 'read', callID: 'c', args: { filePath: 'a.ts' } }]);
});

it('goes on when the program is gone', async () => {
  const plugin = await load('gone', ['bash'], join(folder, 'nowhere'));
  expect(await say(plugin, 's', 'one')).toBe('one');
  await plugin['tool.execute.before']({ tool: 'bash', sessionID: 's', callID: 'c' }, { args: {} });
});
