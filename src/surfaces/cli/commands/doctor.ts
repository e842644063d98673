/**
 * `loadout doctor`: checks the installation, the agents and their set-up. Each check is a function that returns its rows.
 */

import { accessSync, constants } from 'node:fs';
import { DEFAULT_HOOK_CLIENT, SCOPES } from '../../../agents/index.ts';
import type { Settings } from '../../../config/index.ts';
import { errorCode } from '../../../model/loadout-error.ts';
import { neededNode } from '../../../platform/cache/built-formats.ts';
import { readPackagedGrammar } from '../../../platform/cache/grammar-files.ts';
import { configDirectory } from '../../../platform/cache/user-directories.ts';
import { wallClockMs } from '../../../platform/clock.ts';
import type { Environment } from '../../../platform/environment.ts';
import { createFolders } from '../../../platform/fs/make-folder.ts';
import { findProgram } from '../../../platform/process/find-program.ts';
import { runProcess } from '../../../platform/process/process-runner.ts';
import { type HookLogEntry, readHookLog } from '../../hook/index.ts';
import type { Check } from '../../install/index.ts';
import { readVersion } from '../../shared/program-identity.ts';
import type { CliCommand, CommandCall } from '../command.ts';
import { align, printable } from '../views/output.ts';

export const doctor: CliCommand = {
  name: 'doctor',
  summary: 'Check the installation, the agents and their set-up. The exit code is 1 if something is broken.',
  arguments: [],
  settings: ['cacheDir'],
  flags: [],
  examples: [
    {
      line: 'loadout doctor',
      does: 'check versions, git, cache directory, grammars, agents and their set-up',
    },
    { line: 'loadout doctor --json', does: 'the same for other programs' },
  ],
  run: async (call) => {
    const { settings } = await call.settings();
    // The order is the order of the rows: from the program itself to its clients and servers.
    const checks: readonly Check[] = [
      { name: 'loadout', state: 'ok', detail: readVersion() },
      checkNode(process.version),
      await checkGit(call.io.env, call.repository().path),
      checkCacheDirectory(settings.cacheDir),
      await checkGrammars(),
      ...(await checkClients(call)),
      ...(await checkStores(settings, call.io.env)),
      checkHookLog(settings.cacheDir),
      ...(await checkRunningServer(settings.cacheDir)),
    ];
    const isBroken = checks.some(({ state }) => state === 'broken');
    if (call.global.json) call.output.json({ healthy: !isBroken, checks });
    else {
      const { green, yellow, red } = call.output.colors;
      const paint = { ok: green, limited: yellow, broken: red };
      const rows = checks.map(({ name, state, detail }) => [paint[state](state), name, printable(detail)]);
      for (const line of align(rows)) call.output.line(line);
    }
    return isBroken ? 1 : 0;
  },
};

/** The rows of the agent clients. Only the user's own guidelines count: a repository must not change the result. */
async function checkClients(call: CommandCall): Promise<readonly Check[]> {
  const { checkSetUp } = await import('../../install/check-set-up.ts');
  const { findLaunchCommand, installPlace, restrictedTools } = await import('../../install/plan-set-up.ts');
  const { openSetUpRecords } = await import('../../install/plan-target.ts');
  const { loadGuidelines } = await import('../../../context/guidelines/guideline-places.ts');
  const { env } = call.io;
  const repository = call.repository().path;
  const userDirectory = configDirectory(env);
  const { guidelines } = await loadGuidelines({ repository: null, userDirectory });
  return checkSetUp({
    tools: restrictedTools(guidelines),
    env,
    repository,
    places: SCOPES.map((scope) => installPlace(env, repository, scope)),
    launch: findLaunchCommand(env, repository).launch,
    records: openSetUpRecords(userDirectory),
  });
}

/** The row of the running server; no row without one, because a server is optional. */
async function checkRunningServer(cacheDirectory: string): Promise<readonly Check[]> {
  const { readServerState } = await import('../../shared/server-client.ts');
  const state = readServerState(cacheDirectory);
  if (!state) return [];
  const { askHealth } = await import('../../shared/server-client.ts');
  const place = `process ${state.process.pid}, port ${state.port}`;
  const warm = await askHealth(state);
  const open = warm?.length === 1 ? '1 repository' : `${warm?.length} repositories`;
  if (warm) return [{ name: 'server', state: 'ok', detail: `${place}, ${open} open` }];
  const detail = `does not answer (${place}): end it with "loadout serve --stop"`;
  return [{ name: 'server', state: 'limited', detail }];
}

