// Opens the team's store from the settings, and the flows of `loadout store`: status, gc and drop.
// Credentials come from environment variables only.

import type { Settings, StoreKind, StoreSetting } from '../../config/index.ts';
import type { GarbageReport, StoreCall, StoreSnapshot, TeamStore } from '../../model/knowledge-store.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { type Environment, environment } from '../../platform/environment.ts';
import { openHttpLine } from '../../platform/http-client.ts';
import type { Credentials } from '../opensearch/connection.ts';
import { openOpenSearchStore } from '../opensearch/opensearch-store.ts';

/** Hosts of this machine: credentials may go there without TLS. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Opens a store from its setting. Nothing is sent yet. */
type OpenTeamStore = (name: string, setting: StoreSetting, env: Environment) => TeamStore;

/** Every kind that the settings allow. A kind without a row does not compile. */
const KINDS: Readonly<Record<StoreKind, OpenTeamStore>> = {
  opensearch: openSearchServer,
  elasticsearch: openSearchServer,
  auto: openSearchServer,
};

/** Opens the store that the user has named. Nothing is sent yet. */
export function chooseTeamStore(
  { store: name, stores }: Pick<Settings, 'store' | 'stores'>,
  env: Environment = environment(),
): TeamStore {
  if (name === '')
    throw new LoadoutError('unknown-store', 'missing store name', { hint: 'give --store NAME' });
  const setting = Object.hasOwn(stores, name) ? stores[name]! : null;
  if (!setting) {
    const known = Object.keys(stores).join(', ') || 'none';
    throw new LoadoutError(
      'unknown-store',
      `there is no store ${JSON.stringify(name)}; known stores: ${known}`,
      {
        subject: name,
        hint: 'declare it under "stores" in config.yaml in your config directory (see docs/guides/team-store.md)',
      },
    );
  }
  return KINDS[setting.kind](name, setting, env);
}

/** OpenSearch and Elasticsearch: the store itself knows the difference. */
function openSearchServer(name: string, setting: StoreSetting, env: Environment): TeamStore {
  const { kind, url: urls, team, index, shards } = setting;
  const credentials = credentialsOf(name, setting, env);
  return openOpenSearchStore({
    ...{ name, kind, urls, credentials, team, index, shards },
    line: openLine(name, setting),
  });
}

/** A certificate file that cannot be read is a mistake in the settings. */
function openLine(name: string, { caFile }: StoreSetting) {
  try {
    return openHttpLine(caFile ? { authorityFile: caFile } : {});
  } catch (error) {
    throw new LoadoutError('bad-setting', `store ${name}: caFile ${caFile} cannot be read`, { cause: error });
  }
}

/** The values come from the environment alone, and are sent only in a header. */
function credentialsOf(name: string, setting: StoreSetting, env: Environment): Credentials {
  const read = (variable: string): string => {
    if (variable === '') return '';
    const value = env[variable] ?? '';
    if (value === '')
      throw new LoadoutError('bad-setting', `store ${name}: the variable ${variable} is not set`, {
        subject: variable,
      });
    return value;
  };
  const user = read(setting.userEnv);
  const password = read(setting.passwordEnv);
  const key = read(setting.keyEnv);
  const isOpen = setting.url.some((url) => {
    const { protocol, hostname } = new URL(url);
    return protocol === 'http:' && !LOOPBACK.test(hostname);
  });
  if ((user || key) && isOpen)
    throw new LoadoutError(
      'bad-setting',
      `store ${name}: credentials go over https only, or to this machine`,
    );
  return { ...(user ? { user, password } : {}), ...(key ? { key } : {}) };
}

/** The facts for `loadout store status`. */
export interface TeamStoreStatus {
  readonly store: string;
  readonly team: string;
  /** Such as `opensearch 3.8.0`. */
  readonly server: string;
  readonly snapshots: readonly StoreSnapshot[];
}

/** The settings that name a store. */
type Named = Pick<Settings, 'store' | 'stores'>;

/** The snapshots of the user's team in the store. */
export async function teamStoreStatus(
  settings: Named,
  call: StoreCall = {},
  env?: Environment,
): Promise<TeamStoreStatus> {
  const store = chooseTeamStore(settings, env);
  try {
    const server = await store.server(call);
    return { store: settings.store, team: store.team, server, snapshots: await store.snapshots(call) };
  } finally {
    await store.close();
  }
}

/** Removes documents that no snapshot uses. */
export async function cleanTeamStore(settings: Named, signal?: AbortSignal): Promise<GarbageReport> {
  const store = chooseTeamStore(settings);
  try {
    return await store.collectGarbage(signal ? { signal } : {});
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
