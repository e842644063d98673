import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { gitIn } from '../../../../test/support/temporary-repository.ts';
import { loadTokenCounter } from '../../../context/fit/count-tokens.ts';
import { SHOP_FILES, SHOP_TASK } from '../../../context/pack/pack-fixture.test-kit.ts';
import { callCli } from '../call-cli.test-kit.ts';

let home: string;
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'loadout-pack-')));
  const files = {
    ...SHOP_FILES,
    'picture.png': Buffer.from([0, 1, 2, 0]),
    '.loadout/roles/pricer.yaml':
      'name: pricer\nextends: implementer\ndescription: Prices\ncontext:\n  token_budget: 2500\n  path_restrictions: ["src/checkout/**"]\n  always_include: ["src/checkout/basket.ts"]\n',
  };
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, 'repo', name)), { recursive: true });
    writeFileSync(join(home, 'repo', name), content);
  }
  for (const line of ['init --quiet', 'add --all', 'commit --quiet --message=step'])
    gitIn(join(home, 'repo'))(...line.split(' '));
  mkdirSync(join(home, 'out'));
  return () => rmSync(home, { recursive: true, force: true });
});

interface TestFixture {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly terminal?: boolean;
}

const call = (argv: readonly string[], environment?: TestFixture) => run(['pack', ...argv], environment);

function run(argv: readonly string[], { stdin = '', env = {}, terminal = false }: TestFixture = {}) {
  return callCli(argv, {
    cwd: join(home, 'repo'),
    env: { HOME: home, LOADOUT_CACHE_DIR: join(home, 'cache'), ...env },
    stdin,
    isTerminal: terminal,
  });
}

const count = async (text: string) => (await loadTokenCounter('o200k_base'))(text);

