// Tokens of services, by their fixed beginnings. A new service is one line; its test value is in
// synthetic-secrets.test-kit.ts.

import type { SecretDetector } from '../secret-detector.ts';
import { EMULATOR_ACCOUNT, entropyOf, looksLikePlaceholder, looksRandom } from '../secret-values.ts';

/** An escape such as `\n` or `%3D` in front of a token must not hide it. */
const LEFT_EDGE = String.raw`(?<=^|[^A-Za-z0-9_-]|\\[nrt"]|%[0-9A-Fa-f]{2})`;
/** Names of files and of variables are glued to a token by `_` and `-`. */
const GLUED_LEFT_EDGE = LEFT_EDGE.replace('_-', '');
/** Beginnings that words have too. */
const COMMON_BEGINNINGS = new Set(['key-', 'secret_', 'dapi', 'pul-', 'API-', 'live_', 'fc-']);

function escaped(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** A real token spreads over its alphabet; stand-ins repeat themselves. */
function isSpread(body: string): boolean {
  return entropyOf(body) >= Math.min(2.8, Math.log2(body.length) * 0.62);
}

const ENDS_GLUED = /[_-]$/;

/** A token with a fixed beginning; `body` is the part after it, and only this is replaced when the beginning is not part of the secret. */
function token(kind: string, anchors: readonly string[], body: string, replaced = 'body'): SecretDetector {
  const start = anchors.map(escaped).join('|');
  const mayBeGlued =
    !/_|-\]/.test(body) && anchors.every((anchor) => anchor.length >= 4 && !COMMON_BEGINNINGS.has(anchor));
  const rightEdge = mayBeGlued ? '(?![A-Za-z0-9])' : '(?![A-Za-z0-9_])';
  return {
    kind,
    anchors,
    pattern: new RegExp(
      `${mayBeGlued ? GLUED_LEFT_EDGE : LEFT_EDGE}(?:${start})(?<${replaced}>${body})${rightEdge}`,
      'y',
    ),
    accept: ({ match, before }) => {
      const tail = match.groups![replaced]!;
      if (!isSpread(tail) || looksLikePlaceholder(tail) || before.includes(EMULATOR_ACCOUNT)) return false;
      return !ENDS_GLUED.test(before) || looksRandom(tail, 16);
    },
  };
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Words in front of a key of Twilio. */
const TWILIO = /twilio|api.?key|key.?sid|\bkey\b|_key|sid\b|secret|token|client/i;

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
  token('github-token', ['github_pat_'], '\\w{82}'),
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
      'glwt-',
      'GR1348941',
    ],
    '[A-Za-z0-9_-]{20,80}(?:\\.[a-z0-9]{2}\\.[a-z0-9]{9})?',
  ),
  token(
    'slack-token',
    [
      'xoxa-',
      'xoxb-',
      'xoxe-',
      'xoxo-',
      'xoxp-',
      'xoxr-',
      'xoxs-',
      'xoxc-',
      'xoxd-',
      'xapp-',
      'xoxe.xoxb-',
      'xoxe.xoxp-',
    ],
    '[A-Za-z0-9%-]{18,300}',
  ),
  token(
    'slack-webhook',
    ['hooks.slack.com/services/', 'hooks.slack.com/workflows/', 'hooks.slack.com/triggers/'],
    '[TE][A-Z0-9]{6,12}/[A-Z0-9]{6,16}/(?:[0-9]{8,20}/)?[A-Za-z0-9]{20,40}',
    'secret',
  ),
  token(
    'stripe-key',
    ['sk_live_', 'sk_test_', 'sk_prod_', 'rk_live_', 'rk_test_', 'rk_prod_'],
    '[A-Za-z0-9]{16,250}',
  ),
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
  token('clojars-token', ['CLOJARS_'], '[0-9a-z]{60}'),
  token('sendgrid-key', ['SG.'], '[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}'),
  token('brevo-key', ['xkeysib-'], '[0-9a-f]{64}-[A-Za-z0-9]{16}'),
  token('mailgun-key', ['key-'], '[0-9a-f]{32}'),
  token('shopify-token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], '[0-9a-fA-F]{32}'),
  token('digitalocean-token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], '[0-9a-f]{64}'),
  token('heroku-key', ['HRKU-'], `AA[A-Za-z0-9_-]{58}|${UUID}`),
  token('atlassian-token', ['ATATT3', 'ATCTT3', 'ATBB'], '[A-Za-z0-9_=-]{28,250}'),
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
  token('1password-token', ['ops_eyJ'], '[A-Za-z0-9+/]{200,2000}={0,3}'),
  token('adobe-secret', ['p8e-'], '[A-Za-z0-9_-]{32}'),
  token('alibaba-key', ['LTAI'], '[A-Za-z0-9]{16,20}'),
  token('artifactory-key', ['AKCp'], '[A-Za-z0-9]{69}'),
  token('artifactory-token', ['cmVmd'], '[A-Za-z0-9]{59}'),
  token('buildkite-token', ['bkua_', 'bkaj_'], '[0-9a-f]{40}'),
  token('cerebras-key', ['csk-'], '[a-z0-9]{48}'),
  token('circleci-token', ['CCIPAT_', 'CCIPRJ_'], '[A-Za-z0-9]{22}_[0-9a-f]{40}'),
  token('clickhouse-key', ['4b1d'], '[A-Za-z0-9]{38}'),
  token('cloudflare-key', ['v1.0-'], '[0-9a-f]{24}-[0-9a-f]{146}'),
  token('defined-networking-token', ['dnkey-'], '[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}'),
  token('dropbox-token', ['sl.'], '(?:u\\.)?[A-Za-z0-9_=-]{130,1300}'),
  token('duffel-token', ['duffel_live_', 'duffel_test_'], '[A-Za-z0-9_=-]{43}'),
  token('dynatrace-token', ['dt0c01.', 'dt0s16.'], '[A-Za-z0-9]{24}\\.[A-Za-z0-9]{64}'),
  token('elevenlabs-key', ['sk_'], '[0-9a-f]{48}'),
  token('facebook-token', ['EAAC', 'EAAM', 'EAAG', 'EAAB', 'EAAD'], '[A-Za-z0-9]{90,400}'),
  token('firecrawl-key', ['fc-'], '[0-9a-f]{32}'),
  token('fireworks-key', ['fw_'], '[A-Za-z0-9]{22,24}'),
  token('flutterwave-key', ['FLWSECK-', 'FLWSECK_TEST-'], '[0-9a-h]{12}(?:[0-9a-h]{20}-X)?'),
  token('fly-token', ['fo1_'], '[A-Za-z0-9_-]{43}'),
  token('fly-token', ['fm1a_', 'fm1r_', 'fm2_'], '[A-Za-z0-9+/]{100,2000}={0,3}'),
  token('frameio-token', ['fio-u-'], '[A-Za-z0-9_=-]{64}'),
  token('grafana-token', ['eyJrIjoi'], '[A-Za-z0-9]{70,400}={0,3}'),
  token('harness-key', ['pat.', 'sat.'], '[A-Za-z0-9_-]{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}'),
  token('hugging-face-token', ['api_org_'], '[A-Za-z]{34}'),
  token('infracost-key', ['ico-'], '[A-Za-z0-9]{32}'),
  token('intra42-secret', ['s-s4t2ud-', 's-s4t2af-'], '[0-9a-f]{64}'),
  token('jina-key', ['jina_'], '[0-9a-f]{32}[A-Za-z0-9_-]{28}'),
  token('langfuse-key', ['sk-lf-'], UUID),
  token('langsmith-key', ['lsv2_pt_', 'lsv2_sk_'], '[0-9a-f]{32}_[0-9a-f]{10}'),
  token('launchdarkly-key', ['sdk-'], UUID),
  token('mapbox-token', ['sk.eyJ'], '[A-Za-z0-9_-]{40,160}\\.[A-Za-z0-9_-]{22}'),
  token('neon-key', ['napi_'], '[a-z0-9]{64}'),
  token('nvidia-key', ['nvapi-'], '[A-Za-z0-9_-]{60,80}'),
  token('octopus-key', ['API-'], '[A-Z0-9]{26,36}'),
  token('onesignal-key', ['os_v2_app_', 'os_v2_org_'], '[a-z2-7]{80,120}'),
  token('openshift-token', ['sha256~'], '[A-Za-z0-9_-]{43}'),
  token('pinecone-key', ['pcsk_'], '[A-Za-z0-9]{4,8}_[A-Za-z0-9]{40,70}'),
  {
    kind: 'plaid-token',
    anchors: ['-sandbox-', '-development-', '-production-'],
    pattern: new RegExp(
      `(?<=(?<![A-Za-z0-9])(?<before>access))-(?:sandbox|development|production)-${UUID}(?![A-Za-z0-9-])`,
      'y',
    ),
  },
  token('posthog-key', ['phx_'], '[A-Za-z0-9]{40,52}'),
  token('prefect-key', ['pnu_', 'pnb_'], '[A-Za-z0-9]{36}'),
  token('readme-key', ['rdme_'], '[a-z0-9]{70}'),
  token('resend-key', ['re_'], '[A-Za-z0-9]{8}_[A-Za-z0-9]{24}'),
  token('rootly-token', ['rootly_'], '[0-9a-f]{64}'),
  token('scalingo-token', ['tk-us-'], '[A-Za-z0-9_-]{48}'),
  token('settlemint-token', ['sm_aat_', 'sm_pat_', 'sm_sat_'], '[A-Za-z0-9]{16}'),
  token('shippo-token', ['shippo_live_', 'shippo_test_'], '[0-9a-fA-F]{40}'),
  token('sonar-token', ['squ_', 'sqp_', 'sqa_'], '[0-9a-f]{40}'),
  token('sourcegraph-token', ['sgp_'], '(?:(?:[0-9a-fA-F]{16}|local)_)?[0-9a-fA-F]{40}'),
  token('square-token', ['EAAA'], '[A-Za-z0-9_-]{22,60}'),
  token('stytch-secret', ['secret-live-', 'secret-test-'], '[A-Za-z0-9_-]{35}='),
  token('tavily-key', ['tvly-'], '(?:dev-|prod-)?[A-Za-z0-9]{32}'),
  token('together-key', ['tgp_v1_'], '[A-Za-z0-9_-]{43}'),
  token('twitter-token', ['AAAAAAAAAAAAAAAAAAAAA'], 'A?[A-Za-z0-9%]{80,100}'),
  token('vercel-token', ['vcp_', 'vci_', 'vca_', 'vck_'], '[A-Za-z0-9]{24,60}'),
  token('voyage-key', ['pa-'], '[A-Za-z0-9_-]{43}'),
  token('wakatime-key', ['waka_'], UUID),
  token('xata-key', ['xau_'], '[A-Za-z0-9]{36,40}'),
  token('yandex-key', ['AQVN'], '[A-Za-z0-9_-]{35,38}'),
  token('yandex-token', ['t1.'], '[A-Za-z0-9_-]{20,400}={0,2}\\.[A-Za-z0-9_-]{86}={0,2}'),
  token('zapier-webhook', ['hooks.zapier.com/hooks/catch/'], '\\d{5,9}/[A-Za-z0-9]{7,12}', 'secret'),
  token('brevo-key', ['xsmtpsib-'], '[0-9a-f]{64}-[A-Za-z0-9]{16}'),
  token('gitlab-session', ['_gitlab_session='], '[0-9a-z]{32}', 'secret'),
  token('terraform-token', ['hcp.'], '[A-Za-z0-9]{14}\\.[A-Za-z0-9]{60,70}'),
  {
    kind: 'terraform-token',
    anchors: ['.atlasv1.'],
    pattern:
      /(?<=(?<![A-Za-z0-9])(?<before>[A-Za-z0-9]{14}))\.atlasv1\.[A-Za-z0-9_=-]{60,70}(?![A-Za-z0-9_=-])/y,
    accept: ({ value }) => !looksLikePlaceholder(value),
  },
  {
    kind: 'maxmind-key',
    anchors: ['_mmk'],
    pattern: /(?<=(?<![A-Za-z0-9])(?<before>[A-Za-z0-9]{6}_[A-Za-z0-9]{29}))_mmk(?![A-Za-z0-9_])/y,
  },
  {
    kind: 'airtable-token',
    anchors: ['pat'],
    pattern: /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![A-Za-z0-9])/y,
  },
  {
    kind: '1password-key',
    anchors: ['A3-'],
    pattern:
      /(?<![A-Za-z0-9])A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}(?![A-Z0-9-])/y,
    accept: ({ value }) => !looksLikePlaceholder(value),
  },
  {
    kind: 'asana-token',
    anchors: ['1/1'],
    pattern: /(?<![A-Za-z0-9/])1\/1\d{15}:[0-9a-f]{32}(?![A-Za-z0-9])/y,
  },
  {
    kind: 'azure-service-key',
    anchors: ['AzSe', 'AzFu', '+ACR', 'APIM', 'ACDb', '+AMC', 'AIoT', '+ASt'],
    pattern:
      /(?<=(?<![A-Za-z0-9+/])(?<before>[A-Za-z0-9+/]{30,76}))(?:AzSe[A-Za-z0-9]{6}|AzFu[A-Za-z0-9+/]{5}[AQgw]==|(?:\+ACR|APIM|ACDb|\+AMC|AIoT|\+ASt)[A-Za-z0-9+/]{5,6}(?:[AQgw]==|=)?)(?![A-Za-z0-9+/=])/y,
    accept: ({ value }) =>
      value.length >= 40 && looksRandom(value.replace(/=+$/, ''), 40) && /==?$|AzSe.{6}$/.test(value),
  },
  {
    // the number alone could be any hash with two letters in front, so a word must say what it is
    kind: 'twilio-key',
    anchors: [...'0123456789abcdef'].map((digit) => `SK${digit}`),
    pattern: /(?<![A-Za-z0-9_-])SK[0-9a-f]{32}(?![A-Za-z0-9_.-]*\.(?:\w{2,4})\b)(?![A-Za-z0-9_-])/y,
    accept: ({ value, before }) =>
      TWILIO.test(before) && isSpread(value.slice(2)) && !looksLikePlaceholder(value),
  },
  {
    kind: 'discord-webhook',
    anchors: ['/api/webhooks/'],
    pattern:
      /(?<=discord(?:app)?\.com)\/api\/webhooks\/(?<secret>\d{17,20}\/[A-Za-z0-9_-]{60,72})(?![A-Za-z0-9_-])/y,
    accept: ({ value }) => !looksLikePlaceholder(value.slice(value.indexOf('/'))),
  },
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
    pattern: /(?<=(?<![A-Za-z0-9])(?<before>[0-9a-f]{32}))-us\d{1,2}(?![A-Za-z0-9_-]|\.\w)/y,
    accept: ({ value }) => !looksLikePlaceholder(value),
  },
  {
    kind: 'azure-devops-token',
    anchors: ['AZDO'],
    pattern: /(?<=(?<![A-Za-z0-9])(?<before>[A-Za-z0-9]{76}))AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])/y,
    accept: ({ value }) => looksRandom(value, 80),
  },
  {
    kind: 'discord-token',
    // the user's number in base64: digits give these characters and no others
    anchors: [...'MNO'].flatMap((a) => [...'DTjz'].flatMap((b) => [...'AEIMQUYcgk'].map((c) => a + b + c))),
    pattern:
      /(?<![A-Za-z0-9_-])(?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){5,6}[A-Za-z0-9]{0,4}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])/y,
  },
];
