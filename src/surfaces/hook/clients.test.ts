import { describe, expect, it } from 'vitest';
import { capturedInputs, contextOf, hookPlace, PROJECT } from '../../../test/support/hook-kit.ts';
import { HOOK_CLIENTS } from '../../agents/table.ts';
import { readEvent, readHookCall } from './hook-call.ts';

const TASK = 'Fix the race when the access token is refreshed in refreshToken';

/** Many files with long paths that all match, so that a summary would have more than a client takes. */
function manyFiles(words = 'access token'): Record<string, string> {
  const files: Record<string, string> = {};
  for (let number = 0; number < 60; number++) {
    const names = Array.from({ length: 8 }, (_, at) => `refreshAccessTokenOfTheRace${number}Variant${at}`);
    const path = `src/${'very-long-folder-name-for-tokens/'.repeat(4)}refresh-token-${number}.ts`;
    files[path] = names
      .map((name) => `export function ${name}() { return '${words} refresh race'; }`)
      .join('\n');
  }
  return files;
}

describe('what the real clients send', () => {
  it.each(['claude', 'codex', 'gemini', 'copilot', 'qwen'] as const)(
    '%s: every captured input is understood',
    (client) => {
      const inputs = capturedInputs(client, '/project');
      expect(inputs.length).toBeGreaterThan(3);
      for (const input of inputs) {
        const call = readHookCall(client, 'pre-tool-use', input);
        expect(call.cwd).toBe('/project');
        expect(call.sessionId).not.toBe('');
      }
      const tools = inputs.map((input) => readHookCall(client, 'pre-tool-use', input).tool).filter(Boolean);
      expect(tools.length).toBeGreaterThan(0);
      expect(tools.every((tool) => Object.keys(tool!.input).length > 0)).toBe(true);
    },
  );

  it.each(['claude', 'codex', 'gemini', 'copilot', 'qwen'] as const)(
    '%s: a whole captured session is answered without an error',
    async (client) => {
      const { path, ask } = hookPlace();
      for (const input of capturedInputs(client, path)) {
        const event = String(input.hook_event_name ?? (input.prompt ? 'userPromptSubmitted' : 'preToolUse'));
        expect(await ask(event, input, client)).toEqual(expect.any(Object));
      }
    },
  );

  it('events have the names that clients give them', () => {
    expect(readEvent('PreToolUse')).toBe('pre-tool-use');
    expect(readEvent('preToolUse')).toBe('pre-tool-use');
    expect(readEvent('userPromptSubmitted')).toBe('user-prompt-submit');
    expect(readEvent('BeforeTool')).toBe('pre-tool-use');
    expect(readEvent('Stop')).toBeNull();
    expect(readEvent('__proto__')).toBeNull();
  });
});

describe('Claude Code', () => {
  it('gets less than 10,000 UTF-16 characters as additional context, however much there is to say', async () => {
    const { ask } = hookPlace(manyFiles(), { LOADOUT_HOOK_MAX_CHARS: '50000' });
    const text = contextOf(await ask('user-prompt-submit', { prompt: TASK }));
    expect(text.length).toBeLessThan(10_000);
    expect(text.length).toBeGreaterThan(5_000);
    expect(contextOf(await ask('subagent-start', { agent_type: 'x' })).length).toBeLessThan(10_000);
  });
});

describe('Codex', () => {
  it('gets what its limit of 2,500 tokens of four bytes leaves whole', async () => {
    const { ask } = hookPlace(manyFiles('日本語のトークン'), { LOADOUT_HOOK_MAX_CHARS: '20000' });
    const text = contextOf(await ask('UserPromptSubmit', { prompt: TASK }, 'codex'));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(9_800);
    expect(Buffer.byteLength(text)).toBeGreaterThan(5_000);
    expect(text).toContain('日本語のトークン');
  });
});

describe('subagents of Codex', () => {
  const agent = { agent_id: 'a1', agent_type: 'default' };

  it('get the package of the prompt that they start with, not that of their parent', async () => {
    const { ask } = hookPlace();
    expect(contextOf(await ask('UserPromptSubmit', { prompt: TASK }, 'codex'))).toContain('token.ts');
    expect(await ask('SubagentStart', agent, 'codex')).toEqual({});
    const other = { ...agent, agent_id: 'a2' };
    const prompt = 'Give retryQueue one more attempt';
    const own = contextOf(await ask('UserPromptSubmit', { ...agent, prompt }, 'codex'));
    expect(own).toContain('src/queue/retry.ts');
    expect(own).not.toContain('token.ts');
    // what its parent knows, a subagent does not
    expect(contextOf(await ask('UserPromptSubmit', { ...other, prompt: TASK }, 'codex'))).toContain(
      'token.ts',
    );
  });
});

