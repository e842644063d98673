import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI } from '../support/run-cli.ts';
import { type TemporaryRepository, temporaryRepository } from '../support/temporary-repository.ts';
import { clusterUrls, freshTeam, hasCluster, TEST_INDEX } from './cluster-kit.ts';

/** Another build of the command line than the one in dist. */
const PROGRAM = process.env.LOADOUT_TEST_CLI ?? CLI;
const SECRET = `ghp_${'A1b2C3d4E5f6'.repeat(3)}`;
const FILES = {
  'src/token-store.ts': 'export class TokenStore {\n  refresh() {}\n}\n',
  'src/clock.ts': 'export function now() {\n  return 0;\n}\n',
  'src/config.ts': `// the key of the robot\nexport const robotKey = '${SECRET}';\n`,
};

interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

function configure(
  { home }: TemporaryRepository,
  team: string,
  url: readonly string[] = clusterUrls(),
): void {
  const stores = { team: { url, team, index: TEST_INDEX } };
  writeFileSync(join(home, 'config.yaml'), `stores: ${JSON.stringify(stores)}\n`);
}

function run({ path, cache, home }: TemporaryRepository, ...args: readonly string[]): Promise<Run> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    LOADOUT_CONFIG_DIR: home,
    LOADOUT_CACHE_DIR: cache,
  };
  return new Promise((resolve) =>
    execFile(process.execPath, [PROGRAM, ...args], { cwd: path, env }, (error, stdout, stderr) =>
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr }),
    ),
  );
}

const pathsOf = ({ stdout }: Run) =>
  (JSON.parse(stdout) as { files: { path: string }[] }).files.map(({ path }) => path);
const codesOf = ({ stdout }: Run) =>
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
      files: [{ repository: 'org/app', branch: 'main', path: 'src/token-store.ts' }],
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

    expect((await run(repository, 'store', 'gc', '--store', 'team')).exitCode).toBe(0);
    expect((await run(repository, 'store', 'drop', 'org/app', '--store', 'team')).stdout).toMatch(
      /^1 snapshot/,
    );
    const without = await run(repository, 'rank', 'token store', '--store', 'team', '--json');
    expect(codesOf(without)).toContain('store-unavailable');
    expect(pathsOf(without)[0]).toBe('src/token-store.ts');
  });
});

describe('loadout with a team store that is not there', () => {
  it('answers from the index and says so', { timeout: 60_000 }, async () => {
    const repository = temporaryRepository(FILES);
    configure(repository, 'red', ['http://127.0.0.1:9']);
    const plain = await run(repository, 'rank', 'refresh the token store', '--json');
    const asked = await run(repository, 'rank', 'refresh the token store', '--store', 'team', '--json');
    expect(codesOf(asked)).toContain('store-unavailable');
    expect(pathsOf(asked)).toEqual(pathsOf(plain));
  });

  it('cannot be named by a repository, trusted or not', { timeout: 60_000 }, async () => {
    const config = JSON.stringify({
      store: 'team',
      stores: { team: { url: 'http://127.0.0.1:9', team: 'x' } },
    });
    const repository = temporaryRepository({ ...FILES, 'loadout.config.json': config });
    await run(repository, 'trust', '--yes');
    const asked = await run(repository, 'rank', 'refresh the token store', '--json');
    expect(asked.stderr).toContain('store is ignored');
    expect(codesOf(asked)).not.toContain('store-unavailable');
    expect(readFileSync(join(repository.path, 'loadout.config.json'), 'utf8')).toBe(config);
  });
});
