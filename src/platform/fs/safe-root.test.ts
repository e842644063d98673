import { chmodSync, linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/security/support/temporary-directory.ts';
import { writeFiles } from '../../../test/security/support/write-files.ts';
import { asNobody } from '../../../test/support/as-nobody.ts';
import { openSafeRoot } from './safe-root.ts';

const reasonOf = (outcome: ReturnType<ReturnType<typeof openSafeRoot>['read']>): string =>
  outcome.kind === 'skipped' ? outcome.reason : 'content';

function tree() {
  const parent = temporaryDirectory();
  writeFiles(parent, {
    'repo/src/a.ts': 'export {}\n',
    'repo/b.sh': '#!/bin/sh\n',
    'outside/secret': 'secret',
  });
  return { parent, path: join(parent, 'repo'), root: openSafeRoot(join(parent, 'repo')) };
}

describe('openSafeRoot', () => {
  it('says why the directory is refused', () => {
    const { path } = tree();
    expect(() => openSafeRoot(join(path, 'none'))).toThrow(
      expect.objectContaining({ code: 'not-a-directory' }),
    );
    expect(() => openSafeRoot(join(path, 'b.sh'))).toThrow(
      expect.objectContaining({ code: 'not-a-directory' }),
    );
    expect(() => openSafeRoot('\0')).toThrow(expect.objectContaining({ code: 'unreadable' }));
  });

  it('takes a link to a directory for that directory', () => {
    const { parent, path } = tree();
    symlinkSync(path, join(parent, 'link'));
    const root = openSafeRoot(join(parent, 'link'));
    expect(root.path).toBe(path);
    expect(reasonOf(root.read('src/a.ts', 100))).toBe('content');
  });
});

describe('SafeRoot.read', () => {
  it('gives the bytes and the hint', () => {
    const { root } = tree();
    const outcome = root.read('src/a.ts', 10);
    expect(outcome).toMatchObject({ kind: 'content', bytes: Buffer.from('export {}\n') });
    expect(outcome).toHaveProperty('hint', root.stat('src/a.ts')?.hint);
  });

  it('decides by size before reading, to the byte', () => {
    const { root } = tree();
    expect(root.read('src/a.ts', 9)).toEqual({ kind: 'skipped', reason: 'too-large', size: 10 });
    expect(root.readHead('src/a.ts', 6)).toMatchObject({ kind: 'content', bytes: Buffer.from('export') });
  });

  it('reads an empty file', () => {
    const { path, root } = tree();
    writeFileSync(join(path, 'empty'), '');
    expect(root.read('empty', 0)).toMatchObject({ kind: 'content', bytes: Buffer.alloc(0) });
  });

  it('says why it skips', () => {
    const { path, root } = tree();
    symlinkSync('b.sh', join(path, 'link'));
    symlinkSync('../outside', join(path, 'escape'));
    symlinkSync('src', join(path, 'inner'));
    symlinkSync('loop', join(path, 'loop'));
    expect(reasonOf(root.read('link', 100))).toBe('symlink');
    expect(reasonOf(root.read('escape/secret', 100))).toBe('outside-root');
    expect(reasonOf(root.read('inner/a.ts', 100))).toBe('symlink');
    expect(reasonOf(root.read('loop/x', 100))).toBe('symlink');
    expect(reasonOf(root.read('src', 100))).toBe('not-a-regular-file');
    expect(reasonOf(root.read('nothing', 100))).toBe('vanished');
    expect(reasonOf(root.read('b.sh/x', 100))).toBe('vanished');
    expect(reasonOf(root.read('x'.repeat(5000), 100))).toBe('unreadable');
  });

  it.each([
    '../outside/secret',
    'src/../../outside/secret',
    '/etc/passwd',
    '',
    '.',
    'src//a.ts',
    'a\0',
    'src/',
  ])('does not even look at %j', (path) => {
    const { root } = tree();
    expect(reasonOf(root.read(path, 100))).toBe('outside-root');
    expect(reasonOf(root.readHead(path, 100))).toBe('outside-root');
  });

  it('reads names that are not UTF-8 and tells spellings apart', () => {
    const { path, root } = tree();
    writeFileSync(Buffer.concat([Buffer.from(`${path}/caf`), Buffer.from([0xe9])]), 'latin');
    writeFileSync(join(path, 'café'), 'composed');
    writeFileSync(join(path, 'cafe\u0301'), 'decomposed');
    const names = root.list('')?.map((entry) => entry.name) ?? [];
    expect(names).toEqual(['b.sh', 'cafe\u0301', 'café', 'caf\udce9', 'src']);
    const texts = names.slice(1, 4).map((name) => root.read(name, 100));
    expect(texts.map((outcome) => outcome.kind === 'content' && outcome.bytes.toString())).toEqual([
      'decomposed',
      'composed',
      'latin',
    ]);
  });

  it('reads the content at the time of opening, even if the file is called "(deleted)"', () => {
    const { path, root } = tree();
    writeFileSync(join(path, 'x (deleted)'), 'still here');
    expect(reasonOf(root.read('x (deleted)', 100))).toBe('content');
    truncateSync(join(path, 'x (deleted)'), 0);
    expect(root.read('x (deleted)', 100)).toMatchObject({ bytes: Buffer.alloc(0) });
  });

  it('skips files without read permission', () => {
    const { path, root } = tree();
    chmodSync(path, 0o755);
    chmodSync(join(path, 'b.sh'), 0);
    expect(reasonOf(asNobody(() => root.read('b.sh', 100)))).toBe('unreadable');
  });

  it('takes at most a fraction of a millisecond per small file', () => {
    const { path, root } = tree();
    for (let index = 0; index < 500; index += 1) linkSync(join(path, 'b.sh'), join(path, `src/${index}`));
    const runs = [1, 2, 3].map(() => {
      const start = performance.now();
      for (let index = 0; index < 500; index += 1)
        expect(root.read(`src/${index}`, 100).kind).toBe('content');
      return (performance.now() - start) / 500;
    });
    expect(Math.min(...runs)).toBeLessThan(0.2);
  });
});

describe('SafeRoot.stat and list', () => {
  it('tell the types apart', () => {
    const { path, root } = tree();
    chmodSync(join(path, 'b.sh'), 0o755);
    symlinkSync('/etc', join(path, 'link'));
    expect(root.stat('b.sh')).toMatchObject({ type: 'file', executable: true });
    expect(root.stat('src/a.ts')).toMatchObject({ type: 'file', executable: false, hint: { size: 10 } });
    expect(root.stat('')).toMatchObject({ type: 'directory' });
    expect(root.stat('link')).toMatchObject({ type: 'symlink' });
    expect(root.stat('nothing')).toBeNull();
    expect(root.stat('..')).toBeNull();
    expect(root.list('')).toEqual([
      { name: 'b.sh', type: 'file' },
      { name: 'link', type: 'symlink' },
      { name: 'src', type: 'directory' },
    ]);
  });

  it('list no folder through a link, no file, nothing outside', () => {
    const { path, root } = tree();
    mkdirSync(join(path, 'src/deep'));
    symlinkSync('../outside', join(path, 'escape'));
    symlinkSync('src', join(path, 'inner'));
    for (const folder of ['escape', 'inner', 'inner/deep', 'b.sh', '..', 'nothing', '/etc']) {
      expect(root.list(folder)).toBeNull();
    }
    expect(root.list('src/deep')).toEqual([]);
  });
});
