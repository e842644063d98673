/**
 * Checks the set-up that `loadout init` wrote: which clients are installed, whether their files are complete, and whether
 * the MCP server and the hook really answer. `loadout doctor` prints the result.
 */

import {
  clientOf,
  type HookTrust,
  INSTALL_CLIENTS,
  type InstallClient,
  type InstallPlace,
  installOf,
  type LaunchCommand,
} from '../../agents/index.ts';
import { readJson } from '../../model/read-json.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { definedVariables, type Environment } from '../../platform/environment.ts';
import { findProgram } from '../../platform/process/find-program.ts';
import { type ProcessResult, runProcess } from '../../platform/process/process-runner.ts';
import { planSetUp } from './plan-set-up.ts';
import type { SetUpRecords } from './plan-target.ts';

/** Time limit for a client to print its version. */
const VERSION_MS = 15_000;
/** Time limit for a server or a hook that is tried. */
const TRIAL_MS = 15_000;
/** A check must not start a server and leaves no record. It wants an answer, however unsure that is. */
const TRIAL_VARIABLES = {
  LOADOUT_WARM_SERVER: 'running',
  LOADOUT_HOOK_RECORDS: 'off',
  LOADOUT_HOOK_GATE: 'off',
};
/** A little less than a hook takes for itself. */
const HOOK_MS = 4_500;

/** One line of `loadout doctor`. */
export interface Check {
  /** The subject of the row, such as `git`. */
  readonly name: string;
  /** `limited`: everything works, some of it less well. */
  readonly state: 'ok' | 'limited' | 'broken';
  /** A version, or the problem and how to repair it. */
  readonly detail: string;
}

/** The input of the checks. */
export interface SetUpChecks {
  readonly env: Environment;
  readonly repository: string;
  /** The places of the repository and of the user. */
  readonly places: readonly InstallPlace[];
  /** The command that clients would start. */
  readonly launch: LaunchCommand;
  /** The records of earlier calls of `init`. */
  readonly records: SetUpRecords;
  /** The tools that the user's guidelines refuse. */
  readonly tools: readonly string[];
}

/** Checks which clients are installed, whether `loadout init` has set them up, and whether the set-up works. */
export async function checkSetUp(options: SetUpChecks): Promise<readonly Check[]> {
  const versions = await Promise.all(INSTALL_CLIENTS.map((client) => findVersion(client, options)));
  const checks = INSTALL_CLIENTS.flatMap((client, at) => checkClient(client, versions[at] ?? null, options));
  // Starting a server and a hook takes seconds; do it only when a client would.
  const isUsed = checks.some(({ detail }) => detail.includes(SET_UP));
  if (!isUsed) return checks;
  const more = [
    ...INSTALL_CLIENTS.map((client) => checkHookTrust(client, options)),
    checkServer(options),
    checkHook(options),
  ];
  return [...checks, ...(await Promise.all(more)).flat()];
}

/** Part of the detail of every client that is set up. */
const SET_UP = 'set up';

/** Null when it is not installed. */
async function findVersion(client: InstallClient, { env, repository }: SetUpChecks): Promise<string | null> {
  const program = findProgram(clientOf(client).program, env, repository);
  if (!program) return null;
  const { exitCode, stdout } = await runProcess(program, ['--version'], { timeoutMs: VERSION_MS });
  const version = /\d+\.\d+(?:[.+-]*\w)*/.exec(stdout.toString('utf8'))?.[0];
  return exitCode === 0 && version ? version : 'does not print its version';
}

