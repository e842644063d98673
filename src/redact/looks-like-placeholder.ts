import { randomBits } from './looks-random.ts';

/** The account of Azure's storage emulator: everybody knows its key. */
export const EMULATOR_ACCOUNT = 'devstoreaccount1';

/** Words that people write where a secret would stand. Long enough not to turn up in random text. */
const STAND_IN_WORD =
  /exampl|placeholder|change[-_ ]?(?:me|this|it)|your(?:[-_ .]|api|key|pass|app|own)|dummy|sampl|fake|foobar|insert|replac|redact|p[a@4][s5]{2}w[o0]rd|passphrase|secret|token|default|notreal|invalid|hunter2|testing|test[-_]|[-_]test|mysql|postgres|mock|lorem|qwerty|asdf|letmein|x{6}|\.{3}|\*{3}|deadbeef|cafebabe|abcdefg|123456|012345|987654|JBSWY3DPEHPK3PXP/i;

/** What a program or a template fills in later. */
const FILLED_IN_LATER =
  /\$\{|\{\{|#\{|%[({<]|%[sdv]\b|\$\(|^<.*>$|^\{.*\}$|^\[.*\]$|^\(.*\)$|^%\w+%$|process\.env|\{[\w.]*\}|\[redacted:/;
const VARIABLE = /^[$@%&][A-Za-z_][\w.:>-]*$/;

/** `$DB_PASSWORD`, but not a password that begins like it. */
function isFilledInLater(value: string): boolean {
  return FILLED_IN_LATER.test(value) || (VARIABLE.test(value) && randomBits(value.slice(1)) < 5);
}

/** As long as a key: a person who makes one up by counting takes it for a key as well. */
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

/** A stand-in and nothing else; a password that merely holds such a word is still one. */
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
/** Claims that let someone in; a token without any only shows the format. */
const LIVE_CLAIM = /"(?:exp|iss|sub|aud|jti|sid|uid|user\w*|email|client\w*|roles?|scopes?|session\w*)" ?:/i;

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64url').toString('latin1');
}

/** True for a JSON web token that could be used; null when the text is no such token. */
export function isLiveToken(text: string): boolean | null {
  const { header, payload } = TOKEN.exec(text)?.groups ?? {};
  if (header === undefined || payload === undefined) return null;
  if (!/"(?:alg|enc|typ)"/.test(decoded(header))) return null;
  const claims = decoded(payload);
  return LIVE_CLAIM.test(claims) && !MANUAL_CLAIM.test(claims);
}
