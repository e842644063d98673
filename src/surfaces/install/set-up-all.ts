/**
 * Sets up all clients of a machine in one go, or removes all of them. Each client is done whole or not at all, and a
 * client that fails does not stop the others.
 */

import { existsSync } from 'node:fs';
import { clientOf, INSTALL_CLIENTS, type InstallClient, installOf } from '../../agents/index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { Environment } from '../../platform/environment.ts';
import { findProgram } from '../../platform/process/find-program.ts';
import { applySetUp, type PlannedFile, planSetUp, type SetUpRequest } from './plan-set-up.ts';

/** A client on this machine, and how it was noticed. */
export interface FoundClient {
  readonly client: InstallClient;
  /** Its program on the PATH or its folder in the home directory. */
  readonly evidence: string;
}

/** The clients of this machine: those with a program on the PATH or a folder of the user. */
export function findClients(env: Environment, repository: string, home: string): readonly FoundClient[] {
  return INSTALL_CLIENTS.flatMap((client) => {
    const program = findProgram(clientOf(client).program, env, repository);
    const folder = installOf(client).userFolder(home, env);
    const evidence = program ?? (existsSync(folder) ? folder : null);
    return evidence === null ? [] : [{ client, evidence }];
  });
}

/** The parts that all requests of a call share. */
export type SharedRequest = Omit<SetUpRequest, 'client' | 'leaving'>;

/** The plan of one client, or the reason why it has none. */
type ClientPlan =
  | { readonly client: InstallClient; readonly files: readonly PlannedFile[] }
  | { readonly client: InstallClient; readonly error: LoadoutError };

/** The plans of all clients. */
export interface AllPlans {
  readonly plans: readonly ClientPlan[];
  /** Each file once, from its text now to its text after all plans. */
  readonly files: readonly PlannedFile[];
}

/** Plans for several clients. A later plan starts from the texts that the earlier ones leave. Nothing is written. */
export function planAll(clients: readonly InstallClient[], shared: SharedRequest): AllPlans {
  // A client that cannot be removed still needs what it shares with others.
  const leaving = shared.remove
    ? clients.filter((client) => 'files' in planClient({ ...shared, client, leaving: [] }, new Map()))
    : [];
  const texts = new Map<string, string | null>();
  const plans = clients.map((client) => {
    const plan = planClient({ ...shared, client, leaving }, texts);
    if ('files' in plan) for (const { path, after } of plan.files) texts.set(path, after);
    return plan;
  });
  const files = new Map<string, PlannedFile>();
  for (const file of plans.flatMap((plan) => ('files' in plan ? plan.files : []))) {
    const first = files.get(file.path);
    files.set(file.path, first ? joined(first, file) : file);
  }
  return { plans, files: [...files.values()] };
}

/** Two changes of one file as one. */
function joined(first: PlannedFile, second: PlannedFile): PlannedFile {
  const notes = [...new Set([...first.notes, ...second.notes])];
  return {
    ...second,
    before: first.before,
    notes,
    action: first.action === 'keep' ? second.action : first.action,
  };
}

function planClient(request: SetUpRequest, texts: ReadonlyMap<string, string | null>): ClientPlan {
  const { client } = request;
  try {
    return { client, files: planSetUp(request, texts) };
  } catch (error) {
    if (error instanceof LoadoutError) return { client, error };
    throw error;
  }
}

/** The result for one client. */
export type ClientResult =
  | { readonly client: InstallClient; readonly state: 'done' | 'unchanged' }
  | { readonly client: InstallClient; readonly state: 'failed'; readonly error: LoadoutError };

/** Carries the plans out, client by client. Only texts that were shown are changed. */
export function applyAll({ plans, files }: AllPlans, shared: SharedRequest): readonly ClientResult[] {
  const texts = new Map(files.map(({ path, before }) => [path, before]));
  const failed = new Set(plans.flatMap((plan) => ('error' in plan ? [plan.client] : [])));
  return plans.map((plan) => {
    const { client } = plan;
    if ('error' in plan) return { client, state: 'failed', error: plan.error };
    const others = shared.remove ? plans.map((one) => one.client).filter((one) => !failed.has(one)) : [];
    const request: SetUpRequest = { ...shared, client, leaving: others };
    try {
      // Once more from the disk: a client that failed has left a shared file as it was.
      const fresh = planSetUp(request);
      const foreign = fresh.find(({ path, before }) => texts.get(path) !== before);
      if (foreign) throw changedMeanwhile(foreign.path);
      applySetUp(fresh, request);
      for (const { path, after } of fresh) texts.set(path, after);
      return { client, state: fresh.some(({ action }) => action !== 'keep') ? 'done' : 'unchanged' };
    } catch (error) {
      if (!(error instanceof LoadoutError)) throw error;
      failed.add(client);
      return { client, state: 'failed', error };
    }
  });
}

function changedMeanwhile(path: string): LoadoutError {
  return new LoadoutError('changed-meanwhile', `${path} was changed by another program in the meantime`, {
    subject: path,
    hint: 'run the command again',
  });
}

/** The files of a repository that its other users need: not those of this user, and none that is left to its owner. */
export function filesToCommit(files: readonly PlannedFile[]): readonly string[] {
  return files
    .filter(
      ({ target, after, isUndone }) =>
        !isUndone && after !== null && !(target.kind === 'json' && target.isPersonal === true),
    )
    .map(({ shown }) => shown)
    .sort();
}
