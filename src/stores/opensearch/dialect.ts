/** What two families of servers do differently, as far as this store uses them. */
export interface Dialect {
  readonly family: 'opensearch' | 'elasticsearch';
  readonly version: string;
  readonly major: number;
  /** How a key that is no user and password is presented. */
  readonly keyScheme: 'ApiKey' | 'Bearer';
  /** The type that request and answer are in: a later major version of the server understands it too. */
  readonly mediaType: string;
  readonly lineMediaType: string;
}

interface Family {
  readonly majors: readonly number[];
  readonly keyScheme: Dialect['keyScheme'];
  readonly mediaType: (major: number) => string;
  readonly lineMediaType: (major: number) => string;
}

const FAMILIES: Readonly<Record<Dialect['family'], Family>> = {
  opensearch: {
    majors: [2, 3],
    keyScheme: 'Bearer',
    mediaType: () => 'application/json',
    lineMediaType: () => 'application/x-ndjson',
  },
  elasticsearch: {
    majors: [8, 9],
    keyScheme: 'ApiKey',
    mediaType: (major) => `application/vnd.elasticsearch+json; compatible-with=${major}`,
    lineMediaType: (major) => `application/vnd.elasticsearch+x-ndjson; compatible-with=${major}`,
  },
};

/** How a key may have to be presented to a server that has not said yet what it is. */
export function keySchemes(kind: Dialect['family'] | 'auto'): readonly Dialect['keyScheme'][] {
  if (kind !== 'auto') return [FAMILIES[kind].keyScheme];
  return [FAMILIES.elasticsearch.keyScheme, FAMILIES.opensearch.keyScheme];
}

/** Reads what a server says about itself; a text says why this store cannot talk to it. */
export function dialectOf(answer: unknown): Dialect | string {
  const version = (answer as { version?: Record<string, unknown> } | null)?.version;
  const number = version?.number;
  if (typeof number !== 'string') return 'it does not say which search server it is';
  const said = version?.distribution;
  const family = said === 'opensearch' ? 'opensearch' : said === undefined ? 'elasticsearch' : null;
  if (family === null) return `it is of an unknown kind (${clean(said)})`;
  if (version?.build_flavor === 'serverless') return 'serverless Elasticsearch is not supported';
  const major = Number(/^\d{1,3}/.exec(number)?.[0] ?? Number.NaN);
  const { majors, keyScheme, mediaType, lineMediaType } = FAMILIES[family];
  if (!majors.includes(major))
    return `it is ${family} ${clean(number)}; supported are ${family} ${majors.join(' and ')}`;
  return {
    family,
    version: clean(number),
    major,
    keyScheme,
    mediaType: mediaType(major),
    lineMediaType: lineMediaType(major),
  };
}

/** A stranger's text on its way into a message. */
const clean = (text: unknown) =>
  String(text)
    .replace(/[^\w.+-]/g, '?')
    .slice(0, 40);
