import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { asNobody } from '../../../test/support/as-nobody.ts';
import type { FileEntry } from '../../model/file-entry.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { type Discovery, discoverFiles } from './discover-files.ts';
import {
  cpuMilliseconds,
  detect,
  discoverByWalk,
  discoverWithGit,
  git,
  gitClient,
  initRepository,
  pathsOf,
  temporaryTree,
  write,
} from './temporary-tree.test-kit.ts';

function entry(discovery: Discovery, path: string): FileEntry {
  const found = discovery.files.find((file) => file.path === path);
  if (found === undefined) throw new Error(`${path} is not listed: ${pathsOf(discovery).join(', ')}`);
  return found;
}

function skips(discovery: Discovery): Record<string, string | null> {
  return Object.fromEntries(discovery.files.map((file) => [file.path, file.skip]));
}

function committed(files: Readonly<Record<string, string>>): string {
  const tree = temporaryTree();
  initRepository(tree);
  write(tree, files);
  git(tree, ['add', '-A']);
  git(tree, ['commit', '-q', '-m', 'first']);
  return tree;
}

describe('both ways', () => {
  const ways = [
    ['git', discoverWithGit],
    ['walk', discoverByWalk],
  ] as const;

  test.each(ways)('%s: an empty directory is an empty list', async (source, discover) => {
    const tree = temporaryTree();
    if (source === 'git') initRepository(tree);
    expect(await discover(tree)).toMatchObject({ files: [], source, diagnostics: [] });
  });

  test.each(ways)(
    '%s: files are sorted by code unit and carry size, hint and language',
    async (_, discover) => {
      const tree = committed({
        'b.ts': 'let b;',
        'B.ts': '',
        'a/z.ts': '',
        'a.ts': '',
        'a-b.ts': '',
        run: '#!/bin/sh\n',
      });
      const found = await discover(tree);
      expect(pathsOf(found)).toEqual(['B.ts', 'a-b.ts', 'a.ts', 'a/z.ts', 'b.ts', 'run']);
      expect(entry(found, 'b.ts')).toMatchObject({ language: 'typescript', size: 6, skip: null });
      expect(entry(found, 'b.ts').hint).toMatchObject({ size: 6 });
      expect(entry(found, 'run').language).toBe('shell');
    },
  );

  test.each(ways)('%s: a file that is not read says why', async (_, discover) => {
    const tree = committed({
      'big.ts': 'x'.repeat(11),
      'logo.PNG': 'x',
      'icon.svg': '<svg/>',
      'ten.ts': 'x'.repeat(10),
    });
    symlinkSync('/', join(tree, 'link'));
    symlinkSync('ten.ts', join(tree, 'link.ts'));
    expect(skips(await discover(tree, { maxFileBytes: 10 }))).toEqual({
      'big.ts': 'too-large',
      'icon.svg': null,
      link: 'symlink',
      'link.ts': 'symlink',
      'logo.PNG': 'binary',
      'ten.ts': null,
    });
  });

  test.each(ways)('%s: a pipe called package.json is reported and does not block', async (_, discover) => {
    const tree = committed({ 'package.json': '{}', '.loadoutignore': 'x', 'a.ts': '' });
    for (const name of ['package.json', '.loadoutignore']) {
      rmSync(join(tree, name));
      execFileSync('mkfifo', [join(tree, name)]);
    }
    const found = await discover(tree);
    expect(skips(found)).toEqual({
      '.loadoutignore': 'not-a-regular-file',
      'a.ts': null,
      'package.json': 'not-a-regular-file',
    });
  });

  test.each(ways)('%s: link cycles and links to the outside cost nothing', async (_, discover) => {
    const tree = committed({ 'a/b/c.ts': '' });
    for (let i = 0; i < 998; i += 1) symlinkSync('..', join(tree, `a/b/up-${i}`));
    symlinkSync('/', join(tree, 'a/root'));
    symlinkSync('self', join(tree, 'self'));
    expect(await cpuMilliseconds(() => discover(tree))).toBeLessThan(2_000);
    const found = await discover(tree);
    expect(found.files.filter((file) => file.skip === 'symlink')).toHaveLength(1_000);
    expect(found.files.filter((file) => file.skip === null).map((file) => file.path)).toEqual(['a/b/c.ts']);
  });

  test.each(ways)('%s: over the file limit the rest is marked, with one notice', async (_, discover) => {
    const tree = committed({ 'a.ts': '', 'b.png': '', 'c.ts': '', 'd.ts': '', 'e.ts': '' });
    const found = await discover(tree, { maxFiles: 2 });
    expect(skips(found)).toMatchObject({
      'a.ts': null,
      'b.png': 'binary',
      'c.ts': null,
      'd.ts': 'limit-reached',
    });
    expect(found.diagnostics).toEqual([
      {
        code: 'file-limit-reached',
        severity: 'warning',
        message: '2 of 4 files are left out: the limit is 2 files',
      },
    ]);
  });

  test.each(ways)(
    '%s: .loadoutignore works like .gitignore, in any folder, on top of it',
    async (_, discover) => {
      const tree = committed({
        '.gitignore': '*.log\n',
        '.loadoutignore': '/data/\n*.gen.ts\n!keep.gen.ts\n',
        'data/a.ts': '',
        'sub/data/a.ts': '',
        'x.gen.ts': '',
        'keep.gen.ts': '',
        'sub/.loadoutignore': '!x.gen.ts\nsecret.ts\n',
        'sub/x.gen.ts': '',
        'sub/secret.ts': '',
        'secret.ts': '',
        'a.log': '',
      });
      expect(pathsOf(await discover(tree))).toEqual([
        '.gitignore',
        '.loadoutignore',
        'keep.gen.ts',
        'secret.ts',
        'sub/.loadoutignore',
        'sub/data/a.ts',
        'sub/x.gen.ts',
      ]);
    },
  );

  test.each(ways)('%s: include and exclude choose', async (_, discover) => {
    const tree = committed({ 'src/a.ts': '', 'src/a.test.ts': '', 'lib/b.ts': '', 'README.md': '' });
    const chosen = await discover(tree, { include: ['src/', '*.md'], exclude: ['*.test.ts'] });
    expect(pathsOf(chosen)).toEqual(['README.md', 'src/a.ts']);
    await expect(discover(tree, { include: ['@(a|b)'] })).rejects.toMatchObject({
      code: 'bad-glob',
      subject: '@(a|b)',
    });
  });

  test.each(ways)('%s: a repository inside the repository is a boundary', async (_, discover) => {
    const tree = committed({ 'a.ts': '' });
    write(tree, { 'inner/b.ts': '', 'stray/.git/nothing': '', 'stray/c.ts': '' });
    initRepository(join(tree, 'inner'));
    git(join(tree, 'inner'), ['add', '-A']);
    git(join(tree, 'inner'), ['commit', '-q', '-m', 'inner']);
    const found = await discover(tree);
    expect(skips(found)).toEqual({ 'a.ts': null, inner: 'submodule', 'stray/c.ts': null });
    expect(found.diagnostics).toMatchObject([{ code: 'nested-repository', severity: 'info' }]);
  });

  test.each(ways)('%s: names that look the same stay two files', async (_, discover) => {
    const tree = committed({ 'caf\u00e9.ts': '1', 'cafe\u0301.ts': '22', 'A.ts': '', 'a.ts': '' });
    const found = await discover(tree);
    expect(entry(found, 'caf\u00e9.ts').size).toBe(1);
    expect(entry(found, 'cafe\u0301.ts').size).toBe(2);
    expect(found.files).toHaveLength(4);
  });
});