/** The row of one client; none for a client that is neither installed nor set up. */
function checkClient(client: InstallClient, version: string | null, options: SetUpChecks): readonly Check[] {
  const states = options.places.map((place) => ({
    scope: place.scope,
    state: stateOf(client, place, options),
  }));
  const present = states.filter(({ state }) => state !== 'absent');
  if (version === null && present.length === 0) return [];
  const installed = version ?? 'not on the PATH';
  if (present.length === 0) {
    const detail = `${installed}; not connected: loadout init ${client}`;
    return [{ name: client, state: 'ok', detail }];
  }
  const broken = present.find(({ state }) => state !== 'complete');
  const scopes = present.map(({ scope }) => scope).join(' and ');
  // Some clients ask before a tool only when they are set up for the user.
  const { refusesToolsIn } = installOf(client);
  const couldRefuse = refusesToolsIn.length > 0 && options.tools.length > 0;
  if (!broken && couldRefuse && !present.some(({ scope }) => refusesToolsIn.includes(scope))) {
    const detail = `${installed}; ${SET_UP} (${scopes}), but it does not ask before it uses tools that your guidelines refuse: loadout init ${client} --scope user`;
    return [{ name: client, state: 'limited', detail }];
  }
  if (!broken) return [{ name: client, state: 'ok', detail: `${installed}; ${SET_UP} (${scopes})` }];
  const flag = broken.scope === 'user' ? ' --scope user' : '';
  const why =
    broken.state === 'unreadable'
      ? 'a settings file cannot be read'
      : 'parts are missing or of another version';
  const detail = `${installed}; ${SET_UP} (${scopes}), but ${why}: loadout init ${client}${flag}`;
  return [{ name: client, state: 'limited', detail }];
}

/** How complete a set-up is. `partial` includes files of another version. */
type State = 'absent' | 'complete' | 'partial' | 'unreadable';

/** Compares with the plans for both directions: nothing to remove means absent, nothing to write means complete. */
function stateOf(client: InstallClient, place: InstallPlace, { launch, records, tools }: SetUpChecks): State {
  const request = { client, place, launch, records, tools };
  try {
    const isAbsent = planSetUp({ ...request, remove: true }).every(({ action }) => action === 'keep');
    if (isAbsent) return 'absent';
    const wanted = planSetUp({ ...request, remove: false });
    return wanted.every(({ action, notes }) => action === 'keep' && notes.length === 0)
      ? 'complete'
      : 'partial';
  } catch {
    return 'unreadable';
  }
}

/** Asks a client that is set up whether it would skip our hooks. Not every client can be asked. */
async function checkHookTrust(client: InstallClient, options: SetUpChecks): Promise<readonly Check[]> {
  const { env, repository, places } = options;
  const { hookTrust } = installOf(client);
  if (!hookTrust) return [];
  const program = findProgram(clientOf(client).program, env, repository);
  const isSetUp = places.some((place) => stateOf(client, place, options) !== 'absent');
  if (!program || !isSetUp) return [];
  const hooks = await askProgram<HookTrust>(program, hookTrust.args, {
    ...{ cwd: repository, env, timeoutMs: TRIAL_MS },
    messages: hookTrust.messages(repository),
    read: hookTrust.read,
  });
  const name = `${client} hooks`;
  const limited = (detail: string): readonly Check[] => [{ name, state: 'limited', detail }];
  const { trust, find, switchOn } = hookTrust.advice;
  if ('problem' in hooks) return limited(`cannot tell whether they are trusted (${hooks.problem}): ${trust}`);
  if (hooks.found === 0) return limited(`${clientOf(client).name} does not see them: ${find}`);
  if (hooks.untrusted > 0) return limited(`${hooks.untrusted} of ${hooks.found} are skipped: ${trust}`);
  if (hooks.off > 0) return limited(`${hooks.off} of ${hooks.found} are switched off: ${switchOn}`);
  return [{ name, state: 'ok', detail: `${hooks.found} trusted` }];
}

/** Starts the MCP server as a client would, and lists its tools. */
async function checkServer({ launch, repository, env }: SetUpChecks): Promise<Check> {
  const started = monotonicMs();
  const trial = await tryMcpServer(launch, repository, env, TRIAL_MS);
  const name = 'MCP server';
  if ('problem' in trial) return { name, state: 'broken', detail: `does not start: ${trial.problem}` };
  const milliseconds = Math.round(monotonicMs() - started);
  return { name, state: 'ok', detail: `${trial.tools.join(', ')} (${milliseconds} ms to start)` };
}

