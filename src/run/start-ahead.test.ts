import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { processesOfRun } from '../platform/marked-processes.ts';
import { runProcess } from '../platform/process-runner.ts';
import { runKit, say, scriptAgent } from './run.test-kit.ts';
import type { BuiltPrompt, PromptInput, RunWorld } from './run-request.ts';
import { runRole } from './run-role.ts';

const EARLY: BuiltPrompt = { text: 'the early prompt\n', promptId: 'e', packageId: null, diagnostics: [] };
/** Says that it is up, then waits for its prompt. */
const AGENT = `echo $$ >> "$HOME/up"; cat > "$HOME/prompt"; ${say()}`;

interface Place {
  /** Of the agent: one for each time that it was started. */
  pids(): readonly number[];
  prompt(): string;
  untilUp(): Promise<void>;
  run(early: (input: PromptInput) => Promise<BuiltPrompt | null>, changes?: Changes): Promise<Ended>;
}

interface Changes {
  readonly signal?: AbortSignal;
  readonly world?: Partial<RunWorld>;
}

interface Ended {
  readonly run: string;
  readonly outcome: string;
  readonly types: readonly string[];
}

/** After a first run: a tree waits for the next one, and its prompt may be asked for early. */
async function place(script = AGENT): Promise<Place> {
  const { repository, world, request } = runKit(scriptAgent(script));
  const inHome = (name: string): string => join(repository.home, name);
  const pids = (): readonly number[] =>
    existsSync(inHome('up')) ? readFileSync(inHome('up'), 'utf8').trim().split('\n').map(Number) : [];
  await runRole(request, world).result;
  const before = pids().length;
  const untilUp = async (): Promise<void> => {
    while (pids().length === before) await sleep(5);
  };
  return {
    pids: () => pids().slice(before),
    prompt: () => readFileSync(inHome('prompt'), 'utf8'),
    untilUp,
    run: async (buildPromptEarly, { signal, world: other } = {}) => {
      const asked = { ...request, ...(signal && { signal }) };
      const handle = runRole(asked, { ...world, ...other, buildPromptEarly });
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
    const { run, untilUp, prompt, pids } = await place();
    const { outcome, types } = await run(async () => {
      await untilUp();
      return EARLY;
    });
    expect(outcome).toBe('passed');
    expect(prompt()).toBe(EARLY.text);
    expect(pids()).toHaveLength(1);
    const order = ['run-start', 'tree-ready', 'attempt-start', 'agent-start', 'agent-output', 'agent-end'];
    expect(types.slice(0, order.length)).toEqual(order);
  });

  it('gets the prompt of the finished tree when the early one did not hold', async () => {
    const { run, untilUp, prompt, pids } = await place();
    const { outcome } = await run(async () => {
      await untilUp();
      return null;
    });
    expect(outcome).toBe('passed');
    expect(prompt()).toBe('task: Change a.txt\n');
    expect(pids()).toHaveLength(1);
  });

  it('is started again when its prompt takes long', async () => {
    const { run, untilUp, prompt, pids } = await place();
    const { outcome, types } = await run(async () => {
      await untilUp();
      await sleep(600);
      return EARLY;
    });
    expect(outcome).toBe('passed');
    expect(prompt()).toBe(EARLY.text);
    expect(pids()).toHaveLength(2);
    expect(types.filter((type) => type === 'agent-start')).toHaveLength(1);
  });

  it('is not started when the prompt was there first', async () => {
    const { run, pids } = await place();
    const started: number[] = [];
    const { outcome } = await run(async () => {
      started.push(pids().length);
      return EARLY;
    });
    expect(outcome).toBe('passed');
    expect(started).toEqual([0]);
    expect(pids()).toHaveLength(1);
  });

  it('has failed when it ends before', async () => {
    const { run, untilUp } = await place(
      `echo $$ >> "$HOME/up"; [ "$(wc -l < "$HOME/up")" -gt 1 ] && exit 3; cat > "$HOME/prompt"; ${say()}`,
    );
    const { outcome, types } = await run(async () => {
      await untilUp();
      await sleep(50);
      return EARLY;
    });
    expect(outcome).toBe('failed');
    expect(types).toContain('agent-start');
    expect(types).toContain('agent-end');
  });

  it('leaves nothing alive when the run is cancelled', async () => {
    const { run, untilUp, pids } = await place();
    const controller = new AbortController();
    const ended = await run(async ({ signal }) => {
      await untilUp();
      controller.abort();
      signal.throwIfAborted();
      return EARLY;
    }, controller);
    expect(ended.outcome).toBe('cancelled');
    expect(processesOfRun(ended.run, null)).toEqual([]);
    for (const pid of pids()) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('is gone when there will be no prompt', async () => {
    const { run, untilUp, pids } = await place();
    const world: Partial<RunWorld> = {
      buildPrompt: async () => {
        throw new Error('no prompt');
      },
    };
    const ended = run(
      async () => {
        await untilUp();
        return null;
      },
      { world },
    );
    await expect(ended).rejects.toThrow('no prompt');
    expect(pids()).toHaveLength(1);
    for (const pid of pids()) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('takes nobody along who works in the tree for the prompt', async () => {
    const { run, untilUp } = await place(
      `echo $$ >> "$HOME/up"; [ "$(wc -l < "$HOME/up")" -gt 1 ] && exit 3; cat > "$HOME/prompt"; ${say()}`,
    );
    const helpers: (number | null)[] = [];
    await run(async ({ root }) => {
      const helper = runProcess('sleep', ['0.2'], { cwd: root });
      await untilUp();
      helpers.push((await helper).exitCode);
      return EARLY;
    });
    expect(helpers).toEqual([0]);
  });
});
