import type { AgentWorker, NamedWorker } from '../agents/agent-worker.ts';
import { clientOf, type WorkerName, workerOf } from '../agents/table.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import { packageVersion } from '../platform/cache/load-optional-package.ts';
import { definedVariables, type Environment } from '../platform/environment.ts';
import { findProgram } from '../platform/process/find-program.ts';
import { runProcess } from '../platform/process/process-runner.ts';
import { blanksForFiles, refuseNames, refuseObeyedFiles } from './environment-files.ts';

const VERSION_TIMEOUT_MS = 20_000;
const MAX_VERSION_OUTPUT_BYTES = 64 * 1024;

export interface FoundAgent {
  /** Starts the program that was found, with everything this machine needs for it. */
  readonly adapter: NamedWorker;
  readonly path: string;
  /** From its package, or from the program itself: some take more than a second of all processors to say it. */
  readVersion(signal?: AbortSignal): Promise<string>;
}

/** Programs inside `repositoryRoot` do not count: a repository must not bring the agent that works on it. */
export function findAgent(name: WorkerName, env: Environment, repositoryRoot: string): FoundAgent {
  const worker = workerOf(name);
  const { program } = clientOf(name);
  const path = findProgram(program, env, repositoryRoot);
  if (path === null) {
    throw new LoadoutError('agent-not-found', `${program} is not on the PATH`, {
      subject: program,
      hint: `install it: ${worker.installLine}`,
    });
  }
  const unset = (worker.blankVariables ?? []).filter((variable) => env[variable] === undefined);
  const known = Object.fromEntries(unset.map((variable) => [variable, '']));
  const adapter: NamedWorker = {
    ...worker,
    name,
    start: (options) => {
      const invocation = worker.start(options);
      refuseObeyedFiles(options.cwd, worker.obeyedFiles ?? []);
      const files = worker.environmentFiles ?? [];
      const blanks = blanksForFiles(options.cwd, files, env);
      if (worker.fillsBlanks) refuseNames(files, Object.keys(blanks));
      return { ...invocation, command: path, env: { ...known, ...blanks, ...invocation.env } };
    },
  };
  return {
    adapter,
    path,
    readVersion: async (signal) => versionIn(packageVersion(path)) ?? readVersion(worker, path, env, signal),
  };
}

function versionIn(text: string | null): string | null {
  return /\d+\.\d+\.\d+(?:[.+-]*\w)*/.exec(text ?? '')?.[0] ?? null;
}

async function readVersion(
  worker: AgentWorker,
  path: string,
  env: Environment,
  signal: AbortSignal | undefined,
): Promise<string> {
  const result = await runProcess(path, worker.versionArgs, {
    env: definedVariables(env),
    timeoutMs: VERSION_TIMEOUT_MS,
    maxOutputBytes: MAX_VERSION_OUTPUT_BYTES,
    ...(signal ? { signal } : {}),
  });
  const version = versionIn(result.stdout.toString());
  if (result.exitCode === 0 && version) return version;
  const said = (result.stderr.toString().trim() || result.stdout.toString().trim()).split('\n')[0];
  throw new LoadoutError(
    'agent-not-working',
    `${path} ${worker.versionArgs.join(' ')} told no version (${result.outcome}, exit code ${result.exitCode})${said ? `: ${said}` : ''}`,
    { subject: path, hint: `install it again: ${worker.installLine}` },
  );
}
