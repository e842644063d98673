import { isLiveToken } from '../json-web-token.ts';
import { looksLikePlaceholder } from '../looks-like-placeholder.ts';
import { looksLikePassword, looksRandom } from '../looks-random.ts';
import type { SecretDetector } from '../secret-detector.ts';

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString('latin1');
}

/** Hosts that cannot be reached, or only by their owner: the credentials are for show or for a test. */
const SHOW_HOST =
  /^(?:localhost|127\.|0\.0\.0\.0|\[?::1|(?:[\w-]+\.)*example(?:\.\w+)?\b|(?:[\w.-]+\.)?(?:test|invalid|local|localdomain)\b|(?:my|your|some)?-?_?(?:host(?:name)?|server|domain|proxy|site|db|database|redis|rabbitmq)\d?\b(?!\.))/i;

const WEAK_PASSWORD =
  /^(?:(?:my|the|some|db|user)?[-_]?pass[\w%]{0,10}|pwd?|pw|root|admin|guest|user\w{0,4}|test\w{0,4}|foo|bar|baz|me|abc\w{0,3}|\d{1,6}|[a-z]{1,5}|(.)\1*)$/i;

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
      /:\/\/(?<user>[^\s:/@"'`<>?#]{0,100}):(?<secret>[^\s/@"'`<>?#,]{3,200})(?=@(?<host>[A-Za-z0-9.[\]:_-]{1,120}))/y,
    accept: ({ value, match }) => {
      const { user, host } = match.groups!;
      if (looksLikePlaceholder(value) || WEAK_PASSWORD.test(value) || value === user) return false;
      return !SHOW_HOST.test(host!) || looksLikePassword(value);
    },
  },
  {
    kind: 'url-signature',
    anchors: ['?sig=', '&sig=', '&amp;sig=', 'X-Amz-Signature='],
    pattern: /(?:[?&](?:amp;)?sig|X-Amz-Signature)=(?<secret>[A-Za-z0-9%+/=]{40,120})/y,
    accept: ({ value }) => looksRandom(value, 40) && !looksLikePlaceholder(value),
  },
  {
    kind: 'bearer-token',
    anchors: ['Bearer ', 'bearer '],
    pattern: /[Bb]earer (?<secret>[A-Za-z0-9_.~+/-]{20,2000}={0,2})(?![A-Za-z0-9_.~+/-])/y,
    accept: ({ value }) => isLiveToken(value) ?? (looksRandom(value, 20) && !looksLikePlaceholder(value)),
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
