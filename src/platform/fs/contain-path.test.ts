import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/security/support/temporary-directory.ts';
import { writeFiles } from '../../../test/security/support/write-files.ts';
import { openSafeRoot } from './safe-root.ts';

function tree() {
  const parent = temporaryDirectory();
  writeFiles(parent, { 'repo/src/a.ts': '', 'repo-evil/x': '', 'outside/secret': '' });
  const path = join(parent, 'repo');
  return { parent, path, root: openSafeRoot(path) };
}

describe('SafeRoot.contain', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src//a.ts', 'src/a.ts'],
    ['src/../src/a.ts', 'src/a.ts'],
    ['src/', 'src'],
    ['.', ''],
    ['', ''],
    ['not/yet/there.ts', 'not/yet/there.ts'],
    ['not/../src', 'src'],
    ['%2e%2e/x', '%2e%2e/x'],
    ['...', '...'],
    ['./~', '~'],
    ['a\nb', 'a\nb'],
    ['src/a.ts/x', 'src/a.ts/x'],
  ])('takes %j for %j', (typed, expected) => {
    expect(tree().root.contain(typed)).toBe(expected);
  });

  it.each([
    '..',
    '../outside',
    'src/../../repo-evil/x',
    '/',
    '/etc/passwd',
    '~',
    '~/x',
    '~root/x',
    'a\0b',
    'C:\\x',
    'c:/x',
    '\\\\host\\x',
  ])('refuses %j', (typed) => {
    expect(() => tree().root.contain(typed)).toThrow(expect.objectContaining({ code: 'path-outside-root' }));
  });

  it('starts from the working directory', () => {
    const { path, parent, root } = tree();
    expect(root.contain('a.ts', join(path, 'src'))).toBe('src/a.ts');
    expect(root.contain('../x', join(path, 'src'))).toBe('x');
    expect(root.contain('repo/src', parent)).toBe('src');
    expect(() => root.contain('a.ts', parent)).toThrow(/outside the root/);
    expect(() => root.contain('../../x', join(path, 'src'))).toThrow(/outside the root/);
  });

  it('takes absolute paths inside, under any name of the root', () => {
    const { path, parent, root } = tree();
    symlinkSync('repo', join(parent, 'alias'));
    expect(root.contain(join(path, 'src/a.ts'))).toBe('src/a.ts');
    expect(root.contain(join(parent, 'alias/src/new.ts'))).toBe('src/new.ts');
    expect(() => root.contain(`${path}-evil/x`)).toThrow(/outside the root/);
  });

  it('follows links to where they lead', () => {
    const { path, root } = tree();
    symlinkSync('src', join(path, 'inner'));
    symlinkSync('../outside', join(path, 'escape'));
    symlinkSync('../outside/not-yet', join(path, 'dangling'));
    symlinkSync('src/not-yet', join(path, 'harmless'));
    expect(root.contain('inner/a.ts')).toBe('src/a.ts');
    expect(root.contain('harmless')).toBe('src/not-yet');
    for (const typed of [
      'escape',
      'escape/secret',
      'escape/none',
      'dangling',
      'dangling/x',
      'escape/../repo-evil',
    ]) {
      expect(() => root.contain(typed)).toThrow(expect.objectContaining({ code: 'path-outside-root' }));
    }
    // As the file system has it: the parent of the link's target, which is back in the root here.
    expect(root.contain('inner/../src')).toBe('src');
    expect(root.contain('escape/../repo/src')).toBe('src');
  });

  it('follows 40 links and no more', () => {
    const { path, root } = tree();
    symlinkSync('src', join(path, 'link0'));
    for (let index = 1; index <= 40; index += 1) symlinkSync(`link${index - 1}`, join(path, `link${index}`));
    symlinkSync('circle', join(path, 'circle'));
    expect(root.contain('link39/a.ts')).toBe('src/a.ts');
    for (const typed of ['link40/a.ts', 'circle', 'circle/x']) {
      expect(() => root.contain(typed)).toThrow(/more than 40 links/);
    }
  });

  it('works when the root is the whole disk', () => {
    expect(openSafeRoot('/').contain('/etc/../etc/hosts')).toBe('etc/hosts');
  });

  it('refuses a path that it cannot check', () => {
    const { path, root } = tree();
    mkdirSync(join(path, 'deep'));
    expect(() => root.contain(`deep/${'x'.repeat(300)}`)).toThrow(/cannot be checked \(ENAMETOOLONG\)/);
  });
});
