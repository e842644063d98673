import { describe, expect, it } from 'vitest';
import { PATIENT } from '../../support/scan-kit.ts';
import { temporaryFolder, temporaryRepository } from '../../support/temporary-repository.ts';
import { FILES, firstPath, rank } from './rank.test-kit.ts';

/** Anything that could move the cursor; the lines of the answer are split before. */
const CONTROL = /\p{C}/u;

describe.skipIf(process.platform === 'win32')('loadout rank', PATIENT, () => {
  it('understands tasks in other languages', async () => {
    const repository = temporaryRepository(FILES);
    const german = 'Die Verbindung zur Datenbank läuft in eine Zeitüberschreitung';
    expect(firstPath(await rank(repository, [german, '--json']))).toBe('src/größe/datenbank.go');
    expect(firstPath(await rank(repository, ['修复数据库连接超时的问题', '--json']))).toBe('src/cn/db.js');
  });

  it('finds the relevant lines in a megabyte of log', async () => {
    const repository = temporaryRepository(FILES);
    const noise = '2026-01-01T00:00:00Z INFO worker-17 heartbeat ok seq=0000\n'.repeat(20_000);
    const log = `The invoice total is wrong\n\n${noise}\nTraceback (most recent call last):\n  File "/srv/app/src/billing/invoice.py", line 3, in total\nZeroDivisionError\n`;
    expect(log.length).toBeGreaterThan(1e6);
    const run = await rank(repository, ['-', '--json'], { input: log });
    expect(run.exitCode).toBe(0);
    expect(firstPath(run)).toBe('src/billing/invoice.py');
  });

  it('takes nothing in a task for an option, a pattern or a path outside the root', async () => {
    const repository = temporaryRepository(FILES);
    repository.write('../secret.txt', 'TOKEN_OUTSIDE\n');
    const tasks = [
      '--json is printed twice by refreshToken',
      '-rf / refreshToken',
      '**/* {a,b}[!x] refreshToken',
      'refreshToken reads ../../etc/passwd and ../secret.txt and /etc/passwd',
      '$(touch pwned) `touch pwned`; refreshToken | tee pwned',
      `refreshToken ${'('.repeat(5_000)}a${'+)*'.repeat(2_000)}`,
      'refreshToken \u001b[2J\u001b]0;title\u0007 \u202e',
    ];
    for (const task of tasks) {
      const run = await rank(repository, ['--', task]);
      expect({ task, exitCode: run.exitCode }).toEqual({ task, exitCode: 0 });
      expect(run.stdout).toMatch(/^\d\.\d\d {2}src\/auth\/refresh-token\.ts/);
      expect(run.stdout).not.toMatch(/passwd|secret|pwned/);
      expect(run.stdout.replaceAll('\n', '')).not.toMatch(CONTROL);
    }
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('is not led astray by files that do not exist', async () => {
    const repository = temporaryRepository(FILES);
    const task =
      'src/auth/session.ts:12 calls lib/absent/*.rb and https://example.org/o/r/blob/main/x/y.go; fix refreshToken';
    expect(firstPath(await rank(repository, [task, '--json']))).toBe('src/auth/refresh-token.ts');
    const nothing = await rank(repository, ['zzz/absent.qq:3', '--json']);
    expect(nothing).toMatchObject({ exitCode: 1, stderr: '' });
  });

  it('answers without git, and for a repository with nothing to find', async () => {
    const plain = await rank(temporaryFolder(FILES), ['refreshToken', '--json']);
    expect(plain.exitCode).toBe(0);
    expect(firstPath(plain)).toBe('src/auth/refresh-token.ts');
    const empty = await rank(temporaryRepository(), ['refreshToken', '--json']);
    expect(empty.exitCode).toBe(1);
    const noSource = temporaryRepository({ 'logo.png': Buffer.from([0x89, 0x50, 0, 1]), LICENSE: 'MIT\n' });
    const nothing = await rank(noSource, ['refreshToken']);
    expect(nothing.exitCode).toBe(1);
    expect(nothing.stderr).toContain('no file seems relevant to this task');
  });
});
