import { relative } from 'node:path';
import { applyPlan, otherOwners, readTarget, recordOwner, settleTarget } from './apply-plan.ts';
import { setUpFor } from './client-set-ups.ts';
import { isTargetGone, planRemoval, planWriting, type TargetPlan } from './plan-target.ts';
import type { SetUpRecords } from './set-up-record.ts';
import type { Client, ClientHomes, LaunchCommand, SetUpTarget } from './set-up-target.ts';

export interface SetUpRequest {
  readonly client: Client;
  readonly homes: ClientHomes;
  readonly launch: LaunchCommand;
  readonly records: SetUpRecords;
  /** Tools that the user's guidelines refuse. */
  readonly tools: readonly string[];
  readonly remove: boolean;
}

export interface PlannedFile extends TargetPlan {
  /** The file itself, links followed. */
  readonly path: string;
  /** For people: below the repository or the home directory. */
  readonly shown: string;
  readonly action: 'create' | 'change' | 'delete' | 'keep';
  /** What is ours is taken out. */
  readonly isUndone: boolean;
}

/** What setting up a client, or undoing it, would do. Nothing is written. */
export function planSetUp(request: SetUpRequest): readonly PlannedFile[] {
  const { client, homes, records } = request;
  return setUpFor(request).map((target) => {
    const path = settleTarget(target.path, homes.base, homes.scope);
    const below = relative(homes.base, target.path).replaceAll('\\', '/');
    const shown = below.startsWith('..') ? target.path : homes.scope === 'user' ? `~/${below}` : below;
    const record = records.read(recordOwner(target, client), path);
    const current = { text: readTarget(path), record, shown };
    const isUndone = request.remove || isTargetGone(target);
    const staysFor = isUndone ? otherOwners(target, record, client) : [];
    const plan =
      staysFor.length > 0
        ? {
            target,
            before: current.text,
            after: current.text,
            insertions: [],
            notes: [`${staysFor.join(', ')} uses it as well: it stays`],
          }
        : holdsNothing(target, current.text)
          ? { target, before: current.text, after: current.text, insertions: [], notes: [] }
          : (isUndone ? planRemoval : planWriting)(target, current);
    return { ...plan, path, shown, action: actionOf(plan), isUndone };
  });
}

/** Does what was planned, each file as a whole. */
export function applySetUp(
  files: readonly PlannedFile[],
  { client, records, homes, remove }: SetUpRequest,
): void {
  // undone in the reverse order, so that folders are empty when their turn comes
  for (const file of remove ? [...files].reverse() : files)
    applyPlan(file, file.path, { client, records, base: homes.base }, file.isUndone);
}

/** A file that is read for the sake of what may be left in it need not even be readable. */
function holdsNothing(target: SetUpTarget, text: string | null): boolean {
  return isTargetGone(target) && !(text ?? '').includes('loadout');
}

function actionOf({ before, after }: TargetPlan): PlannedFile['action'] {
  if (before === after) return 'keep';
  if (before === null) return 'create';
  return after === null ? 'delete' : 'change';
}
