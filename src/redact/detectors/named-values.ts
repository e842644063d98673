// Values that a name such as `password` or `api_key` marks as secret, in code and in settings.

import type { AnchoredPlace, SecretDetector, SecretRange } from '../secret-detector.ts';
import {
  EMULATOR_ACCOUNT,
  isLiveToken,
  looksLikePassword,
  looksLikePlaceholder,
  looksRandom,
  randomBits,
  type SecretName,
  secretName,
} from '../secret-values.ts';

/**
 * Parts of names; the whole name then decides. The first letters are left off: three letters that begin few words are
 * looked up less often, and `password` and `Password` need one entry.
 */
const ENDINGS =
  `ssword sswd ssphrase sscode sswort ecret oken edential pwd pikey sskey tekey thkey uirepass`.split(' ');
const ANCHORS = [
  ...ENDINGS,
  ...ENDINGS.map((ending) => ending.toUpperCase()),
  ...['Pwd', 'rauth', '_pass', '_PASS', '-pass', 'Pass:', 'Pass=', 'Pass =', '_pw', '_PW', '-pw'],
  ...['_key', '_KEY', '-key', '-Key', '-KEY', 'Key'],
];

const NAME_CHARACTER = /[\w.$-]/;
const NAME_REST = /[\w.-]{0,48}/y;
/** Characters of a name in front of the anchor. */
const MAX_BEFORE = 60;
/** Longest value; opaque tokens have a thousand characters. */
const MAX_VALUE = 8_000;

