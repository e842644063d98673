import { isLiveToken } from '../json-web-token.ts';
import { EMULATOR_ACCOUNT, isBarePlaceholder, looksLikePlaceholder } from '../looks-like-placeholder.ts';
import { looksLikePassword, looksRandom } from '../looks-random.ts';
import type { SecretCandidate, SecretDetector } from '../secret-detector.ts';

const NAMES = ['password', 'passwd', 'passphrase', 'secret', 'token', 'pwd'];
const KEY_NAMES = [
  'api',
  'access',
  'private',
  'encryption',
  'signing',
  'account',
  'auth',
  'master',
  'license',
];

function capitalised(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}

/** A name in the ways that programs spell it. */
function spellings(word: string, joiners: readonly string[] = []): string[] {
  if (joiners.length === 0) return [word, capitalised(word), word.toUpperCase()];
  return joiners.flatMap((joiner) => [
    `${word}${joiner}key`,
    `${capitalised(word)}${joiner}Key`,
    `${word.toUpperCase()}${joiner}KEY`,
  ]);
}

const ANCHORS = [
  ...NAMES.flatMap((word) => spellings(word)),
  ...KEY_NAMES.flatMap((word) => [...spellings(word, ['_', '-', '']), `${word}Key`]),
];

/** What may still belong to the name behind the anchor. */
const NAME_END = String.raw`(?:[_-]?(?:[Kk]ey|KEY|[Bb]ase|BASE|[Vv]alue|VALUE|\d{1,2})){0,2}`;

/** Tokens of another sense: positions in a list, guards of a form, parts of a grammar. */
const HARMLESS_NAME =
  /(?:page|next|prev|continuation|csrf|xsrf|cancel|cancellation|sync|resume|public|syntax|cursor|idempotency)[_.-]?$/i;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** `pbkdf2_sha256$…`, `$2y$10$…`, `{SSHA}…`, `sha256:…`: a stored hash gives no password away. */
const PASSWORD_HASH = /^\$|^[\w{}-]{2,24}\$.|^\{[A-Z0-9-]+\}|^(?:sha\d+|md5)[:-]/;
const ADDRESS =
  /:\/\/|^[\w.-]+@[\w-]+\.\w+$|^(?:\.{0,2}|~)\/|^[A-Z]:\\|(?:\/[^/]*){4}|\.(?:json|ya?ml|txt|pem|key|js|ts|py|go|php|html?|png|jpe?g|svg)$/;

const PASSWORD_NAME = /pass|pwd/i;

function acceptNamed({ value, before, anchor, match }: SecretCandidate): boolean {
  if (/token/i.test(anchor) && HARMLESS_NAME.test(before)) return false;
  if (before.includes(EMULATOR_ACCOUNT)) return false;
  if (PASSWORD_HASH.test(value) || ADDRESS.test(value)) return false;
  if (looksLikePlaceholder(value)) return false;
  const live = isLiveToken(value);
  if (live !== null) return live;
  if (PASSWORD_NAME.test(anchor)) return looksLikePassword(value);
  if (UUID.test(value)) return /secret|api.?key/i.test(anchor + match[0]);
  return looksRandom(value, 16);
}

function namedValue(paths: RegExp | undefined, tail: string): SecretDetector {
  return {
    kind: 'named-secret',
    anchors: ANCHORS,
    pattern: new RegExp(NAME_END + tail, 'my'),
    begins: 'behind-anchor',
    accept: acceptNamed,
    ...(paths === undefined ? {} : { paths }),
  };
}

/** Files in which a value needs no quotes. */
const CONFIG_FILE =
  /(?:^|\/)(?:\.env[^/]*|[^/]*\.(?:env|properties|ini|cfg|conf|ya?ml|toml|tfvars|sh|bash|zsh|service)|\.(?:npmrc|pypirc|netrc|bashrc|profile|pgpass)|Dockerfile[^/]*|credentials|config)$/;

/** Values that a name marks as secret, in code and in settings. */
const NAMED_VALUES: readonly SecretDetector[] = [
  // password = "…", 'token' => '…', "apiKey": "…", secret: str = b"…"
  namedValue(
    undefined,
    String.raw`["'\]\x60)]{0,3}[ \t]{0,20}(?:\??: ?(?:&'static )?[sS]tr(?:ing)? ?= ?|=>|:=|={1,3}|:|,)[ \t]{0,8}[bruLf@$&]{0,2}(?<quote>["'\x60])(?<secret>[^"'\x60\s]{8,256})(?=\k<quote>)`,
  ),
  // PASSWORD=…, token: …
  namedValue(
    CONFIG_FILE,
    String.raw`["']?[ \t]{0,8}[:=][ \t]{0,8}(?<secret>[^\s"'\x60#;,]{8,256})(?=[ \t]*(?:$|#|;|\\))`,
  ),
  // Server=…;Password=…;
  namedValue(undefined, String.raw` ?= ?(?<secret>[^\s"'\x60;<>{}]{8,128})(?=;)`),
  // <password>…</password>
  namedValue(undefined, String.raw`>(?<secret>[^\s<>&]{8,256})(?=</)`),
  // --password …
  namedValue(
    undefined,
    String.raw`(?<=(?:^|[\s"'\x60])--?[a-z-]{3,40})[ =](?<secret>[^\s"'\x60<>()]{8,256})(?=$|[\s"'\x60])`,
  ),
];

const HEROKU_UUID: SecretDetector = {
  kind: 'heroku-key',
  anchors: ['heroku', 'Heroku', 'HEROKU'],
  pattern:
    /(?:heroku|Heroku|HEROKU)[\w"' -]{0,24}[:=][ \t]{0,4}["']?(?<secret>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f-])/y,
  accept: ({ value }) => !looksLikePlaceholder(value),
};

/** A file of settings for one machine, not the example that is meant to be copied. */
const ENVIRONMENT_FILE =
  /(?:^|\/)\.env(?:\.(?!(?:[\w-]+\.)*(?:example|sample|template|dist|defaults?|test|testing|ci)$)[\w.-]+)?$/;
const ENVIRONMENT_ANCHORS = ['KEY', 'PASS', 'PWD', 'SECRET', 'TOKEN', 'CREDENTIAL', 'DSN', 'SALT', 'PRIVATE'];

/** Nobody needs chance in a `.env` file: what such a name holds there is secret unless it stands in for something. */
const ENVIRONMENT_VALUE: SecretDetector = {
  kind: 'environment-value',
  anchors: ENVIRONMENT_ANCHORS,
  paths: ENVIRONMENT_FILE,
  pattern:
    /(?<=^(?:export )?[A-Z0-9_]{3,60})[A-Z0-9_]{0,40}[ \t]{0,4}=[ \t]{0,4}(?<quote>["']?)(?<secret>[^\n\r"'#]{5,2000})/my,
  begins: 'behind-anchor',
  accept: ({ value, before, anchor, match }) =>
    !isBarePlaceholder(value.trim()) &&
    !/PUBLIC|_(?:ID|NAME|PATH|FILE|URL|LENGTH|TTL)[ \t]*=/.test(before + anchor + match[0]),
};

export const NAMED_SECRETS: readonly SecretDetector[] = [ENVIRONMENT_VALUE, ...NAMED_VALUES, HEROKU_UUID];