/** Sends a prompt to the hook as a client would. An answer without context is valid, and still worth a note. */
async function checkHook({ launch: { program, args }, repository, env }: SetUpChecks): Promise<Check> {
  const name = 'hook';
  const started = monotonicMs();
  const input = JSON.stringify({
    session_id: '',
    cwd: repository,
    hook_event_name: 'UserPromptSubmit',
    prompt: 'Where does this program start, and how is it tested?',
  });
  const { exitCode, stdout } = await runProcess(program, [...args, 'hook', 'user-prompt-submit'], {
    cwd: repository,
    env: { ...definedVariables(env), ...TRIAL_VARIABLES },
    input,
    timeoutMs: TRIAL_MS,
  });
  const milliseconds = Math.round(monotonicMs() - started);
  if (exitCode !== 0 || !isJson(stdout))
    return { name, state: 'broken', detail: `does not answer (exit code ${exitCode})` };
  const hasContext = stdout.includes('additionalContext');
  return {
    name,
    state: hasContext ? 'ok' : 'limited',
    detail: hasContext
      ? `answers in ${milliseconds} ms`
      : `answers without context in ${milliseconds} ms: ${milliseconds < HOOK_MS ? 'run loadout scan first' : 'it ran out of time'}`,
  };
}

/** True for an object: clients accept nothing else. */
function isJson(bytes: Buffer): boolean {
  const read = readJson(bytes.toString('utf8'));
  return read.kind === 'json' && typeof read.value === 'object';
}

/** The tools of the server, or why there is no answer. */
type McpTrial = { readonly tools: readonly string[] } | { readonly problem: string };

/** The three messages that every MCP client starts with. */
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'doctor', version: '1' } },
};
const READY = { jsonrpc: '2.0', method: 'notifications/initialized' };
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

/** Starts the server as a client would, asks for its tools and ends it. */
function tryMcpServer(
  { program, args }: LaunchCommand,
  cwd: string,
  env: Environment,
  timeoutMs: number,
): Promise<McpTrial> {
  const messages = [INITIALIZE, READY, LIST];
  return askProgram<McpTrial>(program, [...args, 'mcp'], { cwd, env, messages, timeoutMs, read: toolsIn });
}

/** The answer to `LIST`; null for any other message. */
function toolsIn(message: unknown): McpTrial | null {
  const { id, result } = message as { id?: number; result?: { tools?: { name: string }[] } };
  return id === LIST.id && result?.tools ? { tools: result.tools.map(({ name }) => name) } : null;
}

/** A dialogue with a program over its standard streams. */
interface ProgramQuestion<Answer> {
  readonly cwd: string;
  readonly env: Environment;
  /** Each is sent as a line of JSON. */
  readonly messages: readonly unknown[];
  /** Reads a line of the output; null when it is not the answer. */
  readonly read: (message: unknown) => Answer | null;
  /** The program is ended after it. */
  readonly timeoutMs: number;
}

/** Output that is read before the program is given up. */
const MAX_BYTES = 4_000_000;
/** Characters of its error output in a row. */
const MAX_SAID = 300;

/** Talks to a program that serves on its standard streams, waits for the one answer and ends it. */
async function askProgram<Answer extends object>(
  program: string,
  args: readonly string[],
  { cwd, env, messages, read, timeoutMs }: ProgramQuestion<Answer>,
): Promise<Answer | { readonly problem: string }> {
  const answered = new AbortController();
  let answer: Answer | null = null;
  let rest = '';
  const decoder = new TextDecoder();
  const result = await runProcess(program, args, {
    cwd,
    env: definedVariables(env),
    input: messages.map((message) => `${JSON.stringify(message)}\n`).join(''),
    keepsInputOpen: true,
    timeoutMs,
    maxOutputBytes: MAX_BYTES,
    signal: answered.signal,
    onOutput: (stream, chunk) => {
      if (stream !== 'stdout' || answer !== null) return;
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop()!;
      for (const line of lines) answer ??= readLine(line, read);
      if (answer !== null) answered.abort();
    },
  });
  return answer ?? { problem: problemOf(result, timeoutMs) };
}

function readLine<Answer>(line: string, read: (message: unknown) => Answer | null): Answer | null {
  const message = readJson(line);
  // Not JSON: some other output of the program.
  if (message.kind === 'invalid') return null;
  try {
    return read(message.value);
  } catch {
    return null;
  }
}

/** Why there was no answer, in words. */
function problemOf({ outcome, exitCode, stderr }: ProcessResult, timeoutMs: number): string {
  if (outcome === 'timed-out') return `no answer within ${timeoutMs} ms`;
  if (outcome === 'output-limit') return 'its output is too large';
  if (outcome === 'not-found') return 'it cannot be started';
  const said = stderr.toString('utf8').trim().slice(0, MAX_SAID);
  return `it ended with code ${exitCode}${said === '' ? '' : `: ${said}`}`;
}
