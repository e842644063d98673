import type { AgentAdapter, AgentName } from '../agents/agent-adapter.ts';
import { AGENTS } from '../agents/agent-table.ts';
import { geminiBlanks } from '../agents/gemini.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import { packageVersion } from '../platform/cache/package-version.ts';
import { definedVariables, type Environment } from '../platform/environment.ts';
import { findProgram } from '../platform/process/find-program.ts';
import { runProcess } from '../platform/process/process-runner.ts';
import { blanksForFiles } from './environment-files.ts';

const VERSION_TIMEOUT_MS = 20_000;
const MAX_VERSION_OUTPUT_BYTES = 64 * 1024;

export interface FoundAgent {
  /** Starts the program that was found, with everything this machine needs for it. */
  readonly adapter: AgentAdapter;
  readonly path: string;
  /** From its package, or from the program itself: some take more than a second of all processors to say it. */
  readVersion(signal?: AbortSignal): Promise<string>;
}

/** Programs inside `repositoryRoot` do not count: a repository must not bring the agent that works on it. */
export function findAgent(name: AgentName, env: Environment, repositoryRoot: string): FoundAgent {
  const entry = AGENTS[name];
  const path = findProgram(entry.program, env, repositoryRoot);
  if (path === null) {
    throw new LoadoutError('agent-not-found', `${entry.program} is not on the PATH`, {
      subject: entry.program,
      hint: `install it: ${entry.installLine}`,
    });
  }
  const known = name === 'gemini' ? geminiBlanks(env) : {};
  const adapter: AgentAdapter = {
    ...entry,
    start: (options) => {
      const invocation = entry.start(options);
      const blanks = blanksForFiles(options.cwd, entry.environmentFiles ?? [], env);
      return { ...invocation, command: path, env: { ...known, ...blanks, ...invocation.env } };
    },
  };
  return {
    adapter,
    path,
    readVersion: async (signal) => versionIn(packageVersion(path)) ?? readVersion(entry, path, env, signal),
  };
}

function versionIn(text: string | null): string | null {
  return /\d+\.\d+\.\d+(?:[.+-]*\w)*/.exec(text ?? '')?.[0] ?? null;
}

async function readVersion(
  entry: AgentAdapter,
  path: string,
  env: Environment,
  signal: AbortSignal | undefined,
): Promise<string> {
  const result = await runProcess(path, entry.versionArgs, {
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
    `${path} ${entry.versionArgs.join(' ')} told no version (${result.outcome}, exit code ${result.exitCode})${said ? `: ${said}` : ''}`,
    { subject: path, hint: `install it again: ${entry.installLine}` },
  );
}
