// Secrets that the format of a file gives away: `.env`, `.npmrc`, `.netrc`, `.pgpass`, and private keys.

import type { FormatDetector, SecretDetector } from '../secret-detector.ts';
import {
  isBarePlaceholder,
  looksLikePassword,
  looksLikePlaceholder,
  looksRandom,
  secretName,
  speaksAboutSecret,
  wordsOf,
} from '../secret-values.ts';

/** A file of settings for one machine, not the example that is meant to be copied. */
const ENVIRONMENT_FILE =
  /(?:^|\/)(?!(?:[\w-]+\.)*(?:example|sample|template|dist|defaults?|tests?|testing|ci)\.env$)(?:[\w.-]*\.env|\.envrc|\.env\.(?!(?:[\w-]+\.)*(?:example|sample|template|dist|defaults?|tests?|testing|ci)$)[\w.-]+)$/;

const SETTING = String.raw`^[ \t]{0,20}(?:export[ \t]{1,4}|set[ \t]{1,4})?(?<name>[A-Za-z_][\w.-]{0,80})[ \t]{0,4}[=:][ \t]{0,4}`;

const NO_VALUE = /^(?:\d{1,5}|true|false|yes|no|on|off|null|none|nil)$/i;
const PATH_OR_ADDRESS = /^(?:\.{0,2}|~)\/(?=.*[./])|^[a-z][a-z0-9+.-]*:\/\//i;
const MIXED = /^(?=.*\d)(?=.*[A-Za-z])\S{8,}$/;

/** `MAIL_PASSWORD_PROD`: the last word only says which one. */
const WHICH_ONE =
  /^(?:base|value|prod|production|stag(?:e|ing)|dev|development|live|main|primary|secondary|old|new|next|current|local|v)$/;

/** Addresses of webhooks hold their secret in the path. */
function hasRandomPiece(address: string): boolean {
  return address.split(/[/?=&:@#]/).some((piece) => looksRandom(piece, 16));
}

/** In a `.env` file a value need not look random: under such a name it is secret unless it is a placeholder. */
function isEnvironmentSecret(name: string, value: string): boolean {
  if (value.length < 4 || NO_VALUE.test(value) || isBarePlaceholder(value)) return false;
  const said = secretName(name);
  if (said === null)
    // the name says nothing: a value that only a generator writes is still a secret
    return !speaksAboutSecret(name) && looksRandom(value, 16) && !looksLikePlaceholder(value);
  if (/^https?:\/\//.test(value)) return hasRandomPiece(value);
  if (PATH_OR_ADDRESS.test(value)) return false;
  const last = wordsOf(name).at(-1)!;
  if (said === 'maybe' && last !== 'key') return MIXED.test(value) || looksLikePassword(value);
  const isNamedLast = secretName(last) !== null || WHICH_ONE.test(last);
  return value.length >= 5 && (isNamedLast || looksLikePassword(value));
}

function environment(value: string): FormatDetector {
  return {
    kind: 'environment-value',
    paths: ENVIRONMENT_FILE,
    pattern: new RegExp(SETTING + value, 'dgm'),
    accept: (match, secret) => isEnvironmentSecret(match.groups!.name!, secret.trim()),
  };
}

/** Formats of files whose fields are known: there, a value needs no further sign. */
export const FILE_FORMATS: readonly FormatDetector[] = [
  environment(String.raw`"(?<secret>(?:[^"\\\n]|\\.){1,4000})"`),
  environment(String.raw`'(?<secret>[^'\n]{1,4000})'`),
  environment(String.raw`(?<secret>[^\s"'#]\S{2,3999}(?:[ \t]{1,8}[^\s#]\S{0,200}){0,20})`),
  {
    kind: 'npm-token',
    paths: /(?:^|\/)\.?npmrc$/,
    pattern:
      /^[^\n=]{0,300}?_(?:auth|authToken|password)[ \t]{0,4}=[ \t]{0,4}"?(?<secret>[^\s"#]{6,4000})/dgm,
    accept: (_, secret) => !isBarePlaceholder(secret),
  },
  {
    kind: 'netrc-password',
    paths: /(?:^|\/)[._]netrc$/,
    pattern: /\b(?:password|account)\s{1,20}(?<secret>\S{1,400})/dg,
    accept: (_, secret) => !isBarePlaceholder(secret),
  },
  {
    // host:port:database:user:password
    kind: 'pgpass-password',
    paths: /(?:^|\/)\.?pgpass(?:\.conf)?$/,
    pattern: /^(?!#)(?:(?:[^:\\\n]|\\.){0,200}:){4}(?<secret>[^\n\r]{1,400})/dgm,
    accept: (_, secret) => !isBarePlaceholder(secret),
  },
];

/** A key with less than this is cut short for show. */
const MIN_KEY_CHARACTERS = 64;
const MIN_KEY_SHARE = 0.7;

function isKeyMaterial(body: string): boolean {
  const length = body.replace(/[^A-Za-z0-9+/]/g, '').length;
  return length >= MIN_KEY_CHARACTERS && length >= body.length * MIN_KEY_SHARE;
}

// Certificates and public keys have other words in their first line: they are not secret.
const FIRST_LINE = String.raw`(?<=-----)BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr]){0,8}`;

/** Private keys in PEM and similar blocks. */
export const PRIVATE_KEYS: readonly SecretDetector[] = [
  {
    kind: 'private-key',
    anchors: ['BEGIN '],
    pattern: new RegExp(
      `${FIRST_LINE}(?<secret>[^-]{0,200000}(?:-(?!----)[^-]{0,200000}){0,40})(?=-----END)`,
      'y',
    ),
    accept: ({ value }) => isKeyMaterial(value),
  },
  {
    // the last line is missing: the file was cut, or the key is put together line by line
    kind: 'private-key',
    anchors: ['BEGIN '],
    pattern: new RegExp(`${FIRST_LINE}(?<secret>[A-Za-z0-9+/=\\s\\\\"'+,;]{64,200000})`, 'y'),
    accept: ({ value }) => isKeyMaterial(value),
  },
  {
    kind: 'private-key',
    anchors: ['Private-Lines: '],
    pattern: /Private-Lines: \d{1,3}\r?\n(?<secret>(?:[A-Za-z0-9+/=]{1,76}\r?\n){1,200})/y,
  },
];