describe('with git', () => {
  test('the blob is given for clean files only', async () => {
    const tree = committed({ 'clean.ts': 'a', 'changed.ts': 'b', 'hidden.ts': 'c' });
    git(tree, ['update-index', '--assume-unchanged', 'hidden.ts']);
    write(tree, { 'changed.ts': 'bb', 'hidden.ts': 'cc', 'new.ts': 'd' });
    const found = await discoverWithGit(tree);
    expect(entry(found, 'clean.ts').gitBlob).toBe('2e65efe2a145dda7ee51d1741299f848e5bf752e');
    for (const path of ['changed.ts', 'hidden.ts', 'new.ts']) expect(entry(found, path).gitBlob).toBeNull();
  });

  test('a tracked folder that became a link is gone, also where git was told not to look', async () => {
    const outside = temporaryTree();
    write(outside, { 'a.ts': 'outside', 'b.ts': 'outside' });
    const tree = committed({ 'folder/a.ts': 'inside', 'folder/b.ts': 'inside', 'c.ts': '' });
    git(tree, ['update-index', '--skip-worktree', 'folder/b.ts']);
    rmSync(join(tree, 'folder'), { recursive: true });
    symlinkSync(outside, join(tree, 'folder'));
    expect(skips(await discoverWithGit(tree))).toEqual({ 'c.ts': null, folder: 'symlink' });
  });

  test('a sub-folder as the root lists the files below it', async () => {
    const tree = committed({
      '.gitignore': 'out/\n',
      '.gitattributes': 'pkg/gen.ts linguist-generated\n',
      'pkg/a.ts': 'a',
      'pkg/gen.ts': '',
      'pkg-b/b.ts': '',
    });
    write(tree, { 'pkg/new.ts': '', 'pkg/out/x.ts': '' });
    const found = await discoverWithGit(join(tree, 'pkg'));
    expect(found.source).toBe('git');
    expect(pathsOf(found)).toEqual(['a.ts', 'gen.ts', 'new.ts']);
    expect(entry(found, 'a.ts').gitBlob).not.toBeNull();
    expect(entry(found, 'gen.ts').classification.generated).toBe(true);
  });

  test('an ignored folder as the root is walked', async () => {
    const tree = committed({ '.gitignore': 'out/\n' });
    write(tree, { 'out/x.ts': '' });
    const found = await discoverWithGit(join(tree, 'out'));
    expect(found).toMatchObject({ source: 'walk', diagnostics: [{ code: 'folder-ignored' }] });
    expect(pathsOf(found)).toEqual(['x.ts']);
  });

  test('a linked work tree is scanned as a repository', async () => {
    const tree = committed({ 'a.ts': '' });
    const worktree = join(realpathSync(temporaryTree()), 'copy');
    git(tree, ['worktree', 'add', '-q', worktree]);
    write(worktree, { 'b.ts': '' });
    const found = await discoverWithGit(worktree);
    expect(found.source).toBe('git');
    expect(pathsOf(found)).toEqual(['a.ts', 'b.ts']);
    expect(pathsOf(await discoverByWalk(worktree))).toEqual(['a.ts', 'b.ts']);
  });

  test('a submodule is a boundary', async () => {
    const library = committed({ 'lib.ts': '' });
    const tree = committed({ 'a.ts': '' });
    git(tree, ['submodule', '--quiet', 'add', library, 'deps/library']);
    const found = await discoverWithGit(tree);
    expect(skips(found)).toEqual({ '.gitmodules': null, 'a.ts': null, 'deps/library': 'submodule' });
    expect(skips(await discoverByWalk(tree))).toEqual(skips(found));
  });

  test('attributes have the last word', async () => {
    const tree = committed({
      '.gitattributes': [
        '/api/*.ts linguist-generated',
        'vendor/own/** -linguist-vendored',
        'manual/** linguist-documentation=true',
        '*.dump binary',
        '*.ts -diff',
        'a.ts diff',
      ].join('\n'),
      'api/client.ts': '',
      'vendor/own/x.json': '',
      'manual/page.json': '',
      'all.dump': '',
      'a.ts': '',
      'other.ts': '',
    });
    const found = await discoverWithGit(tree);
    const classOf = (path: string) => entry(found, path).classification;
    expect(classOf('api/client.ts')).toMatchObject({
      generated: true,
      reasons: ['generated: .gitattributes says linguist-generated'],
    });
    expect(classOf('vendor/own/x.json').vendored).toBe(false);
    expect(classOf('manual/page.json').role).toBe('docs');
    expect(entry(found, 'all.dump').skip).toBe('binary');
    expect(classOf('other.ts')).toMatchObject({
      generated: true,
      reasons: ['generated: .gitattributes says -diff'],
    });
    expect(classOf('a.ts').generated).toBe(false);
  });

  test('attributes by macro, by quoted pattern, in and above a sub-folder', async () => {
    const tree = committed({
      '.gitattributes': '[attr]made linguist-generated\n"with space.ts" made\n',
      'with space.ts': '',
      'pkg/with space.ts': '',
      'pkg/.gitattributes': 'own.ts linguist-vendored\n',
      'pkg/own.ts': '',
      'own.ts': '',
    });
    const whole = await discoverWithGit(tree);
    expect(whole.files.filter((file) => file.classification.generated).map((file) => file.path)).toEqual([
      'pkg/with space.ts',
      'with space.ts',
    ]);
    expect(entry(whole, 'pkg/own.ts').classification.vendored).toBe(true);
    expect(entry(whole, 'own.ts').classification.vendored).toBe(false);
    const part = await discoverWithGit(join(tree, 'pkg'));
    expect(entry(part, 'with space.ts').classification.generated).toBe(true);
    expect(entry(part, 'own.ts').classification.vendored).toBe(true);
  });

  test('a broken index is reported, and the files are listed without git', async () => {
    const tree = committed({ 'a.ts': '' });
    const client = await gitClient(tree);
    writeFileSync(join(tree, '.git/index'), 'not an index');
    const options = { include: [], exclude: [], maxFileBytes: 1_000, maxFiles: 10 };
    const found = await discoverFiles(openSafeRoot(tree), client, detect, options);
    expect(found).toMatchObject({
      source: 'walk',
      diagnostics: [{ code: 'git-listing-failed', severity: 'warning' }],
    });
    expect(pathsOf(found)).toEqual(['a.ts']);
  });
});

