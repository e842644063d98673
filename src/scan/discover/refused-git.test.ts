import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { openGit } from '../../platform/git/git.ts';
import { type Discovery, discoverFiles } from './discover-files.ts';
import { detect, pathsOf, temporaryTree, write } from './temporary-tree.test-kit.ts';

afterEach(() => vi.unstubAllEnvs());

const LIMITS = { include: [], exclude: [], maxFileBytes: 2_000_000, maxFiles: 1_000 };

/** As a scan does it: with git where it may be used. */
async function discover(directory: string): Promise<Discovery> {
  const opening = await openGit(directory);
  const client = opening.kind === 'git' ? opening.client : null;
  return discoverFiles(openSafeRoot(directory), client, detect, LIMITS);
}

const FILES = {
  '.gitignore': '*.log\n!keep.log\n/build/\n',
  'a.ts': '',
  'app.log': '',
  'keep.log': '',
  '.env': '',
  'x.secret': '',
  'shown.secret.txt': '',
  'excluded.txt': '',
  'build/out.js': '',
  'sub/.gitignore': 'local.txt\n!special.tmp\n',
  'sub/local.txt': '',
  'sub/special.tmp': '',
  'sub/other.tmp': '',
  'sub/.env': '',
  'sub/app.log': '',
  'sub/excluded.txt': '',
  'sub/build/in.js': '',
  'sub/deep/hidden.txt': '',
  'sub/deep/shown.txt': '',
};
const EXCLUDE = 'excluded.txt\n*.tmp\n/sub/deep/hidden.txt\n';
const GLOBAL = '*.secret\n.env\n';

interface TestFixture {
  readonly path: string;
  readonly common: string;
  readonly home: string;
  git(...args: string[]): string;
}

function environment(userFile: 'usual' | 'named' | 'elsewhere'): TestFixture {
  const folder = temporaryTree();
  const home = join(folder, 'home');
  const path = join(folder, 'repository');
  const xdg = join(home, userFile === 'elsewhere' ? 'own' : '.config');
  write(home, { [userFile === 'named' ? 'my rules' : `${xdg.slice(home.length + 1)}/git/ignore`]: GLOBAL });
  if (userFile === 'named') write(home, { '.gitconfig': '[core]\n\texcludesFile = ~/my rules\n' });
  write(path, FILES);
  vi.stubEnv('HOME', home);
  vi.stubEnv('GIT_CONFIG_GLOBAL', undefined);
  vi.stubEnv('XDG_CONFIG_HOME', userFile === 'elsewhere' ? xdg : '');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd: path,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  git('init', '-q');
  mkdirSync(join(path, '.git/info'), { recursive: true });
  writeFileSync(join(path, '.git/info/exclude'), EXCLUDE);
  git('add', 'a.ts', '.gitignore');
  git('commit', '-q', '-m', 'first');
  return { path, common: join(path, '.git'), home, git };
}

function listed({ git }: TestFixture): string[] {
  return git('ls-files', '-z', '-c', '-o', '--exclude-standard').split('\0').slice(0, -1).sort();
}

const below = (paths: readonly string[], prefix: string): string[] =>
  paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));

const REFUSALS: Readonly<Record<string, (environment: TestFixture) => void>> = {
  'a filter has a name that nobody can write': ({ common }) =>
    appendFileSync(
      join(common, 'config'),
      Buffer.concat([Buffer.from('[filter "x'), Buffer.from([0xff]), Buffer.from('"]\n\tclean = cat\n')]),
    ),
  'the work tree is said to be elsewhere': ({ git }) => git('config', 'core.worktree', '/'),
  'the configuration is broken': ({ common }) => appendFileSync(join(common, 'config'), '[core\nbroken'),
  'the index is broken': ({ common }) => writeFileSync(join(common, 'index'), 'no index'),
  'a file of the git directory is a FIFO': ({ common }) =>
    execFileSync('mkfifo', [join(common, 'info/attributes')]),
  'there is no git': ({ home }) => vi.stubEnv('PATH', home),
};

describe.each(['usual', 'named', 'elsewhere'] as const)(
  'with the user’s ignore file in its %s place',
  (place) => {
    test.each(Object.keys(REFUSALS))('the list is that of git when %s', async (name) => {
      const tree = environment(place);
      const expected = listed(tree);
      expect(expected).not.toContain('.env');
      expect(expected).not.toContain('excluded.txt');
      expect(pathsOf(await discover(tree.path))).toEqual(expected);
      REFUSALS[name]!(tree);
      const found = await discover(tree.path);
      expect(found.source).toBe('walk');
      expect(pathsOf(found)).toEqual(expected);
      expect(pathsOf(await discover(join(tree.path, 'sub')))).toEqual(below(expected, 'sub/'));
    });
  },
);

test('a work tree is listed by the rules that all work trees share', async () => {
  const tree = environment('usual');
  const other = join(tree.home, 'other');
  tree.git('worktree', 'add', '-q', other);
  write(other, FILES);
  const expected = pathsOf(await discover(other));
  expect(expected).toEqual(listed(tree));
  appendFileSync(join(tree.common, 'config'), '[core\nbroken');
  expect(pathsOf(await discover(other))).toEqual(expected);
});

test('an ignored folder that the user names is listed by all other rules', async () => {
  const tree = environment('usual');
  write(tree.path, { 'build/.env': '', 'build/b.log': '', 'build/x.tmp': '' });
  const found = await discover(join(tree.path, 'build'));
  expect(pathsOf(found)).toEqual(['b.log', 'out.js']);
});

describe('an ignore file that is too large to be read', () => {
  const places: Readonly<Record<string, string>> = {
    'in the root': '.gitignore',
    'in a folder': 'sub/.gitignore',
    'of the repository': '.git/info/exclude',
    'of the user': '../home/.config/git/ignore',
    'of ours': '.loadoutignore',
  };
  test.each(Object.keys(places))('%s ends the command, when git cannot be asked', async (name) => {
    const tree = environment('usual');
    const file = join(tree.path, places[name]!);
    writeFileSync(file, 'app.log\n'.repeat(130_000));
    appendFileSync(join(tree.common, 'config'), '[core\nbroken');
    await expect(discover(tree.path)).rejects.toMatchObject({
      code: 'ignore-file-too-large',
      message: expect.stringMatching(/has 1040000 bytes/),
    });
    rmSync(file);
    expect(pathsOf(await discover(tree.path))).toContain('a.ts');
  });

  test.skipIf(process.platform !== 'linux')(
    'does not fill the memory of the machine',
    async () => {
      const tree = environment('usual');
      truncateSync(join(tree.path, '.gitignore'), 3_000_000_000);
      await expect(discover(tree.path)).rejects.toMatchObject({ code: 'ignore-file-too-large' });
    },
    60_000,
  );
});
