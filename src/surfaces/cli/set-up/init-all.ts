/**
 * `loadout init` without a client: finds the clients of this machine, shows one diff for all of them, asks once, and
 * reports the result for each client. With `--remove` it removes all set-ups.
 */

import { clientOf, INSTALL_CLIENTS, installOf } from '../../../agents/index.ts';
import { LoadoutError } from '../../../model/loadout-error.ts';
import type { AllPlans, ClientResult, FoundClient, SharedRequest } from '../../install/index.ts';
import type { CommandCall } from '../command.ts';
import { printable } from '../views/output.ts';
import { confirm, DONE, nextSteps, readShared, sayNotPortable, show } from './init.ts';

/** Sets up all clients of the machine, or removes all. Resolves to the exit code. */
export async function initAll(call: CommandCall): Promise<number> {
  const { findClients, planAll, applyAll } = await import('../../install/set-up-all.ts');
  const { request, isPortable } = await readShared(call);
  const { place, remove } = request;
  const found = findClients(call.io.env, call.repository().path, place.home);
  if (found.length === 0 && !remove) throw noClient();
  // A client may be gone from the machine while its set-up is still here.
  const plan = planAll(remove ? INSTALL_CLIENTS : found.map(({ client }) => client), request);
  const isDry = call.flags.dryRun === true;
  const changes = plan.files.filter(({ action }) => action !== 'keep');
  if (call.global.json) {
    const results = call.flags.yes === true && !isDry ? applyAll(plan, request) : null;
    call.output.json(await asJson(request, found, plan, results));
    return hasFailed(plan, results) ? 1 : 0;
  }
  const isSilent = call.global.quiet && !isDry;
  if (!isSilent && !remove) sayFound(call, found);
  if (!(isSilent && call.flags.yes === true)) await show(call, place.scope, plan.files);
  if (isDry || changes.length === 0) {
    sayFailures(call, planned(plan));
    // Owners of shared files are recorded even where no text changes.
    if (!isDry) applyAll(plan, request);
    if (changes.length === 0 && !isSilent && !hasFailed(plan, null))
      call.output.line(remove ? 'there is nothing to remove' : 'everything is set up already');
    return hasFailed(plan, null) ? 1 : 0;
  }
  if (!isSilent && !isPortable && !remove) sayNotPortable(call, request.launch);
  if (call.flags.yes !== true && !(await confirm(call, changes.length))) {
    if (!isSilent) call.output.line('nothing was written');
    return 1;
  }
  const results = applyAll(plan, request);
  if (!isSilent) await sayDone(call, request, plan, results, isPortable);
  sayFailures(call, results);
  return hasFailed(plan, results) ? 1 : 0;
}

function noClient(): LoadoutError {
  return new LoadoutError('no-client', 'no agent client was found on this machine', {
    hint: `name one to set it up anyway: loadout init NAME, with one of ${INSTALL_CLIENTS.join(', ')}`,
  });
}

/** The clients whose plan failed, as results. */
const planned = ({ plans }: AllPlans): readonly ClientResult[] =>
  plans.flatMap((plan) =>
    'error' in plan ? [{ client: plan.client, state: 'failed', error: plan.error } as const] : [],
  );

const hasFailed = (plan: AllPlans, results: readonly ClientResult[] | null): boolean =>
  (results ?? planned(plan)).some(({ state }) => state === 'failed');

function sayFound({ output }: CommandCall, found: readonly FoundClient[]): void {
  for (const { client, evidence } of found)
    output.line(`found ${clientOf(client).name} (${printable(evidence)})`);
}

/** Errors are shown with `--quiet` as well. */
function sayFailures({ io, global }: CommandCall, results: readonly ClientResult[]): void {
  for (const result of results) {
    if (result.state !== 'failed') continue;
    const { hint } = result.error;
    io.stderr.write(`loadout: ${result.client}: ${printable(result.error.message)}\n`);
    if (hint && !global.quiet) io.stderr.write(`  ${printable(hint)}\n`);
  }
}

/** The result for each client, the files to commit, and the notice for colleagues. */
async function sayDone(
  { output }: CommandCall,
  request: SharedRequest,
  { files, plans }: AllPlans,
  results: readonly ClientResult[],
  isPortable: boolean,
): Promise<void> {
  const failed = new Set(results.filter(({ state }) => state === 'failed').map(({ client }) => client));
  const whole = new Set(
    plans.flatMap((plan) =>
      'files' in plan && !failed.has(plan.client) ? plan.files.map(({ path }) => path) : [],
    ),
  );
  for (const { action, shown, path } of files)
    if (action !== 'keep' && whole.has(path)) output.line(`${DONE[action]} ${printable(shown)}`);
  const words = request.remove ? 'removed' : 'set up';
  for (const { client, state } of results)
    if (state !== 'unchanged' || !request.remove)
      output.line(
        `${client}: ${state === 'failed' ? 'left as it was' : state === 'done' ? words : 'already set up'}`,
      );
  if (request.remove) return;
  const good = results.filter(({ state }) => state !== 'failed').map(({ client }) => client);
  const steps = good.flatMap((client) => nextSteps({ ...request, client }));
  for (const step of new Set(steps)) output.line(step);
  if (request.place.scope !== 'project' || good.length === 0) return;
  const { filesToCommit } = await import('../../install/set-up-all.ts');
  const commit = filesToCommit(files.filter(({ path }) => whole.has(path)));
  output.line(
    isPortable
      ? 'commit these files to share the set-up with everyone who works on this repository:'
      : 'these files name a path of this machine, so do not commit them:',
  );
  for (const shown of commit) output.line(`  ${printable(shown)}`);
  output.line('colleagues without Loadout can work as before; they see');
  for (const client of good)
    output.line(`  in ${clientOf(client).name}: ${installOf(client).withoutLoadout}`);
}

/** The plan or the result for programs. */
async function asJson(
  request: SharedRequest,
  found: readonly FoundClient[],
  { plans, files }: AllPlans,
  results: readonly ClientResult[] | null,
) {
  const { filesToCommit } = await import('../../install/set-up-all.ts');
  const { place, remove } = request;
  const isShared = place.scope === 'project' && !remove;
  const stateOf = (client: string) => results?.find((one) => one.client === client);
  return {
    scope: place.scope,
    remove,
    done: results !== null,
    clients: plans.map((plan) => {
      const result = stateOf(plan.client);
      const error = result?.state === 'failed' ? result.error : 'error' in plan ? plan.error : null;
      return {
        client: plan.client,
        evidence: found.find(({ client }) => client === plan.client)?.evidence ?? null,
        state: result?.state ?? ('error' in plan ? 'failed' : 'planned'),
        ...(error ? { error: { code: error.code, message: error.message, hint: error.hint ?? null } } : {}),
        next: remove || error ? [] : nextSteps({ ...request, client: plan.client }),
        ...(isShared ? { withoutLoadout: installOf(plan.client).withoutLoadout } : {}),
      };
    }),
    files: files.map(({ path, action, target, notes }) => ({ path, action, what: target.what, notes })),
    commit: isShared ? filesToCommit(files) : [],
  };
}
