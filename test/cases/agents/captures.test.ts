import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentAnswer } from '../../../src/agents/agent-worker.ts';
import { type WorkerName, workerOf } from '../../../src/agents/table.ts';

const FOLDER = join(import.meta.dirname, '../../clients/captures');
const ANSWER =
  /^Here is my analysis of the task\.[\s\S]*Final answer:\n\n```json\n\{"status":"ok",[\s\S]*\n```\n$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

interface Capture {
  readonly exitCode?: number;
  readonly answer: Partial<Record<keyof AgentAnswer, unknown>>;
}

const good = (more: Partial<Record<keyof AgentAnswer, unknown>> = {}): Capture => ({
  answer: {
    ok: true,
    text: expect.stringMatching(ANSWER),
    error: null,
    structured: undefined,
    sessionId: expect.stringMatching(UUID),
    ...more,
  },
});
const bad = (
  kind: string,
  message: RegExp,
  status: number | null = null,
  exitCode = 1,
  isTransient = false,
): Capture => ({
  exitCode,
  answer: {
    ok: false,
    structured: undefined,
    error: { kind, message: expect.stringMatching(message), isTransient, status },
  },
});
const tokens = (inputTokens: number, outputTokens: number, cachedInputTokens = 0) => ({
  usage: { inputTokens, outputTokens, cachedInputTokens },
});

/** The name says the CLI; what ends in `.stderr.txt` stood on the standard error, with nothing on the other. */
const CAPTURES: Readonly<Record<string, Capture>> = {
  'claude-json.txt': good({ ...tokens(123, 45), costUsd: 0.001392, warnings: [] }),
  'claude-json-tool-denied.txt': good(tokens(123, 45)),
  // 615 of all models: `usage` would say 123 and leave the subagents out.
  'claude-json-parallel.txt': good({ ...tokens(615, 225), costUsd: 0.00696 }),
  'claude-json-schema.txt': good({
    text: '{"status":"ok","findings":["a"]}',
    structured: { status: 'ok', findings: ['a'] },
  }),
  'claude-json-schema-nocomply.txt': good(),
  'claude-json-err400.txt': bad('bad-request', /^API Error: 400 prompt is bad$/, 400),
  'claude-json-maxturns.txt': bad('turn-limit', /^Reached maximum number of turns \(1\)$/),
  'claude-stream-json.txt': good(tokens(123, 45)),
  'claude-stream-err401-maxretries1.txt': bad('auth', /^Invalid API key/, 401),
  'claude-sub-parallel.txt': good(tokens(615, 225)),
  'claude-subagent-hooks-stream.txt': good(tokens(492, 180)),
  'claude-t-exit2-UserPromptSubmit.txt': bad(
    'blocked',
    /^UserPromptSubmit operation blocked by hook/,
    null,
    0,
  ),
  'claude-text.txt': bad('unknown', /^printed text where JSON was asked for: Here is my/, null, 0),
  'codex-exec-json.txt': good({ ...tokens(100, 20, 10), costUsd: null }),
  'codex-exec-json-tool.txt': good(tokens(200, 40, 20)),
  'codex-exec-json-hooks.txt': good({
    warnings: [
      expect.stringMatching(/^`--dangerously-bypass-hook-trust` is enabled/),
      expect.stringMatching(/^clamping SessionEnd/),
      expect.stringMatching(/^clamping Interrupt/),
      expect.stringMatching(/^Model metadata/),
    ],
  }),
  'codex-exec-json-schema.txt': good({
    text: '{"status":"ok","findings":["a"]}',
    structured: { status: 'ok', findings: ['a'] },
  }),
  'codex-exec-json-err400.txt': bad('bad-request', /^bad request stub$/),
  'codex-exec-json-err401.txt': bad('auth', /^unexpected status 401 Unauthorized/, 401),
  'codex-exec-text.txt': bad('empty', /^ended before the turn was complete$/, null, 0, true),
  'copilot-json.txt': good({ usage: null }),
  'copilot-json-err401.txt': bad('auth', /^Authentication failed with provider/, 401),
  'gemini-json.txt': good(tokens(100, 40)),
  'gemini-json-tool.txt': good(tokens(150, 60)),
  // Google answers a wrong key with the status 400.
  'gemini-json-err400.stderr.txt': bad('auth', /^API key not valid\. stub$/, 400, 144),
  'gemini-json-err401.stderr.txt': bad('auth', /^API key not valid\. stub$/, 401, 145),
  'gemini-untrusted.stderr.txt': bad('untrusted-folder', /^Gemini CLI is not running in a trusted/, null, 55),
  'gemini-stream.txt': good(tokens(100, 40)),
  'gemini-stream-tool.txt': good(tokens(150, 60)),
  'gemini-stream-err400.txt': bad('auth', /^API key not valid\. stub$/, 400, 144),
  'opencode-json.txt': good({ sessionId: expect.stringMatching(/^ses_/), ...tokens(100, 40), costUsd: 0 }),
  'opencode-json-err401.txt': bad('auth', /^Incorrect API key provided$/, 401),
  'qwen-json.txt': good(tokens(100, 40)),
  'qwen-json-err401.txt': bad('auth', /^401 Incorrect API key provided$/, 401),
  'qwen-stream.txt': good(tokens(100, 40)),
};

describe('what the real CLIs printed', () => {
  it('has a capture for every CLI', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(CAPTURES).sort());
  });

  it.each(Object.entries(CAPTURES))('%s', (file, { exitCode = 0, answer }) => {
    const adapter = workerOf(file.split('-')[0] as WorkerName);
    const content = readFileSync(join(FOLDER, file), 'utf8');
    const onStderr = file.endsWith('.stderr.txt');
    const read = adapter.read({
      stdout: onStderr ? '' : content,
      stderr: onStderr ? content : '',
      exitCode,
      signal: null,
    });
    expect(read).toMatchObject(answer);
  });

  it.each(Object.entries(CAPTURES).filter(([file]) => !file.includes('text')))(
    '%s does not count as success when the process failed',
    (file) => {
      const adapter = workerOf(file.split('-')[0] as WorkerName);
      const stdout = readFileSync(join(FOLDER, file), 'utf8');
      expect(adapter.read({ stdout, stderr: '', exitCode: null, signal: 'SIGTERM' }).ok).toBe(false);
      expect(adapter.read({ stdout, stderr: '', exitCode: 3, signal: null }).ok).toBe(false);
    },
  );
});
