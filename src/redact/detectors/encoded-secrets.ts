// Secrets inside base64: keys, logins, and text that the other detectors recognise once it is decoded.

import type { AnchoredPlace, SecretDetector, SecretRange } from '../secret-detector.ts';
import { isBarePlaceholder } from '../secret-values.ts';

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('latin1');
}

const PRINTABLE = /^[\t\n\r\x20-\x7e]*$/;

/** `user:password` in base64, as Docker and npm keep it. */
function isEncodedLogin(base64: string): boolean {
  const pair = /^([\x21-\x7e]{1,100}?):([\x20-\x7e]{3,})$/.exec(decoded(base64));
  return pair !== null && !isBarePlaceholder(pair[2]!);
}

const KEY_LINES = String.raw`[A-Za-z0-9+/]{40,20000}(?:\r?\n[ \t]{0,20}[A-Za-z0-9+/]{16,76}){0,60}={0,2}`;

/** Beginnings of tokens, and names of values in settings. Short ones would turn up in any base64. */
const HIDDEN =
  `ghp_ gho_ ghs_ ghu_ ghr_ github_pat_ glpat- xoxb- xoxp- sk_live_ rk_live_ sk-ant- sk-proj- sk-or-v1- npm_
pypi-AgE AIza AKIA ASIA dop_v1_ shpat_ GOCSPX- ya29. hvs. dckr_pat_ sntrys_ lin_api_ glsa_ password PASSWORD Password passwd
secret SECRET "auth" apiKey api_key API_KEY TOKEN= _token`.split(/\s+/);

/** How a text looks inside base64, after any prefix. */
function inBase64(plain: string): string[] {
  return [0, 1, 2].map((shift) => {
    const bits = Buffer.concat([Buffer.alloc(shift), Buffer.from(plain)]).toString('base64');
    return bits.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + plain.length) * 8) / 6));
  });
}

const BASE64 = new Set('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
/** Characters in front of the anchor; after them a run of base64 is data, not a value. */
const MAX_BEFORE = 120;
const RUN_REST = /[A-Za-z0-9+/]{0,4000}={0,2}/y;
const MIN_RUN = 24;

/** Decodes the base64 around an anchor and looks for secrets in it. */
function readEncoded(
  { text, at }: AnchoredPlace,
  holdsSecret: (plain: string) => boolean,
): SecretRange | null {
  let start = at;
  const least = Math.max(0, at - MAX_BEFORE);
  while (start > least && BASE64.has(text[start - 1]!)) start--;
  if (start > 0 && BASE64.has(text[start - 1]!)) return null;
  RUN_REST.lastIndex = at;
  const end = at + RUN_REST.exec(text)![0].length;
  if (end - start < MIN_RUN) return null;
  const plain = decoded(text.slice(start, end));
  return PRINTABLE.test(plain) && holdsSecret(plain) ? { start, end } : null;
}

/** Secrets in base64. The other detectors read the decoded text. */
export function encodedSecrets(holdsSecret: (plain: string) => boolean): readonly SecretDetector[] {
  return [
    {
      kind: 'private-key',
      anchors: ['LS0tLS1CRUdJTi'],
      pattern: new RegExp(`(?<![A-Za-z0-9+/])(?=LS0tLS1CRUdJTi)${KEY_LINES}`, 'y'),
      accept: ({ value }) => decoded(value.slice(0, 80)).includes('PRIVATE KEY'),
    },
    {
      kind: 'docker-credentials',
      anchors: ['"auth"', '\\"auth\\"', "'auth'"],
      pattern:
        /\\?["']auth\\?["']\s{0,8}(?::|=>)\s{0,8}\\?["'](?<secret>[A-Za-z0-9+/]{8,2000}={0,2})(?=\\?["'])/y,
      accept: ({ value }) => isEncodedLogin(value),
    },
    {
      kind: 'npm-token',
      anchors: ['_auth=', '_auth ='],
      pattern: /_auth ?= ?"?(?<secret>[A-Za-z0-9+/]{8,2000}={0,2})(?![A-Za-z0-9+/=])/y,
      accept: ({ value }) => isEncodedLogin(value),
    },
    {
      kind: 'encoded-secret',
      anchors: [...new Set(HIDDEN.flatMap(inBase64))],
      read: (place) => readEncoded(place, holdsSecret),
    },
  ];
}
