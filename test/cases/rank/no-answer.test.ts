import { describe, expect, it } from 'vitest';
import { PATIENT } from '../../support/scan-kit.ts';
import { temporaryRepository } from '../../support/temporary-repository.ts';
import { answerOf, FILES, rank } from './rank.test-kit.ts';

describe.skipIf(process.platform === 'win32')('loadout rank', PATIENT, () => {
  it('refuses an invalid task with a message and exit code 2', async () => {
    const repository = temporaryRepository(FILES);
    const refusals: [string[], string | Buffer | undefined, RegExp][] = [
      [[], undefined, /no task is given/],
      [[''], undefined, /there is no task/],
      [['-'], '', /standard input ended before a task was read/],
      [['-'], Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0x0d, 0, 1, 2, 3]), /is not text/],
      [['--task-file', 'absent.md'], undefined, /absent\.md: it does not exist/],
      [['a task', '--task-file', 'README.md'], undefined, /both as an argument and by --task-file/],
      [['a task', '--limit', '0'], undefined, /--limit: "0" is not allowed/],
      [['--not-a-flag'], undefined, /--not-a-flag/],
    ];
    for (const [args, input, message] of refusals) {
      const run = await rank(repository, args, input === undefined ? {} : { input });
      expect({ args, exitCode: run.exitCode, stdout: run.stdout }).toEqual({ args, exitCode: 2, stdout: '' });
      expect(run.stderr).toMatch(message);
      expect(run.stderr).not.toMatch(/ {4}at /);
    }
  });

  it('says that nothing matches, with code 1', async () => {
    const repository = temporaryRepository(FILES);
    const people = await rank(repository, ['the']);
    expect(people).toMatchObject({ exitCode: 1, stdout: '' });
    expect(people.stderr).toContain('no file seems relevant to this task');
    const programs = await rank(repository, ['the', '--json']);
    expect(programs).toMatchObject({ exitCode: 1, stderr: '' });
    expect(answerOf(programs)).toEqual({
      task: 'the',
      analysis: { action: null, domains: [], paths: [], symbols: [], frames: [], keywords: [] },
      files: [],
      diagnostics: [],
    });
  });
});
