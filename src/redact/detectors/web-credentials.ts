// Credentials in addresses, headers, cookies and command lines.

import type { SecretDetector } from '../secret-detector.ts';
import {
  entropyOf,
  isLiveToken,
  looksLikePassword,
  looksLikePlaceholder,
  looksRandom,
} from '../secret-values.ts';

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('latin1');
}

/** Hosts that cannot be reached, or only by their owner: the credentials are for show or for a test. */
const SHOW_HOST =
  /^(?:localhost|127\.|0\.0\.0\.0|\[?::1|(?:[\w-]+\.)*example(?:\.\w+)?\b|(?:[\w.-]+\.)?(?:test|invalid|local|localdomain)\b|(?:my|your|some)?-?_?(?:host(?:name)?|server|domain|proxy|site|db|database|redis|rabbitmq)\d?\b(?!\.))/i;

const WEAK_PASSWORD =
  /^(?:(?:my|the|some|db|user)?[-_]?pass[\w%]{0,10}|pwd?|pw|root|admin|guest|user\w{0,4}|test\w{0,4}|foo|bar|baz|me|abc\w{0,3}|\d{1,6}|[a-z]{1,5}|(.)\1*)$/i;

/** Credentials in addresses, headers and cookies. */
export const WEB_CREDENTIALS: readonly SecretDetector[] = [
  {
    kind: 'json-web-token',
    anchors: ['eyJ'],
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,600}\.eyJ[A-Za-z0-9_-]{10,8000}\.[A-Za-z0-9_-]{16,1200}/y,
    accept: ({ value }) => isLiveToken(value) === true,
  },
  {
    kind: 'url-password',
    anchors: ['://'],
    pattern:
      /:\/\/(?<user>[^\s:/@"'`<>?#]{0,100}):(?<secret>[^\s/@"'`<>?#,[\]]{3,200})(?=@(?<host>[A-Za-z0-9.[\]:_-]{1,120}))/y,
    accept: ({ value, match }) => {
      const { user, host } = match.groups!;
      if (looksLikePlaceholder(value) || WEAK_PASSWORD.test(value) || value === user) return false;
      return !SHOW_HOST.test(host!) || looksLikePassword(value);
    },
  },
  {
    // https://TOKEN@host
    kind: 'url-password',
    anchors: ['://'],
    pattern: /:\/\/(?<secret>[A-Za-z0-9_.~-]{20,400})(?=@(?<host>[A-Za-z0-9.-]{1,120}))/y,
    accept: ({ value, match }) =>
      !/sentry/.test(match.groups!.host!) && looksRandom(value, 20) && !looksLikePlaceholder(value),
  },
  {
    kind: 'url-password',
    anchors: ['jdbc:oracle:'],
    pattern: /jdbc:oracle:\w{2,8}:(?<user>[\w$#]{1,60})\/(?<secret>[^\s@"'`/]{4,100})(?=@)/y,
    accept: ({ value, match }) =>
      !looksLikePlaceholder(value) && !WEAK_PASSWORD.test(value) && value !== match.groups!.user,
  },
  {
    kind: 'url-signature',
    anchors: ['?sig=', '&sig=', '&amp;sig=', 'X-Amz-Signature=', '&Signature=', '?Signature=', '&signature='],
    pattern: /(?:[?&](?:amp;)?sig|X-Amz-Signature|[?&][Ss]ignature)=(?<secret>[A-Za-z0-9%+/=_-]{27,700})/y,
    accept: ({ value }) => looksRandom(value, 27) && !looksLikePlaceholder(value),
  },
  {
    kind: 'url-key',
    anchors: ['?key=', '&key=', '&amp;key=', '?auth=', '&auth=', '?sid=', '&sid=', '?code=', '&code='],
    pattern: /[?&](?:amp;)?(?:key|auth|sid|code)=(?<secret>[A-Za-z0-9%+/=_.~-]{20,1000})(?![A-Za-z0-9_])/y,
    accept: ({ value }) => looksRandom(value, 20) && !looksLikePlaceholder(value),
  },
  {
    kind: 'one-time-password-seed',
    anchors: ['otpauth://', 'otpauth%3A%2F%2F'],
    pattern:
      /otpauth(?::|%3A)[^\s"'<>]{1,300}?secret(?:=|%3D)(?<secret>[A-Za-z2-7]{16,256}={0,6})(?![A-Za-z2-7])/y,
    accept: ({ value }) => !looksLikePlaceholder(value) && entropyOf(value) >= 2.5,
  },
  {
    // curl -u user:password
    kind: 'command-password',
    anchors: [' -u', '--user', '--proxy-user', ' -U '],
    pattern:
      /(?: -u|--user|--proxy-user| -U)[ =]{0,2}(?<quote>["']?)(?<user>[^\s:"'/@]{1,100}):(?<=\bcurl\b(?:[^\n]|\\\r?\n){0,400}:)(?<secret>[^\s"']{4,200}|(?<=["'][^\n"']{1,110}:)[^\n"']{4,200})(?=\k<quote>(?:\s|$|[)`]))/y,
    accept: ({ value }) => !looksLikePlaceholder(value) && !WEAK_PASSWORD.test(value),
  },
  {
    // sshpass -p …, mysql -p…, redis-cli -a …
    kind: 'command-password',
    anchors: [
      'sshpass ',
      'ysql ',
      'ysqldump ',
      'ysqladmin ',
      'edis-cli ',
      'ker login ',
      'ongosh ',
      'ongodump ',
    ],
    pattern:
      /(?:sshpass|ysql|ysqldump|ysqladmin|edis-cli|ker login|ongosh|ongodump) (?:[^\n|;]{0,200}? )?-[pa] ?["']?(?<secret>[^\s"'|;]{6,200})/y,
    accept: ({ value }) => looksLikePassword(value) && !looksLikePlaceholder(value),
  },
  {
    // IDENTIFIED BY '…'
    kind: 'named-secret',
    anchors: ['TIFIED BY ', 'tified by '],
    pattern: /(?:TIFIED BY|tified by) (?:PASSWORD )?(?<quote>["'])(?<secret>[^\s"']{6,200})(?=\k<quote>)/y,
    accept: ({ value }) => looksLikePassword(value) && !looksLikePlaceholder(value),
  },
  {
    // the private part of a JSON web key
    kind: 'private-key',
    anchors: ['"d"'],
    pattern: /"d"\s{0,4}:\s{0,4}"(?<secret>[A-Za-z0-9_-]{40,800})(?=")/y,
    accept: ({ value }) => looksRandom(value, 40),
  },
  {
    kind: 'bearer-token',
    anchors: [
      'Bearer ',
      'bearer ',
      'Authorization: token ',
      'Authorization: Token ',
      'Authorization: ApiKey ',
    ],
    pattern:
      /(?:[Bb]earer|Authorization: (?:[Tt]oken|ApiKey)) (?<secret>[A-Za-z0-9_.~+/-]{16,4000}={0,2})(?![A-Za-z0-9_.~+/-])/y,
    accept: ({ value }) => isLiveToken(value) ?? (looksRandom(value, 16) && !looksLikePlaceholder(value)),
  },
  {
    kind: 'basic-credentials',
    anchors: ['Basic '],
    pattern: /(?<=[Aa]uthorization.{0,12})Basic (?<secret>[A-Za-z0-9+/]{12,400}={0,2})(?![A-Za-z0-9+/=])/y,
    accept: ({ value }) => {
      const pair = /^([\x20-\x7e]*?):([\x20-\x7e]+)$/.exec(decoded(value));
      return pair !== null && looksLikePassword(pair[2]!) && !looksLikePlaceholder(pair[2]!);
    },
  },
];
