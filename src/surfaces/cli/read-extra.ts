import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { CommandCall } from './command.ts';

const MAX_EXTRA_BYTES = 10_000_000;

export const EXTRA_FLAG = {
  syntax: '--extra <KEY=VALUE...>',
  help: 'More to show, such as test_output=@failures.txt; @ reads a file, @- standard input.',
};

/** `key=value`, `key=@file`, `key=@-`. */
export async function readExtra(call: CommandCall, given: unknown): Promise<Record<string, string>> {
  const entries: [string, string][] = [];
  for (const one of Array.isArray(given) ? given.map(String) : []) {
    const at = one.indexOf('=');
    if (at < 1) {
      const message = `--extra: ${JSON.stringify(one.slice(0, 80))} is not allowed; give KEY=VALUE or KEY=@FILE`;
      throw new LoadoutError('bad-flag', message, { subject: '--extra' });
    }
    const value = one.slice(at + 1);
    const key = one.slice(0, at);
    if (entries.some(([known]) => known === key))
      throw new LoadoutError('bad-flag', `--extra: ${key} is given twice`, { subject: '--extra' });
    entries.push([key, value.startsWith('@') ? await readValue(call, value.slice(1)) : value]);
  }
  return Object.fromEntries(entries);
}

async function readValue({ io }: CommandCall, name: string): Promise<string> {
  const stream = name === '-' ? io.stdin : createReadStream(resolve(io.cwd, name));
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk as Buffer | string);
      size += bytes.length;
      if (size > MAX_EXTRA_BYTES) break;
      chunks.push(bytes);
    }
  } catch (cause) {
    const message = `cannot read the extra context from ${name}: ${(cause as Error).message}`;
    throw new LoadoutError('unreadable', message, { subject: name, cause });
  }
  if (size <= MAX_EXTRA_BYTES) return Buffer.concat(chunks).toString('utf8');
  throw new LoadoutError('extra-too-large', `${name} has more than ${MAX_EXTRA_BYTES / 1e6} MB`, {
    subject: name,
  });
}