describe('subagents of Copilot', () => {
  // as the real one sends it: a session of its own, and what the start was answered with before the task
  const agent = { agentId: 'a1', agentType: 'general-purpose', parentAgentId: 's1' };

  it('get the package of their own task, and guidelines once', async () => {
    const { ask } = hookPlace({
      ...PROJECT,
      '.loadout/guidelines/all.json': JSON.stringify({
        ...{ id: 'all', name: 'All', action: { type: 'instruction', instruction: 'KEEP-IT-SMALL' } },
        condition: { events: ['subagent-start', 'user-prompt-submit'] },
      }),
    });
    const session = { session_id: undefined, sessionId: 's1' };
    await ask(
      'userPromptSubmitted',
      { ...session, prompt: 'Please look after this program for me' },
      'copilot',
    );
    const started = await ask(
      'subagentStart',
      { ...session, ...agent, agentName: 'general-purpose' },
      'copilot',
    );
    const welcome = contextOf(started);
    expect(welcome).toContain('KEEP-IT-SMALL');
    expect(welcome).not.toContain('src/');
    const prompt = `${welcome}\n\n${TASK}`;
    const told = await ask(
      'userPromptSubmitted',
      { session_id: undefined, sessionId: 'a1', ...agent, prompt },
      'copilot',
    );
    expect(contextOf(told)).toContain('3 export function refreshToken(clock: Clock) {');
    expect(contextOf(told)).not.toContain('KEEP-IT-SMALL');
  });
});

describe('two hooks for one event, where a client is set up twice', () => {
  const events: readonly (readonly [string, Record<string, unknown>])[] = [
    ['session-start', { source: 'startup' }],
    ['user-prompt-submit', { prompt: TASK }],
    ['pre-tool-use', { tool_name: 'Task', tool_use_id: 't1', tool_input: { prompt: TASK } }],
  ];

  it.each(events)('%s is answered once', async (event, input) => {
    const { ask } = hookPlace(PROJECT, { LOADOUT_SESSION_MAP: 'on' });
    const answers = await Promise.all([ask(event, input), ask(event, input)]);
    expect(answers.filter((answer) => contextOf(answer) !== '')).toHaveLength(1);
  });

  it('do not silence the next event of the same kind', async () => {
    const { ask } = hookPlace();
    const task = (id: string) => ({ tool_name: 'Task', tool_use_id: id, tool_input: { prompt: TASK } });
    for (const id of ['t1', 't2', '', ''])
      expect(contextOf(await ask('pre-tool-use', task(id)))).toContain('token.ts');
  });
});

describe('Gemini', () => {
  const messages = [
    { role: 'user', content: 'setting up the context' },
    { role: 'model', content: 'Let me look. ' },
    { role: 'user', content: TASK },
    { role: 'model', content: 'Reading.' },
  ];

  it('gets its package before each model call, in the last words of the user, as many messages as before', async () => {
    const { ask } = hookPlace({
      ...PROJECT,
      'src/auth/box.ts': 'export class Box<T> { refreshToken?: T }\n',
    });
    const prompt = `<hook_context>x &lt;b&gt;</hook_context>\n\n${TASK}`;
    expect(await ask('BeforeAgent', { prompt }, 'gemini')).toEqual({});
    const call = () =>
      ask('BeforeModel', { llm_request: { model: 'm', messages, config: { topK: 1 } } }, 'gemini');
    const first = (await call()) as { hookSpecificOutput: { hookEventName: string; llm_request: object } };
    expect(first.hookSpecificOutput.hookEventName).toBe('BeforeModel');
    expect(Object.keys(first.hookSpecificOutput.llm_request)).toEqual(['messages']);
    const told = (first.hookSpecificOutput.llm_request as { messages: typeof messages }).messages;
    expect(told.map(({ role }) => role)).toEqual(messages.map(({ role }) => role));
    expect([told[0], told[1], told[3]]).toEqual([messages[0], messages[1], messages[3]]);
    expect(told[2]!.content).toContain('src/auth/token.ts');
    expect(told[2]!.content.endsWith(`\n\n${TASK}`)).toBe(true);
    expect(told[2]!.content).not.toMatch(/hook_context|&lt;/);
    // what a model call was told is not kept by the client: each one needs it, byte for byte
    expect(await call()).toEqual(first);
  });

  it('adds nothing of the turn to the call of a subagent, which does not hold the prompt', async () => {
    const { ask } = hookPlace();
    await ask('BeforeAgent', { prompt: TASK }, 'gemini');
    const subagent = [{ role: 'user', content: 'Give retryQueue one more attempt' }];
    expect(await ask('BeforeModel', { llm_request: { messages: subagent } }, 'gemini')).toEqual({});
    const input = { tool_name: 'invoke_agent', tool_input: { agent_name: 'generalist', prompt: TASK } };
    const answer = (await ask('BeforeTool', input, 'gemini')) as {
      hookSpecificOutput: { hookEventName: string; tool_input: Record<string, string> };
    };
    const { hookEventName, tool_input } = answer.hookSpecificOutput;
    expect(hookEventName).toBe('BeforeTool');
    expect(tool_input.agent_name).toBe('generalist');
    expect(tool_input.prompt).toContain('src/auth/token.ts');
    // the same words as the user's, with their package in front already
    const briefed = [{ role: 'user', content: `go\n${tool_input.prompt}` }];
    expect(await ask('BeforeModel', { llm_request: { messages: briefed } }, 'gemini')).toEqual({});
  });

  it('gets nothing for a turn that is not a task, and nothing at a session start, where code is escaped', async () => {
    const { ask } = hookPlace();
    await ask('BeforeAgent', { prompt: TASK }, 'gemini');
    await ask('BeforeAgent', { prompt: 'thanks' }, 'gemini');
    expect(await ask('BeforeModel', { llm_request: { messages } }, 'gemini')).toEqual({});
    expect(await ask('SessionStart', { source: 'startup' }, 'gemini')).toEqual({});
  });
});

