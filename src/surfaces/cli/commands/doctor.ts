import { SCOPES } from '../../../agents/index.ts';
import { configDirectory } from '../../../platform/cache/user-directories.ts';
import type { Check } from '../../install/index.ts';
import { readVersion } from '../../shared/program-identity.ts';
import type { CliCommand, CommandCall } from '../command.ts';
import { align, printable } from '../views/terminal-text.ts';

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
    const { checkCacheDirectory, checkGit, checkGrammars, checkHookLog, checkNode, checkStores } =
      await import('../doctor-checks.ts');
    const checks: readonly Check[] = [
      { name: 'loadout', state: 'ok', detail: readVersion() },
      checkNode(process.version),
      await checkGit(call.io.env, call.repository().path),
      checkCacheDirectory(settings.cacheDir),
      checkGrammars(),
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

async function checkClients(call: CommandCall): Promise<readonly Check[]> {
  const { checkSetUp } = await import('../../install/check-set-up.ts');
  const { findLaunchCommand, installPlace, restrictedTools } = await import('../../install/plan-set-up.ts');
  const { openSetUpRecords } = await import('../../install/set-up-record.ts');
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

async function checkRunningServer(cacheDirectory: string): Promise<readonly Check[]> {
  const { readServerState } = await import('../../shared/server-state.ts');
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
