/**
 * `loadout store`: shows, cleans up and removes content of a team's knowledge store. `loadout scan --store`
 * fills it.
 */

import type { Settings } from '../../../config/index.ts';
import { LoadoutError } from '../../../model/loadout-error.ts';
import { type CliCommand, type CommandCall, unknownAction } from '../command.ts';
import { align, printable } from '../views/output.ts';

/** The first argument. `gc` is short for garbage collection. */
const ACTIONS = ['status', 'gc', 'drop'] as const;

export const store: CliCommand = {
  name: 'store',
  summary: "Manage the team's knowledge store: show its content, clean it up, remove a repository.",
  arguments: [
    { syntax: '<ACTION>', help: `One of ${ACTIONS.join(', ')}.`, values: ACTIONS },
    { syntax: '[REPOSITORY]', help: 'drop: the name of the repository in the store.' },
  ],
  settings: ['store', 'storeBranch'],
  flags: [],
  examples: [
    { line: 'loadout store status --store team', does: 'which repositories and branches it holds' },
    { line: 'loadout store gc --store team', does: 'remove content that no branch uses' },
    { line: 'loadout store drop org/app --store-branch old --store team', does: 'forget a branch' },
    { line: 'loadout store drop org/app --store team', does: 'forget a repository' },
  ],
  run: async (call) => {
    const [action, repository] = call.arguments;
    const settings = await namedStore(call);
    if (action === 'status') return status(call, settings);
    if (action === 'gc') return clean(call, settings);
    if (action === 'drop') return drop(call, settings, repository);
    throw unknownAction(call, ACTIONS);
  },
};

/** Every action needs a store, and none is guessed: two of the actions remove content. */
async function namedStore(call: CommandCall): Promise<Settings> {
  const { settings } = await call.settings();
  if (settings.store !== '') return settings;
  throw new LoadoutError('missing-name', 'missing store name', {
    hint: 'give --store NAME, or set "store" in config.yaml in your config directory',
  });
}

/** The repositories and branches of the store, with commit and number of files. */
async function status(call: CommandCall, settings: Settings): Promise<number> {
  const { teamStoreStatus } = await import('../../../stores/team/team-store.ts');
  const found = await teamStoreStatus(settings, { signal: call.signal });
  if (call.global.json) {
    call.output.json(found);
    return 0;
  }
  const { store: name, team, server, snapshots } = found;
  call.output.line(`${printable(name)}: ${server}, team ${printable(team)}, ${snapshots.length} snapshots`);
  const rows = snapshots.map(({ repository, branch, commit, generation, fileCount }) => [
    `  ${printable(repository)}`,
    printable(branch),
    printable(commit.slice(0, 12)),
    `generation ${generation}`,
    `${fileCount} files`,
  ]);
  for (const line of align(rows)) call.output.line(line);
  return 0;
}

/** Removes files and lists that no branch refers to. */
async function clean(call: CommandCall, settings: Settings): Promise<number> {
  const { cleanTeamStore } = await import('../../../stores/team/team-store.ts');
  const report = await cleanTeamStore(settings, call.signal);
  if (call.global.json) call.output.json(report);
  else call.output.line(`removed ${report.files} files and ${report.lists} lists that no branch uses`);
  return 0;
}

/** Removes a repository, or with `--store-branch` one branch of it. The exit code is 1 if there was none. */
async function drop(call: CommandCall, settings: Settings, repository: string | undefined): Promise<number> {
  if (!repository)
    throw new LoadoutError('missing-name', '"loadout store drop" needs the name of a repository', {
      hint: 'loadout store status lists them',
    });
  const { dropFromTeamStore } = await import('../../../stores/team/team-store.ts');
  const gone = await dropFromTeamStore(settings, repository, settings.storeBranch || null, call.signal);
  if (call.global.json) call.output.json({ snapshots: gone });
  else call.output.line(`removed ${gone} ${gone === 1 ? 'snapshot' : 'snapshots'}`);
  return gone > 0 ? 0 : 1;
}
