import type { Settings } from '../../config/settings.ts';
import type { StoreCall, StoreSnapshot } from '../../model/knowledge-store.ts';
import type { Environment } from '../../platform/environment.ts';
import { collectGarbage, type GarbageReport } from '../opensearch/collect-garbage.ts';
import { patienceOf } from '../opensearch/connection.ts';
import { chooseTeamStore } from './choose-team-store.ts';

/** What `loadout store status` shows. */
export interface TeamStoreStatus {
  readonly store: string;
  readonly team: string;
  /** Such as `opensearch 3.8.0`. */
  readonly server: string;
  readonly snapshots: readonly StoreSnapshot[];
}

type Named = Pick<Settings, 'store' | 'stores'>;

/** What is in the store for the user's team. */
export async function teamStoreStatus(
  settings: Named,
  call: StoreCall = {},
  env?: Environment,
): Promise<TeamStoreStatus> {
  const store = chooseTeamStore(settings, env);
  try {
    const { family, version } = await store.connection.dialect(patienceOf(call));
    const snapshots = await store.snapshots(call);
    return { store: settings.store, team: store.team, server: `${family} ${version}`, snapshots };
  } finally {
    await store.close();
  }
}

/** Removes what no snapshot leads to any more. */
export async function cleanTeamStore(settings: Named, signal?: AbortSignal): Promise<GarbageReport> {
  const store = chooseTeamStore(settings);
  try {
    return await collectGarbage(store.place, patienceOf(signal ? { signal } : {}));
  } finally {
    await store.close();
  }
}

/** Forgets a branch, or all of a repository; how many snapshots are gone. */
export async function dropFromTeamStore(
  settings: Named,
  repository: string,
  branch: string | null,
  signal?: AbortSignal,
): Promise<number> {
  const store = chooseTeamStore(settings);
  try {
    return await store.remove(repository, branch, signal ? { signal } : {});
  } finally {
    await store.close();
  }
}
