import { monotonicMs } from '../../platform/clock.ts';
import { definedVariables, type Environment } from '../../platform/environment.ts';
import { findProgram } from '../../platform/process/find-program.ts';
import { runProcess } from '../../platform/process/process-runner.ts';
import type { Check } from '../cli/doctor-checks.ts';
import { askCodexHooks } from './ask-codex-hooks.ts';
import { askProgram } from './ask-program.ts';
import { planSetUp } from './plan-set-up.ts';
import { refusesIn } from './restricted-tools.ts';
import type { SetUpRecords } from './set-up-record.ts';
import { CLIENTS, type Client, type ClientHomes, type LaunchCommand } from './set-up-target.ts';

const PROGRAMS: Readonly<Record<Client, string>> = {
  claude: 'claude',
  codex: 'codex',
  gemini: 'gemini',
  copilot: 'copilot',
  opencode: 'opencode',
  cursor: 'cursor-agent',
};
const VERSION_MS = 15_000;
const TRIAL_MS = 15_000;
/** A little less than a hook takes for itself. */
const HOOK_MS = 4_500;

export interface SetUpChecks {
  readonly env: Environment;
  readonly repository: string;
  readonly homes: readonly ClientHomes[];
  readonly launch: LaunchCommand;
  readonly records: SetUpRecords;
  /** That the user's guidelines refuse. */
  readonly tools: readonly string[];
}

/** Which clients are here, what `loadout init` wrote for them, and whether that works. */
export async function checkSetUp(options: SetUpChecks): Promise<readonly Check[]> {
  const versions = await Promise.all(CLIENTS.map((client) => findVersion(client, options)));
  const checks = CLIENTS.flatMap((client, at) => checkClient(client, versions[at] ?? null, options));
  const isUsed = checks.some(({ detail }) => detail.includes(SET_UP));
  if (!isUsed) return checks;
  const more = [checkCodexTrust(options), checkServer(options), checkHook(options)];
  return [...checks, ...(await Promise.all(more)).flat()];
}

const SET_UP = 'set up';
const REVIEW = 'start codex here and choose "Trust all and continue", or trust them under /hooks';

/** Null when it is not installed. */
async function findVersion(client: Client, { env, repository }: SetUpChecks): Promise<string | null> {
  const program = findProgram(PROGRAMS[client], env, repository);
  if (!program) return null;
  const { exitCode, stdout } = await runProcess(program, ['--version'], { timeoutMs: VERSION_MS });
  const version = /\d+\.\d+(?:[.+-]*\w)*/.exec(stdout.toString('utf8'))?.[0];
  return exitCode === 0 && version ? version : 'does not tell its version';
}

function checkClient(client: Client, version: string | null, options: SetUpChecks): readonly Check[] {
  const states = options.homes.map((homes) => ({
    scope: homes.scope,
    state: stateOf(client, homes, options),
  }));
  const present = states.filter(({ state }) => state !== 'absent');
  if (version === null && present.length === 0) return [];
  const installed = version ?? 'not on the PATH';
  if (present.length === 0) {
    const detail = `${installed}; not connected: loadout init ${client}`;
    return [{ name: client, state: 'good', detail }];
  }
  const broken = present.find(({ state }) => state !== 'complete');
  const scopes = present.map(({ scope }) => scope).join(' and ');
  if (!broken && !present.some(({ scope }) => refusesIn(client, scope)) && options.tools.length > 0) {
    const detail = `${installed}; ${SET_UP} (${scopes}), but it does not ask before it uses tools that your guidelines refuse: loadout init ${client} --scope user`;
    return client === 'cursor' ? [] : [{ name: client, state: 'limited', detail }];
  }
  if (!broken) return [{ name: client, state: 'good', detail: `${installed}; ${SET_UP} (${scopes})` }];
  const flag = broken.scope === 'user' ? ' --scope user' : '';
  const why =
    broken.state === 'unreadable'
      ? 'a settings file cannot be read'
      : 'parts are missing or of another version';
  const detail = `${installed}; ${SET_UP} (${scopes}), but ${why}: loadout init ${client}${flag}`;
  return [{ name: client, state: 'limited', detail }];
}

