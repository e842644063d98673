import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type TemporaryRepository, temporaryRepository } from '../support/temporary-repository.ts';
import { clusterUrls, freshTeam, hasCluster, TEST_INDEX } from './cluster-kit.ts';
import { configureStore, type ProgramRun, runProgram as run } from './program-kit.ts';

const SECRET = `ghp_${'A1b2C3d4E5f6'.repeat(3)}`;
const FILES = {
  'src/token-store.ts': 'export class TokenStore {\n  refresh() {}\n}\n',
  'src/clock.ts': 'export function now() {\n  return 0;\n}\n',
  'src/config.ts': `// the key of the robot\nexport const robotKey = '${SECRET}';\n`,
};

const configure = (
  repository: TemporaryRepository,
  team: string,
  url: readonly string[] = clusterUrls(),
  more: Record<string, string> = {},
) => configureStore(repository, { team, url, more });

const pathsOf = ({ stdout }: ProgramRun) =>
  (JSON.parse(stdout) as { files: { path: string }[] }).files.map(({ path }) => path);
const codesOf = ({ stdout }: ProgramRun) =>
  (JSON.parse(stdout) as { diagnostics: { code: string }[] }).diagnostics.map(({ code }) => code);

describe.skipIf(!hasCluster())('loadout with a team store', () => {
  it('is filled by a scan, asked by a ranking, looked after, and holds no secret', {
    timeout: 240_000,
  }, async () => {
    const repository = temporaryRepository(FILES);
    repository.git('remote', 'add', 'origin', 'https://robot:pw@example.org/org/app.git');
    const team = freshTeam();
    configure(repository, team);

    const filled = await run(repository, 'scan', '--store', 'team', '--json');
    expect(filled.stderr + filled.stdout).not.toContain(SECRET);
    expect(JSON.parse(filled.stdout)).toMatchObject({
      store: { repository: 'org/app', branch: 'main', sent: 3, changed: true },
    });
    const again = await run(repository, 'scan', '--store', 'team', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ store: { sent: 0, changed: false } });

    const status = await run(repository, 'store', 'status', '--store', 'team');
    expect(status.stdout).toMatch(/opensearch \d.*1 snapshots\n {2}org\/app {2}main/);

    const plain = await run(repository, 'rank', 'refresh the token store', '--json');
    const asked = await run(repository, 'rank', 'refresh the token store', '--store', 'team', '--json');
    expect(codesOf(asked)).not.toContain('store-unavailable');
    expect(pathsOf(asked)).toEqual(pathsOf(plain));

    // the work tree goes on: what the store knows of the old content does not count
    repository.write('src/clock.ts', 'export function sundial() {\n  return "sundial";\n}\n');
    const changed = await run(repository, 'rank', 'sundial', '--store', 'team', '--json');
    expect(pathsOf(changed)[0]).toBe('src/clock.ts');
    const pack = await run(repository, 'pack', 'sundial', '--store', 'team');
    expect(pack.stdout).toContain('function sundial');

    const everywhere = await run(
      repository,
      'rank',
      'token store',
      '--store',
      'team',
      '--repos',
      'org/*',
      '--json',
    );
    expect(JSON.parse(everywhere.stdout)).toMatchObject({
      files: [
        {
          repository: 'org/app',
          branch: 'main',
          path: 'src/token-store.ts',
          symbols: expect.arrayContaining([
            { name: 'TokenStore', startLine: 1, endLine: expect.any(Number) },
          ]),
        },
      ],
    });
    const across = (...more: string[]) =>
      run(repository, 'rank', 'token store', '--store', 'team', '--symbols', ...more);
    expect((await across('--repos', 'org/*')).stdout).toMatch(/src\/token-store\.ts\n +1-\d+ +TokenStore\n/);
    expect(await across('--repos', 'other/*')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no file in other/* matches this task'),
    });

    const response = await fetch(`${clusterUrls()[0]}/${TEST_INDEX}/_search?size=100`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: { term: { team } } }),
    });
    const stored = await response.text();
    expect(stored).toContain('robotKey');
    expect(stored).not.toContain(SECRET);
    expect(stored.toLowerCase()).not.toContain(SECRET.slice(4, 20).toLowerCase());

    const json = async (...args: readonly string[]) =>
      JSON.parse((await run(repository, 'store', ...args, '--store', 'team', '--json')).stdout);
    expect(await json('status')).toMatchObject({
      store: 'team',
      team,
      server: expect.stringMatching(/^opensearch \d/),
      snapshots: [{ repository: 'org/app', branch: 'main', generation: 1, fileCount: 3 }],
    });
    expect(await json('gc')).toEqual({ files: 0, lists: 0 });
    const cleaned = await run(repository, 'store', 'gc', '--store', 'team');
    expect(cleaned).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^removed 0 files and 0 lists/),
    });
    await run(repository, 'scan', '--store', 'team', '--store-branch', 'old');
    expect(await json('drop', 'org/app', '--store-branch', 'old')).toEqual({ snapshots: 1 });
    expect((await run(repository, 'store', 'drop', 'org/app', '--store', 'team')).stdout).toMatch(
      /^removed 1 snapshot/,
    );
    expect(await run(repository, 'store', 'drop', 'org/app', '--store', 'team')).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/^removed 0 snapshots/),
    });
    const without = await run(repository, 'rank', 'token store', '--store', 'team', '--json');
    expect(codesOf(without)).toContain('store-unavailable');
    expect(pathsOf(without)[0]).toBe('src/token-store.ts');
  });
});

describe('loadout with a team store that is not there', () => {
  it('answers from the local index and says so', { timeout: 60_000 }, async () => {
    const repository = temporaryRepository(FILES);
    configure(repository, 'red', ['http://127.0.0.1:9']);
    const plain = await run(repository, 'rank', 'refresh the token store', '--json');
    const asked = await run(repository, 'rank', 'refresh the token store', '--store', 'team', '--json');
    expect(codesOf(asked)).toContain('store-unavailable');
    expect(pathsOf(asked)).toEqual(pathsOf(plain));
  });

  it('gets no credentials without encryption, and a ranking continues without it', {
    timeout: 60_000,
  }, async () => {
    const repository = temporaryRepository(FILES);
    configure(repository, 'red', ['http://search.example:9200'], { userEnv: 'PATH', passwordEnv: 'PATH' });
    const filled = await run(repository, 'scan', '--store', 'team');
    expect(filled.exitCode).not.toBe(0);
    expect(filled.stderr).toContain('credentials go over https only');
    const asked = await run(repository, 'rank', 'refresh the token store', '--store', 'team', '--json');
    expect(codesOf(asked)).toContain('store-unavailable');
    expect(pathsOf(asked)[0]).toBe('src/token-store.ts');
  });

  it('is explained by --help, with examples', { timeout: 60_000 }, async () => {
    const repository = temporaryRepository(FILES);
    const { stdout } = await run(repository, 'store', '--help');
    for (const action of ['status', 'gc', 'drop']) expect(stdout).toContain(`loadout store ${action}`);
    expect(stdout).toContain('--store-branch');
    for (const args of [['status'], ['gc'], ['drop', 'org/app']]) {
      const { exitCode, stderr } = await run(repository, 'store', ...args);
      expect(exitCode).not.toBe(0);
      expect(stderr).toContain('--store NAME');
    }
    configure(repository, 'red', ['http://127.0.0.1:9']);
    for (const args of [['tidy'], ['drop']]) {
      const { exitCode, stderr } = await run(repository, 'store', ...args, '--store', 'team');
      expect([exitCode > 0, /use one of status, gc, drop|name of a repository/.test(stderr)]).toEqual([
        true,
        true,
      ]);
    }
  });
});

describe('a repository that names a store', () => {
  const TRUSTED = ['trust', '--yes'] as const;

  it.each([
    ['as JSON', 'loadout.config.json', JSON.stringify, true],
    ['as YAML, which JSON is too', 'loadout.config.yaml', JSON.stringify, true],
    ['without being trusted', 'loadout.config.json', JSON.stringify, false],
  ])('%s is not believed, and nothing is sent', { timeout: 60_000 }, async (_, name, write, isTrusted) => {
    let connections = 0;
    const trap = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void trap.close());
    const url = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
    const config = write({
      store: 'team',
      stores: { team: { url, team: 'x' } },
      storeRepository: 'org/other',
      storeBranch: 'other',
      storeTimeout: '10m',
    });
    const repository = temporaryRepository({ ...FILES, [name]: config });
    if (isTrusted) expect((await run(repository, ...TRUSTED)).exitCode).toBe(0);
    for (const args of [
      ['rank', 'refresh the token store', '--json'],
      ['pack', 'refresh the token store'],
      ['scan'],
    ]) {
      const { stderr, exitCode } = await run(repository, ...args);
      expect(exitCode).toBe(0);
      for (const setting of ['store', 'stores', 'storeRepository', 'storeBranch', 'storeTimeout'])
        expect(stderr).toMatch(new RegExp(`\\b${setting} is ignored`));
    }
    // a name that the user gives is looked up in the user's own settings alone
    const named = await run(repository, 'rank', 'refresh the token store', '--store', 'team');
    expect(named.exitCode).not.toBe(0);
    expect(named.stderr).toContain('there is no store "team"');
    // nor does the user's own store become another one
    configure(repository, 'red', ['http://127.0.0.1:9']);
    const own = await run(repository, 'rank', 'refresh the token store', '--store', 'team', '--json');
    expect(codesOf(own)).toContain('store-unavailable');
    expect(connections).toBe(0);
  });
});