describe('loadout pack', () => {
  it('prints the package, and at a terminal a report beside it', async () => {
    const { exitCode, stdout, stderr } = await call([SHOP_TASK, '--budget', '3k', '--fill'], {
      terminal: true,
    });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^# Context package\n/);
    expect(await count(stdout)).toBeLessThanOrEqual(3_000);
    expect(stderr).toMatch(/\d+ files.* \((?:\d+ full, )?\d+ excerpt/);
    expect(stderr).toMatch(/\[#+-*\] 2,\d{3} of 3,000 tokens \(\d+ %\)/);
    expect(stderr).toMatch(/excerpt +[\d,]+ +src\/auth\/session\.ts/);
    const elsewhere = await call([SHOP_TASK, '--budget', '3k', '--fill']);
    expect(elsewhere.stderr).toMatch(
      /^package [0-9a-f]{16}: \d files, 2,\d{3} of 3,000 tokens\nlargest: .*\n$/,
    );
    expect((await call([SHOP_TASK, '--budget', '3k', '--quiet'])).stderr).toBe('');
  });

  it('takes the task from a pipe and gives the package as data', async () => {
    const { stdout } = await call(['--task-file', '-', '--budget', '3k', '--json'], { stdin: SHOP_TASK });
    const built = JSON.parse(stdout) as { tokenCount: number; items: { path: string }[]; task: string };
    expect(built.task).toBe(SHOP_TASK);
    expect(built.items[0]!.path).toBe('src/auth/session.ts');
    const { stdout: text } = await call([SHOP_TASK, '--budget', '3k']);
    expect(built.tokenCount).toBe(await count(text));
  });

  it.each(['xml', 'json', 'summary'])('prints %s inside the budget', async (format) => {
    const { exitCode, stdout } = await call([SHOP_TASK, '--budget', '4k', '--format', format]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      { xml: /^<context_package>/, json: /^\{/, summary: /^## Context Package/ }[format]!,
    );
    expect(await count(stdout)).toBeLessThanOrEqual(4_000);
  });

  it('explains, or shows the tokens by folder, in place of the package', async () => {
    const { stdout } = await call([SHOP_TASK, '--budget', '1500', '--explain']);
    expect(stdout).toMatch(/^path +form +tokens +score +why$/m);
    expect(stdout).toMatch(/^src\/auth\/session\.ts +excerpt/m);
    expect(stdout).toMatch(/^\(frame\)/m);
    const { stdout: tree } = await call([SHOP_TASK, '--budget', '1500', '--tree']);
    expect(tree).toMatch(/^ *[\d,]+ {4}src\/$/m);
    expect(tree).not.toContain('# Context package');
  });

  it('applies the budget, the restrictions and the fixed files of a role', async () => {
    const { stdout } = await call([SHOP_TASK, '--role', 'pricer', '--json']);
    const built = JSON.parse(stdout) as { role: string; tokenBudget: number; items: { path: string }[] };
    expect(built).toMatchObject({ role: 'pricer', tokenBudget: 2_500 });
    expect(built.items[0]).toMatchObject({ path: 'src/checkout/basket.ts', source: 'always' });
    expect(built.items.filter(({ path }) => !path.startsWith('src/checkout/'))).toEqual([]);
  });

  it('writes nothing through a folder of the repository that is a link', async () => {
    const outside = join(home, 'elsewhere');
    mkdirSync(outside);
    const links = { out: outside, inner: join(home, 'repo/src'), gone: join(home, 'none') };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(home, 'repo', name));
    symlinkSync(join(home, 'repo'), join(home, 'alias'));
    symlinkSync(outside, join(home, 'own'));
    try {
      for (const file of ['out/x.md', 'inner/x.md', './src/../out/x.md', join(home, 'alias/out/x.md')])
        for (const flags of [[SHOP_TASK], ['--all'], [SHOP_TASK, '--split', '5k']]) {
          const { exitCode, stderr } = await call([...flags, '--output', file]);
          expect(stderr).toMatch(/cannot write .*x\.md: the folder .* is a link/);
          expect(exitCode).toBe(2);
        }
      expect(readdirSync(outside)).toEqual([]);
      // a link of the user's own is no affair of the repository
      expect((await call([SHOP_TASK, '--output', join(home, 'own/x.md')])).exitCode).toBe(0);
      expect(readdirSync(outside)).toEqual(['x.md']);
    } finally {
      for (const name of Object.keys(links)) rmSync(join(home, 'repo', name));
    }
  });

  it('writes a file as a whole or not at all, and checks it later', async () => {
    const file = join(home, 'out/pack.json');
    const { exitCode, stdout, stderr } = await call([SHOP_TASK, '--json', '--output', file]);
    expect([exitCode, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^package [0-9a-f]{16}: \d+ files, [\d,]+ of 100,000 tokens\nlargest: .*\n$/m);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ task: SHOP_TASK });
    expect(readdirSync(join(home, 'out'))).toEqual(['pack.json']);
    const verified = await call(['--verify', file]);
    expect(verified.exitCode).toBe(0);
    expect(verified.stdout).toMatch(/^same {2}src\/auth\/session\.ts$/m);
    const stale = readFileSync(file, 'utf8').replaceAll('refreshToken()', 'renewToken()');
    writeFileSync(join(home, 'out/stale.json'), stale);
    const changed = await call(['--verify', join(home, 'out/stale.json')]);
    expect(changed.exitCode).toBe(1);
    expect(changed.stdout).toMatch(/^changed +src\/auth\/session\.ts$/m);
    rmSync(join(home, 'out/stale.json'));
  });

  it('prints the id of the package, and a gap can be reported with it', async () => {
    const { stderr } = await call([SHOP_TASK, '--budget', '2k']);
    const [, id] = /^package ([0-9a-f]{16}): \d+ files/m.exec(stderr)!;
    const { stdout } = await call([SHOP_TASK, '--budget', '2k', '--json']);
    const full = (JSON.parse(stdout) as { id: string }).id;
    expect(full.startsWith(id!)).toBe(true);
    for (const known of [id!, full]) {
      const reported = await run(['gap', '--package', known, 'the retry queue', '--json']);
      expect(JSON.parse(reported.stdout)).toMatchObject({ task: SHOP_TASK });
    }
    await run(['gap', '--forget']);
  });

  it('has no place for empty files, and no file is named twice in a summary', async () => {
    writeFileSync(join(home, 'repo/src/auth/__init__.py'), '\n');
    const { stdout } = await call([SHOP_TASK, '--json']);
    rmSync(join(home, 'repo/src/auth/__init__.py'));
    const { items } = JSON.parse(stdout) as { items: { path: string }[] };
    expect(items.map(({ path }) => path)).not.toContain('src/auth/__init__.py');
  });

  it('copies through the terminal, and explains when it cannot', async () => {
    const { stderr, stdout } = await call([SHOP_TASK, '--budget', '2k', '--copy'], { terminal: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what a terminal is told
    const copied = Buffer.from(/\u001b\]52;c;([^\u0007]*)\u0007/.exec(stderr)![1]!, 'base64').toString();
    expect(copied).toMatch(/^# Context package\n/);
    expect(stdout).toBe('');
    const refused = await call([SHOP_TASK, '--budget', '2k', '--copy']);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toMatch(/--copy: there is no clipboard program/);
  });

  it('writes everything that fits without a task, to a file that is there when it is complete', async () => {
    const file = join(home, 'out/all.md');
    const { exitCode, stdout, stderr } = await call(['--all', '--include', 'src/**', '--output', file]);
    expect([exitCode, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^5 files, [\d,]+ of 100,000 tokens\nlargest: .*\n$/);
    expect(readFileSync(file, 'utf8')).toContain(SHOP_FILES['src/checkout/prices.ts']!.trim());
    rmSync(file);
    expect((await call(['--all', '--tree'])).stdout).toMatch(/^ *[\d,]+ {4}src\/$/m);
    const none = await call(['--all', '--budget', '10', '--output', file]);
    expect(none.exitCode).toBe(1);
    expect(readdirSync(join(home, 'out'))).toEqual(['pack.json']);
  });

  it('shows a change under review without a task', async () => {
    const clock = join(home, 'repo/src/clock.ts');
    const before = readFileSync(clock, 'utf8');
    writeFileSync(clock, before.replace('return 1;', 'return 2;'));
    const { exitCode, stdout } = await call(['--diff', '--budget', '3k']);
    writeFileSync(clock, before);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^\+ +return 2;$/m);
    const clean = await call(['--diff']);
    expect([clean.exitCode, clean.stdout]).toEqual([1, '']);
  });

  it('prints an empty package with a note when packages are switched off', async () => {
    const { exitCode, stdout } = await call([SHOP_TASK], { env: { CONTEXT_PACKAGE_ENABLED: 'false' } });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/switched off/);
  });
});

describe('bad input', () => {
  it.each([
    [[], /no task is given/],
    [['--task-file', '-'], /standard input ended before a task was read/],
    [[SHOP_TASK, '--budget', '0'], /"0" leaves room for nothing/],
    [[SHOP_TASK, '--budget', '-5'], /"-5" is not a number of tokens/],
    [[SHOP_TASK, '--budget', 'abc'], /"abc" is not a number of tokens/],
    [[SHOP_TASK, '--budget', '50%'], /a percentage needs --model/],
    [[SHOP_TASK, '--budget', '9k', '--model', 'gpt-4'], /more than gpt-4 takes/],
    [[SHOP_TASK, '--model', 'gtp-5'], /unknown model "gtp-5"/],
    [[SHOP_TASK, '--target', '../x.ts'], /outside the root/],
    [[SHOP_TASK, '--target', 'src/none.ts'], /"src\/none\.ts" does not exist/],
    [[SHOP_TASK, '--target', 'picture.png'], /is a binary file/],
    [[SHOP_TASK, '--target', 'src/clock.ts', '--max-file-size', '10'], /has \d+ bytes/],
    [[SHOP_TASK, '--format', 'yaml'], /--format: "yaml" is not known/],
    [['--all', SHOP_TASK], /--all packs without a task/],
    [['--all', '--format', 'summary'], /--all writes markdown, xml or json/],
    [['--all', '--split', '5k'], /--split needs --output FILE/],
    [[SHOP_TASK, '--split', 'many', '--output', 'x.md'], /--split: "many" is not a size/],
    [
      [SHOP_TASK, '--split', '5k', '--output', 'x.json', '--format', 'json'],
      /--split writes markdown or xml/,
    ],
    [['--all', '--target', 'src/clock.ts'], /--all does not go with --target/],
    [['--diff', 'nowhere'], /there is no commit "nowhere"/],
    [['--since', 'foo'], /"foo" is not a date/],
    [['--diff', '--staged'], /only one of/],
    [['two', 'words'], /hint: put quotes around/],
    [['-x is broken'], /hint: put -- before a task/],
    [[SHOP_TASK, '--strategy', 'best'], /--strategy: "best" is not known/],
    [[SHOP_TASK, '--role', 'nobody'], /nobody/],
    [[SHOP_TASK, '--output', 'missing/pack.md'], /cannot write .*missing\/pack\.md \(ENOENT\)/],
    [['--verify', 'package.json'], /is not a package/],
    [['--verify', 'missing.json'], /cannot be read/],
  ])('%j is refused with exit code 2', async (argv, message) => {
    const { exitCode, stdout, stderr } = await call(argv);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('this is a bug');
    expect([exitCode, stdout]).toEqual([2, '']);
  });

  it('a budget without room for a file is a no, and nothing is written', async () => {
    const file = join(home, 'out/none.md');
    const { exitCode, stdout, stderr } = await call([SHOP_TASK, '--budget', '1', '--output', file]);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/a budget of 1 tokens has no room for a single file\nhint: give at least/);
    expect(readdirSync(join(home, 'out'))).not.toContain('none.md');
  });

  it('explains a bad budget only once', async () => {
    const { stderr } = await call([SHOP_TASK, '--budget', 'abc']);
    expect(stderr.match(/30k/g)).toHaveLength(1);
  });

  it.each([['*.png'], ['zzz/**']])('says that no file matches --include %s', async (pattern) => {
    const { exitCode, stdout, stderr } = await call([SHOP_TASK, '--include', pattern]);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`loadout: no file matches --include ${pattern}`);
    expect(stderr).not.toContain('relevant');
  });

  it.each([[[]], [['--json']], [['--format', 'xml']], [['--form', 'signatures']]])(
    '--all %j with nothing to pack prints the same message, without a heading',
    async (more) => {
      const { exitCode, stdout, stderr } = await call(['--all', '--include', 'zzz/**', ...more]);
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(stderr).toBe('loadout: no file matches --include zzz/**\n');
      const empty = join(home, 'empty');
      mkdirSync(empty, { recursive: true });
      const none = await call(['--all', '--repo', empty, ...more]);
      expect([none.exitCode, none.stdout]).toEqual([1, '']);
      expect(none.stderr).toMatch(/^loadout: the repository has no files to read\n$/m);
    },
  );

  it('a repository of binary files is a no that counts them', async () => {
    const binary = join(home, 'binary');
    mkdirSync(binary, { recursive: true });
    for (const [name, said] of [
      ['a.bin', '1 file was skipped'],
      ['b.bin', '2 files were skipped'],
    ] as const) {
      writeFileSync(join(binary, name), Buffer.from([0, 1, 2, 0, 255]));
      const { exitCode, stderr } = await call(['Find it', '--repo', binary]);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`loadout: the repository has no files to read; ${said}, see loadout scan\n`);
    }
  });

  it('an empty outline names the pattern that matched nothing', async () => {
    const { exitCode, stdout, stderr } = await run(['map', '--include', 'zzz/**']);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('loadout: no file matches --include zzz/**\n');
  });

  it('everything is reported like a package: files, tokens, redactions', async () => {
    const repo = join(home, 'keys');
    mkdirSync(repo, { recursive: true });
    writeFileSync(join(repo, 'deploy.txt'), `API_TOKEN=${'N7cA2kM9bQ4hE6pd3x'}\n`);
    for (let at = 0; at < 3; at++) writeFileSync(join(repo, `${at}.txt`), `line ${at}\n`.repeat(400));
    const to = ['--repo', repo, '--output', join(home, 'out/all.md')];
    const tokens = /^4 files, \d,\d{3} of 100,000 tokens, secrets redacted in 1 file\nlargest: .*\n$/m;
    expect((await call(['--all', ...to])).stderr).toMatch(tokens);
    const { stderr } = await call(['--all', ...to, '--budget', '3k']);
    expect(stderr).toMatch(
      /^\d files?, [\d,]+ of 3,000 tokens.*; \d files? left out for lack of room\nlargest: .*\n$/m,
    );
  });

  it('exits with 1 when no file is relevant to the task', async () => {
    const { exitCode, stderr } = await call(['zyxwvut', '--min-relevance', '0.9']);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/no file seems relevant to this task\nhint: .*lower --min-relevance/);
  });
});
