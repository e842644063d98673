import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type PackedTarball, packTarball } from '../../support/packed-tarball.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const isWindows = process.platform === 'win32';
/** Names that only some file systems take; each tries to leave its place in Markdown or in the log. */
const HOSTILE_NAMES = isWindows
  ? ['src/a`b.js']
  : ['src/a`b|c.js', 'src/x\n::error::y.js', 'src/<img src=x>@everyone.js', 'src/$(touch pwned).js'];
// biome-ignore lint/suspicious/noTemplateCurlyInString: a shell would read it
const BRANCH = 'a$(touch${IFS}pwned)';
const TITLE = '`$(touch pwned)` "; touch pwned; #\n::set-output name=tokens::0';

/** A network of its own without a way out, where the system gives one. */
const ALONE = spawnSync('unshare', ['-rn', 'true']).status === 0 ? ['unshare', '-rn'] : [];

let tarball: PackedTarball;
let action: string;
let origin: string;
let base: string;
let head: string;

const git = (folder: string, ...args: string[]): string =>
  execFileSync(
    'git',
    ['-c', 'user.name=T', '-c', 'user.email=t@example.org', '-c', 'protocol.file.allow=always', ...args],
    { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  ).trim();

function write(folder: string, path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Base and head of a pull request, and their merge as the host offers it. */
function openOrigin(): void {
  origin = join(tarball.place, 'origin');
  mkdirSync(origin);
  git(origin, 'init', '--quiet', '--initial-branch=main');
  write(origin, 'src/add.js', 'export function add(a, b) {\n  return a + b;\n}\n');
  write(origin, 'src/twice.js', "import { add } from './add.js';\nexport const twice = (x) => add(x, x);\n");
  write(origin, 'test/add.test.js', "import { add } from '../src/add.js';\ntest('add', () => add(1, 2));\n");
  write(origin, 'old.txt', 'old\n');
  git(origin, 'add', '--all');
  git(origin, 'commit', '--quiet', '--message=first');
  write(origin, 'src/add.js', '/** Adds. */\nexport function add(a, b) {\n  return a + b;\n}\n');
  git(origin, 'commit', '--quiet', '--all', '--message=describe what add does');
  base = git(origin, 'rev-parse', 'HEAD');
  git(origin, 'switch', '--quiet', '--create', BRANCH);
  write(origin, 'src/add.js', 'export function add(a, b) {\n  return Number(a) + Number(b);\n}\n');
  for (const name of HOSTILE_NAMES) write(origin, name, 'export const password = 1;\n');
  rmSync(join(origin, 'old.txt'));
  git(origin, 'add', '--all');
  git(origin, 'commit', '--quiet', '--message=add texts as numbers');
  head = git(origin, 'rev-parse', 'HEAD');
  git(origin, 'switch', '--quiet', 'main');
  git(origin, 'merge', '--quiet', '--no-ff', '--message=merge', head);
  git(origin, 'update-ref', 'refs/pull/1/merge', 'HEAD');
  git(origin, 'reset', '--quiet', '--hard', base);
}

/** A clone as the checkout of a runner leaves it; 0 for the whole history. */
function checkOut(depth: number, ref = 'refs/pull/1/merge'): string {
  const folder = mkdtempSync(join(tarball.place, 'clone-'));
  git(folder, 'init', '--quiet');
  const limit = depth === 0 ? [] : [`--depth=${depth}`];
  const url = `file://${isWindows ? '/' : ''}${origin.replaceAll('\\', '/')}`;
  git(folder, 'fetch', '--quiet', ...limit, url, ref);
  git(folder, 'checkout', '--quiet', '--detach', 'FETCH_HEAD');
  return folder;
}

interface Step {
  readonly exitCode: number | null;
  readonly log: string;
  /** What the runner would obey. */
  readonly commands: readonly string[];
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

/** Runs the entry as the runner does: a clean environment, no network, an event file. */
function run(clone: string, inputs: Readonly<Record<string, string>> = {}, entry = action): Step {
  const place = mkdtempSync(join(tarball.place, 'runner-'));
  const event = join(place, 'event.json');
  const pull = { title: TITLE, body: '```\n<!-- -->', base: { sha: base }, head: { sha: head } };
  writeFileSync(event, JSON.stringify({ pull_request: pull }));
  const given = Object.entries(inputs).map(([name, value]) => {
    return [`LOADOUT_ACTION_${name.toUpperCase().replaceAll('-', '_')}`, value] as const;
  });
  const [program, ...words] = [...ALONE, process.execPath, join(entry, 'action/run.mjs')];
  const { status, stdout, stderr } = spawnSync(program!, words, {
    cwd: place,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      ...(isWindows ? { SystemRoot: process.env.SystemRoot } : {}),
      HOME: place,
      USERPROFILE: place,
      GIT_CONFIG_NOSYSTEM: '1',
      RUNNER_TEMP: place,
      GITHUB_WORKSPACE: clone,
      GITHUB_EVENT_PATH: event,
      GITHUB_OUTPUT: join(place, 'output'),
      GITHUB_STEP_SUMMARY: join(place, 'summary'),
      GITHUB_HEAD_REF: BRANCH,
      ...Object.fromEntries(given),
    },
  });
  expect(stderr).toBe('');
  expect(git(clone, 'status', '--porcelain')).toBe('');
  expect(existsSync(join(place, 'pwned'))).toBe(false);
  const read = (name: string) =>
    existsSync(join(place, name)) ? readFileSync(join(place, name), 'utf8') : '';
  return {
    exitCode: status,
    log: stdout,
    commands: obeyed(stdout),
    outputs: readOutputs(read('output')),
    summary: read('summary'),
  };
}

/** Reads a log as the runner does: between `::stop-commands::WORD` and `::WORD::` nothing is obeyed. */
function obeyed(log: string): string[] {
  let word: string | null = null;
  return log.split('\n').flatMap((line) => {
    if (word !== null) {
      if (line === `::${word}::`) word = null;
      return [];
    }
    word = /^::stop-commands::(.+)$/.exec(line)?.[1] ?? null;
    return word === null && line.startsWith('::') ? [line] : [];
  });
}

function readOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split('\n');
  for (let at = 0; at < lines.length - 1; at++) {
    const [, name, delimiter] = /^([\w-]+)<<(.+)$/.exec(lines[at]!) ?? [];
    const end = lines.indexOf(delimiter!, at + 1);
    expect(end).toBeGreaterThan(at);
    outputs[name!] = lines.slice(at + 1, end).join('\n');
    at = end;
  }
  return outputs;
}

beforeAll(() => {
  tarball = packTarball();
  execFileSync('tar', ['-xzf', tarball.file, '-C', tarball.place]);
  // as a release pushes it: the files of the package, and no installed dependency
  action = join(tarball.place, 'package');
  openOrigin();
}, 60_000);
afterAll(() => tarball.remove());

describe('the GitHub Action, from the packed tarball, without network', () => {
  it('packs a pull request from the checkout of its merge', () => {
    const { exitCode, commands, outputs, summary } = run(checkOut(2), { budget: '2k' });
    expect(commands).toEqual([]);
    expect(exitCode).toBe(0);
    expect(Object.keys(outputs)).toEqual(['package', 'comment', 'tokens', 'within-budget']);
    expect(outputs['within-budget']).toBe('true');
    const text = readFileSync(outputs.package!, 'utf8');
    expect(text).toContain('Number(a) + Number(b)');
    expect(text).toContain('## Change under review');
    // the title is the task, as text
    expect(text).toContain('touch pwned');
    expect(Number(outputs.tokens)).toBeGreaterThan(100);
    expect(Number(outputs.tokens)).toBeLessThanOrEqual(2_000);
    expect(summary).toContain('| `src/add.js` |');
    expect(readFileSync(outputs.comment!, 'utf8').trim()).toBe(summary.trim());
  });

  it('lists what uses, tests and lost the changed files', () => {
    const { exitCode, log, commands, outputs, summary } = run(checkOut(0), { mode: 'impact' });
    expect(exitCode).toBe(0);
    const impact = JSON.parse(readFileSync(outputs.package!, 'utf8'));
    expect(impact).toMatchObject({ base, deleted: ['old.txt'], tests: ['test/add.test.js'], isWithin: true });
    expect(impact.users).toEqual(['src/twice.js']);
    expect(impact.changed).toEqual([...HOSTILE_NAMES, 'src/add.js'].sort());
    expect(summary).toContain('**Uses what was changed** (1)\n\n- `src/twice.js`\n');
    // names stay inside their code spans, and the runner obeys none of them
    expect(commands).toEqual([]);
    expect(log).toContain('::stop-commands::');
    for (const line of summary.split('\n')) expect(line).not.toMatch(/^::|^y\.js/);
    const outside = summary.replaceAll(/(`+)[^\n]*?[^`]\1(?!`)/g, '');
    expect(outside).not.toMatch(/img|@everyone|error::|touch/);
    expect(summary).toContain(isWindows ? 'a`b.js' : 'src/x⟨U+000A⟩::error::y.js');
  });

  it('fails when the change does not fit, if it is asked to', () => {
    const clone = checkOut(0);
    write(clone, 'big.js', Array.from({ length: 300 }, (_, at) => `export const n${at} = ${at};\n`).join(''));
    git(clone, 'add', '--all');
    git(clone, 'commit', '--quiet', '--message=big');
    const asked = run(clone, { budget: '1000', 'fail-over-budget': 'true' });
    expect(asked.exitCode).toBe(1);
    expect(asked.outputs['within-budget']).toBe('false');
    expect(asked.commands).toEqual([
      expect.stringMatching(
        /^::error title=Loadout::The change has [\d,]+ tokens and does not fit: .*1,000 tokens/,
      ),
    ]);
    const told = run(clone, { budget: '1000' });
    expect([told.exitCode, told.outputs['within-budget']]).toEqual([0, 'false']);
    const none = run(clone, { budget: '60' });
    expect(none.commands[0]).toContain('budget: 60 has no room for a single file');
  });

  it('measures past commits, and fails below a share', () => {
    const clone = checkOut(0);
    const good = run(clone, { mode: 'eval', commits: '5', 'min-recall': '0.5' });
    expect([good.exitCode, good.commands]).toEqual([0, []]);
    expect(JSON.parse(readFileSync(good.outputs.package!, 'utf8')).summary.commits).toBeGreaterThan(0);
    expect(good.summary).toContain('| changed files among the first 10 | 100 % |');
    write(clone, 'src/zebra.js', 'export const stripes = 1;\n');
    for (let at = 0; at < 12; at++)
      write(clone, `src/shades/shade-of-grey-${at}.js`, `export const grey${at} = ${at};\n`);
    git(clone, 'add', '--all');
    git(clone, 'commit', '--quiet', '--message=one two three');
    write(clone, 'src/zebra.js', 'export const stripes = 2;\n');
    git(clone, 'commit', '--quiet', '--all', '--message=shade of grey');
    const bad = run(clone, { mode: 'eval', commits: '1', 'min-recall': '1' });
    expect(bad.exitCode).toBe(1);
    expect(bad.commands[0]).toContain('min-recall asks for 100 %25');
    const shallow = run(checkOut(1), { mode: 'eval' });
    expect(shallow.exitCode).toBe(2);
    expect(shallow.commands[0]).toContain('git fetch --unshallow');
  });

  it('says how to get a base that a shallow clone lacks', () => {
    const { exitCode, commands } = run(checkOut(1));
    expect(exitCode).toBe(2);
    expect(commands).toEqual([
      `::error title=Loadout::base: the commit "${base}" is not in the clone: this clone is shallow. Give actions/checkout "fetch-depth: 0" (or 2, for a pull request)`,
    ]);
  });

  it.each([
    [{ mode: 'packs' }, 'mode: "packs" is not known; allowed is package, impact, eval'],
    [{ 'fail-over-budget': 'yes' }, 'fail-over-budget: "yes" is not known; allowed is true, false'],
    [{ 'min-recall': '60' }, 'min-recall: "60" is not known; allowed is a share from 0 to 1'],
    [{ path: 'nowhere' }, 'path: "nowhere" is not known; allowed is a folder of the workspace'],
    [{ budget: 'much' }, '"much"'],
    [{ base: '--output=pwned' }, 'base: the commit "--output=pwned" is not in the clone'],
  ])('refuses %j', (inputs, said) => {
    const { exitCode, commands } = run(checkOut(0), inputs);
    expect(exitCode).toBe(2);
    expect(commands).toEqual([expect.stringContaining(said)]);
  });

  it('says what is missing in a copy of the sources', () => {
    const sources = join(tarball.place, 'sources');
    mkdirSync(sources);
    execFileSync('tar', ['-xzf', tarball.file, '-C', sources, '--exclude=package/dist']);
    const { exitCode, commands } = run(checkOut(1), {}, join(sources, 'package'));
    expect(exitCode).toBe(2);
    expect(commands[0]).toContain('without the built program (dist/): use a built version of the action');
  });
});

describe('action.yml', () => {
  const read = (path: string) => parse(readFileSync(join(root, path), 'utf8'));

  it('hands every input to the entry as a variable, and none to a shell', () => {
    const { inputs, outputs, runs } = read('action.yml');
    const [step, ...others] = runs.steps;
    expect(others).toEqual([]);
    expect(step.run).toBe('node "$GITHUB_ACTION_PATH/action/run.mjs"');
    const variables = Object.keys(inputs).map((name) => [
      `LOADOUT_ACTION_${name.toUpperCase().replaceAll('-', '_')}`,
      `\${{ inputs.${name} }}`,
    ]);
    expect(Object.entries(step.env)).toEqual(variables);
    const entry = readFileSync(join(root, 'action/run.mjs'), 'utf8');
    for (const name of Object.keys(inputs)) expect(entry).toContain(`given('${name}')`);
    expect(Object.keys(outputs)).toEqual(['package', 'comment', 'tokens', 'within-budget']);
  });

  it.skipIf(isWindows)('is pushed with its built program by a release', () => {
    const remote = join(tarball.place, 'someone/loadout');
    mkdirSync(remote, { recursive: true });
    git(remote, 'init', '--quiet', '--bare');
    const { steps } = read('.github/workflows/release.yml').jobs.action;
    const push = steps.at(-1);
    for (const version of ['v0.1.0', 'v0.1.1']) {
      const folder = mkdtempSync(join(tarball.place, 'release-'));
      execFileSync('cp', [tarball.file, folder]);
      execFileSync('bash', ['-e', '-c', push.run], {
        cwd: folder,
        stdio: 'pipe',
        env: {
          ...{ PATH: process.env.PATH, HOME: folder, ...push.env, GH_TOKEN: 'token' },
          ...{ GITHUB_REF_NAME: version, GITHUB_SHA: base, GITHUB_REPOSITORY: 'someone/loadout' },
          GITHUB_SERVER_URL: `file://${tarball.place}`,
        },
      });
    }
    const tags = git(remote, 'for-each-ref', '--format=%(refname:short) %(objectname)').split('\n');
    const commits = Object.fromEntries(tags.map((line) => line.split(' ') as [string, string]));
    expect(Object.keys(commits)).toEqual(['action-v0.1.0', 'action-v0.1.1', 'v0']);
    expect(commits.v0).toBe(commits['action-v0.1.1']);
    const used = join(tarball.place, 'used');
    git(tarball.place, 'clone', '--quiet', '--branch=v0', remote, used);
    expect(run(checkOut(2), {}, used).exitCode).toBe(0);
  });
});