/** The launcher decides by the same rule before anything else is loaded; `^` means this major alone. */
export function checkNode(version: string): Check {
  const lines = neededNode()
    .split('||')
    .map((range) => {
      const [major = 0, minor = 0] = range
        .replace(/[^\d.]/g, '')
        .split('.')
        .map(Number);
      return { major, minor, isAlone: range.includes('^') };
    });
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const isSupported = lines.some(
    (line) => (major === line.major && minor >= line.minor) || (major > line.major && !line.isAlone),
  );
  if (isSupported) return { name: 'node', state: 'ok', detail: version };
  const needed = lines.map((line) => `${line.major}.${line.minor}+`).join(' or ');
  return { name: 'node', state: 'broken', detail: `${version} is not supported; ${needed} is needed` };
}

/** Git is optional, so its absence only limits. */
async function checkGit(env: Environment, repository: string): Promise<Check> {
  const without = 'files are found by walking the tree, without history';
  const program = findProgram('git', env, repository);
  if (!program) return { name: 'git', state: 'limited', detail: `not on the PATH: ${without}` };
  const { exitCode, stdout } = await runProcess(program, ['--version'], { timeoutMs: 5000 });
  if (exitCode !== 0) return { name: 'git', state: 'limited', detail: `${program} does not run: ${without}` };
  return { name: 'git', state: 'ok', detail: `${stdout.toString('utf8').trim()} (${program})` };
}

/** Creates the directory if need be: a first scan would do the same. */
function checkCacheDirectory(directory: string): Check {
  const name = 'cache directory';
  try {
    createFolders(directory);
    accessSync(directory, constants.W_OK | constants.X_OK);
    return { name, state: 'ok', detail: `${directory} can be written` };
  } catch (error) {
    return { name, state: 'broken', detail: `${directory} cannot be written (${errorCode(error)})` };
  }
}

/**
 * Checks that each grammar is there and can be compiled. The language table is loaded here, because `--help`
 * does not need it.
 */
async function checkGrammars(): Promise<Check> {
  const { LANGUAGES } = await import('../../../scan/parse/index.ts');
  const needed = new Set<string>();
  for (const { structure } of LANGUAGES)
    if (structure?.engine === 'tree-sitter') needed.add(structure.grammar);
  const unusable = [...needed].filter((grammar) => !isUsable(grammar));
  if (unusable.length === 0) return { name: 'grammars', state: 'ok', detail: `${needed.size} present` };
  const detail = `${unusable.length} of ${needed.size} missing or damaged: ${unusable.join(', ')}; install Loadout again`;
  return { name: 'grammars', state: 'broken', detail };
}

/** Short: a store that takes longer is of no use to a hook. */
const STORE_MS = 2_000;

/** Checks that the team's stores answer. If one does not, the local index answers instead, so it is only a warning. */
async function checkStores(
  { stores }: Pick<Settings, 'stores'>,
  env: Environment,
): Promise<readonly Check[]> {
  const names = Object.keys(stores);
  if (names.length === 0) return [];
  const { teamStoreStatus } = await import('../../../stores/team/team-store.ts');
  return Promise.all(
    names.map(async (store): Promise<Check> => {
      const name = `store ${store}`;
      try {
        const status = await teamStoreStatus({ store, stores }, { budgetMs: STORE_MS }, env);
        const count = status.snapshots.length;
        const detail = `${status.server}, ${count === 1 ? '1 snapshot' : `${count} snapshots`} of team ${status.team}`;
        return { name, state: 'ok', detail };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        const detail = `${stores[store]!.url.join(', ')}: ${reason}; the local index answers instead`;
        return { name, state: 'limited', detail };
      }
    }),
  );
}

/** Node's types have no values for this namespace. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: { readonly validate: (bytes: Uint8Array) => boolean };
};

/** Validates without compiling: a check needs no more. */
function isUsable(grammar: string): boolean {
  try {
    return wasm.validate(readPackagedGrammar(grammar));
  } catch {
    return false;
  }
}

/** Older problems of hooks are not shown. */
const RECENT_MS = 24 * 3_600_000;
/** Entries of the hook log that are read, newest first. */
const MAX_READ = 500;
/** Problems that fit into one row. */
const MAX_SHOWN = 3;

/** Lists the hooks of the last day that gave an agent no context, or less of it. */
export function checkHookLog(cacheDirectory: string): Check {
  const name = 'hooks';
  const all = readHookLog(cacheDirectory, MAX_READ);
  const since = new Date(wallClockMs() - RECENT_MS).toISOString();
  const recent = all.filter(({ at }) => at >= since);
  if (recent.length === 0) return { name, state: 'ok', detail: 'no problems in the last day' };
  const shown = recent.slice(0, MAX_SHOWN).map(describe).join('; ');
  const more = recent.length > MAX_SHOWN ? ` (and ${recent.length - MAX_SHOWN} more)` : '';
  return { name, state: 'limited', detail: `${shown}${more}` };
}

/** One problem of a hook: when, which client and event, after how long, and why. */
function describe({ at, client, event, milliseconds, problem }: HookLogEntry): string {
  return `${at} ${client || DEFAULT_HOOK_CLIENT} ${event} after ${milliseconds} ms: ${problem}`;
}
