import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-repository.ts';
import type { CommandCall } from './command.ts';
import { readTask } from './read-task.ts';

function callWith(args: readonly string[], taskFile?: string, stdin: Readable = Readable.from([])) {
  const { path } = temporaryFolder({ 'task.md': 'Fix it\n', 'empty.md': ' \n', 'picture.png': '\0\0\0\x01' });
  writeFileSync(join(path, 'large.md'), 'x'.repeat(10_000_001));
  return {
    command: { name: 'rank' },
    arguments: args,
    flags: taskFile === undefined ? {} : { taskFile },
    io: { cwd: path, stdin },
    signal: new AbortController().signal,
  } as unknown as CommandCall;
}

it.each([
  ['the argument', ['Fix it'], undefined, 'Fix it'],
  ['a file', [], 'task.md', 'Fix it\n'],
  ['standard input by the flag', [], '-', 'Fix that\n'],
  ['standard input by the argument', ['-'], undefined, 'Fix that\n'],
])('takes the task from %s', async (_, args, file, task) => {
  const stdin = Readable.from([Buffer.from('Fix '), Buffer.from('that\n')]);
  expect(await readTask(callWith(args, file, stdin))).toBe(task);
});

it.each([
  ['no task', [], undefined, 'no-task'],
  ['two tasks', ['Fix it'], 'task.md', 'two-tasks'],
  ['an empty argument', ['  '], undefined, 'empty-task'],
  ['an empty file', [], 'empty.md', 'empty-task'],
  ['standard input that is closed', [], '-', 'empty-task'],
  ['a missing file', [], 'missing.md', 'unreadable'],
  ['a folder', [], '.', 'unreadable'],
  ['a binary file', [], 'picture.png', 'binary-task'],
  ['a file that is too large', [], 'large.md', 'task-too-large'],
])('refuses %s', async (_, args, file, code) => {
  await expect(readTask(callWith(args, file))).rejects.toMatchObject({ name: 'LoadoutError', code });
});

it('hints at the command that was called', async () => {
  await expect(readTask(callWith([]))).rejects.toMatchObject({
    hint: expect.stringContaining('loadout rank "'),
  });
});

it('stops reading standard input when the call is aborted', async () => {
  const stop = new AbortController();
  const endless = new Readable({ read() {} });
  const call = { ...callWith(['-'], undefined, endless), signal: stop.signal };
  const reading = readTask(call);
  stop.abort();
  await expect(reading).rejects.toThrow();
  expect(endless.destroyed).toBe(true);
});
