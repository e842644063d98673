import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { cacheDirectory } from '../../platform/cache/user-directories.ts';
import type { Environment } from '../../platform/environment.ts';
import { builtProgram } from '../../platform/host.ts';
import { serverFingerprint } from '../shared/program-identity.ts';
import { askServer, readServerState, startAside, startServer } from '../shared/server-client.ts';
import type { HookProcess } from './run-hook.ts';

/** The hook process on these streams, with the server of the same installation and settings. */
export function hookProcess({
  stdin,
  stdout,
  env,
  cwd,
}: Pick<HookProcess, 'stdin' | 'stdout' | 'cwd'> & { readonly env: Environment }): HookProcess {
  const directory = cacheDirectory(env);
  const fingerprint = serverFingerprint(env);
  return {
    stdin,
    stdout,
    environment: env,
    cwd,
    hasServer: () => readServerState(directory)?.fingerprint === fingerprint,
    askServer: (event, client, body, timeoutMs) =>
      askServer({ cacheDirectory: directory, fingerprint, event, client, body, timeoutMs }),
    startThread: startHookThread,
    warmUp: (root, cache) => warmUp(root, cache, env),
    startServer: (root, cache) => startServer(root, cache, env),
  };
}

/** At most one attempt in this time: a repository that cannot be scanned must not keep the machine busy. */
const SCAN_EVERY_MS = 10 * 60_000;

/** Starts a scan that outlives the hook: a hook alone may never have the time to build the index. */
function warmUp(root: string, cacheDirectory: string, environment: Environment): void {
  const words = ['scan', '--repo', root, '--quiet'];
  const mark = join(cacheDirectory, 'hook', 'warming');
  startAside({ words, mark, everyMs: SCAN_EVERY_MS, root, environment });
}

/** The hook thread gets this when it starts; the input follows as its first message. */
export interface HookJob {
  readonly event: string;
  readonly client: string;
  readonly cwd: string;
  readonly environment: Environment;
  readonly cacheDirectory: string;
  /** Time limit for the whole answer. */
  readonly timeoutMs: number;
}

/** The hook thread reports the repository, whether it wants a server, and then the answer or the problem. */
export type HookMessage =
  | { readonly kind: 'repository'; readonly root: string }
  | { readonly kind: 'server' }
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'problem'; readonly problem: string };

export type HookOutcome = { readonly answer: string } | { readonly problem: string };

/** A running hook thread. */
export interface HookThread {
  /** The reports of the thread so far. */
  readonly progress: { root: string; wantsServer: boolean };
  /** Never rejects. */
  readonly outcome: Promise<HookOutcome>;
  begin(input: string): void;
}

/** Starts the thread that answers. It loads its code at once and waits for the input. */
export function startHookThread(job: HookJob): HookThread {
  const worker = new Worker(builtProgram('hook-worker.cjs'), {
    workerData: { ...job, environment: { ...job.environment } },
    // Output of the thread must not mix with the answer.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  const progress = { root: '', wantsServer: false };
  const outcome = new Promise<HookOutcome>((resolve) => {
    worker.on('message', (message: HookMessage) => {
      if (message.kind === 'repository') progress.root = message.root;
      else if (message.kind === 'server') progress.wantsServer = true;
      else if (message.kind === 'answer') resolve({ answer: message.text });
      else resolve({ problem: message.problem });
    });
    worker.on('error', (error) => resolve({ problem: error.message }));
    worker.on('exit', () => resolve({ problem: 'the hook thread has ended without an answer' }));
  });
  return { progress, outcome, begin: (input) => worker.postMessage(input) };
}
