import type { Settings } from '../../config/settings.ts';
import type { StoreSetting } from '../../config/stores-kind.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { type Environment, environment } from '../../platform/environment.ts';
import { openHttpLine } from '../../platform/http/http-exchange.ts';
import type { Credentials } from '../opensearch/connection.ts';
import { type OpenSearchStore, openOpenSearchStore } from '../opensearch/opensearch-store.ts';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Opens the store that the user has named. Nothing is sent yet. */
export function chooseTeamStore(
  { store: name, stores }: Pick<Settings, 'store' | 'stores'>,
  env: Environment = environment(),
): OpenSearchStore {
  if (name === '')
    throw new LoadoutError('unknown-store', 'no store is named', { hint: 'give --store NAME' });
  const setting = Object.hasOwn(stores, name) ? stores[name]! : null;
  if (!setting) {
    const known = Object.keys(stores).join(', ') || 'none';
    throw new LoadoutError(
      'unknown-store',
      `there is no store ${JSON.stringify(name)}; known are: ${known}`,
      {
        subject: name,
        hint: 'declare it under "stores" in config.yaml in your config directory (see docs/guides/team-store.md)',
      },
    );
  }
  const credentials = credentialsOf(name, setting, env);
  return openOpenSearchStore({
    name,
    kind: setting.kind,
    urls: setting.url,
    line: openLine(name, setting),
    credentials,
    team: setting.team,
    index: setting.index,
    shards: setting.shards,
  });
}

function openLine(name: string, { caFile }: StoreSetting) {
  try {
    return openHttpLine(caFile ? { authorityFile: caFile } : {});
  } catch (error) {
    throw new LoadoutError('bad-setting', `store ${name}: caFile ${caFile} cannot be read`, { cause: error });
  }
}

/** Values come from the environment alone, and go nowhere but into a header. */
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
