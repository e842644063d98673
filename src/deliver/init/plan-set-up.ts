import { relative } from 'node:path';
import { applyPlan, readTarget, settleTarget } from './apply-plan.ts';
import { setUpFor } from './client-set-ups.ts';
import { planRemoval, planWriting, type TargetPlan } from './plan-target.ts';
import type { SetUpRecords } from './set-up-record.ts';
import type { Client, ClientHomes, LaunchCommand } from './set-up-target.ts';

export interface SetUpRequest {
  readonly client: Client;
  readonly homes: ClientHomes;
  readonly launch: LaunchCommand;
  readonly records: SetUpRecords;
  readonly remove: boolean;
}

export interface PlannedFile extends TargetPlan {
  /** The file itself, links followed. */
  readonly path: string;
  /** For people: below the repository or the home directory. */
  readonly shown: string;
  readonly action: 'create' | 'change' | 'delete' | 'keep';
}

/** What setting up a client, or undoing it, would do. Nothing is written. */
export function planSetUp({ client, homes, launch, records, remove }: SetUpRequest): readonly PlannedFile[] {
  return setUpFor(client, homes, launch).map((target) => {
    const path = settleTarget(target.path, homes.base, homes.scope);
    const below = relative(homes.base, target.path).replaceAll('\\', '/');
    const shown = below.startsWith('..') ? target.path : homes.scope === 'user' ? `~/${below}` : below;
    const current = { text: readTarget(path), record: records.read(client, path), shown };
    const plan = (remove ? planRemoval : planWriting)(target, current);
    return { ...plan, path, shown, action: actionOf(plan) };
  });
}

/** Does what was planned, each file as a whole. */
export function applySetUp(
  files: readonly PlannedFile[],
  { client, records, homes, remove }: SetUpRequest,
): void {
  // undone in the reverse order, so that folders are empty when their turn comes
  for (const file of remove ? [...files].reverse() : files)
    applyPlan(file, file.path, { client, records, base: homes.base }, remove);
}

function actionOf({ before, after }: TargetPlan): PlannedFile['action'] {
  if (before === after) return 'keep';
  if (before === null) return 'create';
  return after === null ? 'delete' : 'change';
}
