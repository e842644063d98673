// The environment of real runs: agents from the PATH, prompts from the index, the system's clock. Before an agent
// starts, files of the repository that would change its settings are refused or made harmless.

import { createHash } from 'node:crypto';
import {
  type AgentWorker,
  clientOf,
  type NamedWorker,
  type ObeyedFile,
  type WorkerName,
  workerOf,
} from '../agents/index.ts';
import { librarySettings, readTrust, type Settings } from '../config/index.ts';
import { type Role, STAGED_DIFF } from '../context/roles/index.ts';
import { describeSkip } from '../model/file-entry.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import { configDirectory } from '../platform/cache/user-directories.ts';
import { monotonicMs, pause, wallClockMs } from '../platform/clock.ts';
import { definedVariables, type Environment, environment, randomUnit } from '../platform/environment.ts';
import { folderIsGone } from '../platform/fs/make-folder.ts';
import { openSafeRoot } from '../platform/fs/safe-root.ts';
import { findProgram, packageVersion } from '../platform/process/find-program.ts';
import { runProcess } from '../platform/process/process-runner.ts';
import type { BuiltPrompt, PromptInput, RunEnvironment } from './run-request.ts';

/** The parts of the real environment that a caller may change. */
export interface RunEnvironmentOptions {
  readonly env?: Environment;
  /** On top of the environment's variables and the defaults. */
  readonly settings?: Partial<Settings>;
}

/** The real environment of runs: agents from the PATH, prompts from the index, trust as the user gave it. */
export function createRunEnvironment({
  env = environment(),
  settings,
}: RunEnvironmentOptions = {}): RunEnvironment {
  const all = librarySettings(settings);
  return {
    env,
    cacheDirectory: all.cacheDir,
    configDirectory: configDirectory(env),
    maxTokenBudget: all.maxTokenBudget,
    findAgent: (name, root) => findAgent(name, env, root),
    buildPrompt: (input) => buildPrompt(all, input),
    readTrust: (root) => readTrust(root, env),
    random: randomUnit,
    sleep: pause,
    wallClockMs,
    monotonicMs,
  };
}

/**
 * Builds a prompt from the run's work tree. Each prompt scans anew: before the first one nothing was scanned, and before
 * each further one the agent has changed files.
 */
async function buildPrompt(settings: Settings, input: PromptInput): Promise<BuiltPrompt> {
  const { root, repository, role, task, targets, extra, isStaged, signal, change, domain, keep } = input;
  // Loaded late: this is most of the program, and a loop builds its own prompts without it.
  const { createContextPacker } = await import('../context/prompt/context-packer.ts');
  const packer = createContextPacker({ repo: root, guidelinesFrom: repository, settings, signal });
  const shown = isStaged || change ? role : withoutChange(role, targets.length > 0);
  const { text, packageId, diagnostics } = await packer.buildPrompt(shown, task, targets, extra, {
    ...(change && { change }),
    ...(domain !== undefined && { domain }),
    ...(keep && { keep }),
  });
  const promptId = createHash('sha256').update(text).digest('hex');
  return { text, promptId, packageId, diagnostics };
}

/** The role without the parts that show a change, for a work tree in which nothing is staged. */
function withoutChange(role: Role, hasTargets: boolean): Role {
  const showsChange = (pattern: string) =>
    pattern === STAGED_DIFF ||
    pattern === '$CHANGED_FILES' ||
    // Without targets these mean the files of the change.
    (!hasTargets && /^\$(?:TESTS|TARGET_IMPORTS)\b/.test(pattern));
  const include = role.context.include.filter((pattern) => !showsChange(pattern));
  return { ...role, context: { ...role.context, include, gitDiff: false } };
}

/** Some programs load for seconds before they print their version. */
const VERSION_TIMEOUT_MS = 20_000;
/** A version is a line. A program that prints more is not asked further. */
const MAX_VERSION_OUTPUT_BYTES = 64 * 1024;

/** An agent that is installed on this machine. */
export interface FoundAgent {
  /** Starts the program that was found, with everything this machine needs for it. */
  readonly adapter: NamedWorker;
  /** The absolute path of the program. */
  readonly path: string;
  /** From its package, or from the program itself, which may take more than a second. */
  readVersion(signal?: AbortSignal): Promise<string>;
}

/** Finds an agent on the PATH. Programs inside `repositoryRoot` do not count: a repository must not bring its own agent. */
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
  // Variables that the client would read from files of the repository are set, and empty.
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

/** The first version number in a text. */
function versionIn(text: string | null): string | null {
  return /\d+\.\d+\.\d+(?:[.+-]*\w)*/.exec(text ?? '')?.[0] ?? null;
}

/** Asks the program itself for its version. */
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
    `${path} ${worker.versionArgs.join(' ')} printed no version (${result.outcome}, exit code ${result.exitCode})${said ? `: ${said}` : ''}`,
    { subject: path, hint: `install it again: ${worker.installLine}` },
  );
}

/** Larger environment files are refused. */
const MAX_BYTES = 256 * 1024;
/** A file with more names is not an environment file. */
const MAX_NAMES = 1_000;
/** Everything that a reader of such files could take for a name. Words that are not names do no harm. */
const NAME = /([\w.-]+)\s*[=:]/g;

/**
 * Some CLIs read environment files of the folder they work in and set variables that are not set yet, such as the address
 * of their service. A repository must not decide that. So these variables are set to an empty value, which the CLI keeps.
 */
export function blanksForFiles(
  folder: string,
  files: readonly string[],
  env: Environment,
): Readonly<Record<string, string>> {
  if (files.length === 0 || folderIsGone(folder)) return {};
  const root = openSafeRoot(folder);
  const blanks: Record<string, string> = {};
  for (const file of files) {
    const stat = root.stat(file);
    // A folder of this name is a virtual environment, and no CLI can read it as a file.
    if (stat === null || stat.type === 'directory') continue;
    const read = root.read(file, MAX_BYTES);
    if (read.kind !== 'content')
      throw refused(file, `it cannot be read safely: ${describeSkip(read.reason)}`);
    for (const [, name = ''] of read.bytes.toString('utf8').matchAll(NAME))
      if (env[name] === undefined) blanks[name] = '';
  }
  const { length } = Object.keys(blanks);
  if (length > MAX_NAMES) throw refused(files.join(' and '), `${length} names are more than ${MAX_NAMES}`);
  return blanks;
}

/** Refuses to start an agent in a repository that tells it what to run or where to send requests. */
export function refuseObeyedFiles(folder: string, files: readonly ObeyedFile[]): void {
  if (files.length === 0 || folderIsGone(folder)) return;
  const root = openSafeRoot(folder);
  for (const { path, holding } of files) {
    if (root.stat(path) === null) continue;
    const read = holding === undefined ? null : root.read(path, MAX_BYTES);
    if (read?.kind === 'content' && !holding!.test(read.bytes.toString('utf8'))) continue;
    throw refused(path, 'it has no option for that');
  }
}

/** Refuses to start an agent that would replace the empty values by those of the repository's files. */
export function refuseNames(files: readonly string[], names: readonly string[]): void {
  if (names.length > 0)
    throw refused(
      files.join(' or '),
      `it sets ${names.slice(0, 3).join(', ')}${names.length > 3 ? ' and more' : ''}`,
    );
}

/** The error for a file that an agent would obey. */
function refused(file: string, why: string): LoadoutError {
  const message = `this agent would take settings from ${file} of the repository, and that cannot be prevented: ${why}`;
  return new LoadoutError('environment-file-refused', message, {
    subject: file,
    hint: 'choose another agent with --cli, or remove the file from the repository',
  });
}
