// Judges a name and its value: whether the name promises a secret, and whether the value looks generated, looks like a
// password, or is a placeholder.

const LOWER = 0;
const UPPER = 1;
const DIGIT = 2;
const MARK = 3;

function classOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 48 && code <= 57 ? DIGIT : MARK;
}

/** Kept between calls, and zero between them: a new one each time would cost more than the counting. */
const COUNTS = new Uint32Array(256);

/** Bits per character, by the characters' own frequencies. */
export function entropyOf(value: string): number {
  for (let at = 0; at < value.length; at++) COUNTS[value.charCodeAt(at) & 255]!++;
  let bits = 0;
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at) & 255;
    const count = COUNTS[code]!;
    if (count > 0) bits -= count * Math.log2(count / value.length);
    COUNTS[code] = 0;
  }
  return bits / value.length;
}

/**
 * How often a letter (row) is followed by another (column) in the words of programs and their manuals, against
 * pure chance: 0 for 5 bits less often, 9 for 3 bits more often. `node bench/letter-pairs.mjs FOLDER…` counts them.
 */
const LETTER_PAIRS = [
  '66763351614767252778543342',
  '85538332752843732664722152',
  '82527317616632831647511131',
  '74369332832533731563632240',
  '63674541322668354886243631',
  '73437732922643831655612151',
  '72429366711646641774622132',
  '83349322802443831646623141',
  '54666550102669751577050305',
  '83539344634434743484755343',
  '75449344724644553475545242',
  '83358421802732740166631060',
  '86239221711453771264521131',
  '72777582614424640278541031',
  '54662451424669560866655221',
  '81348224603732760857610140',
  '73444344435743335453935343',
  '83559351704455730566542050',
  '61648336704443663378623041',
  '71528227801433740765512251',
  '66557451612768360778220212',
  '83339333812443632343342223',
  '83348347824537732664334332',
  '64747434723553482448231453',
  '65547442633667681577435354',
  '83449344733444633454545255',
];
const PAIR_BITS = LETTER_PAIRS.map((row) => [...row].map((digit) => (Number(digit) * 8) / 9 - 5));

/** How likely one class of characters follows another in quoted values of programs: lower, upper, digit, mark. */
const CLASS_STEPS = [
  [0.837, 0.022, 0.013, 0.129],
  [0.393, 0.49, 0.029, 0.088],
  [0.128, 0.059, 0.551, 0.263],
  [0.659, 0.061, 0.081, 0.199],
];
const CLASS_SIZES = [26, 26, 10, 10];

/**
 * Bits that speak for a generator and against words, numbers and names: the value's chance under the alphabet that
 * it draws on, against its chance under the two tables above. A program's names come out far below zero.
 */
export function randomBits(value: string): number {
  // capitals alone are another way to write words
  const text = /[a-z]/.test(value) ? value : value.toLowerCase();
  const seen = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at++) seen[classOf(text.charCodeAt(at))] = 1;
  const alphabet = seen.reduce((sum, one, kind) => sum + one * CLASS_SIZES[kind]!, 0);
  let bits = 0;
  for (let at = 1; at < text.length; at++) {
    const [before, code] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
    const [from, to] = [classOf(before), classOf(code)];
    bits += Math.log2(CLASS_SIZES[to]! / alphabet / CLASS_STEPS[from]![to]!);
    const isInsideWord = to === LOWER ? from <= UPPER : to === UPPER && from === UPPER;
    if (isInsideWord) bits -= PAIR_BITS[(before | 32) - 97]![(code | 32) - 97]!;
  }
  return bits;
}

/** 99 of 100 random values of 12 characters reach this, and one name in a hundred. */
const MIN_BITS = 5;
/** Extra bits for short pieces between separators: `s-12vcpu-48gb`, `Llama-2-7b-hf`, `1.4.2-rc.1`. */
const MORE_BITS_IN_PIECES = 14;

/** Extra bits for letters alone: `XLNetLMHeadModel`. */
const MORE_BITS_IN_LETTERS = 5;

