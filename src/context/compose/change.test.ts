import { symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { settingsFor } from '../../../test/support/scan-kit.ts';
import { temporaryFolder, temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { openGit } from '../../platform/git/git.ts';
import { SHOP_FILES } from '../pack/pack-fixture.test-kit.ts';
import { buildPackage } from '../pack.ts';
import { changedPaths, readChange } from './change.ts';

async function gitAt(path: string) {
  const opening = await openGit(path);
  return opening.kind === 'git' ? opening.client : null;
}

it("separates files by git's own list, renames and odd names included", async () => {
  const { path, write, git } = temporaryRepository({
    'a.txt': 'one\ntwo\nthree\n',
    'aa.txt': 'only touched\n',
    'old name.txt': 'x\n'.repeat(20),
    'sub/näme "q".txt': '1\n',
    'gone.txt': 'bye\n',
  });
  write('a.txt', 'one\n2\nthree\n');
  utimesSync(`${path}/aa.txt`, 1, 1);
  write('sub/näme "q".txt', '2\n');
  git('mv', 'old name.txt', 'new\tname.txt');
  git('rm', '--quiet', 'gone.txt');
  const client = await gitAt(path);
  const change = await readChange(client, path, { base: 'HEAD' });
  expect(change.map((one) => one.path)).toEqual(['a.txt', 'gone.txt', 'new\tname.txt', 'sub/näme "q".txt']);
  expect(change[0]!.text).toContain('-two\n+2\n');
  expect(change[3]!.text).toContain('-1\n+2\n');
  const staged = await readChange(client, path, { base: 'HEAD', staged: true });
  expect(staged.map((one) => one.path)).toEqual(['gone.txt', 'new\tname.txt']);
  const below = await readChange(client, `${path}/sub`, { base: 'HEAD' });
  expect(below.map((one) => one.path)).toEqual(['näme "q".txt']);
});

it('compares with the commit where the work left the base, and refuses a name that is not a commit', async () => {
  const { path, write, git, commit } = temporaryRepository({ 'a.txt': '1\n', 'b.txt': '1\n' });
  git('checkout', '--quiet', '-b', 'work');
  write('a.txt', '2\n');
  commit();
  git('checkout', '--quiet', 'main');
  write('b.txt', '2\n');
  commit();
  git('checkout', '--quiet', 'work');
  const client = await gitAt(path);
  const change = await readChange(client, path, { base: 'main' });
  expect(change.map((one) => one.path)).toEqual(['a.txt']);
  for (const base of ['nowhere', '--output=/tmp/x', ''])
    await expect(readChange(client, path, { base })).rejects.toMatchObject({ code: 'bad-base' });
  await expect(readChange(client, path, { base: 'HEAD', since: '1990-01-01' })).rejects.toMatchObject({
    code: 'bad-base',
  });
  await expect(readChange(null, temporaryFolder().path, { base: 'HEAD' })).rejects.toMatchObject({
    code: 'no-git',
  });
});

it('is packed with its files, their tests and the files that use them', async () => {
  const { path, cache, write } = temporaryRepository(SHOP_FILES);
  const before = SHOP_FILES['src/auth/session.ts']!;
  write('src/auth/session.ts', before.replace("this.#token = '';\n  }\n}", "this.#token = 'none';\n  }\n}"));
  const settings = settingsFor(cache, { tokenBudget: 3_000 });
  const { pack, text } = await buildPackage({ repo: path, settings, task: '', change: { base: 'HEAD' } });
  expect(pack.diff).toContain("+    this.#token = 'none';");
  expect(text).toContain('## Change under review\n```diff\n');
  expect(pack.items[0]).toMatchObject({ path: 'src/auth/session.ts', source: 'target', reason: 'changed' });
  expect(pack.items[0]!.symbols).toContain('logOut');
  const reasons = new Map(pack.items.map((item) => [item.path, item.reason]));
  expect(reasons.get('test/session.test.ts')).toBe('tests what was changed');
  expect(reasons.get('src/checkout/basket.ts')).toBe('uses what was changed');
  const small = await buildPackage({
    repo: path,
    settings: { ...settings, tokenBudget: 300 },
    task: '',
    change: { base: 'HEAD' },
  });
  expect(small.pack.tokenCount).toBeLessThanOrEqual(300);
});

it('shows new files on disk as git would after adding them', async () => {
  const { path, write, git } = temporaryRepository({ 'a.txt': '1\n', '.gitignore': 'skip.txt\n' });
  write('new "file".txt', 'one\ntwo');
  write('empty.txt', '');
  write('sub/deep.txt', 'deep\n');
  write('skip.txt', 'no\n');
  write('image.png', Buffer.from([0, 1, 2, 0]));
  const client = await gitAt(path);
  const change = await readChange(client, path, { base: 'HEAD' });
  const names = ['empty.txt', 'image.png', 'new "file".txt', 'sub/deep.txt'];
  expect(change.map((one) => one.path)).toEqual(names);
  expect(change[3]!.spans).toEqual([{ startLine: 1, endLine: 1 }]);
  git('add', '--all');
  const added = await readChange(client, path, { base: 'HEAD', staged: true });
  const withoutIndex = (text: string) => text.replace(/^index .*\n/m, '');
  expect(change.map(({ text }) => text)).toEqual(added.map(({ text }) => withoutIndex(text)));
  expect(await readChange(client, `${path}/sub`, { base: 'HEAD' })).toHaveLength(1);
});

it.each([
  ['a file', (path: string, other: string) => writeFileSync(`${path}/.git`, `gitdir: ${other}/.git\n`)],
  ['a link', (path: string, other: string) => symlinkSync(`${other}/.git`, `${path}/.git`)],
])('shows nothing of another repository that .git leads to, and says why: %s', async (_, lead) => {
  const other = temporaryRepository({ 'a.txt': 'committed in the other\n' });
  other.write('a.txt', 'staged in the other\n');
  other.git('add', '--all');
  const { path, cache } = temporaryFolder({ 'a.txt': 'mine\n' });
  lead(path, other.path);
  for (const change of [{ base: 'HEAD' }, { base: 'HEAD', staged: true }])
    await expect(
      buildPackage({ repo: path, task: 'x', settings: settingsFor(cache), change }),
    ).rejects.toMatchObject({ code: 'no-git', message: expect.stringContaining('another repository') });
});

it('the output of Loadout is never part of a change, wherever it was written', async () => {
  const { path, write, git } = temporaryRepository({ 'a.txt': '1\n', 'sub/b.txt': '1\n' });
  for (const own of [
    '.loadout/ast-context/src/ast_context.json',
    'build/ast/src/ast_context.json',
    '.loadout/loop/state/tree.json',
    '.loadout/runs/20240101-000000-00000000/run.json',
    'sub/.loadout/loop/state/tree.json',
  ])
    write(own, '{}\n');
  write('.loadout/roles/mine.yaml', 'name: mine\n');
  write('a.txt', '2\n');
  write('sub/runs/new.txt', '1\n');
  const client = await gitAt(path);
  const changed = ['.loadout/roles/mine.yaml', 'a.txt', 'sub/runs/new.txt'];
  const paths = async (options = {}) =>
    (await readChange(client, path, { base: 'HEAD', ...options })).map((one) => one.path);
  expect(await paths()).toEqual(changed);
  expect(await changedPaths(client, path, 'HEAD')).toEqual(changed);
  git('add', '--all', '--force');
  expect(await paths({ staged: true })).toEqual(changed);
  expect(await changedPaths(client, path, 'HEAD')).toEqual(changed);
  expect((await readChange(client, `${path}/sub`, { base: 'HEAD' })).map((one) => one.path)).toEqual([
    'runs/new.txt',
  ]);
});
