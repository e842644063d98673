import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SYNTHETIC_SECRETS, seededRandom } from '../../../src/redact/synthetic-secrets.test-kit.ts';

export interface HostileRepository {
  readonly home: string;
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  /** Planted in contents, comments, signatures, messages and outputs. */
  readonly secrets: readonly string[];
  /** The one that is part of a file's name. */
  readonly secretInName: string;
  /** Names that could steer a terminal, hide, or begin a line. */
  readonly hostileNames: readonly string[];
  git(...args: string[]): void;
  remove(): void;
}

/** The text of a line that only a name with a line end could begin. */
export const FORGED_LINE = '## Forged heading';

const random = seededRandom(20_26);

function password(): string {
  const pick = (alphabet: string) => alphabet[Math.floor(random() * alphabet.length) % alphabet.length]!;
  return Array.from({ length: 18 }, (_, at) =>
    pick(['ABCDEFGHKMNP', '23456789', 'abcdefghkmnp'][at % 3]!),
  ).join('');
}

/** A worker whose standard error and answer hold secrets as well. */
function claude(secret: string, secretInAnswer: string): string {
  return `#!/bin/sh
case "$1" in --version) echo "2.1.0 (Claude Code)"; exit 0;; esac
id=$(sed -n 's/^id: //p' | head -n 1)
echo 'DEPLOY_TOKEN=${secret}' >&2
echo "made" > made.txt
if [ -n "$id" ]; then
printf '%s' '{"type":"result","subtype":"success","is_error":false,"num_turns":1,"session_id":"s","result":"",'
printf '%s\\n' '"structured_output":{"status":"done","summary":"login with API_TOKEN=${secretInAnswer}"}}'
else
printf '%s\\n' '{"type":"result","subtype":"success","is_error":false,"result":"ok\\n\`\`\`json\\n{\\"status\\":\\"SUCCESS\\",\\"action_taken\\":\\"login with API_TOKEN=${secretInAnswer}\\",\\"next_step\\":null}\\n\`\`\`","session_id":"s1","total_cost_usd":0.01,"usage":{"input_tokens":10,"output_tokens":4}}'
fi
`;
}

/** A repository made to leak: secrets wherever text is taken from, names made to be misread. */
export function hostileRepository(): HostileRepository {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-hostile-')));
  const path = join(home, 'repository');
  const secrets: string[] = [];
  const plant = (kind = 'github-token'): string => {
    const { secret } = SYNTHETIC_SECRETS[kind]!(random);
    secrets.push(secret);
    return secret;
  };
  const plantPassword = (): string => {
    secrets.push(password());
    return secrets.at(-1)!;
  };
  const write = (name: string, content: string) => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], { cwd: path });

  const lines = Object.keys(SYNTHETIC_SECRETS).flatMap((kind) => {
    const { line, secret, path: file } = SYNTHETIC_SECRETS[kind]!(random);
    if (file !== undefined && !file.endsWith('.py')) return [];
    secrets.push(...secret.split(/\r?\n|\\n/));
    return [line];
  });
  write('src/login/legacy.py', `# login session\n${lines.join('\n')}\n`);
  write(
    'src/login/session.ts',
    [
      `/** Opens the login session; the old key was ${plant()}, do not use. */`,
      `export function openSession(user: string, key = "${plant()}", password = '${plantPassword()}') {`,
      '  return user + key + password;',
      '}',
      `export const LOGIN_KEY = "${plant('stripe-key')}";`,
      `export const login = { password: "${plantPassword()}", user: 'root' };`,
      '',
    ].join('\n'),
  );
  write(
    'src/login/use.ts',
    [
      "import { LOGIN_KEY, openSession } from './session.ts';",
      `export const start = (token = "${plant('gitlab-token')}") => openSession(token, LOGIN_KEY);`,
      '',
    ].join('\n'),
  );
  write(
    'src/login/config.py',
    `class Login:\n    def open(self, password="${plantPassword()}"):\n        pass\n`,
  );
  write('config/login.yaml', `login:\n  password: ${plantPassword()}\n`);
  write('config/.env', `LOGIN_PASSWORD=${plantPassword()}\n`);
  write('README.md', `# Login session with ${plant()}\n\nThe login session.\n`);
  write('AGENTS.md', `Log in with password = "${plantPassword()}" before the session.\n`);
  write(
    'package.json',
    JSON.stringify({ name: 'login', scripts: { test: `vitest --token ${plant()}`, build: 'tsc' } }),
  );
  const secretInName = SYNTHETIC_SECRETS['github-token']!(random).secret;
  const hostileNames = [
    `src/login/${secretInName}.ts`,
    'src/login/\u001b]0;title\u0007\u001b[2J.ts',
    `src/login/a\n${FORGED_LINE}\nb.ts`,
    'src/login/\u202etxt.exe.ts',
    'src/login/\u{e0041}\u{e0042}\u200btag.ts',
  ];
  for (const [at, name] of hostileNames.entries()) {
    write(
      name,
      `import { openSession } from './session.ts';\n/** Login session \u202e${at} */\nexport function loginSession${at}() {\n  return openSession('a');\n}\n`,
    );
    write(
      `src/login/user-${at}.ts`,
      `import { loginSession${at} } from ${JSON.stringify(`./${name.slice('src/login/'.length)}`)};\nloginSession${at}();\n`,
    );
  }
  const hidden = `\u001b[2J\u202e${plant()}`;
  write(
    '.loadout/roles/keeper.yaml',
    `name: keeper\nextends: implementer\ndescription: ${JSON.stringify(`Keeps the login ${hidden}`)}\n`,
  );
  write('.loadout/roles/broken.yaml', `name: broken\ncolour: ${JSON.stringify(hidden)}\n`);
  write(
    '.loadout/guidelines/login.json',
    JSON.stringify({
      id: 'login',
      name: `Login ${hidden}`,
      action: { type: 'instruction', instruction: `Log in with ${plant()}` },
    }),
  );
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '-m', `Open the login session with ${plant()}`);
  write(
    'src/login/use.ts',
    "import { openSession } from './session.ts';\nexport const start = () => openSession('a');\n",
  );
  git('commit', '--quiet', '-a', '-m', `Login session: API_TOKEN=${plantPassword()} \u001b[2J\u202e`);
  git('switch', '--quiet', '-c', 'work');
  write('src/login/staged.ts', `export const stagedLogin = "${plant()}";\n`);
  git('add', 'src/login/staged.ts');

  const bin = join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'claude'), claude(plantPassword(), plantPassword()));
  writeFileSync(
    join(bin, 'leaky-gate'),
    `#!/bin/sh\necho 'DB_PASSWORD=${plantPassword()}'\necho 'password: ${plantPassword()}' >&2\nprintf '\\033[2J'\nexit 3\n`,
  );
  for (const name of ['claude', 'leaky-gate']) chmodSync(join(bin, name), 0o755);
  return {
    home,
    path,
    secrets: secrets.filter((secret) => secret.length >= 10),
    secretInName,
    hostileNames,
    git,
    env: {
      PATH: `${bin}:${process.env.PATH}`,
      HOME: home,
      LOADOUT_CACHE_DIR: join(home, 'cache'),
      LOADOUT_CONFIG_DIR: join(home, 'config'),
      LOADOUT_WARM_SERVER: 'running',
      NO_COLOR: '1',
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
