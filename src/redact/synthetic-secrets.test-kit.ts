/** Secrets made up at run time, so that none is in the repository. */
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const HEX = '0123456789abcdef';
const WORD = LOWER + UPPER + DIGITS;
const BASE64 = `${WORD}+/`;
const URL_SAFE = `${WORD}_-`;
const BASE32 = `${UPPER}234567`;

/** The same numbers every run. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return ((state >>> 8) ^ (state & 0xff)) / 0x1000000;
  };
}

export type MakeSecret = (random: () => number) => {
  readonly path?: string;
  readonly line: string;
  readonly secret: string;
};

function pick(random: () => number, alphabet: string, length: number): string {
  let text = '';
  for (let at = 0; at < length; at++)
    text += alphabet[Math.floor(random() * alphabet.length) % alphabet.length];
  return text;
}

function uuid(random: () => number): string {
  return [8, 4, 4, 4, 12].map((length) => pick(random, HEX, length)).join('-');
}

/** A token with a fixed beginning, in one of the places where tokens are left lying about. */
function fixed(prefix: string, alphabet: string, length: number, tail = ''): MakeSecret {
  const places = [
    (token: string) => `client = Client("${token}")`,
    (token: string) => `export KEY=${token}`,
    (token: string) => `curl -H 'X-Key: ${token}' https://api.service.io/v1`,
    (token: string) => `{"key":"${token}","region":"eu"}`,
    (token: string) => `// old one: ${token}, do not use`,
    (token: string) => `log("first\\n${token}\\nlast")`,
  ];
  return (random) => {
    const secret = prefix + pick(random, alphabet, length) + tail;
    return { secret, line: places[Math.floor(random() * places.length)]!(secret) };
  };
}

function named(
  line: (value: string) => string,
  alphabet: string,
  length: number,
  path = 'src/settings.py',
): MakeSecret {
  return (random) => {
    // at least one of each, as generators of passwords see to
    const secret = `${pick(random, UPPER, 1)}${pick(random, DIGITS, 1)}${pick(random, LOWER, 1)}${pick(random, DIGITS, 1)}${pick(random, alphabet, length - 4)}`;
    return { secret, line: line(secret), path };
  };
}

function base64Lines(random: () => number, count: number): string[] {
  return Array.from({ length: count }, () => pick(random, BASE64, 64));
}

function jwt(random: () => number): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return [
    part({ alg: 'HS256', typ: 'JWT' }),
    part({ uid: pick(random, DIGITS, 9), exp: 1_700_000_000 }),
    pick(random, URL_SAFE, 43),
  ].join('.');
}

