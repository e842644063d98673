import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGit } from '../../src/platform/git/git.ts';
import { bundleScript } from './support/bundle-script.ts';
import { gitRepository, type TestRepository } from './support/git-repository.ts';
import { openClient } from './support/open-client.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { writeFiles } from './support/write-files.ts';

/** Settings that name a program, with `RUN` where the program stands. */
const EXECUTABLE_SETTINGS: readonly (readonly [key: string, value: string])[] = [
  ['core.fsmonitor', 'RUN'],
  ['core.pager', 'RUN'],
  ['core.editor', 'RUN'],
  ['core.askPass', 'RUN'],
  ['core.sshCommand', 'RUN'],
  ['core.gitProxy', 'RUN'],
  ['core.alternateRefsCommand', 'RUN'],
  ['sequence.editor', 'RUN'],
  ['pager.log', 'RUN'],
  ['diff.external', 'RUN'],
  ['diff.evil.command', 'RUN'],
  ['diff.evil.textconv', 'RUN'],
  ['merge.evil.driver', 'RUN'],
  ['filter.evil.clean', 'RUN'],
  ['filter.evil.smudge', 'RUN'],
  ['filter.evil.required', 'true'],
  ['filter.long.process', 'RUN'],
  ['filter.od=d.clean', 'RUN'],
  ['credential.helper', '!RUN'],
  ['gpg.program', 'RUN'],
  ['gpg.ssh.program', 'RUN'],
  ['gpg.ssh.defaultKeyCommand', 'RUN'],
  ['log.showSignature', 'true'],
  ['format.pretty', '%G?'],
  ['pretty.evil', '%G?'],
  ['alias.ls-files', '!RUN'],
  ['alias.evil', '!RUN'],
  ['trailer.evil.command', 'RUN'],
  ['remote.origin.uploadpack', 'RUN'],
  ['remote.origin.url', 'ext::RUN'],
  ['remote.origin.promisor', 'true'],
  ['extensions.partialClone', 'origin'],
  ['protocol.ext.allow', 'always'],
  ['uploadpack.packObjectsHook', 'RUN'],
  ['interactive.diffFilter', 'RUN'],
  ['submodule.sub.update', '!RUN'],
  ['submodule.recurse', 'true'],
  ['diff.submodule', 'log'],
];
const HOOKS = [
  'post-index-change',
  'reference-transaction',
  'pre-auto-gc',
  'fsmonitor-watchman',
  'post-checkout',
];

interface HostileRepository extends TestRepository {
  readonly markers: string;
}

