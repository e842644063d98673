import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/security/support/temporary-directory.ts';
import { writeFileAtomic } from './atomic-file.ts';

describe('writeFileAtomic', () => {
  it('creates, replaces and leaves nothing else', () => {
    const folder = temporaryDirectory();
    const path = join(folder, 'index');
    writeFileAtomic(path, 'one');
    writeFileAtomic(path, Buffer.from('two ü'));
    expect(readFileSync(path, 'utf8')).toBe('two ü');
    expect(readdirSync(folder)).toEqual(['index']);
  });

  it('keeps the permissions of the file it replaces', () => {
    const path = join(temporaryDirectory(), 'private');
    writeFileSync(path, '');
    chmodSync(path, 0o640);
    writeFileAtomic(path, 'new');
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it('replaces a link instead of writing through it', () => {
    const folder = temporaryDirectory();
    writeFileSync(join(folder, 'target'), 'untouched');
    symlinkSync('target', join(folder, 'link'));
    writeFileAtomic(join(folder, 'link'), 'new');
    expect(readFileSync(join(folder, 'target'), 'utf8')).toBe('untouched');
    expect(readFileSync(join(folder, 'link'), 'utf8')).toBe('new');
  });

  it('takes a name of the longest length', () => {
    const path = join(temporaryDirectory(), 'n'.repeat(255));
    writeFileAtomic(path, 'x');
    expect(readFileSync(path, 'utf8')).toBe('x');
  });

  it.each([
    ['the folder is missing', (folder: string) => join(folder, 'none/file'), 'ENOENT'],
    [
      'a folder is in the way',
      (folder: string) => mkdirSync(join(folder, 'there/in'), { recursive: true })!,
      'EISDIR',
    ],
  ])('says what could not be written when %s', (_, target, code) => {
    const folder = temporaryDirectory();
    const path = target(folder);
    expect(() => writeFileAtomic(path, '12345')).toThrow(
      expect.objectContaining({
        code: 'cannot-write',
        message: `cannot write 5 bytes to ${path} (${code})`,
        subject: path,
      }),
    );
    expect(readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith('.tmp'))).toEqual(
      [],
    );
  });
});
