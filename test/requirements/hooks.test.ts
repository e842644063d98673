import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MARK_END, MARK_START } from '../../src/model/context-pack.ts';
import { type HookRecord, readHookRecords } from '../../src/surfaces/hook/index.ts';
import { contextOf, type HookPlace, hookPlace, PROJECT } from '../support/hook-kit.ts';

const TASK = 'Fix the race when the access token is refreshed in refreshToken';
const BODY = '3 export function refreshToken(clock: Clock) {\n4   return clock.now();\n5 }';
const SUMMARY = { LOADOUT_HOOK_FORM: 'summary' };
const agentCall = (prompt: string, id = 't1', type = 'backend') => ({
  tool_name: 'Agent',
  tool_use_id: id,
  tool_input: { description: 'Fix tokens', prompt, subagent_type: type, run_in_background: false },
});

interface ToolAnswer {
  readonly hookSpecificOutput: { readonly updatedInput: Readonly<Record<string, unknown>> };
}

function writeUserGuideline(place: HookPlace, guideline: unknown): void {
  const folder = join(place.home, 'config/guidelines');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'own.json'), JSON.stringify(guideline));
}

describe('packages and hooks, section 5: Hook Integration', () => {
  it('Read task description from input, build, format as context summary (file list + key symbols)', async () => {
    const { ask } = hookPlace(PROJECT, SUMMARY);
    const text = contextOf(await ask('user-prompt-submit', { prompt: TASK }));
    expect(text).toContain('## Context Package\nTask: Fix the race when the access token is refreshed');
    expect(text).toMatch(
      /\nFiles listed: \d+ \(about [\d,]+ tokens to read\)\nBudget: 100,000 tokens\n\n### Key Files\n/,
    );
    expect(text).toMatch(/\n- src\/auth\/token\.ts \(relevance: [01]\.\d\d\)\n {2}Symbols: .*refreshToken/);
    expect(text).toContain('### Dependencies\n');
    expect(text).toContain('- src/auth/session.ts -> src/auth/token.ts');
  });

  it('Every agent task starts with a closed, pre-assembled Context Package: the task of a subagent is in PreToolUse', async () => {
    const { ask } = hookPlace();
    const call = agentCall(TASK);
    const answer = (await ask('pre-tool-use', call)) as ToolAnswer;
    const { prompt, ...others } = answer.hookSpecificOutput.updatedInput;
    const { prompt: before, ...same } = call.tool_input;
    expect(others).toEqual(same);
    expect(prompt).toMatch(new RegExp(`^${MARK_START}\n[\\s\\S]+\n${MARK_END}\n\n`));
    expect(String(prompt).endsWith(`${MARK_END}\n\n${before}`)).toBe(true);
    expect(prompt).toContain(
      `src/auth/token.ts:2-5 refreshToken  (named in the task)\n2 /** Refreshes the access token. */\n${BODY}`,
    );
  });

  it('two subagents in parallel each get their own', async () => {
    const { ask } = hookPlace();
    const [tokens, queue] = await Promise.all([
      ask('pre-tool-use', agentCall(TASK, 't1')),
      ask('pre-tool-use', agentCall('Raise the number of attempts of the retryQueue', 't2')),
    ]);
    const first = (answer: unknown) => /\n\n(\S+?):\d/.exec(contextOf(answer))?.[1];
    expect(first(tokens)).toBe('src/auth/token.ts');
    expect(first(queue)).toBe('src/queue/retry.ts');
  });

  it('Combine guardrails + context into additionalContext: SubagentStart', async () => {
    const place = hookPlace();
    writeUserGuideline(place, {
      id: 'small-steps',
      name: 'Small Steps',
      condition: { agents: ['backend'], actions: ['fix'] },
      action: { type: 'instruction', instruction: 'Work in small steps.' },
    });
    await place.ask('pre-tool-use', agentCall(TASK));
    const told = contextOf(await place.ask('subagent-start', { agent_type: 'backend' }));
    expect(told).toContain('Small Steps: Work in small steps.');
    // the brief was in front of its task; it is not said twice
    expect(told).not.toContain('src/auth/token.ts');
  });

  it.each(['prompt', 'task', 'task_description', 'description'])(
    'Read task description from input (if available): %s of SubagentStart, once',
    async (field) => {
      const { ask } = hookPlace();
      const input = { agent_type: 'backend', agent_id: 'a1', [field]: TASK };
      const told = contextOf(await ask('subagent-start', input));
      expect(told).toContain(BODY);
      expect(told).toContain('Context Package Enforcement');
      // a client that tells the task again as a prompt of the agent's own
      expect(await ask('user-prompt-submit', { ...input, prompt: TASK })).toEqual({});
    },
  );

  it('for agents started without a task text: the task of the session', async () => {
    const { ask } = hookPlace();
    await ask('user-prompt-submit', { prompt: TASK });
    const told = contextOf(await ask('subagent-start', { agent_type: 'explorer' }));
    expect(told).toContain('src/auth/token.ts');
    expect(told.length).toBeLessThan(10_000);
  });

  it('no task description: no context', async () => {
    const { ask } = hookPlace();
    expect(await ask('user-prompt-submit', {})).toEqual({});
    expect(await ask('pre-tool-use', agentCall('  '))).toEqual({});
    expect(await ask('subagent-start', { agent_type: 'backend' })).toEqual({});
  });

  it.each([
    '<task-notification>\n<task-id>1</task-id> the agent has finished its work</task-notification>',
    '/compact everything that was said so far',
    'yes',
    'go on please',
    '!ls -la in this folder here',
  ])('machine turns, commands and short prompts get nothing: %s', async (prompt) => {
    const { ask } = hookPlace();
    expect(await ask('user-prompt-submit', { prompt })).toEqual({});
  });

  it('Write cache for cross-hook state: nothing is told twice', async () => {
    const { ask } = hookPlace();
    expect(contextOf(await ask('user-prompt-submit', { prompt: TASK }))).not.toBe('');
    expect(await ask('user-prompt-submit', { prompt: TASK })).toEqual({});
    expect(contextOf(await ask('user-prompt-submit', { prompt: TASK, session_id: 's2' }))).not.toBe('');
    expect(contextOf(await ask('pre-tool-use', agentCall(TASK)))).not.toBe('');
    expect(await ask('pre-tool-use', agentCall(TASK))).toEqual({});
  });

  it('the map of the repository comes once, and again after compaction, for users who want it', async () => {
    const { ask } = hookPlace(PROJECT, { LOADOUT_SESSION_MAP: 'on' });
    const map = contextOf(await ask('session-start', { source: 'startup' }));
    expect(map).toContain('src/auth/token.ts');
    expect(map.length).toBeLessThan(10_000);
    expect(await ask('session-start', { source: 'startup' })).toEqual({});
    expect(await ask('session-start', { source: 'resume' })).toEqual({});
    await ask('user-prompt-submit', { prompt: TASK });
    expect(contextOf(await ask('session-start', { source: 'compact' })).endsWith(map)).toBe(true);
  });

  it('what a hook gave, and what an agent then read, can be looked up', async () => {
    const { ask, cache, path } = hookPlace();
    const text = contextOf(await ask('user-prompt-submit', { prompt: TASK }));
    const tool = {
      tool_name: 'Read',
      tool_use_id: 't1',
      tool_input: { file_path: 'src/clock.ts', limit: 2 },
    };
    expect(await ask('post-tool-use', tool)).toEqual({});
    const records: readonly HookRecord[] = readHookRecords(cache, path);
    expect(records).toMatchObject([
      { kind: 'answer', verdict: 'full', characters: text.length, prompt: TASK },
      { kind: 'file', how: 'read', path: 'src/clock.ts', lines: [1, 2] },
    ]);
  });

  it('CONTEXT_PACKAGE_SUMMARY_MAX_TOKENS: Maximum tokens for the summary injected into hook', async () => {
    const { ask } = hookPlace(PROJECT, { ...SUMMARY, CONTEXT_PACKAGE_SUMMARY_MAX_TOKENS: '60' });
    const text = contextOf(await ask('user-prompt-submit', { prompt: TASK }));
    const summary = text.slice(text.indexOf('## Context Package'), text.indexOf('\nPackage '));
    const { loadTokenCounter } = await import('../../src/context/fit/count-tokens.ts');
    const count = await loadTokenCounter('o200k_base');
    expect(summary).toContain('Task:');
    expect(count(summary)).toBeLessThanOrEqual(60);
  });

  it('CONTEXT_PACKAGE_ENABLED: Master enable/disable for context assembly', async () => {
    const { ask } = hookPlace(PROJECT, { CONTEXT_PACKAGE_ENABLED: 'false' });
    expect(await ask('user-prompt-submit', { prompt: TASK })).toEqual({});
  });

  it('Filter by agent path restrictions (from guardrails)', async () => {
    const place = hookPlace();
    writeUserGuideline(place, {
      id: 'no-tests',
      name: 'No Tests',
      condition: { agents: ['backend'] },
      action: { type: 'path_restriction', deny: ['test/**'] },
    });
    const forAgent = async (type: string) =>
      contextOf(
        await place.ask('pre-tool-use', agentCall('Fix the test of refreshToken in auth', type, type)),
      );
    expect(await forAgent('backend')).not.toContain('test/auth.test.ts');
    expect(await forAgent('tester')).toContain('test/auth.test.ts');
  });

  it('a worker of Loadout gets nothing twice', async () => {
    const { ask } = hookPlace(PROJECT, { LOADOUT_WORKER: '1' });
    expect(await ask('user-prompt-submit', { prompt: TASK })).toEqual({});
    expect(await ask('session-start', { source: 'startup' })).toEqual({});
  });

  it('a tool is refused only where the user has set it', async () => {
    const place = hookPlace();
    const rule = {
      id: 'no-shell',
      name: 'No Shell',
      condition: { agents: ['backend'] },
      action: { type: 'tool_restriction', tools: ['Bash'], instruction: 'Use the tools for files.' },
    };
    const bash = { agent_type: 'backend', tool_name: 'Bash', tool_input: { command: 'ls' } };
    place.write('.loadout/guidelines/own.json', JSON.stringify(rule));
    expect(await place.ask('pre-tool-use', bash)).toEqual({});
    writeUserGuideline(place, rule);
    expect(await place.ask('pre-tool-use', bash)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'No Shell: Use the tools for files.',
      },
    });
    expect(await place.ask('pre-tool-use', { ...bash, agent_type: 'other' })).toEqual({});
  });

  it('is the same text wherever the repository and the cache are, and the same id for the same commit', async () => {
    const place = hookPlace();
    const first = contextOf(await place.ask('user-prompt-submit', { prompt: TASK }));
    const copy = hookPlace({});
    rmSync(copy.path, { recursive: true });
    place.git('clone', '--quiet', place.path, copy.path);
    expect(contextOf(await copy.ask('user-prompt-submit', { prompt: TASK }))).toBe(first);
    expect(first).toMatch(/\nMissing something\? loadout gap --package [0-9a-f]{16} "what was missing"\n/);
  });

  it('the package is built from the files on disk now', async () => {
    const place = hookPlace();
    await place.ask('user-prompt-submit', { prompt: TASK });
    place.write('src/auth/refresh-race.ts', 'export function refreshRace() {\n  return "access token";\n}\n');
    const text = contextOf(await place.ask('user-prompt-submit', { prompt: TASK, session_id: 's2' }));
    expect(text).toContain('src/auth/refresh-race.ts');
  });
});
