import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { contentHash } from './read-file.ts';

it.each([[''], ['hello\n'], ['\0\xff'.repeat(5000)]])('is the id git gives the content', (text) => {
  const bytes = Buffer.from(text, 'latin1');
  const id = execFileSync('git', ['hash-object', '--stdin'], { input: bytes, encoding: 'utf8' }).trim();
  expect(contentHash(bytes)).toBe(id);
});
