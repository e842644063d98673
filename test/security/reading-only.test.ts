import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOOK_EVENTS } from '../../src/agents/hook-dialect.ts';
import { COMMANDS } from '../../src/surfaces/cli/command-list.ts';
import { answerHook } from '../../src/surfaces/hook/answer-hook.ts';
import { runCli } from '../support/run-cli.ts';
import { type TemporaryRepository, temporaryRepository } from '../support/temporary-repository.ts';

const TASK = 'Fix the login session';
const PATIENT = { timeout: 120_000 };

/** A repository in which everything that could be run or called is set up to leave a mark. */
function trappedRepository(): TemporaryRepository & { readonly marker: string } {
  const repository = temporaryRepository({
    'src/login.ts': 'export function openSession() {\n  return 1;\n}\n',
    'src/use.ts': "import { openSession } from './login.ts';\nopenSession();\n",
    'src/login.py': 'def login_session():\n    pass\n',
    '.gitattributes': '* filter=evil diff=evil\n',
    'package.json': '{"name":"x","scripts":{"preinstall":"RUN","test":"RUN","prepare":"RUN"}}\n',
    Makefile: 'all:\n\tRUN\n',
    '.envrc': 'RUN\n',
    '.loadout/roles/own.yaml': 'name: own\nextends: implementer\ndescription: d\ngates: [RUN]\n',
    'loadout.config.json': JSON.stringify({
      ...{ packer: 'repomix', loopGuard: 'RUN', embeddingUrl: 'http://127.0.0.1:9/v1', embeddingModel: 'm' },
    }),
  });
  const marker = join(repository.home, 'marker');
  const program = join(repository.home, 'trap');
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${marker}\n`, { mode: 0o755 });
  for (const name of [
    'package.json',
    'Makefile',
    '.envrc',
    '.loadout/roles/own.yaml',
    'loadout.config.json',
  ]) {
    const text = readFileSync(join(repository.path, name), 'utf8');
    repository.write(name, text.replaceAll('RUN', program));
  }
  repository.commit();
  for (const key of [
    'core.fsmonitor',
    'core.pager',
    'filter.evil.clean',
    'filter.evil.process',
    'diff.evil.textconv',
  ])
    repository.git('config', key, program);
  for (const key of ['diff.external', 'core.sshCommand', 'core.askPass', 'gpg.program', 'core.editor'])
    repository.git('config', key, program);
  repository.git('config', 'remote.origin.url', 'http://127.0.0.1:9/x.git');
  repository.git('config', 'remote.origin.promisor', 'true');
  for (const name of ['post-index-change', 'post-checkout', 'reference-transaction', 'fsmonitor-watchman']) {
    writeFileSync(join(repository.path, '.git/hooks', name), readFileSync(program), { mode: 0o755 });
    chmodSync(join(repository.path, '.git/hooks', name), 0o755);
  }
  return { ...repository, marker };
}

/** The arguments of each command; null for commands that write where the user asks for it, or that serve others. */
const READING: Readonly<Record<string, readonly (readonly string[])[] | null>> = {
  scan: [[], ['--mode', 'full', '--verify'], ['--history']],
  map: [[]],
  pack: [[TASK], [TASK, '--diff', 'HEAD'], ['--all', '--json']],
  rank: [[TASK, '--symbols']],
  brief: [[TASK], [TASK, '--json']],
  prompt: [[TASK, '--target', 'src/login.ts']],
  trust: [['--show'], ['--yes'], ['--revoke']],
  roles: [['list'], ['check'], ['show', 'own']],
  runs: [['list']],
  eval: [['--commits', '2', '--no-pack']],
  guardrails: [['list'], ['check', '--path', 'src/login.ts']],
  gap: [['--package', '4f1c22ab90d3e617', '--task', TASK, 'a file']],
  settings: [[]],
  store: [['status']],
  doctor: [[]],
  stats: [[], ['--json']],
  completion: [['bash']],
  uninstall: [['--dry-run']],
  inspect: [[TASK, '--static', join(tmpdir(), `loadout-inspect-${process.pid}.html`)]],
  // these have tests of their own
  ...{ run: null, loop: null, init: null, mcp: null, serve: null, hook: null, config: null },
};

const environmentOf = ({ home }: TemporaryRepository) => ({
  HOME: home,
  LOADOUT_CONFIG_DIR: join(home, 'config'),
});

/** Every file and folder with its content, rights and times, the git directory included. */
function stateOf(folder: string): Readonly<Record<string, string>> {
  const state: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    const stats = lstatSync(path, { bigint: true });
    const content = stats.isSymbolicLink()
      ? readlinkSync(path)
      : stats.isFile()
        ? readFileSync(path, 'latin1')
        : '';
    state[name] = [stats.mode, stats.mtimeNs, stats.ctimeNs, stats.ino, content].join(' ');
  }
  return state;
}

describe('commands that read', () => {
  it('every command is known to read, or to write where it is asked to', () => {
    expect(Object.keys(READING).sort()).toEqual([...COMMANDS.keys()].sort());
  });

  it('write nothing into the repository, not even into its git directory', PATIENT, async () => {
    const repository = trappedRepository();
    const before = stateOf(repository.path);
    for (const [command, calls] of Object.entries(READING))
      for (const words of calls ?? []) {
        const argv = ['--repo', repository.path, command, ...words];
        const run = await runCli(argv, { cache: repository.cache, env: environmentOf(repository) });
        expect({ argv, signal: run.signal, bug: run.stderr.includes('at file:') }).toEqual({
          argv,
          signal: null,
          bug: false,
        });
        expect({ argv, state: stateOf(repository.path) }).toEqual({ argv, state: before });
      }
    expect(existsSync(repository.marker)).toBe(false);
  });

  it('neither does any event of a hook', PATIENT, async () => {
    const repository = trappedRepository();
    const before = stateOf(repository.path);
    const environment = { ...environmentOf(repository), LOADOUT_CACHE_DIR: repository.cache };
    for (const event of HOOK_EVENTS) {
      const tool_input = { prompt: TASK, file_path: 'src/login.ts' };
      const input = { session_id: 's', cwd: repository.path, prompt: TASK, source: 'compact', tool_input };
      await answerHook(
        event,
        { ...input, tool_name: event === 'post-tool-use' ? 'Read' : 'Task', tool_use_id: event },
        {
          ...{ client: 'claude', environment: { ...environment, LOADOUT_WARM_SERVER: 'running' } },
          ...{ cwd: repository.path, signal: new AbortController().signal },
        },
      );
      expect({ event, state: stateOf(repository.path) }).toEqual({ event, state: before });
    }
    expect(existsSync(repository.marker)).toBe(false);
  });

  it('--ast-context writes below its own folder and nowhere else', PATIENT, async () => {
    const repository = trappedRepository();
    const scan = (...words: string[]) =>
      runCli(['--repo', repository.path, 'scan', '--ast-context', ...words], {
        cache: repository.cache,
        env: environmentOf(repository),
      });
    const before = stateOf(repository.path);
    const outside = join(repository.home, 'ast');
    expect((await scan(outside)).exitCode).toBe(0);
    expect(readdirSync(outside).length).toBeGreaterThan(0);
    expect(stateOf(repository.path)).toEqual(before);
    expect((await scan()).exitCode).toBe(0);
    const isNew = (name: string) => !(name in before);
    const after = stateOf(repository.path);
    expect(Object.keys(after).filter(isNew).length).toBeGreaterThan(1);
    for (const name of Object.keys(after).filter(isNew))
      expect(name).toMatch(/^\.loadout\/ast-context(\/|$)/);
    // the time of the folder around it is all that changed
    const kept = Object.entries(before).filter(([name]) => name !== '.loadout');
    for (const [name, state] of kept) expect(after[name], name).toBe(state);
  });

  it.skipIf(spawnSync('strace', ['-V']).status !== 0)(
    'start git and our own workers, nothing else, and open no connection (by strace)',
    PATIENT,
    async () => {
      const repository = trappedRepository();
      const trace = join(repository.home, 'trace');
      const under = ['strace', '-f', '-qq', '-s', '200', '-e', 'trace=execve,connect', '-o', trace];
      for (const [command, ...words] of [
        ['scan'],
        ['map'],
        ['rank', TASK],
        ['brief', TASK],
        ['pack', TASK],
        ['prompt', TASK],
      ]) {
        repository.write('src/changed.ts', `export const ${command} = 1;\n`);
        const { exitCode } = await runCli(['--repo', repository.path, command!, ...words], {
          cache: repository.cache,
          env: environmentOf(repository),
          under,
        });
        expect({ command, exitCode }).toEqual({ command, exitCode: 0 });
        const calls = readFileSync(trace, 'utf8').split('\n');
        const programs = calls.flatMap((line) => /execve\("([^"]+)".*= 0$/.exec(line)?.[1] ?? []);
        expect(programs.filter((program) => program !== process.execPath && !/\/git$/.test(program))).toEqual(
          [],
        );
        expect(programs.some((program) => /\/git$/.test(program))).toBe(true);
        expect(programs.some((program) => program.startsWith(repository.path))).toBe(false);
        expect(calls.filter((line) => /connect\(.*AF_INET/.test(line))).toEqual([]);
      }
      expect(existsSync(repository.marker) ? readFileSync(repository.marker, 'utf8') : '').toBe('');
    },
  );
});

describe('the git that is called', () => {
  const answers = async (repository: TemporaryRepository, env: Readonly<Record<string, string>> = {}) => {
    const cache = join(repository.home, `cache${Object.keys(env).length}`);
    mkdirSync(cache);
    const run = await runCli(['--repo', repository.path, 'rank', TASK, '--json'], {
      cache,
      env: { ...environmentOf(repository), ...env },
    });
    const { files, diagnostics } = JSON.parse(run.stdout) as {
      files: unknown;
      diagnostics: { code: string }[];
    };
    return { files, codes: diagnostics.map(({ code }) => code) };
  };

  it('gets no GIT_ variable of its caller', async () => {
    const repository = trappedRepository();
    const { home, marker } = repository;
    const expected = await answers(repository);
    const other = temporaryRepository({ 'other.ts': 'export const login = 1;\n' });
    const trap = join(home, 'trap');
    mkdirSync(join(home, 'exec'));
    writeFileSync(join(home, 'exec/git-ls-files'), readFileSync(trap), { mode: 0o755 });
    const hostile = {
      GIT_DIR: join(other.path, '.git'),
      GIT_WORK_TREE: other.path,
      GIT_INDEX_FILE: join(other.path, '.git/index'),
      GIT_OBJECT_DIRECTORY: join(other.path, '.git/objects'),
      GIT_CEILING_DIRECTORIES: repository.path,
      GIT_EXEC_PATH: join(home, 'exec'),
      GIT_CONFIG_GLOBAL: join(home, 'evil-config'),
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: trap,
      GIT_EXTERNAL_DIFF: trap,
      GIT_PAGER: trap,
      GIT_SSH_COMMAND: trap,
      GIT_ASKPASS: trap,
      GIT_TRACE: join(home, 'traced'),
    };
    writeFileSync(hostile.GIT_CONFIG_GLOBAL, `[core]\n\tfsmonitor = ${trap}\n`);
    // a plain git falls for them
    spawnSync('git', ['status'], {
      cwd: repository.path,
      env: { ...process.env, ...hostile },
      stdio: 'ignore',
    });
    expect(existsSync(hostile.GIT_TRACE)).toBe(true);
    execFileSync('rm', ['-f', hostile.GIT_TRACE, marker]);
    expect(await answers(repository, hostile)).toEqual(expected);
    expect([existsSync(hostile.GIT_TRACE), existsSync(marker)]).toEqual([false, false]);
  });

  it('is not used when it is older than 2.31: files are found by walking the tree', async () => {
    const repository = temporaryRepository({
      'src/login.ts': 'export const login = 1;\n',
      '.gitignore': 'out\n',
    });
    repository.write('out/login.ts', 'export const login = 2;\n');
    const bin = join(repository.home, 'bin');
    mkdirSync(bin);
    // an older git gives back the option that it does not know, as one more line
    const old = `#!/bin/sh
case " $* " in
  *" rev-parse "*) printf '%s\\n' ${repository.path} ${repository.path}/.git --path-format=absolute .git;;
  *) echo "$*" >> ${join(repository.home, 'asked')};;
esac
`;
    writeFileSync(join(bin, 'git'), old, { mode: 0o755 });
    const PATH = `${bin}${delimiter}${process.env.PATH}`;
    const { files, codes } = await answers(repository, { PATH });
    expect(files).toMatchObject([{ path: 'src/login.ts' }]);
    expect(codes).toContain('refused');
    const asked = join(repository.home, 'asked');
    const commands = existsSync(asked) ? readFileSync(asked, 'utf8') : '';
    expect(commands.split('\n').filter((line) => !/ config |^$/.test(line))).toEqual([]);
  });
});