describe('what git hides', () => {
  test('untracked pipes are listed with the reason, ignored and excluded ones are not', async () => {
    const tree = committed({
      'a.ts': '',
      'lib/b.ts': '',
      '.gitignore': 'ignored*\n',
      '.loadoutignore': 'mine\n',
    });
    mkdirSync(join(tree, 'only-pipes'));
    mkdirSync(join(tree, 'ignored-folder'));
    const pipes = ['p.ts', 'lib/p', 'only-pipes/p', 'ignored.ts', 'ignored-folder/p', 'mine', 'not-wanted'];
    execFileSync('mkfifo', pipes, { cwd: tree });
    const found = await discoverWithGit(tree, { exclude: ['not-wanted'] });
    expect(Object.entries(skips(found)).filter(([, skip]) => skip !== null)).toEqual(
      ['lib/p', 'only-pipes/p', 'p.ts'].map((path) => [path, 'not-a-regular-file']),
    );
    expect(found.diagnostics).toEqual([]);
  });

  test('folders without permission are reported, tracked or not', async () => {
    const tree = committed({ 'a.ts': '', 'tracked/b.ts': '', '.gitignore': 'ignored\n' });
    write(tree, { 'closed/c.ts': '', 'ignored/d.ts': '' });
    const folders = ['tracked', 'closed', 'ignored'].map((name) => join(tree, name));
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', '65534', tree]);
    vi.stubEnv('HOME', tree);
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const folder of folders) chmodSync(folder, 0);
    const found = await asNobody(() => discoverWithGit(tree));
    for (const folder of folders) chmodSync(folder, 0o755);
    expect(found.source).toBe('git');
    expect(pathsOf(found)).toEqual(['.gitignore', 'a.ts']);
    expect(found.diagnostics).toMatchObject([
      { code: 'folder-unreadable', message: '2 folders (closed, tracked) could not be read' },
    ]);
  });
});

