import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentAnswer, AgentStart } from '../../../src/agents/agent-worker.ts';
import { type WorkerName, workerOf } from '../../../src/agents/table.ts';
import { type ProcessResult, runProcess } from '../../../src/platform/process/process-runner.ts';
import { findAgent } from '../../../src/workers/run-environment.ts';
import { type ModelStub, startModelStub } from '../stub/model-stub.ts';
import type { Scenario, ScenarioName } from '../stub/scenarios.ts';

export interface AgentRun {
  readonly answer: AgentAnswer;
  readonly result: ProcessResult;
  readonly milliseconds: number;
}

/** A stub, an empty home and an empty folder to work in, for one test. */
export class Bench {
  readonly stub: ModelStub;
  readonly home: string;
  readonly folder: string;
  readonly env: Record<string, string>;

  private constructor(stub: ModelStub, root: string) {
    this.stub = stub;
    this.home = join(root, 'home');
    this.folder = join(root, 'work');
    mkdirSync(this.home);
    mkdirSync(this.folder);
    this.env = stub.environment(this.home);
  }

  static async open(scenario: ScenarioName | Scenario): Promise<Bench> {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-client-')));
    return new Bench(await startModelStub(scenario), root);
  }

  async run(
    name: WorkerName,
    prompt: string,
    options: Partial<AgentStart> & {
      readonly timeoutMs?: number;
      /** Arguments of the adapter to leave out, to show what they are good for. */
      readonly without?: readonly string[];
      /** Start it although the repository brings what it obeys. */
      readonly unchecked?: boolean;
    } = {},
  ): Promise<AgentRun> {
    const { timeoutMs = 50_000, without = [], unchecked = false, ...start } = options;
    const { adapter, path } = findAgent(name, this.env, this.folder);
    const starts = unchecked ? workerOf(name) : adapter;
    const invocation = starts.start({
      cwd: this.folder,
      permissions: 'read-only',
      model: null,
      flags: [],
      schema: null,
      schemaFile: null,
      resume: null,
      ...start,
    });
    const args = invocation.args.filter((argument) => !without.some((part) => leavesOut(argument, part)));
    const before = performance.now();
    const result = await runProcess(path, args, {
      cwd: this.folder,
      env: { ...this.env, ...invocation.env },
      input: prompt,
      timeoutMs,
    });
    const answer = adapter.read({
      stdout: result.stdout.toString(),
      stderr: result.stderr.toString(),
      exitCode: result.exitCode,
      signal: result.signal,
    });
    return { answer, result, milliseconds: performance.now() - before };
  }

  async close(): Promise<void> {
    await this.stub.close();
    rmSync(join(this.home, '..'), { recursive: true, force: true });
  }
}

/** A part that ends in `=` stands for everything that begins with it. */
function leavesOut(argument: string, part: string): boolean {
  return part.endsWith('=') ? argument.startsWith(part) : argument === part;
}