export const SYNTHETIC_SECRETS: Readonly<Record<string, MakeSecret>> = {
  'aws-access-key': fixed('AKIA', BASE32, 16),
  'aws secret': named((value) => `aws_secret_access_key = "${value}"`, BASE64, 40),
  'google-api-key': fixed('AIza', URL_SAFE.slice(0, 63), 35),
  'google-oauth-secret': fixed('GOCSPX-', WORD, 28),
  'azure-storage-key': (random) => {
    const secret = `${pick(random, BASE64, 86)}==`;
    return { secret, line: `"DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${secret};"` };
  },
  'azure-client-secret': (random) => {
    const secret = `${pick(random, WORD, 3)}${pick(random, DIGITS, 1)}Q~${pick(random, WORD, 34)}`;
    return { secret, line: `client_secret: ${secret}` };
  },
  'github-token': fixed('ghp_', WORD, 36),
  'github fine-grained': fixed(`github_pat_${'11ABCDE2Y0k3lmNOpQrStu'}_`, WORD, 59),
  'gitlab-token': fixed('glpat-', URL_SAFE.slice(0, 62), 20),
  'slack-token': (random) => {
    const secret = `xoxb-${pick(random, DIGITS, 12)}-${pick(random, DIGITS, 12)}-${pick(random, WORD, 24)}`;
    return { secret, line: `SLACK = '${secret}'` };
  },
  'slack-webhook': (random) => {
    const secret = `T${pick(random, UPPER, 8)}/B${pick(random, UPPER, 8)}/${pick(random, WORD, 24)}`;
    return { secret, line: `POST https://hooks.slack.com/services/${secret}` };
  },
  'stripe-key': fixed('sk_live_', WORD, 24),
  'openai-key': fixed('sk-proj-', WORD, 64),
  'openai-key, old': fixed('sk-', WORD, 48),
  'anthropic-key': fixed('sk-ant-api03-', URL_SAFE.slice(0, 62), 95),
  'npm-token': fixed('npm_', WORD, 36),
  'pypi-token': fixed('pypi-AgEIcHlwaS5vcmc', URL_SAFE.slice(0, 62), 150),
  'sendgrid-key': (random) => {
    const secret = `SG.${pick(random, WORD, 22)}.${pick(random, WORD, 43)}`;
    return { secret, line: `sendgrid("${secret}")` };
  },
  'twilio-key': (random) => {
    const secret = `SK${pick(random, HEX, 32)}`;
    return { secret, line: `TWILIO_API_KEY_SID = '${secret}'` };
  },
  'telegram-token': (random) => {
    const secret = `${1 + Math.floor(random() * 8)}${pick(random, DIGITS, 9)}:AA${pick(random, WORD, 33)}`;
    return { secret, line: `bot = Bot('${secret}')` };
  },
  'discord-token': (random) => {
    const user = Buffer.from(`${1 + Math.floor(random() * 8)}${pick(random, DIGITS, 17)}`).toString(
      'base64url',
    );
    const secret = `${user}.${pick(random, WORD, 6)}.${pick(random, WORD, 38)}`;
    return { secret, line: `client.login("${secret}")` };
  },
  'shopify-token': fixed('shpat_', HEX, 32),
  'digitalocean-token': fixed('dop_v1_', HEX, 64),
  'heroku-key': (random) => {
    const secret = uuid(random);
    return { secret, line: `HEROKU_API_KEY=${secret}`, path: 'deploy.sh' };
  },
  'hugging-face-token': fixed('hf_', LOWER + UPPER, 34),
  'grafana-token': fixed('glsa_', WORD, 32, '_a1b2c3d4'),
  'vault-token': fixed('hvs.', WORD, 90),
  'mailchimp-key': (random) => {
    const secret = `${pick(random, HEX, 32)}-us${1 + Math.floor(random() * 20)}`;
    return { secret, line: `chimp = "${secret}"` };
  },
  'json-web-token': (random) => {
    const secret = jwt(random);
    return { secret, line: `cookie: session=${secret}; path=/` };
  },
  'private-key': (random) => {
    const secret = base64Lines(random, 6).join('\n');
    return { secret, line: `-----BEGIN RSA PRIVATE KEY-----\n${secret}\n-----END RSA PRIVATE KEY-----` };
  },
  'private-key, OpenSSH': (random) => {
    const secret = base64Lines(random, 5).join('\r\n');
    return {
      secret,
      line: `-----BEGIN OPENSSH PRIVATE KEY-----\r\n${secret}\r\n-----END OPENSSH PRIVATE KEY-----`,
    };
  },
  'private-key, PGP': (random) => {
    const secret = base64Lines(random, 8).join('\n');
    return {
      secret,
      line: `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${secret}\n=a1b2\n-----END PGP PRIVATE KEY BLOCK-----`,
    };
  },
  'private-key in JSON': (random) => {
    const secret = base64Lines(random, 4).join('\\n');
    return {
      secret,
      line: `{"private_key": "-----BEGIN PRIVATE KEY-----\\n${secret}\\n-----END PRIVATE KEY-----\\n"}`,
    };
  },
  'url-password': named((value) => `postgres://app:${value}@db.shop.io:5432/app`, WORD, 14),
  'password in code': named((value) => `password = "${value}"`, `${WORD}!%&`, 14),
  'password in JSON': named((value) => `{"dbPassword": "${value}", "host": "db"}`, WORD, 16),
  'password in YAML': named((value) => `  password: ${value}`, WORD, 16, 'deploy/values.yaml'),
  'token in PHP': named((value) => `'api_token' => '${value}',`, WORD, 32),
  'client secret': named((value) => `client_secret: "${value}",`, WORD, 32),
  'connection string': named(
    (value) => `"Server=sql.shop.io;Database=shop;User Id=shop;Password=${value};"`,
    WORD,
    16,
  ),
  'environment-value': (random) => {
    const secret = pick(random, LOWER, 12);
    return { secret, line: `MAIL_PASSWORD=${secret}`, path: '.env' };
  },
  'bearer-token': named((value) => `Authorization: Bearer ${value}`, WORD, 40),
};