const QUOTE = String.raw`\\{0,3}["'\x60]|&quot;|&#3[49];`;
const OPERATOR = new RegExp(
  String.raw`(?:(?:${QUOTE})[\])]{0,2}|\]{1,2})?(?: ?\{[^}\n\"']{0,40}\})?[ \t]{0,20}(?:\??: ?(?:&(?:'static )?)?[sS]tr(?:ing)?(?: ?\| ?\w{4,9})? ?= ?|=>|:=|\+=|\|\|=|\?\??=|={1,3}|:|,(?![ \t]{0,8}\n)|\()\s{0,80}(?:\(\s{0,80})?[bruLf@$&]{0,2}(?<quote>${QUOTE})`,
  'y',
);
/** The next piece of a text that is written over several lines. */
const NEXT_PIECE = /[ \t]*(?:[+.&]|\\|<>)?[ \t]*\r?\n[ \t]*(?:[+.&] ?)?[bruf]{0,2}(?<quote>["'`])/y;
const MAX_PIECES = 12;

/** Files in which a value needs no quotes. */
const CONFIG_FILE =
  /(?:^|\/)(?:\.env[^/]*|[^/]*\.(?:env|properties|ini|cfg|cnf|conf|config|ya?ml|toml|tfvars|sh|bash|zsh|fish|service|rc|sls|plist)|\.(?:npmrc|yarnrc|pypirc|netrc|bashrc|zshrc|bash_profile|profile|pgpass|s3cfg|my\.cnf)|(?:Dockerfile|Containerfile|docker-compose)[^/]*|credentials|config)$/;

/** Nothing but the name, and perhaps a word that introduces it, in front on the line. */
const LINE_START =
  /(?:^|\n)[ \t]*(?:[-+>#*$][ \t]*|\/\/[ \t]*)?(?:export |set |setenv |env |ENV |ARG |\$env:|declare -x )?$/;

interface Form {
  readonly pattern: RegExp;
  readonly where?: (place: AnchoredPlace, nameStart: number) => boolean;
}

function isConfig({ path }: AnchoredPlace): boolean {
  return CONFIG_FILE.test(path);
}

function startsLine({ text }: AnchoredPlace, nameStart: number): boolean {
  return LINE_START.test(text.slice(Math.max(0, nameStart - 24), nameStart));
}

function isParameter({ text }: AnchoredPlace, nameStart: number): boolean {
  return /[?&;{,#:"'`]\s?$/.test(text.slice(Math.max(0, nameStart - 2), nameStart));
}

const SPLIT_VALUE = String.raw`[^\s"'\x60\\]{4,256}(?:\\\r?\n[ \t]*[^\s"'\x60\\]{1,256}){0,4}`;
const LONG_TOKEN = `[A-Za-z0-9_.~+/-]{257,${MAX_VALUE}}={0,2}`;
const PAIR = String.raw`["']?(?:[ \t]*[,;]\s{0,80}|\s{1,80})(?:\\{0,3}["'])?[vV]alue(?:\\{0,3}["'])?[ \t]*[:=][ \t]*`;

/** A value is taken whole or not at all, which spares the search all shorter ones. */
function form(head: string, value: string, behind: string, where?: Form['where']): Form {
  const pattern = new RegExp(`${head}(?=(?<secret>${value}))\\k<secret>(?=${behind})`, 'my');
  return where === undefined ? { pattern } : { pattern, where };
}

function follows(before: RegExp, reach: number): NonNullable<Form['where']> {
  return ({ text }, nameStart) => before.test(text.slice(Math.max(0, nameStart - reach), nameStart));
}

const isFlag: Form['where'] = ({ text }, nameStart) => text[nameStart] === '-';
const isSetByWord = follows(/(?:ENV|setenv|SetEnv|\bset)[ \t]+$/, 24);
const isSetInLine = follows(/(?:^|\n)[ \t]*$/, 24);

/** Ways to write a value without quotes, after the name. */
const FORMS: readonly Form[] = [
  // PASSWORD=…, token: …
  form(
    String.raw`["']?[ \t]{0,8}[:=][ \t]{0,8}`,
    `${LONG_TOKEN}|${SPLIT_VALUE}`,
    String.raw`[ \t]*(?:\r?$|#|;|\\|[ \t]&)`,
    isConfig,
  ),
  form(
    String.raw`["']?[ \t]{0,8}(?:=|: )[ \t]{0,8}`,
    String.raw`${LONG_TOKEN}|[^\s"'\x60\\()[\]{}<>,;]{8,256}`,
    String.raw`[ \t]*\r?$`,
    startsLine,
  ),
  // Server=…;Password=…;  ?user=…&password=…
  form(' ?= ?', String.raw`[^\s"'\x60;&<>{}#,\\()]{8,512}`, String.raw`[;&"'\x60\s<#\\)]|$`, isParameter),
  form(' ?= ?', String.raw`[^\s"'\x60;&<>{}()[\]]{8,128}`, ';'),
  form(String.raw` ?= ?\{`, String.raw`[^\s"'\x60}]{8,128}`, String.raw`\}`, isParameter),
  // <password>…</password>
  form('[^<>\\n]{0,40}>', String.raw`[^\s<>&]{8,256}`, '</'),
  // -H "X-Api-Key: …"
  form(': ?(?:[A-Za-z]{4,10} )?', '[A-Za-z0-9_.~+/=-]{12,2000}', '["\'`]'),
  // --password …
  form('[ =]', String.raw`[^\s"'\x60<>()]{8,256}`, String.raw`$|[\s"'\x60]`, isFlag),
  form('[ =](["\'])', String.raw`[^\s"'\x60]{8,256}`, '\\1', isFlag),
  // name: PASSWORD, value: …
  form(`${PAIR}["']`, String.raw`[^\s"']{8,${MAX_VALUE}}`, '["\']'),
  form(String.raw`${PAIR}\\{1,3}["']`, String.raw`[^\s"'\\]{8,256}`, String.raw`\\{1,3}["']`),
  form(PAIR, String.raw`[^\s"',{}]{8,512}`, String.raw`[\s,}]|$`),
  // token: |
  form(
    String.raw`: [|>][+-]?\d?[ \t]*\r?\n[ \t]+`,
    String.raw`[^\s:]{8,200}(?:\r?\n[ \t]+[^\s:]{4,200}){0,40}`,
    String.raw`\r?$`,
  ),
  // PASSWORD '…'
  form(' (["\'])', String.raw`[^\s"'\x60]{8,256}`, '\\1'),
  // login … password …
  form(String.raw`\s{1,8}`, String.raw`\S{8,256}`, '', follows(/\blogin\s+\S{1,80}\s+$/, 100)),
  // ENV PASSWORD …, requirepass …
  form(
    '[ \\t]{1,8}',
    String.raw`[^\s"'\x60]{8,256}`,
    String.raw`[ \t]*\r?$`,
    (place, nameStart) => isSetByWord(place, nameStart) || (isConfig(place) && isSetInLine(place, nameStart)),
  ),
];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Names after which a UUID is more than a number. */
const UUID_NAME = /secret|api.?key|auth.?token|access.?token|license.?key|password/i;
const UUID_SETTING = /[A-Z]_TOKEN$/;
/** `pbkdf2_sha256$…`, `$2y$10$…`, `{SSHA}…`, `sha256:…`: a stored hash gives no password away. */
const PASSWORD_HASH =
  /^\$(?:[0-9a-z]{1,2}|apr1|argon2\w*|pbkdf2[\w-]*|s?crypt|bcrypt[\w-]*|sha\d+|md5)\$|^(?:pbkdf2|s?crypt|bcrypt|argon2|sha\d|md5|unsalted)\w*\$|^\{[A-Z0-9-]+\}|^(?:hmac-)?(?:sha\d+|md5)[:-]/;
const ADDRESS =
  /:\/\/|^[\w.-]+@[\w-]+\.\w+$|^[A-Z]:\\|\.(?:json|ya?ml|txt|pem|key|jsx?|tsx?|py|go|rb|php|html?|png|jpe?g|gif|svg|css|md|java|sql)$/;
const PATH = /^(?:\.{0,2}|~)\/|(?:\/[^/]*){4}/;
/** An account of a block chain is as public as an address on a letter. */
const CHAIN_ADDRESS = /^0x[0-9a-fA-F]{40}$|^(?:bc1|tb1|cosmos1|addr1)[a-z0-9]{20,100}$/;
const DATE = /^\d{4}-\d\d-\d\d(?:[T_]|$)/;
/** Patterns, calls and formats: code, not values. */
const CODE = /\\[dwsSWDbux]|\(\?|\]\+|\[\^|\w\(\w*\)|=>|&&|\|\|/;
const SECRET_OF_AWS = /^[A-Za-z0-9+/]{40}$/;

function isNoValue(value: string): boolean {
  if (PASSWORD_HASH.test(value) || ADDRESS.test(value) || CHAIN_ADDRESS.test(value)) return true;
  if (DATE.test(value) || CODE.test(value)) return true;
  if (PATH.test(value) && !(SECRET_OF_AWS.test(value) && randomBits(value) > 40)) return true;
  return looksLikePlaceholder(value);
}

/** A password may have spaces; a sentence about one has words. */
function hasSpacesLikePassword(value: string): boolean {
  return (
    value.length <= 64 &&
    (value.match(/\s/g)?.length ?? 0) <= 5 &&
    looksLikePassword(value.replace(/\s+/g, ''))
  );
}

function saysUuid(name: string): boolean {
  return UUID_NAME.test(name) || (UUID_SETTING.test(name) && !/SESSION|REQUEST/.test(name));
}

function isSecretValue(value: string, said: SecretName, name: string): boolean {
  if (isNoValue(value)) return false;
  const live = isLiveToken(value);
  if (live !== null) return live;
  if (UUID.test(value)) return said !== 'maybe' && saysUuid(name);
  if (/\s/.test(value)) return said === 'password' && hasSpacesLikePassword(value);
  if (said === 'password') return looksLikePassword(value);
  // any key may be one of a map: the value has to say more
  return looksRandom(value, said === 'maybe' ? 20 : 12);
}

/** Where a quoted text ends, or -1. Quotes of another kind and escaped ones belong to it. */
function quotedEnd(text: string, from: number, quote: string): number {
  const slashes = quote.lastIndexOf('\\') + 1;
  const mark = quote.slice(slashes);
  const last = Math.min(text.length, from + MAX_VALUE);
  for (let at = from; at < last; at++) {
    if (text[at] === '\n') return -1;
    let run = 0;
    while (text[at + run] === '\\') run++;
    if (run === slashes && text.startsWith(mark, at + run)) return at;
    if (run > 0) at += slashes === 0 && run % 2 === 0 ? run - 1 : run;
  }
  return -1;
}

/** `"…" +` and so on with the next line: the value as it will be put together, and where its last piece ends. */
function quotedValue(text: string, from: number, quote: string): { value: string; end: number } | null {
  let end = quotedEnd(text, from, quote);
  if (end === -1) return null;
  let value = text.slice(from, end);
  for (let pieces = 1; pieces < MAX_PIECES; pieces++) {
    NEXT_PIECE.lastIndex = end + quote.length;
    const next = NEXT_PIECE.exec(text);
    if (next === null || next.groups!.quote !== quote) break;
    const nextEnd = quotedEnd(text, NEXT_PIECE.lastIndex, quote);
    // a colon makes it the name of the next entry
    if (nextEnd === -1 || /^\s?[:=]/.test(text.slice(nextEnd + quote.length, nextEnd + quote.length + 2)))
      break;
    value += text.slice(next.index + next[0].length, nextEnd);
    end = nextEnd;
  }
  return { value, end };
}

const MIN_VALUE = 8;

function unescaped(value: string): string {
  const plain = value.includes('\\') ? value.replace(/\\(?:\r?\n[ \t]*|(?=["'\\/]))/g, '') : value;
  return /%[0-9A-F]{2}/.test(plain)
    ? plain.replace(/%([2-7][0-9A-F])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : plain;
}

/** The characters that may follow a name with a value. */
const BEHIND_NAME = /[\s"'`=:>,;\\&()\]{|?+]/;
/** Settings that are written in a row, one of which was taken for the value of another. */
const MANY_SETTINGS = /(?:[=:;][^=:;]+){3}[=:;]/;

function readNamed(place: AnchoredPlace): SecretRange | null {
  const { text, at, anchor } = place;
  // `Pass:` brings its operator along
  const operator = anchor.search(/[:= ]/);
  NAME_REST.lastIndex = at + anchor.length;
  const behind = operator !== -1 ? at + operator : NAME_REST.lastIndex + NAME_REST.exec(text)![0].length;
  if (behind >= text.length || !BEHIND_NAME.test(text[behind]!)) return null;
  let nameStart = at;
  const least = Math.max(0, at - MAX_BEFORE);
  while (nameStart > least && NAME_CHARACTER.test(text[nameStart - 1]!)) nameStart--;
  const name = text.slice(nameStart, behind);
  const said = secretName(name);
  if (said === null || (said === 'maybe' && !/key$/i.test(name))) return null;
  const isOurs = (value: string) =>
    value.length >= MIN_VALUE &&
    isSecretValue(unescaped(value), said, name) &&
    !text.slice(Math.max(0, at - 80), at).includes(EMULATOR_ACCOUNT);

  OPERATOR.lastIndex = behind;
  const opened = OPERATOR.exec(text);
  if (opened !== null) {
    const start = OPERATOR.lastIndex;
    const quoted = quotedValue(text, start, opened.groups!.quote!);
    if (quoted !== null && isOurs(quoted.value)) return { start, end: quoted.end };
  }
  const refused = new Set<string>();
  for (const { pattern, where } of FORMS) {
    if (where?.(place, nameStart) === false) continue;
    pattern.lastIndex = behind;
    const match = pattern.exec(text);
    if (match === null) continue;
    // `${PASSWORD:…}`
    const isClosed = /^[^{]*\}$/.test(match[0]);
    const end = behind + match[0].length - (isClosed ? 1 : 0);
    const secret = isClosed ? match.groups!.secret!.slice(0, -1) : match.groups!.secret!;
    if (refused.has(secret)) continue;
    refused.add(secret);
    if (MANY_SETTINGS.test(secret)) continue;
    if (isOurs(secret.replace(/\\?\r?\n[ \t]*/g, ''))) return { start: end - secret.length, end };
  }
  return null;
}

const HEROKU_UUID: SecretDetector = {
  kind: 'heroku-key',
  anchors: ['eroku', 'EROKU'],
  pattern:
    /(?:eroku|EROKU)[\w"' -]{0,24}[:=][ \t]{0,4}["']?(?<secret>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f-])/y,
  accept: ({ value }) => !looksLikePlaceholder(value),
};

/** The kind of a secret that only its name gives away. */
export const NAMED_SECRET = 'named-secret';

/** Values that a name marks as secret, in code and in settings. */
export const NAMED_SECRETS: readonly SecretDetector[] = [
  { kind: NAMED_SECRET, anchors: ANCHORS, read: readNamed },
  HEROKU_UUID,
];
