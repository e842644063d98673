/**
 * `loadout uninstall`: stops the server and removes set-ups, caches and records. It shows everything with its size and
 * asks first. The program itself is removed by the package manager that installed it.
 */

import { configDirectory } from '../../../platform/cache/user-directories.ts';
import type { Uninstalled, UninstallPlan } from '../../install/index.ts';
import { askYes, type CliCommand, type CommandCall, canAsk } from '../command.ts';
import { printable } from '../views/output.ts';

/** The last step. A running program should not remove itself. */
const LAST_STEP = 'npm uninstall --global loadout';

export const uninstall: CliCommand = {
  name: 'uninstall',
  summary:
    'Remove all set-ups, caches and records of Loadout from this machine, but not the program. Lists them with sizes and asks first.',
  arguments: [],
  settings: ['cacheDir'],
  flags: [
    { syntax: '--yes', help: 'Do not ask; required without a terminal.' },
    { syntax: '--dry-run', help: 'Only show what would be removed.' },
    { syntax: '--keep-caches', help: 'Keep indexes and other data that takes time to compute.' },
  ],
  examples: [
    { line: 'loadout uninstall --dry-run', does: 'show set-ups, caches and records with their sizes' },
    { line: 'loadout uninstall --yes', does: 'remove all of it without asking' },
    { line: 'loadout uninstall --keep-caches', does: 'remove set-ups and records only' },
  ],
  run: async (call) => {
    const { applyUninstall, needsYes, planUninstall } = await import('../../install/uninstall.ts');
    const { readServerState, stopServer } = await import('../../shared/server-client.ts');
    const cacheDirectory = (await call.settings()).settings.cacheDir;
    const plan = planUninstall(await readRequest(call, cacheDirectory));
    const server = readServerState(cacheDirectory)?.process.pid ?? null;
    const isDry = call.flags.dryRun === true;
    const remove = async (): Promise<Uninstalled> => {
      await stopServer(cacheDirectory);
      return applyUninstall(plan);
    };
    if (call.global.json) {
      const done = call.flags.yes === true && !isDry ? await remove() : null;
      call.output.json(asJson(plan, server, done));
      return exitCode(plan, done);
    }
    if (!call.global.quiet || isDry || call.flags.yes !== true) show(call, plan, server);
    if (isDry) return exitCode(plan, null);
    if (call.flags.yes !== true) {
      if (!canAsk(call.io)) throw needsYes();
      if (!(await askYes(call.io, 'Remove all of this?', call.signal))) {
        call.output.line('nothing was removed');
        return 1;
      }
    }
    const done = await remove();
    sayProblems(call, done);
    if (!call.global.quiet) {
      call.output.line(exitCode(plan, done) === 0 ? 'removed' : 'removed what could be removed');
      call.output.line(`remove the program itself with: ${LAST_STEP}`);
    }
    return exitCode(plan, done);
  },
};

/** The removal of set-ups starts from the user's home; each record names its own place. */
async function readRequest(call: CommandCall, cacheDirectory: string) {
  const { installPlace } = await import('../../install/plan-set-up.ts');
  const { openSetUpRecords } = await import('../../install/plan-target.ts');
  const directory = configDirectory(call.io.env);
  return {
    cacheDirectory,
    configDirectory: directory,
    keepCaches: call.flags.keepCaches === true,
    request: {
      place: installPlace(call.io.env, call.io.cwd, 'user'),
      launch: { program: 'loadout', args: [] },
      records: openSetUpRecords(directory),
      tools: [],
      remove: true,
    },
  };
}

/** Before the plan is carried out, its own failures count; afterwards, those of its results. */
function exitCode({ places }: UninstallPlan, done: Uninstalled | null): number {
  if (done === null) return places.some(({ plan }) => plan.plans.some((one) => 'error' in one)) ? 1 : 0;
  const hasFailed = done.results.some(({ results }) => results.some(({ state }) => state === 'failed'));
  return hasFailed || done.left.length > 0 ? 1 : 0;
}

const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

function show({ output }: CommandCall, plan: UninstallPlan, server: number | null): void {
  if (server !== null) output.line(`stop the server (process ${server})`);
  for (const { base, plan: setUps } of plan.places) {
    for (const { action, path } of setUps.files)
      if (action !== 'keep') output.line(`${action} ${printable(path)}`);
    for (const one of setUps.plans)
      if ('error' in one)
        output.line(`leave ${one.client} in ${printable(base)}: ${printable(one.error.message)}`);
  }
  for (const { path, bytes } of [...plan.caches, ...plan.records])
    output.line(`remove ${printable(path)} (${sizeText(bytes)})`);
  for (const note of plan.notes) output.line(`note: ${printable(note)}`);
  for (const path of plan.kept) output.line(`keep ${printable(path)}, which is yours`);
}

function sayProblems({ io }: CommandCall, { results, left }: Uninstalled): void {
  for (const { base, results: all } of results)
    for (const one of all)
      if (one.state === 'failed')
        io.stderr.write(`loadout: ${one.client} in ${printable(base)}: ${printable(one.error.message)}\n`);
  for (const path of left) io.stderr.write(`loadout: cannot remove ${printable(path)}\n`);
}

/** The plan or the result for programs. */
function asJson(plan: UninstallPlan, server: number | null, done: Uninstalled | null) {
  return {
    done: done !== null,
    server,
    setUps: plan.places.map(({ base, scope, plan: { plans, files } }) => ({
      base,
      scope,
      clients: plans.map((one) => {
        const results = done?.results.find((place) => place.base === base)?.results ?? [];
        const result = results.find(({ client }) => client === one.client);
        const error = result?.state === 'failed' ? result.error : 'error' in one ? one.error : null;
        const state = result?.state ?? (error ? 'failed' : 'planned');
        return { client: one.client, state, ...(error ? { error: error.message } : {}) };
      }),
      files: files.map(({ path, action }) => ({ path, action })),
    })),
    caches: plan.caches,
    records: plan.records,
    kept: plan.kept,
    older: plan.older.map(({ client, path }) => ({ client, path })),
    notes: plan.notes,
    left: done?.left ?? [],
    lastStep: LAST_STEP,
  };
}
