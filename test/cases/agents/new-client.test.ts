import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HookClient } from '../../../src/agents/table.ts';
import { PROJECT } from '../../support/hook-kit.ts';
import { temporaryRepository } from '../../support/temporary-repository.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const TASK = 'Fix the race when the access token is refreshed in refreshToken';
const ANSWER = JSON.stringify({
  ...{ status: 'SUCCESS', action_taken: 'done', next_step: null },
  ...{ files_created: [], files_modified: [], tests_written: [], blockers: [] },
});
const AGENT = `#!/bin/sh
[ "$1" = --version ] && echo 3.2.1 && exit
cat >/dev/null
printf '%s\\n' "$1" '\`\`\`json' '${ANSWER}' '\`\`\`'
`;

/** All that a new client takes beside its own file: its row in the table. */
const newRow: Plugin = {
  name: 'new-row',
  setup: (builder) =>
    builder.onLoad({ filter: /src[/\\]agents[/\\]table\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const file = JSON.stringify(join(root, 'test/fixtures/agents/made-up.ts'));
      const contents = text.replace(
        'const ROWS = [',
        `import { madeUp } from ${file};\nconst ROWS = [madeUp, `,
      );
      if (contents === text) throw new Error('the table has no list of rows');
      return { contents, loader: 'ts' };
    }),
};

let folder: string;

/** The program with one client more, beside the other built files. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-new-client-'));
  const dist = join(folder, 'dist');
  mkdirSync(dist);
  for (const name of readdirSync(join(root, 'dist')))
    if (!name.endsWith('.js') || name === 'scan-worker.js')
      symlinkSync(join(root, 'dist', name), join(dist, name));
  symlinkSync(join(root, 'roles'), join(folder, 'roles'));
  writeFileSync(join(folder, 'package.json'), readFileSync(join(root, 'package.json')));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/made-up-agent'), AGENT);
  chmodSync(join(folder, 'bin/made-up-agent'), 0o755);
  const formats = JSON.parse(readFileSync(join(dist, 'formats.json'), 'utf8'));
  await build({
    absWorkingDir: root,
    entryPoints: {
      cli: 'src/surfaces/cli/run.ts',
      'answer-hook': 'src/surfaces/hook/answer-hook.ts',
      'result-limit': 'src/surfaces/mcp/result-limit.ts',
    },
    outdir: dist,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    external: ['typescript', '@parcel/watcher'],
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    // as the other built files have them, so that both read the same index
    define: {
      __LOADOUT_SEGMENT_FORMAT__: String(formats.segments),
      __LOADOUT_RULES__: JSON.stringify(formats.rules),
    },
    plugins: [newRow],
    logLevel: 'error',
  });
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A repository, and the command line in it. */
function project() {
  const rules = '# Rules\n\nNever forget the semicolon at the end of each and every statement in here.\n';
  const { path, home, cache } = temporaryRepository({ ...PROJECT, 'MADE-UP.md': rules });
  const env = {
    PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
    HOME: home,
    LOADOUT_CACHE_DIR: cache,
    LOADOUT_CONFIG_DIR: join(home, 'config'),
    LOADOUT_WARM_SERVER: 'running',
  };
  const program = join(folder, 'dist/cli.js');
  const loadout = (...words: string[]) =>
    spawnSync(process.execPath, [program, ...words], { cwd: path, env, encoding: 'utf8' });
  return { path, env, loadout };
}

const built = (name: string) => import(pathToFileURL(join(folder, 'dist', `${name}.js`)).href);

describe('a new client, added with one file and one table row', () => {
  it('is offered by every command that takes a client', { timeout: 20_000 }, () => {
    const { loadout } = project();
    expect(loadout('init', '--help').stdout).toMatch(/One of\s+made-up,/);
    expect(loadout('hook', '--help').stdout).toMatch(/One of\s+made-up,/);
    expect(loadout('run', '--help').stdout).toMatch(/:\s+made-up,/);
    expect(loadout('loop', '--help').stdout).toMatch(/:\s+made-up,/);
  });

  it('is set up by init, and everything is taken out again', { timeout: 20_000 }, () => {
    const { path, loadout } = project();
    const settings = join(path, '.made-up/settings.json');
    const { status, stdout } = loadout('init', 'made-up', '--yes');
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('Restart') });
    expect(readFileSync(settings, 'utf8')).toMatch(/hook user-prompt-submit --client made-up"/);
    expect(loadout('init', 'made-up', '--remove', '--yes').status).toBe(0);
    expect(existsSync(settings)).toBe(false);
  });

  it('has its hooks answered in its own words and inside its limit', { timeout: 20_000 }, async () => {
    const { path, env } = project();
    const { answerHook }: typeof import('../../../src/surfaces/hook/answer-hook.ts') =
      await built('answer-hook');
    const answer = await answerHook(
      'onWords',
      { talk: 't1', folder: path, words: TASK },
      {
        ...{ client: 'made-up' as HookClient, environment: env, cwd: '/' },
        signal: new AbortController().signal,
      },
    );
    expect(Object.keys(answer)).toEqual(['hint']);
    expect(answer.hint).toContain('src/auth/token.ts');
    expect(String(answer.hint).length).toBeLessThanOrEqual(900);
  });

  it('works on a task', { timeout: 30_000 }, () => {
    const { loadout } = project();
    const { status, stdout, stderr } = loadout('run', TASK, '--cli', 'made-up', '--json');
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: expect.any(String),
      stderr: expect.any(String),
    });
    expect(stdout).toContain('"cli":"made-up"');
    expect(stdout).toContain('"cliVersion":"3.2.1"');
  });

  it('has its convention files in packages, and results within its size limit', {
    timeout: 20_000,
  }, async () => {
    const { loadout } = project();
    expect(loadout('pack', TASK).stdout).toContain('Never forget the semicolon');
    const { resultLimit }: typeof import('../../../src/surfaces/mcp/result-limit.ts') =
      await built('result-limit');
    expect(resultLimit('made-up-client').bytes).toBe(1_234);
  });
});
