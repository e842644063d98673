import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { processesOfRun } from '../platform/process/marked-processes.ts';
import { runProcess } from '../platform/process/process-runner.ts';
import { runKit, say, scriptAgent } from './run.test-kit.ts';
import type { BuiltPrompt, PromptInput } from './run-request.ts';
import { runRole } from './run-role.ts';

const PROMPT: BuiltPrompt = { text: 'the prompt\n', promptId: 'e', packageId: null, diagnostics: [] };
/** Says that it is up, then waits for its prompt. */
const AGENT = `echo $$ >> "$HOME/up"; cat > "$HOME/prompt"; ${say()}`;

interface Place {
  /** Of the agent: one for each time that it was started. */
  pids(): readonly number[];
  prompt(): string;
  untilUp(): Promise<void>;
  /** With prompts from `build`, which are expected after 10 ms. */
  run(build: (input: PromptInput) => Promise<BuiltPrompt>, given?: Given): Promise<Ended>;
}

interface Given {
  readonly signal?: AbortSignal;
  readonly expectedMs?: number;
}

interface Ended {
  readonly run: string;
  readonly outcome: string;
  readonly types: readonly string[];
}

function place(script = AGENT): Place {
  const { repository, world, request } = runKit(scriptAgent(script, { promptPatienceMs: 300 }));
  const inHome = (name: string): string => join(repository.home, name);
  const pids = (): readonly number[] =>
    existsSync(inHome('up')) ? readFileSync(inHome('up'), 'utf8').trim().split('\n').map(Number) : [];
  const untilUp = async (): Promise<void> => {
    while (pids().length === 0) await sleep(5);
  };
  return {
    pids,
    prompt: () => readFileSync(inHome('prompt'), 'utf8'),
    untilUp,
    run: async (build, { signal, expectedMs = 10 } = {}) => {
      const buildPrompt = (input: PromptInput) => {
        input.onNear?.(expectedMs);
        return build(input);
      };
      const handle = runRole({ ...request, ...(signal && { signal }) }, { ...world, buildPrompt });
      const types: string[] = [];
      for await (const { type } of handle.events) types.push(type);
      const { outcome } = await handle.result;
      return { run: handle.run, outcome, types };
    },
  };
}

// a machine that is busy elsewhere for 300 ms has it started twice
describe('an agent that is started before its prompt is there', { retry: 2 }, () => {
  it('waits for it, and the log tells it as always', async () => {
    const { run, untilUp, prompt, pids } = place();
    const { outcome, types } = await run(async () => {
      await untilUp();
      return PROMPT;
    });
    expect(outcome).toBe('passed');
    expect(prompt()).toBe(PROMPT.text);
    expect(pids()).toHaveLength(1);
    const order = ['run-start', 'tree-ready', 'attempt-start', 'agent-start', 'agent-output', 'agent-end'];
    expect(types.slice(0, order.length)).toEqual(order);
  });

  it('is started again when its prompt takes long', async () => {
    const { run, untilUp, prompt, pids } = place();
    const { outcome, types } = await run(async () => {
      await untilUp();
      await sleep(600);
      return PROMPT;
    });
    expect(outcome).toBe('passed');
    expect(prompt()).toBe(PROMPT.text);
    expect(pids()).toHaveLength(2);
    expect(types.filter((type) => type === 'agent-start')).toHaveLength(1);
  });

  it('is not started for a prompt that will take long', async () => {
    const { run, pids } = place();
    const started: number[] = [];
    const build = async () => {
      await sleep(100);
      started.push(pids().length);
      return PROMPT;
    };
    expect((await run(build, { expectedMs: 200 })).outcome).toBe('passed');
    expect(started).toEqual([0]);
    expect(pids()).toHaveLength(1);
  });

  it('has failed when it ends before', async () => {
    const { run, untilUp } = place(`echo $$ >> "$HOME/up"; exit 3`);
    const { outcome, types } = await run(async () => {
      await untilUp();
      await sleep(50);
      return PROMPT;
    });
    expect(outcome).toBe('failed');
    expect(types).toContain('agent-start');
    expect(types).toContain('agent-end');
  });

  it('leaves nothing alive when the run is cancelled', async () => {
    const { run, untilUp, pids } = place();
    const controller = new AbortController();
    const ended = await run(async ({ signal }) => {
      await untilUp();
      controller.abort();
      signal.throwIfAborted();
      return PROMPT;
    }, controller);
    expect(ended.outcome).toBe('cancelled');
    expect(processesOfRun(ended.run, null)).toEqual([]);
    for (const pid of pids()) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('is gone when there will be no prompt', async () => {
    const { run, untilUp, pids } = place();
    const ended = run(async () => {
      await untilUp();
      throw new Error('no prompt');
    });
    await expect(ended).rejects.toThrow('no prompt');
    expect(pids()).toHaveLength(1);
    for (const pid of pids()) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('takes nobody along who works in the tree for the prompt', async () => {
    const { run, untilUp } = place(`echo $$ >> "$HOME/up"; exit 3`);
    const helpers: (number | null)[] = [];
    await run(async ({ root }) => {
      const helper = runProcess('sleep', ['0.2'], { cwd: root });
      await untilUp();
      helpers.push((await helper).exitCode);
      return PROMPT;
    });
    expect(helpers).toEqual([0]);
  });
});
