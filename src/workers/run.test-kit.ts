import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TemporaryRepository, temporaryRepository } from '../../test/support/temporary-repository.ts';
import type { AgentFailure, NamedWorker } from '../agents/agent-worker.ts';
import type { RunEnvironment, RunRequest } from './run-request.ts';

export const GOOD_ANSWER = {
  status: 'SUCCESS',
  action_taken: 'done',
  files_created: [],
  files_modified: [],
  tests_written: [],
  blockers: [],
  next_step: null,
};

/** The output by which a shell script gives an answer. */
export function say(answer: unknown = GOOD_ANSWER): string {
  return `printf '%s\\n' 'ANSWER' '\`\`\`json' '${JSON.stringify(answer)}' '\`\`\`'`;
}

/** The start of a shell script that changes a file, makes one, and makes one that git ignores. */
export const CHANGES = `cat > /dev/null; echo changed > a.txt; echo new > new.txt; mkdir -p ignored; echo x > ignored/y;`;

/** An agent that is a shell script; `$1` is the session it continues, standard input holds the prompt. */
export function scriptAgent(script: string, given: Partial<NamedWorker> = {}): NamedWorker {
  return {
    name: 'claude',
    installLine: 'none',
    versionArgs: [],
    canResume: false,
    hasNativeSchema: null,
    start: (options) => ({
      command: '/bin/sh',
      args: ['-c', script, 'agent', options.resume ?? ''],
      env: { LOADOUT_WORKER: '1' },
    }),
    read: ({ stdout, stderr, exitCode }) => {
      const error: AgentFailure | null =
        exitCode === 0
          ? null
          : {
              kind: exitCode === 75 ? 'overloaded' : 'crash',
              message: stderr.trim(),
              isTransient: exitCode === 75,
              status: null,
            };
      return {
        ok: error === null,
        text: stdout,
        structured: undefined,
        sessionId: 'session-1',
        usage: { inputTokens: 100, cachedInputTokens: 10, outputTokens: 5 },
        costUsd: 0.25,
        error,
        warnings: [],
      };
    },
    ...given,
  };
}

export interface RunKit {
  readonly repository: TemporaryRepository;
  readonly environment: RunEnvironment;
  readonly request: RunRequest;
  /** The extra sections of every prompt that was built. */
  readonly prompts: Record<string, string>[];
  readonly delays: number[];
}

export const SOME_FILES = { 'a.txt': 'one\n', 'b/c.txt': 'two\n', '.gitignore': 'ignored/\n' };

export function runKit(agent: NamedWorker, files: Record<string, string> = SOME_FILES): RunKit {
  const repository = temporaryRepository(files);
  return kitFor(repository, agent);
}

export function kitFor(repository: TemporaryRepository, agent: NamedWorker): RunKit {
  const prompts: Record<string, string>[] = [];
  const delays: number[] = [];
  const environment: RunEnvironment = {
    env: { PATH: process.env.PATH, HOME: repository.home, SECRET_TOKEN: 'hidden' },
    cacheDirectory: repository.cache,
    configDirectory: null,
    findAgent: () => ({ adapter: agent, readVersion: async () => '1.0.0' }),
    buildPrompt: async ({ task, extra }) => {
      prompts.push({ ...extra });
      return {
        text: `task: ${task}\n`,
        promptId: `p${prompts.length}`,
        packageId: 'pack-1',
        diagnostics: [],
      };
    },
    readTrust: async (root) => ({ root, isTrusted: false }),
    random: () => 0.5,
    sleep: async (milliseconds, signal) => {
      delays.push(milliseconds);
      await sleep(1, undefined, { signal }).catch(() => {});
    },
    wallClockMs: () => Date.now(),
    monotonicMs: () => performance.now(),
  };
  const request = { repository: repository.path, task: 'Change a.txt', role: 'implementer' };
  return { repository, environment, request, prompts, delays };
}

/** Everything of the user's that a run must leave as it is, byte for byte. */
export function userState({ path, git }: TemporaryRepository): Record<string, string> {
  const state: Record<string, string> = {};
  const names = readdirSync(path, { recursive: true, withFileTypes: true });
  for (const entry of names) {
    const name = join(entry.parentPath, entry.name).slice(path.length + 1);
    if (entry.isFile() && !/^(\.git|\.loadout\/runs)\//.test(name))
      state[name] = readFileSync(join(path, name), 'latin1');
  }
  for (const name of ['config', 'HEAD', 'index'])
    state[`.git/${name}`] = readFileSync(join(path, '.git', name), 'latin1');
  state.hooks = readdirSync(join(path, '.git/hooks')).join();
  const refs = git('for-each-ref').split('\n');
  state.refs = refs.filter((line) => !line.includes('refs/heads/loadout/')).join('\n');
  state.stash = git('stash', 'list');
  return state;
}
