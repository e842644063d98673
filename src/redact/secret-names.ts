/**
 * What a name says of its value. A password may be made up by a person; the others come from a generator. `maybe` is
 * too weak a word for code, but says enough in a file of settings.
 */
export type SecretName = 'password' | 'secret' | 'maybe';

/** Ends of words: `pgpassword` and `rootpw` count, `tokenizer`, `passenger` and `keyboard` do not. */
const PASSWORD_WORD =
  /(?:password|passwd|passphrase|passcode|passwort|pword|pwd)s?$|^(?:pass|pw|psw|pswd|requirepass|masterauth|userpass|dbpass|rootpw|dbpw|sshpass)$/;
const SECRET_WORD =
  /(?:secret|token|credential|apikey|accesskey|secretkey|privatekey|authkey|signingkey|encryptionkey|masterkey|sharedkey)s?$/;

/** `api key`, `signing key`: a key alone may as well be one of a map. */
const BEFORE_KEY = new Set(
  `api access private encryption encrypt decryption cipher crypto aes hmac rsa signing sign signature account auth
  authorization authentication master license licence secret shared storage service server client app application admin
  root deploy deployment webhook jwt session cookie ssh gpg pgp wireguard preshared psk consumer subscription functions
  function host ingest ingestion integration write live prod production security hash salt bearer user`.split(
    /\s+/,
  ),
);

/** Keys that only tell things apart. */
const PLAIN_KEY = new Set(
  `primary foreign sort partition cache group hot shortcut index row column lookup map dict object field property
  routing translation message unique natural composite public publishable site host enter arrow modifier
  press down up file blob asset image object node tree item list query event record document entity state config option param
  order filter data page route content checksum digest commit merkle block`.split(/\s+/),
);

/** In a file of settings these words say enough. */
const MAYBE_WORD =
  /^(?:key|auth|authorization|salt|pepper|dsn|pin|otp|totp|mfa|seed|mnemonic|signature|webhook|webhooks|jwt|bearer|pat|cookie|session|creds?|private|license|licence|cert|certificate|pfx|iv|nonce|conn|connection|sas|access|hmac)$/;

/** Tokens of another sense: positions in a list, guards of a form, parts of a grammar. */
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

/** Things that are random, but no secret. */
const RANDOM_NO_SECRET = new Set(
  `sha commit revision rev tag uuid guid build etag address addr image release slug public publishable digest checksum
  integrity fingerprint hash id ids account project client tenant subscription site`.split(/\s+/),
);

/** The name says that the value is not the secret itself, or nothing that needs to stay one. */
export function speaksAboutSecret(name: string): boolean {
  const words = wordsOf(name);
  return ABOUT.has(words.at(-1) ?? '') || words.some((word) => RANDOM_NO_SECRET.has(word));
}

/** Null when the name says nothing of a secret, or speaks of something about one. */
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