describe('Qwen Code', () => {
  const NOTE = /^<context-pack source="loadout">\nQwen Code writes angle brackets /;
  const names = Array.from({ length: 30 }, (_, at) => `swapPair${at}`);
  const pairs = names.map((name) => `export function ${name}<A, B>(a: A, b: B) {\n  return [b, a];\n}\n`);
  const files = {
    'src/retry.ts': 'export const retryQueue = { attempts: 3 };\n',
    'src/pair.ts': pairs.join(''),
  };

  it('is told that brackets arrive escaped, where the text has some', async () => {
    const { ask } = hookPlace(files);
    const prompt = async (text: string) => contextOf(await ask('UserPromptSubmit', { prompt: text }, 'qwen'));
    const plain = await prompt('Give retryQueue one more attempt');
    expect(plain).toContain('1 export const retryQueue = { attempts: 3 };');
    expect(plain).not.toMatch(NOTE);
    const generic = await prompt('Let swapPair7 keep its order');
    expect(generic).toMatch(NOTE);
    expect(generic).toContain('22 export function swapPair7<A, B>(a: A, b: B) {');
    // It sends this event with an empty prompt after each tool.
    expect(await prompt('')).toBe('');
  });

  it('gets no more than hookMaxChars, the line about brackets included', async () => {
    const { ask } = hookPlace(files);
    for (const most of [700, 760, 820, 880]) {
      const input = { session_id: `s${most}`, prompt: `Let ${names.join(', ')} keep their order` };
      const limit = { LOADOUT_HOOK_MAX_CHARS: String(most) };
      const text = contextOf(await ask('UserPromptSubmit', input, 'qwen', limit));
      expect(text).toMatch(NOTE);
      expect(text.length).toBeLessThanOrEqual(most);
    }
  });
});

describe('flat answers', () => {
  it.each(['copilot', 'opencode'] as const)('%s: additionalContext is at the top level', async (client) => {
    const { ask, path } = hookPlace();
    const input = { session_id: undefined, sessionId: 'c1', cwd: path, prompt: TASK };
    const answer = (await ask('userPromptSubmitted', input, client)) as Record<string, unknown>;
    expect(Object.keys(answer)).toEqual(['additionalContext']);
    expect(answer.additionalContext).toContain('src/auth/token.ts');
  });

  it('opencode: the arguments of a task come back whole', async () => {
    const { ask } = hookPlace();
    const input = {
      tool: 'task',
      callID: 'c1',
      args: { prompt: TASK, description: 'd', subagent_type: 'general' },
    };
    const { toolInput } = (await ask('pre-tool-use', input, 'opencode')) as {
      toolInput: Record<string, string>;
    };
    expect(toolInput).toMatchObject({ description: 'd', subagent_type: 'general' });
    expect(toolInput.prompt).toContain('src/auth/token.ts');
  });
});

it('does not fail on inputs of the wrong shape', async () => {
  const { ask } = hookPlace({ 'a.ts': 'export const a = 1;\n' });
  const odd = [null, 1, [], {}, { deep: { er: [] } }, 'text'];
  for (const client of HOOK_CLIENTS)
    for (const value of odd) {
      const input = {
        session_id: value,
        prompt: value,
        tool_name: value,
        tool_input: value,
        source: value,
        agent_type: value,
      };
      for (const event of ['pre-tool-use', 'user-prompt-submit', 'subagent-start', 'before-model'])
        expect(await ask(event, { ...input, llm_request: value }, client)).toEqual(expect.any(Object));
    }
});