const HEX = /^(?:0x)?(?:[0-9a-f]+|[0-9A-F]+)$/;
const MIN_HEX = 16;
const IN_SHORT_PIECES = /^[A-Za-z0-9]{0,8}(?:[-_./:][A-Za-z0-9]{0,8})+$/;

function spreads(value: string): boolean {
  return entropyOf(value) >= Math.min(3, Math.log2(value.length) * 0.75);
}

function hasLetters(value: string): boolean {
  return /[A-Za-z]/.test(value);
}

/** True when a value reads like the output of a generator, not like a name, a word or a number. */
export function looksRandom(value: string, least: number): boolean {
  if (value.length < least || !hasLetters(value)) return false;
  if (HEX.test(value))
    return value.length >= Math.max(least, MIN_HEX) && /\d/.test(value) && entropyOf(value) >= 2.8;
  let needed = MIN_BITS;
  if (IN_SHORT_PIECES.test(value)) needed += MORE_BITS_IN_PIECES;
  else if (!/\d./.test(value)) needed += MORE_BITS_IN_LETTERS;
  return randomBits(value) >= needed && spreads(value);
}

const MIN_RANDOM_PASSWORD = 12;
const MIN_BITS_IF_SHORT = 9;

/** A generated password, or one that a person made up: short, but of at least three kinds of characters in turn. */
export function looksLikePassword(value: string): boolean {
  if (value.length < 8 || !hasLetters(value)) return false;
  if (HEX.test(value))
    return value.length >= MIN_RANDOM_PASSWORD && /\d/.test(value) && entropyOf(value) >= 2.3;
  const bits = randomBits(value);
  if (bits >= (value.length < MIN_RANDOM_PASSWORD ? MIN_BITS_IF_SHORT : MIN_BITS) && spreads(value))
    return true;
  const kinds = new Set<number>();
  let changes = 0;
  for (let at = 0; at < value.length; at++) {
    const kind = classOf(value.charCodeAt(at));
    if (at > 0 && kind !== classOf(value.charCodeAt(at - 1))) changes++;
    kinds.add(kind);
  }
  if (kinds.size < 3 || !kinds.has(DIGIT) || changes < 4 || value.length > 40) return false;
  return bits >= (kinds.has(LOWER) && kinds.has(UPPER) ? -6 : 0);
}

/** The account of Azure's storage emulator: its key is public. */
export const EMULATOR_ACCOUNT = 'devstoreaccount1';

/** Words that people write in place of a secret. Long enough not to occur in random text. */
const STAND_IN_WORD =
  /exampl|placeholder|change[-_ ]?(?:me|this|it)|your(?:[-_ .]|api|key|pass|app|own)|dummy|sampl|fake|foobar|insert|replac|redact|p[a@4][s5]{2}w[o0]rd|passphrase|secret|token|default|notreal|invalid|hunter2|testing|test[-_]|[-_]test|mysql|postgres|mock|lorem|qwerty|asdf|letmein|x{6}|\.{3}|\*{3}|deadbeef|cafebabe|abcdefg|123456|012345|987654|JBSWY3DPEHPK3PXP/i;

