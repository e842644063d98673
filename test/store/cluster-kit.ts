import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { openHttpLine } from '../../src/platform/http-client.ts';
import {
  type OpenSearchOptions,
  type OpenSearchStore,
  openOpenSearchStore,
} from '../../src/stores/opensearch/opensearch-store.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** HTTP addresses of the nodes; empty when there is no Java or no Maven. */
    readonly clusterUrls: readonly string[];
    /** Where a node is killed and started: POST /kill/2, POST /start/2. */
    readonly clusterControl: string;
  }
}

export const clusterUrls = (): readonly string[] => inject('clusterUrls');
/** Given to every suite: what cannot run is shown as skipped. */
export const hasCluster = (): boolean => clusterUrls().length > 0;

/** All suites share one index: making one takes a second. */
export const TEST_INDEX = 'loadout-test';

export function openTestStore(team: string, changes: Partial<OpenSearchOptions> = {}): OpenSearchStore {
  return openOpenSearchStore({
    urls: clusterUrls(),
    line: openHttpLine(),
    credentials: {},
    team,
    index: TEST_INDEX,
    ...changes,
  });
}

/** A name that no other test has. */
export const freshTeam = (): string => `team-${randomUUID()}`;

/** Kills or starts a node, and waits until the cluster knows. */
export async function controlNode(action: 'kill' | 'start', number: number): Promise<void> {
  const response = await fetch(`${inject('clusterControl')}/${action}/${number}`, { method: 'POST' });
  if (!response.ok) throw new Error(`${action} ${number}: ${await response.text()}`);
}

/** Waits until all copies of all shards are where they belong. */
export async function clusterIsWhole(nodes: number): Promise<void> {
  const path = `/_cluster/health?wait_for_status=green&wait_for_nodes=${nodes}&timeout=120s`;
  for (const url of clusterUrls()) {
    const response = await fetch(url + path).catch(() => null);
    if (response?.ok) return;
  }
  throw new Error('the cluster did not become whole again');
}
