import { describe, expect, it } from 'vitest';
import { openDoor } from '../../test/security/support/open-door.ts';
import { temporaryRepository } from '../../test/support/temporary-repository.ts';
import { readPatch } from './finish-run.ts';

async function between(before: Record<string, string>, after: Record<string, string>, gone: string[] = []) {
  const repository = temporaryRepository({ 'same.txt': 'same\n', ...before });
  const { git, write, path } = repository;
  const from = git('rev-parse', 'HEAD^{tree}').trim();
  for (const name of gone) git('rm', '--quiet', '--', name);
  for (const [name, text] of Object.entries(after)) write(name, text);
  git('add', '-A');
  const to = git('write-tree').trim();
  return { patch: await readPatch(await openDoor(path), from, to), plain: git('diff', '--binary', from, to) };
}

describe('a patch', () => {
  it('has the names of its files, whatever they are, and is what git says', async () => {
    const names = ['-r', 'a b\nc.txt', 'ünï.txt', 'we"ird\t.txt'];
    const after = Object.fromEntries([...names, 'binary'].map((name) => [name, `\u0000${name}\n`]));
    const { patch, plain } = await between({ 'gone.txt': 'x\n', 'ünï.txt': 'old\n' }, after, ['gone.txt']);
    expect([...patch.files].sort()).toEqual([...names, 'binary', 'gone.txt'].sort());
    expect(patch.hasChanges).toBe(true);
    expect(patch.bytes!.toString()).toContain('GIT binary patch');
    expect(patch.bytes!.toString().split('diff --git')).toHaveLength(plain.split('diff --git').length);
  });

  it('tells new files from changed ones, and is empty where nothing differs', async () => {
    expect((await between({}, { 'new.txt': 'new\n' })).patch).toMatchObject({
      files: ['new.txt'],
      hasChanges: false,
    });
    const { patch } = await between({ 'a.txt': 'a\n' }, {});
    expect(patch).toMatchObject({ files: [], hasChanges: false });
    expect(patch.bytes).toHaveLength(0);
  });
});
