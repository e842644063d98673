import { expect, it } from 'vitest';
import { recordedIo } from '../call-cli.test-kit.ts';
import { answerShell } from './answer-shell.ts';

it('ends the program when an answer takes too long', async () => {
  const { io } = recordedIo({ cwd: '/', env: {} });
  const ended: number[] = [];
  // Loading the commands takes longer than no time at all.
  await answerShell(['zsh', '--', ''], { ...io, forceExit: (code) => ended.push(code) }, 0);
  expect(ended).toEqual([0]);
});

it('lets an answer in time end by itself', async () => {
  const { io, written } = recordedIo({ cwd: '/', env: {} });
  const ended: number[] = [];
  await answerShell(['zsh', '--', 'ran'], { ...io, forceExit: (code) => ended.push(code) }, 60_000);
  expect(written.stdout).toContain('rank\0');
  expect(ended).toEqual([]);
});
