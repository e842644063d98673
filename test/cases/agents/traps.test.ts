import { describe, expect, it } from 'vitest';
import type { AgentOutput, AgentStart } from '../../../src/agents/agent-worker.ts';
import { WORKER_NAMES, type WorkerName, workerOf } from '../../../src/agents/table.ts';
import { agentFailure } from '../../../src/agents/worker-answer.ts';

const START: AgentStart = {
  cwd: '/repo',
  permissions: 'edit',
  model: null,
  flags: [],
  schema: null,
  schemaFile: null,
  resume: null,
};
const ended = (stdout: string, more: Partial<AgentOutput> = {}): AgentOutput => ({
  stdout,
  stderr: '',
  exitCode: 0,
  signal: null,
  ...more,
});
const lines = (...events: readonly unknown[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');
const names: readonly WorkerName[] = WORKER_NAMES;

describe.each(names)('%s', (name) => {
  const adapter = workerOf(name);

  it('ends with exit code 0 and no output: a failure that may be temporary', () => {
    for (const stdout of ['', '\n', '[]', '{}', 'null']) {
      expect(adapter.read(ended(stdout)), JSON.stringify(stdout)).toMatchObject({ ok: false });
    }
    expect(adapter.read(ended('')).error).toMatchObject({ kind: 'empty', isTransient: true });
  });

  it('is ended by a signal or by its own crash', () => {
    expect(adapter.read(ended('', { exitCode: null, signal: 'SIGKILL' })).error).toMatchObject({
      kind: 'crash',
      message: 'ended by SIGKILL',
      isTransient: false,
    });
    const crash = ended('', {
      exitCode: 7,
      stderr: 'TypeError: x is not a function\n    at main (a.js:1:1)\n',
    });
    expect(adapter.read(crash).error).toMatchObject({
      kind: 'crash',
      message: 'TypeError: x is not a function',
    });
  });

  it('never throws, whatever it printed', () => {
    const odd = ['{"type":"result"', '[1,null,"x"]', '{"type":"result","result":5,"usage":[],"errors":{}}'];
    const more = ['{"type":"item.completed"}', '{"type":"error"}', '{"response":{}}', '\u0000', '}'];
    for (const stdout of [...odd, ...more]) {
      for (const exitCode of [0, 1]) {
        const answer = adapter.read(ended(stdout, { exitCode, stderr: stdout }));
        expect(answer.ok).toBe(false);
        expect(answer.error?.message).not.toBe('');
      }
    }
  });

  it('is marked as a worker and takes the role flags', () => {
    const invocation = adapter.start({ ...START, flags: ['--verbose'], model: 'some/model' });
    expect(invocation.args).toEqual(expect.arrayContaining(['--verbose', '--model=some/model']));
    expect(invocation.env.LOADOUT_WORKER).toBe('1');
  });

  it('starts differently for each permission', () => {
    const of = (permissions: AgentStart['permissions']): string =>
      JSON.stringify(adapter.start({ ...START, permissions }));
    expect(new Set([of('read-only'), of('edit'), of('full')]).size).toBe(3);
  });

  it('continues a session when it is asked to', () => {
    const args = adapter.start({ ...START, resume: 'session-1' }).args.join(' ');
    expect(args.includes('session-1')).toBe(adapter.canResume);
  });

  it('asks for the schema by the way it has', () => {
    const text = { type: 'string' };
    const schema = {
      type: 'object',
      title: 'Marker',
      properties: { text },
      required: ['text'],
      additionalProperties: false,
    };
    const args = adapter.start({ ...START, schema, schemaFile: '/elsewhere/schema.json' }).args.join(' ');
    expect(args.includes('Marker')).toBe(adapter.hasNativeSchema === 'argument');
    expect(args.includes('/elsewhere/schema.json')).toBe(adapter.hasNativeSchema === 'file');
  });
});

it.each([
  ['claude', 'Done.\n```json\n{"status":"SUCCESS"}\n```\n'],
  ['codex', lines({ type: 'result', result: '```json\n{"status":"SUCCESS"}\n```' })],
  ['gemini', lines({ output: '```json\n{"status":"SUCCESS"}\n```' })],
  ['gemini', lines({ text: '```json\n{"status":"SUCCESS"}\n```' })],
  ['gemini', 'Done.\n```json\n{"status":"SUCCESS"}\n```\n'],
] as const)('%s is not read in a form that it does not print: %j', (name, stdout) => {
  expect(workerOf(name).read(ended(stdout))).toMatchObject({ ok: false });
});

describe('claude', () => {
  const result = { type: 'result', subtype: 'success', is_error: false, num_turns: 1, session_id: 's' };

  it('takes the last of several results', () => {
    const stdout = lines({ ...result, result: 'first' }, { type: 'system' }, { ...result, result: 'second' });
    expect(workerOf('claude').read(ended(stdout)).text).toBe('second');
  });

  it('believes is_error, not subtype', () => {
    const stdout = lines({ ...result, is_error: true, api_error_status: 529, result: 'Overloaded' });
    expect(workerOf('claude').read(ended(stdout)).error).toMatchObject({
      kind: 'overloaded',
      isTransient: true,
    });
  });

  it('recognises endings without an answer', () => {
    const budget = lines({
      ...result,
      subtype: 'error_max_budget_usd',
      is_error: true,
      errors: ['too dear'],
    });
    expect(workerOf('claude').read(ended(budget)).error).toMatchObject({
      kind: 'budget',
      message: 'too dear',
    });
    const strange = lines({ ...result, subtype: 'error_during_execution', result: 'half' });
    expect(workerOf('claude').read(ended(strange)).ok).toBe(false);
    const blocked = lines({ ...result, num_turns: 0, result: 'blocked by hook' });
    expect(workerOf('claude').read(ended(blocked)).error?.kind).toBe('blocked');
  });

  it('reports a tool that was denied', () => {
    const denial = { tool_name: 'Bash', tool_use_id: 't', tool_input: {} };
    const stdout = lines({ ...result, result: 'done', permission_denials: [denial, denial] });
    expect(workerOf('claude').read(ended(stdout))).toMatchObject({
      ok: true,
      warnings: ['the tool Bash was denied'],
    });
  });

  it('counts cached tokens as read', () => {
    const usage = {
      input_tokens: 5,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 20,
      output_tokens: 7,
    };
    expect(workerOf('claude').read(ended(lines({ ...result, result: 'x', usage }))).usage).toEqual({
      inputTokens: 125,
      cachedInputTokens: 100,
      outputTokens: 7,
    });
  });

  it('keeps hooks, servers and settings of the repository out and gives up early', () => {
    const { args, env } = workerOf('claude').start(START);
    expect(args.join(' ')).toContain(
      '--setting-sources user --settings {"disableAllHooks":true} --strict-mcp-config',
    );
    expect(Number(env.CLAUDE_CODE_MAX_RETRIES)).toBeLessThanOrEqual(2);
  });
});

describe('qwen', () => {
  it('gives its structured answer under its own field name', () => {
    const result = {
      type: 'result',
      is_error: false,
      num_turns: 1,
      result: '{"a":1}',
      structured_result: { a: 1 },
    };
    expect(workerOf('qwen').read(ended(JSON.stringify([result])))).toMatchObject({
      ok: true,
      structured: { a: 1 },
    });
  });
});

describe('codex', () => {
  const started = { type: 'thread.started', thread_id: 't' };
  const message = (text: string) => ({ type: 'item.completed', item: { type: 'agent_message', text } });

  it('does not mistake a retry or a remark for a failure', () => {
    const stdout = lines(
      started,
      { type: 'item.completed', item: { type: 'error', message: 'unknown model' } },
      { type: 'error', message: 'Reconnecting... 1/5' },
      message('done'),
      { type: 'turn.completed', usage: {} },
    );
    expect(workerOf('codex').read(ended(stdout))).toMatchObject({
      ok: true,
      text: 'done',
      warnings: ['unknown model'],
    });
  });

  it('does not mistake a remark between tool calls for the answer of an unfinished turn', () => {
    expect(workerOf('codex').read(ended(lines(started, message('Let me look')))).ok).toBe(false);
  });

  it('says that the folder is not trusted', () => {
    const stderr = 'Not inside a trusted directory and --skip-git-repo-check was not specified.';
    expect(workerOf('codex').read(ended('', { exitCode: 1, stderr })).error?.kind).toBe('untrusted-folder');
    expect(workerOf('codex').start(START).args).toContain('--skip-git-repo-check');
  });

  it('reads its prompt from the standard input, also when it continues', () => {
    expect(workerOf('codex').start(START).args.at(-1)).toBe('-');
    expect(
      workerOf('codex')
        .start({ ...START, resume: 'id' })
        .args.slice(-3),
    ).toEqual(['resume', 'id', '-']);
  });
});

describe('gemini', () => {
  it.each([
    [41, 'auth'],
    [42, 'bad-request'],
    [52, 'bad-request'],
    [53, 'turn-limit'],
    [55, 'untrusted-folder'],
    [130, 'crash'],
  ])('exit code %i is %s', (exitCode, kind) => {
    const stderr =
      'stack\n{\n  "session_id": "s",\n  "error": {"type": "Fatal", "message": "why", "code": 41}\n}\n';
    expect(workerOf('gemini').read(ended('', { exitCode, stderr }))).toMatchObject({
      sessionId: 's',
      error: { kind, message: 'why' },
    });
  });

  it('finds its object behind noise on the standard output', () => {
    const stdout = `Loaded cached credentials.\n${JSON.stringify({ session_id: 's', response: 'hi' }, null, 2)}\n`;
    expect(workerOf('gemini').read(ended(stdout))).toMatchObject({ ok: true, text: 'hi', sessionId: 's' });
  });
});

describe('opencode', () => {
  const text = (messageID: string, value: string) => ({
    type: 'text',
    sessionID: 's',
    part: { messageID, text: value },
  });
  const finish = (reason: string) => ({ type: 'step_finish', sessionID: 's', part: { reason, tokens: {} } });

  it('joins only the pieces of the last message', () => {
    const stdout = lines(
      text('1', 'look'),
      finish('tool-calls'),
      text('2', 'a'),
      text('2', 'b'),
      finish('stop'),
    );
    expect(workerOf('opencode').read(ended(stdout))).toMatchObject({ ok: true, text: 'ab' });
  });

  it('is not done after a tool call', () => {
    expect(workerOf('opencode').read(ended(lines(text('1', 'look'), finish('tool-calls')))).ok).toBe(false);
    expect(workerOf('opencode').read(ended(lines(text('1', 'cut'), finish('length'))))).toMatchObject({
      ok: true,
      warnings: ['the answer was cut at the limit of the model'],
    });
  });
});

describe('copilot', () => {
  it('continues after an error that it recovered from', () => {
    const stdout = lines(
      { type: 'session.error', data: { message: 'HTTP 503', statusCode: 503 } },
      { type: 'assistant.message', data: { content: 'done' } },
      { type: 'assistant.message', data: { content: '' } },
      { type: 'result', sessionId: 's', exitCode: 0 },
    );
    expect(workerOf('copilot').read(ended(stdout))).toMatchObject({ ok: true, text: 'done' });
  });
});

describe('why it failed', () => {
  it.each([
    ['Rate limit reached for gpt', null, 'rate-limit', true, null],
    ['something', 429, 'rate-limit', true, 429],
    ['something', 503, 'overloaded', true, 503],
    ['something', 404, 'bad-request', false, 404],
    ['something', 402, 'budget', false, 402],
    ['stream disconnected before completion: error sending request', null, 'network', true, null],
    ['connect ECONNREFUSED 127.0.0.1:1', null, 'network', true, null],
    ['unexpected status 503 Service Unavailable: x', null, 'overloaded', true, 503],
    ['{"error":{"message":"wrong","code":403}}', null, 'auth', false, 403],
    ['Please run /login', null, 'auth', false, null],
    ['nobody knows', null, 'unknown', false, null],
  ])('%s (%s) is %s', (message, status, kind, isTransient, knownStatus) => {
    expect(agentFailure(message, status)).toMatchObject({ kind, isTransient, status: knownStatus });
  });

  it('keeps a message short', () => {
    expect(agentFailure('x'.repeat(1_000_000)).message.length).toBeLessThan(3_000);
  });
});
