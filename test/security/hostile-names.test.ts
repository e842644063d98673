import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePath, encodePath } from '../../src/platform/fs/path-codec.ts';
import { openSafeRoot } from '../../src/platform/fs/safe-root.ts';
import { gitRepository } from './support/git-repository.ts';
import { openClient } from './support/open-client.ts';

const OPTIONS = [
  '--help',
  '--output=x',
  '--exec=x',
  '-c',
  '--upload-pack=touch x',
  '-',
  '--',
  '--end-of-options',
  '--git-dir=/',
];
const fragment = fc.constantFrom(
  ...OPTIONS,
  '$(touch x)',
  '`id`',
  ';',
  '|',
  '"',
  "'",
  '\\',
  '\n',
  '\t',
  ' ',
  '*',
  '?',
  '[a]',
  ':(top)',
  ':/',
  '@{0}',
  '..',
  'HEAD',
  '^',
  '~',
  '{',
  'ü',
  'e\u0301',
);
const name = fc.array(fragment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));

describe('names made to look like something else', () => {
  it('are commits git does not know (250 names, many at once)', async () => {
    const { path } = gitRepository({ 'a.ts': '' });
    const client = await openClient(path);
    const names = fc.sample(name, { numRuns: 250, seed: 1 });
    for (let start = 0; start < names.length; start += 10) {
      const answers = await Promise.all(
        names.slice(start, start + 10).map((text) => client.changedSince(text)),
      );
      // Nothing has changed since any name that happens to mean HEAD.
      expect(answers.filter((answer) => answer !== null && answer.length > 0)).toEqual([]);
    }
    expect(await client.untrackedFiles()).toEqual([]);
  });

  it('are files like any other (250 names, bytes that are not UTF-8 among them)', async () => {
    const { path, git } = gitRepository({ '.gitattributes': '* mark=yes\n' });
    const bytes = fc
      .uint8Array({ min: 1, max: 255, minLength: 1, maxLength: 20 })
      .map((values) => decodePath(Buffer.from(values)));
    const sample = fc.sample(fc.oneof(name, bytes), { numRuns: 250, seed: 2 });
    const names = [...new Set(sample)].filter((text) => !/\/|^\.{1,2}$|^\.git$/i.test(text)).sort();
    const root = openSafeRoot(path);
    for (const text of names) writeFileSync(encodePath(`${path}/${text}`), text);
    const client = await openClient(path);
    const ordered = (paths: readonly string[]) => [...paths].sort();
    expect(ordered(await client.untrackedFiles())).toEqual(names);
    git('add', '--all');
    expect(ordered((await client.trackedFiles()).map((file) => file.path))).toEqual(
      ordered([...names, '.gitattributes']),
    );
    const attributes = await client.attributes(['mark'], names);
    for (const text of names) {
      expect(attributes.get(text)?.get('mark')).toBe('yes');
      expect(root.contain(`./${text}`)).toBe(text);
      expect(root.read(text, 1000)).toMatchObject({ kind: 'content', bytes: Buffer.from(text) });
      writeFileSync(encodePath(join(path, text)), 'changed and longer than before, to be sure');
    }
    expect(ordered(await client.modifiedFiles())).toEqual(names);
    expect(root.list('')?.map((entry) => entry.name)).toEqual(ordered([...names, '.git', '.gitattributes']));
  });
});
