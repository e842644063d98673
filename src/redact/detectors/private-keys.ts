import type { SecretDetector } from '../secret-detector.ts';

/** A key with less than this is cut short for show. */
const MIN_KEY_CHARACTERS = 64;
const MIN_KEY_SHARE = 0.7;

function isKeyMaterial(body: string): boolean {
  const length = body.replace(/[^A-Za-z0-9+/]/g, '').length;
  return length >= MIN_KEY_CHARACTERS && length >= body.length * MIN_KEY_SHARE;
}

// Certificates and public keys have other words in their first line: they are not secret.
const FIRST_LINE = String.raw`(?<=-----)BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr]){0,8}`;

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
