import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TemporaryRepository, temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { openGit } from '../../platform/git/git.ts';
import { takeTree } from '../worktrees/run-tree.ts';
import { openTreePlace } from '../worktrees/tree-place.ts';
import type { GatesOutcome } from './judge-work.ts';
import type { LoopEnvironment, WorkerOutcome, WorkerRequest } from './loop-environment.ts';
import type { LoopAnswer } from './loop-files.ts';
import { withLoop } from './open-loop.ts';
import { type StepOptions, type StepReport, stepLoop } from './run-task-tree.ts';
import type { TreeNode } from './task-tree.ts';

export const FOLDER = '.loadout/loop';
export const TREE = `${FOLDER}/state/tree.json`;

export function node(id: string, values: Partial<TreeNode> = {}): TreeNode {
  return {
    id,
    order: 0,
    title: `Title of ${id}`,
    goal: `Goal of ${id}`,
    acceptance: [`${id} works`],
    passes: false,
    attempts: 0,
    max_attempts: 3,
    children: [],
    ...values,
  };
}

/** The files of the worker's tree, as a worker sees them. */
export interface Bench {
  readonly request: WorkerRequest;
  read(path: string): string;
  write(path: string, content: string): void;
  remove(path: string): void;
  editTree(edit: (tree: Record<string, unknown>) => void): void;
}

export type StubWorker = (bench: Bench) => LoopAnswer | WorkerOutcome | Promise<LoopAnswer | WorkerOutcome>;

export function benchOf(request: WorkerRequest): Bench {
  const at = (path: string) => join(request.tree.path, path);
  const write = (path: string, content: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  };
  const read = (path: string) => readFileSync(at(path), 'utf8');
  return {
    request,
    read,
    write,
    remove: (path) => rmSync(at(path), { recursive: true }),
    editTree: (edit) => {
      const tree = JSON.parse(read(TREE));
      edit(tree);
      write(TREE, JSON.stringify(tree));
    },
  };
}

export interface LoopKit {
  readonly repository: TemporaryRepository;
  readonly environment: LoopEnvironment;
  /** Prompts of all workers so far. */
  readonly prompts: string[];
  step(options?: Partial<StepOptions>): Promise<StepReport>;
  tree(): TreeNode;
  state(): Record<string, unknown>;
  subjects(): string[];
}

/** A repository on a branch of its own, real git, a worker and gates that are functions. */
export async function loopKit(
  worker: StubWorker,
  gates: ((bench: Bench) => GatesOutcome) | null = null,
  files: Record<string, string> = { 'a.txt': 'one\n' },
): Promise<LoopKit> {
  const repository = temporaryRepository(files);
  repository.git('switch', '--quiet', '-c', 'work');
  const opening = await openGit(repository.path);
  if (opening.kind !== 'git') throw new Error(opening.detail);
  const place = openTreePlace(opening.client, repository.cache);
  const prompts: string[] = [];
  const environment: LoopEnvironment = {
    takeTree: (run, commit) => takeTree(place, run, commit),
    runWorker: async (request) => {
      prompts.push(request.prompt(null));
      const bench = benchOf(request);
      for (const [path, content] of request.files) bench.write(path, content);
      const outcome = await worker(bench);
      return 'kind' in outcome
        ? outcome
        : { kind: 'answered', answer: outcome, log: 'said\n', isReadOnly: false };
    },
    runGates: gates && (async ({ tree }) => gates(benchOf({ tree } as WorkerRequest))),
    packageFor: null,
    wallClockMs: () => 0,
  };
  const read = (path: string) => readFileSync(join(repository.path, path), 'utf8');
  return {
    repository,
    environment,
    prompts,
    step: (options = {}) =>
      withLoop(repository.path, undefined, (loop) =>
        stepLoop(loop, environment, {
          role: 'implementer',
          promptBytes: 40_960,
          signal: new AbortController().signal,
          ...options,
        }),
      ),
    tree: () => JSON.parse(read(TREE)),
    state: () => JSON.parse(read(`${FOLDER}/state/run_state.json`)),
    subjects: () => repository.git('log', '--format=%s', 'main..HEAD').trim().split('\n').reverse(),
  };
}