/** Placeholders that a program or a template fills in later. */
const FILLED_IN_LATER =
  /\$\{|\{\{|#\{|%[({<]|%[sdv]\b|\$\(|^<.*>$|^\{.*\}$|^\[.*\]$|^\(.*\)$|^%\w+%$|process\.env|\{[\w.]*\}|\[redacted:/;
const VARIABLE = /^[$@%&][A-Za-z_][\w.:>-]*$/;

/** `$DB_PASSWORD`, but not a password that begins like it. */
function isFilledInLater(value: string): boolean {
  return FILLED_IN_LATER.test(value) || (VARIABLE.test(value) && randomBits(value.slice(1)) < 5);
}

/** The length of a key: a made-up value that counts up also counts as a key. */
const LONG_HEX = /^(?:[0-9a-f]{32,}|[0-9A-F]{32,})$/;

/** Alphabets, counters and repeated characters, also in turn as in `A1B2C3D4`. */
function isMonotonous(value: string): boolean {
  return (LONG_HEX.test(value) ? [1] : [1, 2]).some((apart) => {
    let steps = 0;
    for (let at = apart; at < value.length; at++)
      if (Math.abs(value.charCodeAt(at) - value.charCodeAt(at - apart)) <= 1) steps++;
    return steps > value.length * 0.45;
  });
}

/** A long placeholder shows at its beginning or its end that it is one. */
function endsOf(value: string): string {
  return value.length <= 96 ? value : `${value.slice(0, 64)} ${value.slice(-24)}`;
}

/** True for `your-api-key`, `AKIAIOSFODNN7EXAMPLE`, `${TOKEN}`, `xxxxxxxx`, `1234567890`. */
export function looksLikePlaceholder(value: string): boolean {
  return STAND_IN_WORD.test(endsOf(value)) || isFilledInLater(value) || isMonotonous(value);
}

/** Only a placeholder; a password that merely contains such a word is still a password. */
const BARE_STAND_IN =
  /^(?:change.?(?:me|this|it)|your\b.*|my\b.*|example.*|secret|password|passwd|token|default|dummy|fake|test|local\w*|root|admin|postgres|mysql|redis|todo|none|null|true|false|empty|base64:|x+|\*+|\.+|-+)$/i;

/** Where the place alone says that a real value is secret, as in a `.env` file. */
export function isBarePlaceholder(value: string): boolean {
  return BARE_STAND_IN.test(value) || isFilledInLater(value) || isMonotonous(value);
}

const TOKEN = /^(?<header>eyJ[A-Za-z0-9_-]{4,})\.(?<payload>[A-Za-z0-9_-]*)\.[A-Za-z0-9_-]*$/;

/** The tokens that manuals of the format print. */
const MANUAL_CLAIM =
  /"(?:sub|name)" ?: ?"(?:1234567890|John Doe|Jane Doe)"|example\.(?:com|org)|"iss" ?: ?"joe"/;
/** Claims that grant access; a token without any only shows the format. */
const LIVE_CLAIM = /"(?:exp|iss|sub|aud|jti|sid|uid|user\w*|email|client\w*|roles?|scopes?|session\w*)" ?:/i;

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64url').toString('latin1');
}

/** True for a JSON web token that could be used; null when the text is not such a token. */
export function isLiveToken(text: string): boolean | null {
  const { header, payload } = TOKEN.exec(text)?.groups ?? {};
  if (header === undefined || payload === undefined) return null;
  if (!/"(?:alg|enc|typ)"/.test(decoded(header))) return null;
  const claims = decoded(payload);
  return LIVE_CLAIM.test(claims) && !MANUAL_CLAIM.test(claims);
}

/**
 * The secret that a name promises. A person may make up a password; the others come from a generator. `maybe` is too
 * weak for code, but enough in a file of settings.
 */
export type SecretName = 'password' | 'secret' | 'maybe';

/** Ends of words: `pgpassword` and `rootpw` count, `tokenizer`, `passenger` and `keyboard` do not. */
const PASSWORD_WORD =
  /(?:password|passwd|passphrase|passcode|passwort|pword|pwd)s?$|^(?:pass|pw|psw|pswd|requirepass|masterauth|userpass|dbpass|rootpw|dbpw|sshpass)$/;
const SECRET_WORD =
  /(?:secret|token|credential|apikey|accesskey|secretkey|privatekey|authkey|signingkey|encryptionkey|masterkey|sharedkey)s?$/;

/** `api key`, `signing key`: a bare `key` may also be the key of a map. */
const BEFORE_KEY = new Set(
  `api access private encryption encrypt decryption cipher crypto aes hmac rsa signing sign signature account auth
  authorization authentication master license licence secret shared storage service server client app application admin
  root deploy deployment webhook jwt session cookie ssh gpg pgp wireguard preshared psk consumer subscription functions
  function host ingest ingestion integration write live prod production security hash salt bearer user`.split(
    /\s+/,
  ),
);

/** Keys that only identify something. */
const PLAIN_KEY = new Set(
  `primary foreign sort partition cache group hot shortcut index row column lookup map dict object field property
  routing translation message unique natural composite public publishable site host enter arrow modifier
  press down up file blob asset image object node tree item list query event record document entity state config option param
  order filter data page route content checksum digest commit merkle block`.split(/\s+/),
);

/** In a file of settings these words say enough. */
const MAYBE_WORD =
  /^(?:key|auth|authorization|salt|pepper|dsn|pin|otp|totp|mfa|seed|mnemonic|signature|webhook|webhooks|jwt|bearer|pat|cookie|session|creds?|private|license|licence|cert|certificate|pfx|iv|nonce|conn|connection|sas|access|hmac)$/;

/** Tokens of another sense: positions in a list, protection of a form, parts of a grammar. */
const OTHER_SENSE = new Set(
  `page next prev previous continuation csrf xsrf cancel cancellation sync resume public syntax cursor idempotency authenticity antiforgery
  special eos bos pad unk sep cls mask image video audio`.split(/\s+/),
);

/** `password_length`, `token_url`: not the secret itself, but something about it. */
const ABOUT = new Set(
  `id ids name names path paths file files filename dir directory url uri urls endpoint host hostname port length len
  size min max limit limits count ttl timeout expiry expires expiration expire lifetime age days hours minutes seconds
  interval type types kind mode format encoding algorithm algo alg cipher provider driver store backend manager service
  header headers prefix suffix field fields column label title text message error errors hint help description placeholder
  policy rule rules regex pattern enabled disabled required optional reset rotation version env layout model strategy
  handler class table bucket region issuer audience scope scopes status state location position usage budget hash digest
  hasher checksum fingerprint rounds iterations cost arn alias ref reference var variable input output prompt page view
  address addresses addr form template button link email username user domain flow grant method parser generator counter limiter vault`.split(
    /\s+/,
  ),
);

/** `dbPassword`, `DB_PASSWORD`, `db-password2`: db, password. */
export function wordsOf(name: string): string[] {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return words.map((word) => word.toLowerCase());
}

function keyName(before: string | undefined): SecretName | null {
  if (before === undefined) return 'maybe';
  if (BEFORE_KEY.has(before)) return 'secret';
  return PLAIN_KEY.has(before) ? null : 'maybe';
}

function wordName(word: string, before: string | undefined): SecretName | null {
  if (word === 'key' || word === 'keys') return keyName(before);
  if (PASSWORD_WORD.test(word)) return 'password';
  if (SECRET_WORD.test(word)) return before !== undefined && OTHER_SENSE.has(before) ? null : 'secret';
  return MAYBE_WORD.test(word) ? 'maybe' : null;
}

const RANK = { password: 3, secret: 2, maybe: 1 } as const;

/** Words for values that are random but not secret. */
const RANDOM_NO_SECRET = new Set(
  `sha commit revision rev tag uuid guid build etag address addr image release slug public publishable digest checksum
  integrity fingerprint hash id ids account project client tenant subscription site`.split(/\s+/),
);

/** The name says that the value is not the secret itself, or that it need not stay secret. */
export function speaksAboutSecret(name: string): boolean {
  const words = wordsOf(name);
  return ABOUT.has(words.at(-1) ?? '') || words.some((word) => RANDOM_NO_SECRET.has(word));
}

/** Null when the name does not name a secret, or only something about one. */
export function secretName(name: string): SecretName | null {
  const words = wordsOf(name);
  if (words.includes('public') || words.includes('publishable')) return null;
  if (words.length === 0 || ABOUT.has(words.at(-1)!)) return null;
  let best: SecretName | null = null;
  for (const [at, word] of words.entries()) {
    const said = wordName(word, words[at - 1]);
    if (said !== null && (best === null || RANK[said] > RANK[best])) best = said;
  }
  return best;
}