describe('walking', () => {
  test('a folder without permission is reported', async () => {
    const tree = temporaryTree();
    write(tree, { 'a.ts': '', 'closed/b.ts': '' });
    chmodSync(tree, 0o755);
    chmodSync(join(tree, 'closed'), 0);
    const found = await asNobody(() => discoverByWalk(tree));
    chmodSync(join(tree, 'closed'), 0o755);
    expect(pathsOf(found)).toEqual(['a.ts']);
    expect(found.diagnostics).toMatchObject([
      { code: 'folder-unreadable', message: '1 folder (closed) could not be read' },
    ]);
  });

  test('folders of installed packages are left out, and a note says so', async () => {
    const tree = temporaryTree();
    write(tree, { 'node_modules/a/index.ts': '', 'app/.venv/x.py': '', 'b.ts': '' });
    const found = await discoverByWalk(tree);
    expect(pathsOf(found)).toEqual(['b.ts']);
    expect(found.diagnostics).toMatchObject([{ code: 'packages-left-out' }]);
  });

  test('excluded folders are not entered', async () => {
    const tree = temporaryTree();
    write(tree, { 'build/a/index.ts': '', 'b.ts': '' });
    const root = openSafeRoot(tree);
    const entered: string[] = [];
    const list = (folder: string) => {
      entered.push(folder);
      return root.list(folder);
    };
    const options = { include: [], exclude: ['build'], maxFileBytes: 1_000, maxFiles: 10 };
    const found = await discoverFiles({ ...root, list }, null, detect, options);
    expect(pathsOf(found)).toEqual(['b.ts']);
    expect(entered).toEqual(['']);
  });

  test('a huge tree is cut off after twice the limit', async () => {
    const tree = temporaryTree();
    write(tree, { 'a/1.ts': '', 'a/2.ts': '', 'b/1.ts': '', 'c/d/1.ts': '' });
    const found = await discoverByWalk(tree, { maxFiles: 1 });
    expect(skips(found)).toEqual({ 'a/1.ts': null, 'a/2.ts': 'limit-reached' });
    expect(found.diagnostics.map(({ code }) => code)).toEqual(['listing-cut-off', 'file-limit-reached']);
  });
});
