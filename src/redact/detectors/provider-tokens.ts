import { EMULATOR_ACCOUNT, looksLikePlaceholder } from '../looks-like-placeholder.ts';
import { entropyOf } from '../looks-random.ts';
import type { SecretDetector } from '../secret-detector.ts';

/** An escape such as `\n` or `%3D` in front of a token must not hide it. */
const LEFT_EDGE = String.raw`(?<=^|[^A-Za-z0-9_-]|\\[nrt"]|%[0-9A-Fa-f]{2})`;
const RIGHT_EDGE = '(?![A-Za-z0-9_])';

function escaped(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** A real token spreads over its alphabet; stand-ins repeat themselves. */
function isSpread(body: string): boolean {
  return entropyOf(body) >= Math.min(2.8, Math.log2(body.length) * 0.62);
}

/** A token with a fixed beginning; `body` is what follows, and all that is replaced when the beginning is no part of it. */
function token(kind: string, anchors: readonly string[], body: string, replaced = 'body'): SecretDetector {
  const start = anchors.map(escaped).join('|');
  return {
    kind,
    anchors,
    pattern: new RegExp(`${LEFT_EDGE}(?:${start})(?<${replaced}>${body})${RIGHT_EDGE}`, 'y'),
    accept: ({ match, before }) => {
      const tail = match.groups![replaced]!;
      return isSpread(tail) && !looksLikePlaceholder(tail) && !before.includes(EMULATOR_ACCOUNT);
    },
  };
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Formats that issuers made recognisable on purpose: the beginning alone nearly decides. */
export const PROVIDER_TOKENS: readonly SecretDetector[] = [
  token('aws-access-key', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], '[A-Z2-7]{16}'),
  token('aws-bedrock-key', ['ABSK'], '[A-Za-z0-9+/]{100,300}={0,2}'),
  token('aws-mws-key', ['amzn.mws.'], UUID),
  token('google-api-key', ['AIza'], '[A-Za-z0-9_-]{35}'),
  token('google-oauth-secret', ['GOCSPX-'], '[A-Za-z0-9_-]{28}'),
  token('google-oauth-token', ['ya29.'], '[A-Za-z0-9_-]{30,400}'),
  token('azure-storage-key', ['AccountKey='], '[A-Za-z0-9+/]{86}==', 'secret'),
  token('azure-shared-access-key', ['SharedAccessKey='], '[A-Za-z0-9+/]{43}=', 'secret'),
  {
    kind: 'azure-client-secret',
    anchors: [...'0123456789'].map((digit) => `${digit}Q~`),
    pattern:
      /(?<=(?<![A-Za-z0-9_~.-])(?<before>[A-Za-z0-9_~.-]{3}))\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/y,
  },
  token('github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], '[A-Za-z0-9]{36,255}'),
  token('github-token', ['github_pat_'], '[A-Za-z0-9]{22}_[A-Za-z0-9]{59}'),
  token(
    'gitlab-token',
    [
      'glpat-',
      'gldt-',
      'glrt-',
      'glcbt-',
      'glptt-',
      'glft-',
      'glsoat-',
      'glimt-',
      'glagent-',
      'gloas-',
      'glffct-',
      'GR1348941',
    ],
    '[A-Za-z0-9_-]{20,80}(?:\\.[a-z0-9]{2}\\.[a-z0-9]{9})?',
  ),
  token(
    'slack-token',
    ['xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xoxc-', 'xoxd-', 'xapp-'],
    '[A-Za-z0-9-]{24,250}',
  ),
  token(
    'slack-webhook',
    ['hooks.slack.com/services/'],
    'T[A-Z0-9]{6,12}/B[A-Z0-9]{6,12}/[A-Za-z0-9]{20,28}',
    'secret',
  ),
  token('stripe-key', ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'], '[A-Za-z0-9]{16,250}'),
  token('stripe-webhook-secret', ['whsec_'], '[A-Za-z0-9+/]{32,64}={0,2}'),
  token('anthropic-key', ['sk-ant-'], '(?:[a-z]{3,6}\\d{2}-)?[A-Za-z0-9_-]{40,200}'),
  token('openrouter-key', ['sk-or-v1-'], '[0-9a-f]{64}'),
  token('openai-key', ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'], '[A-Za-z0-9_-]{40,250}'),
  token('openai-key', ['sk-'], '[A-Za-z0-9]{32,80}'),
  token('groq-key', ['gsk_'], '[A-Za-z0-9]{52}'),
  token('xai-key', ['xai-'], '[A-Za-z0-9]{80}'),
  token('perplexity-key', ['pplx-'], '[A-Za-z0-9]{48}'),
  token('replicate-token', ['r8_'], '[A-Za-z0-9]{37}'),
  token('hugging-face-token', ['hf_'], '[A-Za-z0-9]{34,40}'),
  token('npm-token', ['npm_'], '[A-Za-z0-9]{36}'),
  token('pypi-token', ['pypi-AgEIcHlwaS5vcmc', 'pypi-AgENdGVzdC5weXBpLm9yZw'], '[A-Za-z0-9_-]{50,250}'),
  token('rubygems-key', ['rubygems_'], '[0-9a-f]{48}'),
  token('crates-token', ['cio'], '[A-Za-z0-9]{32}'),
  token('nuget-key', ['oy2'], '[a-z0-9]{43}'),
  token('docker-token', ['dckr_pat_', 'dckr_oat_'], '[A-Za-z0-9_-]{27,32}'),
  token('clojars-token', ['CLOJARS_'], '[0-9a-f]{60}'),
  token('sendgrid-key', ['SG.'], '[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}'),
  token('brevo-key', ['xkeysib-'], '[0-9a-f]{64}-[A-Za-z0-9]{16}'),
  token('mailgun-key', ['key-'], '[0-9a-f]{32}'),
  token(
    'twilio-key',
    [...'0123456789abcdef'].map((digit) => `SK${digit}`),
    '[0-9a-f]{31}',
  ),
  token('shopify-token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], '[0-9a-fA-F]{32}'),
  token('digitalocean-token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], '[0-9a-f]{64}'),
  token('heroku-key', ['HRKU-'], `AA[A-Za-z0-9_-]{58}|${UUID}`),
  token('atlassian-token', ['ATATT3xFf', 'ATCTT3xFf', 'ATBB'], '[A-Za-z0-9_=-]{28,250}'),
  token('linear-key', ['lin_api_', 'lin_oauth_'], '[A-Za-z0-9]{40,64}'),
  token('notion-token', ['ntn_', 'secret_'], '[A-Za-z0-9]{43,46}'),
  token('databricks-token', ['dapi'], '[0-9a-f]{32}(?:-\\d)?'),
  token('planetscale-token', ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], '[A-Za-z0-9_.=-]{32,64}'),
  token('postman-key', ['PMAK-'], '[0-9a-f]{24}-[0-9a-f]{34}'),
  token('grafana-token', ['glsa_'], '[A-Za-z0-9]{32}_[0-9a-fA-F]{8}'),
  token('grafana-token', ['glc_'], '[A-Za-z0-9+/]{32,400}={0,2}'),
  token('new-relic-key', ['NRAK-', 'NRII-', 'NRAL-'], '[A-Za-z0-9_-]{27,40}'),
  token('sentry-token', ['sntrys_', 'sntryu_'], '[A-Za-z0-9+/=_-]{40,300}'),
  token('vault-token', ['hvs.', 'hvb.', 'hvr.'], '[A-Za-z0-9_-]{24,300}'),
  token(
    'doppler-token',
    ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.'],
    '(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}',
  ),
  token('supabase-token', ['sbp_', 'sb_secret_'], '[A-Za-z0-9_]{31,45}'),
  token('figma-token', ['figd_'], '[A-Za-z0-9_-]{40}'),
  token('netlify-token', ['nfp_'], '[A-Za-z0-9]{36}'),
  token(
    'tailscale-key',
    ['tskey-auth-', 'tskey-api-', 'tskey-client-'],
    '[A-Za-z0-9]{8,20}-[A-Za-z0-9]{20,40}',
  ),
  token('pulumi-token', ['pul-'], '[0-9a-f]{40}'),
  token('contentful-token', ['CFPAT-'], '[A-Za-z0-9_-]{43}'),
  token('typeform-token', ['tfp_'], '[A-Za-z0-9_.-]{40,64}'),
  token('square-secret', ['sq0csp-', 'sq0atp-'], '[A-Za-z0-9_-]{22,43}'),
  token('easypost-key', ['EZAK', 'EZTK'], '[A-Za-z0-9]{54}'),
  token('age-secret-key', ['AGE-SECRET-KEY-1'], '[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}'),
  token(
    'discord-webhook',
    ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    '\\d{17,20}/[A-Za-z0-9_-]{60,72}',
    'secret',
  ),
  token(
    'teams-webhook',
    ['webhook.office.com/webhookb2/'],
    `${UUID}@${UUID}/IncomingWebhook/[0-9a-f]{32}/${UUID}`,
    'secret',
  ),
  {
    kind: 'telegram-token',
    anchors: [':AA'],
    pattern: /(?<=(?<![A-Za-z0-9])(?<before>\d{8,10})):AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/y,
    accept: ({ value }) => !looksLikePlaceholder(value.slice(value.indexOf(':'))),
  },
  {
    kind: 'mailchimp-key',
    anchors: ['-us'],
    pattern: /(?<=(?<![A-Za-z0-9])(?<before>[0-9a-f]{32}))-us\d{1,2}(?![A-Za-z0-9])/y,
    accept: ({ value }) => !looksLikePlaceholder(value),
  },
  {
    kind: 'discord-token',
    // the user's number in base64: digits give these characters and no others
    anchors: [...'MNO'].flatMap((a) => [...'DTjz'].flatMap((b) => [...'AEIMQUYcgk'].map((c) => a + b + c))),
    pattern:
      /(?<![A-Za-z0-9_-])(?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){5,6}[A-Za-z0-9]{0,4}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])/y,
  },
];
