import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENT } from '../../support/scan-kit.ts';
import { temporaryRepository } from '../../support/temporary-repository.ts';
import { answerOf, FILES, rank } from './rank.test-kit.ts';

const TASK = 'The token has expired, but refreshToken() is not called';

describe.skipIf(process.platform === 'win32')('loadout rank', PATIENT, () => {
  it('gives the same answer however the task is given, cold and warm', async () => {
    const repository = temporaryRepository(FILES);
    repository.write('../task.md', TASK);
    const cold = await rank(repository, [TASK, '--json']);
    expect(cold).toMatchObject({ exitCode: 0, stderr: '' });
    const others = [
      await rank(repository, ['--json', TASK]),
      await rank(repository, ['--task-file', join(repository.home, 'task.md'), '--json']),
      await rank(repository, ['-', '--json'], { input: TASK }),
      await rank(repository, ['--task-file', '-', '--json'], { input: TASK }),
    ];
    for (const { stdout, exitCode } of others)
      expect({ stdout, exitCode }).toEqual({ stdout: cold.stdout, exitCode: 0 });
  });

  it('prints the shape that other programs rely on', async () => {
    const repository = temporaryRepository(FILES);
    const { task, files, diagnostics } = answerOf(await rank(repository, [TASK, '--json', '--limit', '2']));
    expect(task).toBe(TASK);
    expect(diagnostics).toEqual([]);
    expect(files).toHaveLength(2);
    const share = expect.any(Number);
    expect(files[0]).toEqual({
      path: 'src/auth/refresh-token.ts',
      combinedScore: share,
      astScore: share,
      semanticScore: share,
      signals: { path: share, symbol: share, lexical: share, semantic: share, graph: share, history: share },
      symbols: ['refreshToken'],
      spans: [{ startLine: 3, endLine: 5 }],
      reasons: expect.any(Array),
    });
    for (const { combinedScore } of files) expect(combinedScore > 0 && combinedScore <= 1).toBe(true);
  });

  it('prints a line for each file, and with --symbols the definitions below it', async () => {
    const repository = temporaryRepository(FILES);
    const plain = await rank(repository, [TASK]);
    expect(plain.exitCode).toBe(0);
    expect(plain.stdout.split('\n')[0]).toMatch(/^\d\.\d\d {2}src\/auth\/refresh-token\.ts +\S/);
    const { stdout } = await rank(repository, [TASK, '--symbols']);
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      plain.stdout.split('\n')[0],
      expect.stringMatching(/^ +3-5 {2}refreshToken$/),
    ]);
  });

  it('reflects a changed file at once: the answer is never stale', async () => {
    const repository = temporaryRepository(FILES);
    const before = answerOf(await rank(repository, ['frobnicate the widget', '--json']));
    expect(before.files).toEqual([]);
    repository.write('src/widget.ts', 'export function frobnicate(widget: string) {}\n');
    const after = answerOf(await rank(repository, ['frobnicate the widget', '--json']));
    expect(after.files.map(({ path }) => path)).toEqual(['src/widget.ts']);
  });

  it('leaves out files that match --exclude, and lists only files that match --include', async () => {
    const repository = temporaryRepository(FILES);
    const without = answerOf(await rank(repository, [TASK, '--json', '--exclude', 'src/auth/refresh*']));
    expect(without.files.map(({ path }) => path)).not.toContain('src/auth/refresh-token.ts');
    const only = answerOf(await rank(repository, [TASK, '--json', '--include', 'src/auth']));
    expect(only.files.map(({ path }) => path)).toEqual([
      'src/auth/refresh-token.ts',
      'src/auth/token-store.ts',
    ]);
  });
});
