import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/security/support/temporary-directory.ts';
import { readRegularFile } from './read-file.ts';

describe('readRegularFile', () => {
  it('reads a regular file up to its size, to the byte, also through a link of the user', () => {
    const folder = temporaryDirectory();
    const path = join(folder, 'config.json');
    writeFileSync(path, '12345');
    symlinkSync(path, join(folder, 'link'));
    expect(readRegularFile(path, 5).toString()).toBe('12345');
    expect(readRegularFile(join(folder, 'link'), 5).toString()).toBe('12345');
    expect(() => readRegularFile(path, 4)).toThrow(`${path} has 5 bytes; at most 4 bytes are read`);
  });

  it.skipIf(process.platform === 'win32')('refuses a FIFO, a folder and a device, at once', () => {
    const folder = temporaryDirectory();
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    mkdirSync(join(folder, 'folder'));
    symlinkSync('/dev/zero', join(folder, 'device'));
    for (const name of ['fifo', 'folder', 'device'])
      expect(() => readRegularFile(join(folder, name), 100), name).toThrow(
        expect.objectContaining({ code: 'not-a-regular-file' }),
      );
  });
});