function hostileRepository(): HostileRepository {
  const markers = temporaryDirectory();
  const program = join(markers, 'program');
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${markers}/marker\n`);
  chmodSync(program, 0o755);
  const repository = gitRepository({
    'a.evil': 'a\n',
    'a.long': 'a\n',
    'a.odd': 'a\n',
    'plain.txt': 'plain\n',
    '.gitattributes': '*.evil filter=evil diff=evil merge=evil\n*.long filter=long\n*.odd filter=od=d\n',
  });
  signHead(repository);
  nestSubmodule(repository, program);
  const config = EXECUTABLE_SETTINGS.filter(([key]) => !key.startsWith('extensions'));
  for (const [key, value] of config) repository.git('config', '--add', key, value.replace('RUN', program));
  const included = join(repository.path, '.git', 'included');
  repository.git('config', '--file', included, 'filter.evil.process', program);
  repository.git('config', 'includeIf.gitdir:**.path', included);
  const hooks = join(repository.path, '.hooks');
  for (const folder of [hooks, join(repository.path, '.git/hooks')]) {
    for (const name of HOOKS) writeFiles(folder, { [name]: readFileSync(program) });
    for (const name of HOOKS) chmodSync(join(folder, name), 0o755);
  }
  repository.git('config', 'core.hooksPath', hooks);
  repository.git('config', 'core.repositoryFormatVersion', '1');
  repository.git('config', 'extensions.partialClone', 'origin');
  // An index older than what it lists makes git distrust the times and compare the content, through filters.
  for (const index of ['.git/index', '.git/modules/sub/index'])
    utimesSync(join(repository.path, index), 1e9, 1e9);
  return { ...repository, markers };
}

/** A commit that claims to be signed makes git call gpg when a command asks about signatures. */
function signHead(repository: TestRepository): void {
  const commit = repository.git('cat-file', 'commit', 'HEAD');
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ==\n -----END PGP SIGNATURE-----\n';
  const file = join(repository.path, '.git', 'signed');
  writeFileSync(file, commit.replace('\n\n', `\n${signature}\n`));
  repository.git(
    'reset',
    '--quiet',
    '--soft',
    repository.git('hash-object', '-t', 'commit', '-w', file).trim(),
  );
}

function nestSubmodule(repository: TestRepository, program: string): void {
  const inner = gitRepository({ 's.evil': 's\n', '.gitattributes': '* filter=inner\n' });
  repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'sub');
  const config = join(repository.path, '.git/modules/sub/config');
  repository.git('config', '--file', config, 'filter.inner.clean', program);
  repository.git('config', '--file', config, 'core.fsmonitor', program);
}

const EVERY_QUESTION = `
  const opening = await openGit(directory);
  if (opening.kind !== 'git') throw new Error(opening.detail);
  const { client } = opening;
  const head = await client.head();
  const tracked = await client.trackedFiles();
  await client.untrackedFiles();
  await client.modifiedFiles();
  await client.changedSince(head);
  await client.attributes(['filter', 'diff'], tracked.map((file) => file.path));
  const missing = '1'.repeat(40);
  for (const args of [
    ['log', '-p', '-n', '1'], ['log', '--pretty=evil'], ['log', '--pretty=oneline', '--raw'], ['diff-tree', '-p', '--root', head],
    ['diff-files', '-p'], ['diff-index', '-p', head], ['ls-files', '-m', '-d', '-o'], ['cat-file', '-p', missing],
    ['cat-file', '-p', head], ['rev-list', '--objects', head], ['rev-list', '--missing=error', missing], ['rev-parse', 'HEAD'],
    ['for-each-ref'], ['check-ignore', 'a.evil'], ['merge-base', head, missing], ['symbolic-ref', 'HEAD'],
    ['hash-object', 'a.evil', 'a.long'], ['ls-tree', '-r', head],
  ]) await client.run(args);
`;

type Question = (open: typeof openGit, directory: string) => Promise<void>;
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
const askEverything: Question = new AsyncFunction('openGit', 'directory', EVERY_QUESTION);

describe('a repository whose configuration names programs', () => {
  it.each([
    ['a filter', ['diff-files', '--raw', 'a.evil']],
    ['a filter with an odd name', ['diff-files', '--raw', 'a.odd']],
    ['a file system monitor', ['ls-files']],
    ['a diff program', ['log', '-p', '-n', '1', '--ext-diff', '--format=%H']],
    ['a text converter', ['log', '-p', '-n', '1', '--format=%H']],
    ['a signature check', ['log', '-n', '1']],
    ['a download of missing objects', ['cat-file', '-p', '1'.repeat(40)]],
    ['a setting of a submodule', ['diff-files', '--raw', 'sub']],
  ])('is a real trap: plain git runs %s', (_, args) => {
    const { git, path, markers } = hostileRepository();
    if (!args.includes('ls-files')) git('config', '--unset', 'core.fsmonitor');
    spawnSync('git', args, { cwd: path, timeout: 5000, stdio: 'ignore' });
    expect(readFileSync(join(markers, 'marker'), 'utf8')).toContain(markers);
  });

  it('runs none of them, whatever is asked', async () => {
    const { path, markers } = hostileRepository();
    await askEverything(openGit, path);
    const marker = join(markers, 'marker');
    expect(existsSync(marker) ? readFileSync(marker, 'utf8') : '').toBe('');
  });

  it('refuses to compare files when a filter has a name it cannot switch off', async () => {
    const { path, markers } = hostileRepository();
    const config = join(path, '.git/config');
    const section = Buffer.from(`[filter "x\xff"]\n\tclean = ${join(markers, 'program')}\n`, 'latin1');
    writeFileSync(config, Buffer.concat([readFileSync(config), section]));
    writeFileSync(join(path, '.git/info/attributes'), Buffer.from('* filter=x\xff\n', 'latin1'));
    const client = await openClient(path);
    await expect(client.modifiedFiles()).rejects.toMatchObject({ code: 'git-failed' });
    expect(existsSync(join(markers, 'marker'))).toBe(false);
  });

  it('brings no git of its own, not even through the PATH', async () => {
    const { path } = gitRepository({ 'a.ts': '' });
    const markers = temporaryDirectory();
    writeFiles(path, {
      'node_modules/.bin/git': `#!/bin/sh\ntouch ${markers}/marker\n`,
      git: `#!/bin/sh\ntouch ${markers}/marker\n`,
    });
    for (const name of ['node_modules/.bin/git', 'git']) chmodSync(join(path, name), 0o755);
    const before = process.env.PATH;
    process.env.PATH = `.::${join(path, 'node_modules/.bin')}:${path}:${before}`;
    try {
      const opening = await openGit(path);
      expect(opening.kind).toBe('git');
      if (opening.kind === 'git') expect(await opening.client.trackedFiles()).toHaveLength(1);
    } finally {
      process.env.PATH = before;
    }
    expect(existsSync(join(markers, 'marker'))).toBe(false);
  });

  const hasStrace = spawnSync('strace', ['-V']).status === 0;
  it.skipIf(!hasStrace)('starts git and nothing else, and opens no connection (by strace)', async () => {
    const { path } = hostileRepository();
    const work = temporaryDirectory();
    const script = `import { openGit } from './git/git.ts';\nconst directory = process.argv[2]!;\n${EVERY_QUESTION}`;
    const bundle = await bundleScript(script, join(work, 'questions.mjs'));
    const trace = join(work, 'trace');
    const tracing = [
      '-f',
      '-qq',
      '-s',
      '200',
      '-e',
      'trace=execve,connect',
      '-o',
      trace,
      process.execPath,
      bundle,
      path,
    ];
    const run = spawnSync('strace', tracing, { encoding: 'utf8', cwd: work });
    expect(run.stderr).toBe('');
    const calls = readFileSync(trace, 'utf8').split('\n');
    const programs = calls.flatMap((line) => /execve\("([^"]+)".*= 0$/.exec(line)?.[1] ?? []);
    expect(programs.filter((program) => program !== process.execPath && !/\/git$/.test(program))).toEqual([]);
    expect(programs.length).toBeGreaterThan(20);
    expect(calls.filter((line) => line.includes('connect('))).toEqual([]);
  });
});

describe('a misleading .git', () => {
  it('as a moved, linked or empty folder gives an answer, never a crash', async () => {
    const { path } = gitRepository({ 'a.ts': '' });
    renameSync(join(path, '.git'), join(path, 'elsewhere'));
    for (const content of [
      'gitdir: elsewhere\n',
      'gitdir: ./none',
      'gitdir:',
      'nonsense',
      '',
      'x'.repeat(100_000),
    ]) {
      writeFileSync(join(path, '.git'), content);
      const opening = await openGit(path);
      expect(opening.kind).toBe(content.includes('elsewhere') ? 'git' : 'none');
    }
  });

  it('as a folder of folders with the right names is refused', async () => {
    const path = temporaryDirectory();
    for (const name of ['HEAD', 'objects', 'refs']) mkdirSync(join(path, '.git', name), { recursive: true });
    expect(await openGit(path)).toMatchObject({ kind: 'none', reason: 'refused' });
  });
});
