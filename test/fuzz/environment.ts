import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OUTSIDE_MARK, ROOT_MARK } from './mutate.ts';

/** A repository, and beside it files that nothing in it may bring to light. */
export interface FuzzWorld {
  readonly home: string;
  /** The root: whatever lies elsewhere is out of bounds. */
  readonly repository: string;
  readonly cache: string;
  readonly environment: Readonly<Record<string, string>>;
  /** A word that is in files outside of the root and nowhere else. */
  readonly canary: string;
  write(path: string, content: string | Buffer): void;
  git(...args: readonly string[]): Buffer;
  /** The input with the paths of this world in the place of the marks. */
  expand(input: Buffer): Buffer;
}

const IDENTITY = [
  ...['-c', 'user.name=T', '-c', 'user.email=t@example.org', '-c', 'commit.gpgSign=false'],
  ...['-c', 'core.hooksPath=/dev/null', '-c', 'gc.auto=0'],
];

export const FILES: Readonly<Record<string, string>> = {
  'README.md': '# Sample\n\nRefreshes tokens, retries what failed.\n',
  'AGENTS.md': 'Run the tests before you finish.\n',
  'package.json': '{"name":"sample","scripts":{"test":"vitest","build":"tsc"}}\n',
  '.gitignore': 'build/\n*.log\n',
  'src/auth/token.ts':
    "import { fetchJson } from '../http.ts';\n\n/** Refreshes the access token before it expires. */\nexport class TokenRefresher {\n  async refresh(token: string): Promise<string> {\n    const { next } = await fetchJson('/refresh', token);\n    return next;\n  }\n\n  isExpired(at: number): boolean {\n    return at < 0;\n  }\n}\n",
  'src/http.ts':
    'export async function fetchJson(path: string, token: string): Promise<{ next: string }> {\n  return { next: path + token };\n}\n',
  'src/queue/retry.py': 'class RetryQueue:\n    """Tries again what failed."""\n    attempts = 3\n',
  'test/token.test.ts':
    "import { TokenRefresher } from '../src/auth/token.ts';\nnew TokenRefresher().isExpired(1);\n",
  'docs/guide.md': '# Guide\n\n## Tokens\n\nA token is refreshed before it expires.\n',
  'src/long.ts': Array.from({ length: 300 }, (_, at) => `export const value${at} = ${at};`).join('\n'),
};

const SYLLABLES = [
  'ba',
  'co',
  'du',
  'fe',
  'gi',
  'ho',
  'ju',
  'ka',
  'lo',
  'mi',
  'nu',
  'po',
  'ra',
  'se',
  'ti',
  'vo',
];

/** A word without digits: what looks like a password would be redacted, and a leak of it would not show. */
function canaryWord(): string {
  return Array.from({ length: 8 }, () => SYLLABLES[Math.floor(Math.random() * SYLLABLES.length)]).join('');
}

/** Works in an empty folder, which the caller removes. */
export function createWorld(home: string): FuzzWorld {
  const repository = join(home, 'repository');
  const outside = join(home, 'outside');
  const canary = canaryWord();
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), content);
  };
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...IDENTITY, ...args], { cwd: repository, stdio: ['ignore', 'pipe', 'pipe'] });

  for (const folder of ['repository', 'outside', 'cache', 'config/roles', 'config/guidelines'])
    mkdirSync(join(home, folder), { recursive: true });
  const secretTwin = `/** Refreshes the token: ${canary}. */\nexport function ${canary}() {\n  return '${canary}';\n}\n`;
  for (const place of [home, outside])
    for (const name of [
      'canary.ts',
      'canary',
      'canary.yaml',
      'canary.json',
      '.loadoutignore',
      '.gitattributes',
    ])
      writeFileSync(join(place, name), name.startsWith('.') ? `# ${canary}\n` : secretTwin);
  for (const [path, content] of Object.entries(FILES)) write(path, content);
  symlinkSync('../canary.ts', join(repository, 'canary-link.ts'));
  symlinkSync(join(outside, 'canary.ts'), join(repository, 'src/absolute-link.ts'));
  symlinkSync('../outside', join(repository, 'linked'));
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '--message=Refresh the token earlier');
  write('src/http.ts', `${FILES['src/http.ts']}export const retries = 3;\n`);
  git('commit', '--quiet', '--all', '--message=Retry what failed');

  const expand = (input: Buffer) => fill(fill(input, ROOT_MARK, repository), OUTSIDE_MARK, outside);
  return {
    home,
    repository,
    cache: join(home, 'cache'),
    environment: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      LOADOUT_CACHE_DIR: join(home, 'cache'),
      LOADOUT_CONFIG_DIR: join(home, 'config'),
      LOADOUT_WARM_SERVER: 'running',
    },
    canary,
    write,
    git,
    expand,
  };
}

function fill(input: Buffer, mark: string, path: string): Buffer {
  if (!input.includes(mark)) return input;
  return Buffer.from(
    input.toString('latin1').replaceAll(mark, () => Buffer.from(path).toString('latin1')),
    'latin1',
  );
}
