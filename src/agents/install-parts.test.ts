import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { claude } from './claude.ts';
import { gemini } from './gemini.ts';
import { hookLine, hookValue, toolMatcher, wantedHooks } from './install-parts.ts';

describe('the line of a hook', () => {
  const gone = { program: '/no/such/place/loadout', args: [] };

  it('ends with 0 for Gemini even when the program is gone: any other code above 1 forbids the turn', () => {
    const line = hookLine(gone, 'before-agent', gemini);
    expect(spawnSync('sh', ['-c', line]).status).toBe(0);
    expect(spawnSync('sh', ['-c', hookLine(gone, 'session-start', claude)]).status).toBe(127);
  });

  it('keeps what the program says', () => {
    const echo = { program: 'echo', args: ['{}'] };
    const { stdout } = spawnSync('sh', ['-c', hookLine(echo, 'before-agent', gemini)], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('{} hook before-agent --client gemini\n');
  });
});

it('Gemini is asked before a subagent starts, and before no other tool', () => {
  const event = wantedHooks(gemini.hooks, []).find(({ name }) => name === 'BeforeTool')!;
  const value = hookValue(event, { program: 'loadout', args: [] }, gemini);
  expect(value).toMatchObject({ matcher: 'invoke_agent', hooks: [{ timeout: 20_000 }] });
});

it.each([
  [['Agent', 'Task'], [], 'Agent|Task'],
  [['Agent', 'Task'], ['agent', 'webfetch'], 'Agent|Task|agent|WebFetch|webfetch'],
  [[], ['mcp__a__*', 'a.b'], '^(?:mcp__a__.*|a\\.b)$'],
  [['Agent'], ['*'], '.*'],
  [[], [], ''],
])('%j and %j are asked for by %s', (own, tools, matcher) => {
  expect(toolMatcher(own, tools)).toBe(matcher);
  for (const tool of tools)
    if (matcher !== '') expect(tool.replace('*', 'anything')).toMatch(new RegExp(matcher));
});
