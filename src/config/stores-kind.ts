// The setting `stores`: the search servers of teams, by name.

import { readJson } from '../model/read-json.ts';
import { object } from '../schema/object-schema.ts';
import {
  checked,
  choice,
  integer,
  isJsonObject,
  matching,
  optional,
  prepared,
  type Schema,
  text,
  type ValueOf,
} from '../schema/schema.ts';
import { valueOrUndefined } from '../schema/value-issues.ts';
import { type ValueKind, valueKind } from './setting-kinds.ts';

/** An address alone: a password in it would end up in a file, a query in every request. */
function isAddress(value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}

/** The kinds of team stores. `auto` asks a search server what it is. */
const STORE_KINDS = ['opensearch', 'elasticsearch', 'auto'] as const;
export type StoreKind = (typeof STORE_KINDS)[number];

/** Nodes of one cluster. */
const addresses = (): Schema<readonly string[]> =>
  prepared(
    checked(
      { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      'one address or a list of them, http or https, without a password',
      (value) => Array.isArray(value) && value.length > 0 && value.every(isAddress),
    ),
    (value) => {
      const all = typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : value;
      if (!Array.isArray(all)) return all;
      return all.map((one) => (typeof one === 'string' ? one.replace(/\/+$/, '') : one));
    },
  );

const DEFAULT_INDEX = 'loadout';
const none = () => '';
/** The name of an environment variable. */
const variable = () => optional(matching(/^\w*$/, 'the name of a variable'), none);

/** The address of a team's store and its credentials. Secrets are named here, never written. */
const declareStore = () =>
  object(
    { title: 'Store' },
    {
      kind: optional(choice(STORE_KINDS), () => 'auto' as const),
      url: addresses(),
      team: checked<string>(
        { type: 'string' },
        'a text',
        (value) => typeof value === 'string' && value !== '',
      ),
      userEnv: variable(),
      passwordEnv: variable(),
      keyEnv: variable(),
      /** File with the certificate of the authority to trust. */
      caFile: optional(text(), none),
      /** The name of the index. */
      index: optional(
        prepared(
          matching(/^[a-z0-9][a-z0-9-]{0,80}$/, 'the name of an index'),
          (value) => value || DEFAULT_INDEX,
        ),
        () => DEFAULT_INDEX,
      ),
      shards: optional(integer({ min: 1, max: 1000 }), () => 3),
    },
  );

export type StoreSetting = ValueOf<ReturnType<typeof declareStore>>;
export type StoreTable = Readonly<Record<string, StoreSetting>>;

const STORE_NAME = /^[\w.-]{1,60}$/;

/** Every store with its defaults; undefined when one of them is not allowed. */
function readTable(value: unknown, schema: Schema<StoreSetting>): StoreTable | undefined {
  if (!isJsonObject(value)) return undefined;
  const stores = Object.entries(value).map(([name, store]) => [name, readStore(store, schema)] as const);
  if (stores.some(([name, store]) => store === undefined || !STORE_NAME.test(name))) return undefined;
  return Object.fromEntries(stores as [string, StoreSetting][]);
}

/** A field that is empty in YAML counts as left out. */
function readStore(value: unknown, schema: Schema<StoreSetting>): StoreSetting | undefined {
  if (!isJsonObject(value)) return undefined;
  const said = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
  return valueOrUndefined(schema, Object.fromEntries(said));
}

export const storesKind: ValueKind<StoreTable> = valueKind({
  name: 'stores',
  placeholder: 'JSON',
  allowed:
    'a store by name, each with url (http or https, no password in it) and team, and if needed kind, userEnv, passwordEnv, keyEnv, caFile, index, shards (in a variable: as JSON)',
  schema: (allowed) => {
    const store = declareStore();
    const isRead = (value: unknown) => value !== undefined;
    return prepared(checked<StoreTable>({ type: 'object' }, allowed, isRead), (value) =>
      readTable(value, store),
    );
  },
  fileJson: () => ({
    type: 'object',
    propertyNames: { pattern: STORE_NAME.source },
    additionalProperties: declareStore().jsonSchema,
  }),
  textToValue: (json) => {
    const read = readJson(json);
    return read.kind === 'json' ? read.value : undefined;
  },
  show: (value) => JSON.stringify(value),
});