type State = 'absent' | 'complete' | 'partial' | 'unreadable';

function stateOf(client: Client, homes: ClientHomes, { launch, records, tools }: SetUpChecks): State {
  const request = { client, homes, launch, records, tools };
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

async function checkCodexTrust(options: SetUpChecks): Promise<readonly Check[]> {
  const { env, repository, homes } = options;
  const program = findProgram(PROGRAMS.codex, env, repository);
  const isSetUp = homes.some((one) => stateOf('codex', one, options) !== 'absent');
  if (!program || !isSetUp) return [];
  const name = 'codex hooks';
  const hooks = await askCodexHooks(program, repository, env, TRIAL_MS);
  const limited = (detail: string): readonly Check[] => [{ name, state: 'limited', detail }];
  if ('problem' in hooks)
    return limited(`cannot tell whether they are trusted (${hooks.problem}): ${REVIEW}`);
  if (hooks.found === 0) return limited(`Codex does not see them: start codex here and trust this folder`);
  if (hooks.untrusted > 0) return limited(`${hooks.untrusted} of ${hooks.found} are skipped: ${REVIEW}`);
  if (hooks.off > 0) return limited(`${hooks.off} of ${hooks.found} are switched off: see /hooks in codex`);
  return [{ name, state: 'good', detail: `${hooks.found} trusted` }];
}

async function checkServer({ launch, repository, env }: SetUpChecks): Promise<Check> {
  const started = monotonicMs();
  const trial = await tryMcpServer(launch, repository, env, TRIAL_MS);
  const name = 'MCP server';
  if ('problem' in trial) return { name, state: 'broken', detail: `does not start: ${trial.problem}` };
  const milliseconds = Math.round(monotonicMs() - started);
  return { name, state: 'good', detail: `${trial.tools.join(', ')} (${milliseconds} ms to start)` };
}

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
    // a check leaves nothing behind
    env: { ...definedVariables(env), LOADOUT_WARM_SERVER: 'running' },
    input,
    timeoutMs: TRIAL_MS,
  });
  const milliseconds = Math.round(monotonicMs() - started);
  if (exitCode !== 0 || !isJson(stdout))
    return { name, state: 'broken', detail: `does not answer (exit code ${exitCode})` };
  const hasContext = stdout.includes('additionalContext');
  return {
    name,
    state: hasContext ? 'good' : 'limited',
    detail: hasContext
      ? `answers in ${milliseconds} ms`
      : `answers without context in ${milliseconds} ms: ${milliseconds < HOOK_MS ? 'run loadout scan first' : 'it ran out of time'}`,
  };
}

function isJson(bytes: Buffer): boolean {
  try {
    return typeof JSON.parse(bytes.toString('utf8')) === 'object';
  } catch {
    return false;
  }
}

export type McpTrial = { readonly tools: readonly string[] } | { readonly problem: string };

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'doctor', version: '1' } },
};
const READY = { jsonrpc: '2.0', method: 'notifications/initialized' };
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

/** Starts the server as a client would, asks for its tools and ends it. */
export function tryMcpServer(
  { program, args }: LaunchCommand,
  cwd: string,
  env: Environment,
  timeoutMs: number,
): Promise<McpTrial> {
  const messages = [INITIALIZE, READY, LIST];
  return askProgram<McpTrial>(program, [...args, 'mcp'], { cwd, env, messages, timeoutMs, read: toolsIn });
}

function toolsIn(message: unknown): McpTrial | null {
  const { id, result } = message as { id?: number; result?: { tools?: { name: string }[] } };
  return id === LIST.id && result?.tools ? { tools: result.tools.map(({ name }) => name) } : null;
}
