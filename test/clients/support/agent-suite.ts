import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type WorkerName, workerOf } from '../../../src/agents/table.ts';
import { findAgent } from '../../../src/workers/run-environment.ts';
import { processesWith } from '../../support/process-tree.ts';
import { allText, endsWithToolResult } from '../stub/reply.ts';
import {
  CUT_ANSWER,
  FEEDBACK_WORD,
  RIGHT_ANSWER,
  type Scenario,
  type ScenarioName,
  STRUCTURED_VALUE,
  WRITTEN_FILE,
  WRONG_ANSWER,
} from '../stub/scenarios.ts';
import { Bench } from './run-agent.ts';

const SCHEMA = {
  type: 'object',
  properties: { status: { type: 'string' }, findings: { type: 'array', items: { type: 'string' } } },
  required: ['status', 'findings'],
  additionalProperties: false,
};
const PROMPT = 'TASK-MARKER: do the task <b>&amp; "quotes" `ticks` $HOME\n\n```ts\nconst a = 1;\n```\n';

export interface AgentTraits {
  readonly name: WorkerName;
  readonly version: string;
  /** How it treats an answer that ends at the output limit of the model. */
  readonly cutOff: 'failure' | 'text' | 'asks-for-more';
  /** A model, for a CLI that would ask another one which to take. */
  readonly model: string | null;
  /** Another model: the name that a user gives, and the name that its service gets. */
  readonly otherModel: { readonly given: string; readonly asked: string };
  readonly sessionIds?: RegExp;
  /** It counts requests and no tokens. */
  readonly hasNoUsage?: boolean;
  /** Long enough for it to ask its model. */
  readonly patienceMs?: number;
  /** Of the long prompt; fewer for a CLI that knows how much its model takes. */
  readonly promptLines?: number;
  /** The settings of this machine's user. */
  readonly flags?: readonly string[];
}

const UUID = /^[0-9a-f-]{36}$/;

