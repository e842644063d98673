import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { openClient } from '../../test/security/support/open-client.ts';
import { temporaryRepository } from '../../test/support/temporary-repository.ts';
import { linksLeadingOut, readPatch } from './finish-run.ts';

async function between(before: Record<string, string>, after: Record<string, string>, gone: string[] = []) {
  const repository = temporaryRepository({ 'same.txt': 'same\n', ...before });
  const { git, write, path } = repository;
  const from = git('rev-parse', 'HEAD^{tree}').trim();
  for (const name of gone) git('rm', '--quiet', '--', name);
  for (const [name, text] of Object.entries(after)) write(name, text);
  git('add', '-A');
  const to = git('write-tree').trim();
  return {
    patch: await readPatch(await openClient(path), from, to),
    plain: git('diff', '--binary', from, to),
  };
}

describe('a patch', () => {
  it('has the names of its files, whatever they are, and is what git says', async () => {
    const names = ['-r', 'a b\nc.txt', 'ünï.txt', 'we"ird\t.txt'];
    const after = Object.fromEntries([...names, 'binary'].map((name) => [name, `\u0000${name}\n`]));
    const { patch, plain } = await between({ 'gone.txt': 'x\n', 'ünï.txt': 'old\n' }, after, ['gone.txt']);
    expect([...patch.files].sort()).toEqual([...names, 'binary', 'gone.txt'].sort());
    expect(patch.bytes!.toString()).toContain('GIT binary patch');
    expect(patch.bytes!.toString().split('diff --git')).toHaveLength(plain.split('diff --git').length);
  });

  it('names new and changed files, and is empty where nothing differs', async () => {
    expect((await between({}, { 'new.txt': 'new\n' })).patch).toMatchObject({
      files: ['new.txt'],
    });
    const { patch } = await between({ 'a.txt': 'a\n' }, {});
    expect(patch).toMatchObject({ files: [] });
    expect(patch.bytes).toHaveLength(0);
  });
});

describe('links of a patch', () => {
  /** Which of these links, with their targets, lead out of a tree that holds all of them. */
  async function leadingOut(links: Readonly<Record<string, string>>) {
    const { git, path } = temporaryRepository({ 'a/file.txt': 'x\n' });
    for (const [name, target] of Object.entries(links)) {
      const options = { cwd: path, input: target, encoding: 'utf8' } as const;
      const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], options).trim();
      git('update-index', '--add', '--cacheinfo', `120000,${blob},${name}`);
    }
    const found = await linksLeadingOut(await openClient(path), git('write-tree').trim(), Object.keys(links));
    return found.map((line) => line.slice(0, line.indexOf(' -> ')));
  }

  it('are sorted by where they lead, through other links too', async () => {
    const links = {
      'a/inside': 'file.txt',
      'a/up': '../a/./file.txt',
      'a/out': '../../elsewhere',
      absolute: '/etc/passwd',
      'over/first': '../second',
      second: '../third',
      circle: 'circle',
      'to-git': 'a/../.GIT/config',
      empty: '',
    };
    const out = ['a/out', 'absolute', 'circle', 'empty', 'over/first', 'second', 'to-git'];
    expect((await leadingOut(links)).sort()).toEqual(out);
  });

  it('lead out when they are longer than any path, and take no time', async () => {
    const links = {
      deep: 'a/'.repeat(40_000),
      long: 'x'.repeat(5_000),
      ...Object.fromEntries(
        Array.from({ length: 39 }, (_, at) => [`l${at}`, `${'b/'.repeat(1_900)}../l${at + 1}`]),
      ),
    };
    const started = process.cpuUsage();
    expect(await leadingOut(links)).toEqual(expect.arrayContaining(['deep', 'long']));
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(1_500);
  });
});
