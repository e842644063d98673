import { monotonicMs } from '../../platform/clock.ts';
import type { Environment } from '../../platform/environment.ts';
import { findProgram } from '../../platform/find-program.ts';
import { runProcess } from '../../platform/process-runner.ts';
import type { Check } from '../cli/doctor-checks.ts';
import { planSetUp } from './plan-set-up.ts';
import type { SetUpRecords } from './set-up-record.ts';
import { CLIENTS, type Client, type ClientHomes, type LaunchCommand } from './set-up-target.ts';
import { tryMcpServer } from './try-mcp-server.ts';

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

export interface SetUpChecks {
  readonly env: Environment;
  readonly repository: string;
  readonly homes: readonly ClientHomes[];
  readonly launch: LaunchCommand;
  readonly records: SetUpRecords;
}

/** Which clients are here, what `loadout init` wrote for them, and whether that works. */
export async function checkSetUp(options: SetUpChecks): Promise<readonly Check[]> {
  const versions = await Promise.all(CLIENTS.map((client) => findVersion(client, options)));
  const checks = CLIENTS.flatMap((client, at) => checkClient(client, versions[at] ?? null, options));
  const isUsed = checks.some(({ detail }) => detail.includes(SET_UP));
  return isUsed ? [...checks, await checkServer(options), await checkHook(options)] : checks;
}

const SET_UP = 'set up';

/** Null when it is not installed. */
async function findVersion(client: Client, { env, repository }: SetUpChecks): Promise<string | null> {
  const program = findProgram(PROGRAMS[client], env, repository);
  if (!program) return null;
  const { exitCode, stdout } = await runProcess(program, ['--version'], { timeoutMs: VERSION_MS });
  const version = /\d+\.\d+(?:\.\d+)?\S*/.exec(stdout.toString('utf8'))?.[0];
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

function stateOf(client: Client, homes: ClientHomes, { launch, records }: SetUpChecks): State {
  const request = { client, homes, launch, records };
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

async function checkServer({ launch, repository }: SetUpChecks): Promise<Check> {
  const started = monotonicMs();
  const trial = await tryMcpServer(launch, repository, TRIAL_MS);
  const name = 'MCP server';
  if ('problem' in trial) return { name, state: 'broken', detail: `does not start: ${trial.problem}` };
  const milliseconds = Math.round(monotonicMs() - started);
  return { name, state: 'good', detail: `${trial.tools.join(', ')} (${milliseconds} ms to start)` };
}

async function checkHook({ launch: { program, args }, repository }: SetUpChecks): Promise<Check> {
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
      : `answers without context in ${milliseconds} ms: run loadout scan first`,
  };
}

function isJson(bytes: Buffer): boolean {
  try {
    return typeof JSON.parse(bytes.toString('utf8')) === 'object';
  } catch {
    return false;
  }
}
