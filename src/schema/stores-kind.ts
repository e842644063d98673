import type { ValueKind } from './value-kind.ts';

/** Where a team keeps its knowledge, and how to get in. No secret is in here: only where to find it. */
export interface StoreSetting {
  readonly kind: 'opensearch' | 'elasticsearch' | 'auto';
  /** Nodes of one cluster. */
  readonly url: readonly string[];
  readonly team: string;
  /** Names of environment variables. */
  readonly userEnv: string;
  readonly passwordEnv: string;
  readonly keyEnv: string;
  /** File with the certificate of the authority to trust. */
  readonly caFile: string;
  /** What the index is called. */
  readonly index: string;
  readonly shards: number;
}

export type StoreTable = Readonly<Record<string, StoreSetting>>;

const KINDS = ['opensearch', 'elasticsearch', 'auto'] as const;
const TEXTS = ['team', 'userEnv', 'passwordEnv', 'keyEnv', 'caFile', 'index'] as const;
const KNOWN: ReadonlySet<string> = new Set(['kind', 'url', 'shards', ...TEXTS]);
const INDEX_NAME = /^[a-z0-9][a-z0-9-]{0,80}$/;
const VARIABLE = /^\w*$/;
const STORE_NAME = /^[\w.-]{1,60}$/;

function readStore(value: unknown): StoreSetting | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const given = value as Record<string, unknown>;
  if (Object.keys(given).some((key) => !KNOWN.has(key))) return undefined;
  const url = typeof given.url === 'string' ? given.url.split(/[\s,]+/).filter(Boolean) : given.url;
  if (!Array.isArray(url) || url.length === 0 || !url.every(isAddress)) return undefined;
  const texts = TEXTS.map((name) => [name, given[name] ?? ''] as const);
  if (!texts.every(([, text]) => typeof text === 'string')) return undefined;
  const { team, userEnv, passwordEnv, keyEnv, caFile, index } = Object.fromEntries(texts) as Record<
    (typeof TEXTS)[number],
    string
  >;
  const kind = KINDS.find((one) => one === (given.kind ?? 'auto'));
  const shards = given.shards ?? 3;
  const isSound =
    kind !== undefined &&
    team !== '' &&
    INDEX_NAME.test(index || 'loadout') &&
    [userEnv, passwordEnv, keyEnv].every((name) => VARIABLE.test(name)) &&
    Number.isInteger(shards) &&
    (shards as number) >= 1 &&
    (shards as number) <= 1000;
  if (!isSound) return undefined;
  const names = { userEnv, passwordEnv, keyEnv, caFile, index: index || 'loadout' };
  return { kind, url: url.map((one) => one.replace(/\/+$/, '')), team, ...names, shards: shards as number };
}

/** An address alone: a password in it would end up in a file, a query in every request. */
function isAddress(text: unknown): text is string {
  if (typeof text !== 'string' || !URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}

function readTable(value: unknown): StoreTable | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const stores = Object.entries(value).map(([name, store]) => [name, readStore(store)] as const);
  if (stores.some(([name, store]) => store === undefined || !STORE_NAME.test(name))) return undefined;
  return Object.fromEntries(stores as [string, StoreSetting][]);
}

export const storesKind: ValueKind<StoreTable> = {
  name: 'stores',
  placeholder: 'JSON',
  allowed:
    'a store by name, each with url (http or https, no password in it) and team, and if needed kind, userEnv, passwordEnv, keyEnv, caFile, index, shards (in a variable: as JSON)',
  repeatable: false,
  fromText: (text) => {
    try {
      return readTable(JSON.parse(text));
    } catch {
      return undefined;
    }
  },
  fromFile: readTable,
  show: (value) => JSON.stringify(value),
  schema: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      required: ['url', 'team'],
      additionalProperties: false,
      properties: {
        kind: { enum: KINDS },
        url: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
        ...Object.fromEntries(TEXTS.map((name) => [name, { type: 'string' }])),
        shards: { type: 'integer', minimum: 1 },
      },
    },
  },
};