/** The promises of Loadout about every CLI, checked with the real one. */
export function describeAgent(traits: AgentTraits): void {
  const {
    name,
    version,
    cutOff,
    sessionIds = UUID,
    hasNoUsage = false,
    patienceMs = 10_000,
    promptLines = 20_000,
  } = traits;
  const model = { model: traits.model, flags: traits.flags ?? [] };
  let bench: Bench | undefined;
  const open = async (scenario: ScenarioName | Scenario): Promise<Bench> => {
    bench = await Bench.open(scenario);
    return bench;
  };
  afterEach(async () => {
    await bench?.close();
    bench = undefined;
  });

  describe(name, () => {
    it('is found, with its version', async () => {
      const { env, folder } = await open('plain');
      const found = findAgent(name, env, folder);
      expect(await found.readVersion()).toBe(version);
      expect(() => findAgent(name, { ...env, PATH: '/nowhere' }, folder)).toThrow(
        expect.objectContaining({
          code: 'agent-not-found',
          hint: expect.stringContaining(workerOf(name).installLine),
        }),
      );
    });

    it('answers, with a session and its usage, and the prompt reaches the model as it is', async () => {
      const { stub, run } = await open('plain').then((it) => ({ stub: it.stub, run: it.run.bind(it) }));
      const { answer } = await run(name, PROMPT, model);
      expect(answer).toMatchObject({ ok: true, text: RIGHT_ANSWER, error: null });
      expect(answer.sessionId).toMatch(sessionIds);
      const usage = { inputTokens: 100, cachedInputTokens: 10, outputTokens: 20 };
      expect(answer.usage).toEqual(hasNoUsage ? null : usage);
      expect(stub.work()).toHaveLength(1);
      expect(allText(stub.work()[0]!)).toContain(PROMPT.trim());
      expect(stub.strays).toEqual([]);
    });

    it('works with the model that it is given, and takes no option for one', async () => {
      const it = await open('plain');
      const { given, asked } = traits.otherModel;
      const { answer } = await it.run(name, PROMPT, { ...model, model: given });
      expect(answer).toMatchObject({ ok: true, text: RIGHT_ANSWER });
      expect(it.stub.work().map((request) => request.model)).toEqual([asked]);
      for (const hostile of ['--yolo', '--attach=http://evil.example', '--help', '-p'])
        for (const start of [{ model: hostile }, { resume: hostile }])
          await expect(it.run(name, PROMPT, { ...model, ...start })).rejects.toMatchObject({
            code: 'bad-argument',
          });
      expect(it.stub.work()).toHaveLength(1);
    });

    it('takes a prompt that no argument could hold', async () => {
      const it = await open('plain');
      const prompt = `${'0123456789abcdef\n'.repeat(promptLines)}END-MARKER`;
      const { answer } = await it.run(name, prompt, model);
      expect(answer.ok).toBe(true);
      expect(allText(it.stub.work()[0]!)).toContain(prompt.slice(-100_000));
    });

    it('uses a tool and answers after it', async () => {
      const it = await open('tool');
      writeFileSync(join(it.folder, 'seen-by-the-tool.txt'), 'seen-by-the-tool.txt\n');
      const { answer } = await it.run(name, PROMPT, model);
      expect(answer).toMatchObject({ ok: true, text: RIGHT_ANSWER });
      expect(answer.usage?.inputTokens).toBe(hasNoUsage ? undefined : 200);
      const last = it.stub.work().at(-1)!;
      expect(endsWithToolResult(last)).toBe(true);
      expect(last.messages.findLast(({ role }) => role === 'tool')?.text).toContain('seen-by-the-tool.txt');
    });

    it('writes files when it may edit, and none when it may only read', async () => {
      const it = await open('write-file');
      const file = join(it.folder, WRITTEN_FILE.name);
      expect((await it.run(name, PROMPT, { ...model, permissions: 'read-only' })).answer.ok).toBe(true);
      expect(existsSync(file)).toBe(false);
      expect((await it.run(name, PROMPT, { ...model, permissions: 'edit' })).answer.ok).toBe(true);
      expect(readFileSync(file, 'utf8')).toBe(WRITTEN_FILE.content);
    });

    it('reports a bad request', async () => {
      const { answer, milliseconds } = await (await open('400')).run(name, PROMPT, model);
      expect(answer).toMatchObject({
        ok: false,
        text: '',
        error: {
          kind: 'bad-request',
          isTransient: false,
          message: expect.stringContaining('the request is bad'),
        },
      });
      expect(milliseconds).toBeLessThan(2 * patienceMs);
    });

    it('stops at once with a wrong key', async () => {
      const { answer, milliseconds } = await (await open('401')).run(name, PROMPT, model);
      expect(answer).toMatchObject({ ok: false, error: { kind: 'auth', isTransient: false, status: 401 } });
      expect(milliseconds).toBeLessThan(2 * patienceMs);
    });

    it('is ended when the model hangs, and leaves nothing behind', async () => {
      const it = await open('hang');
      const { answer, result, milliseconds } = await it.run(name, PROMPT, {
        ...model,
        timeoutMs: patienceMs,
      });
      expect(result.outcome).toBe('timed-out');
      expect(it.stub.requests.length).toBeGreaterThan(0);
      expect(answer.ok).toBe(false);
      expect(milliseconds).toBeLessThan(patienceMs + 3_000);
      expect(processesWith(it.home)).toEqual([]);
    });

    it('does not take an answer that was cut off for a good one', async () => {
      const { answer } = await (await open('cut-off')).run(name, PROMPT, model);
      if (cutOff === 'asks-for-more') expect(answer.text.startsWith(CUT_ANSWER)).toBe(true);
      else if (cutOff === 'text') expect(answer).toMatchObject({ ok: true, text: CUT_ANSWER });
      else expect(answer).toMatchObject({ ok: false, error: { kind: 'budget' } });
    });

    it('corrects a wrong answer in the same session', async () => {
      const it = await open('wrong-then-right');
      const first = await it.run(name, PROMPT, model);
      expect(first.answer.text).toBe(WRONG_ANSWER);
      const second = await it.run(name, `${FEEDBACK_WORD}: the status is a text`, {
        ...model,
        resume: first.answer.sessionId,
      });
      expect(second.answer).toMatchObject({
        ok: true,
        text: RIGHT_ANSWER,
        sessionId: first.answer.sessionId,
      });
      const asked = allText(it.stub.work().at(-1)!);
      for (const part of ['TASK-MARKER', WRONG_ANSWER.trim(), FEEDBACK_WORD]) expect(asked).toContain(part);
    });

    it('keeps its permissions in a continued session', async () => {
      const it = await open('plain');
      const { answer } = await it.run(name, PROMPT, { ...model, permissions: 'edit' });
      it.stub.use('write-file');
      const file = join(it.folder, WRITTEN_FILE.name);
      await it.run(name, 'go on', { ...model, permissions: 'read-only', resume: answer.sessionId });
      expect(existsSync(file)).toBe(false);
      await it.run(name, 'go on', { ...model, permissions: 'edit', resume: answer.sessionId });
      expect(existsSync(file)).toBe(true);
    });

    if (workerOf(name).hasNativeSchema)
      it('gives a structured answer when it is asked for one', async () => {
        const it = await open('structured');
        const schemaFile = join(it.home, 'schema.json');
        writeFileSync(schemaFile, JSON.stringify(SCHEMA));
        const { answer } = await it.run(name, PROMPT, { ...model, schema: SCHEMA, schemaFile });
        expect(answer).toMatchObject({ ok: true, structured: STRUCTURED_VALUE });
        expect(it.stub.work()[0]!.wantsStructure).toBe(true);
      });
  });
}
