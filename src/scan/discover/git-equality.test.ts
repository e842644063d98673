import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodePathBytes } from '../../platform/fs/path-codec.ts';
import {
  discoverByWalk,
  discoverWithGit,
  git,
  gitPaths,
  initRepository,
  pathsOf,
  removeTrees,
  temporaryTree,
} from './temporary-tree.test-kit.ts';

const ODD_NAMES = [
  'a b',
  ' lead',
  'trail ',
  'quo"te',
  "it's",
  'new\nline',
  'tab\t',
  'caf\u00e9',
  'cafe\u0301',
  '-rf',
  '--help',
  '#hash',
  '!bang',
  '*',
  '[a]',
  'back\\slash',
  '{a,b}',
  '\u65e5\u672c',
  '\u{1f600}',
  '\udcff\udcfex',
  '.dot',
];
const PLAIN_NAMES = ['a', 'b', 'c', 'ab', 'abc', 'src', 'build', 'a.log', 'b.log', 'c.o', 'A'];

const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...PLAIN_NAMES) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_NAMES) },
);
const folderPath = fc.array(name, { maxLength: 3 }).map((parts) => parts.join('/'));
const filePath = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));

const wildcards = [
  '*',
  '**',
  '***',
  '?',
  '??',
  'a*',
  '*b',
  '*.log',
  '*.?',
  'a**c',
  '*a*b*',
  '[a-c]',
  '[!a]',
  '[^a-b]*',
  '[]a]',
  '[a\\]b]',
  '[[:alpha:]]',
  '[[:bogus:]]',
  '[a',
  'a\\',
  'caf?',
  'caf??',
  '\\a',
  '\\*',
  '\\#hash',
  '\\!bang',
  '*\\ ',
];
const segment = fc.oneof(name, fc.constantFrom(...wildcards));
const ignoreLine = fc
  .record({
    negated: fc.boolean(),
    anchored: fc.boolean(),
    segments: fc.array(segment, { minLength: 1, maxLength: 3 }),
    foldersOnly: fc.boolean(),
    ending: fc.constantFrom('\n', '\n', '\n', ' \n', '\\ \n', '\r\n'),
  })
  .map(
    ({ negated, anchored, segments, foldersOnly, ending }) =>
      (negated ? '!' : '') + (anchored ? '/' : '') + segments.join('/') + (foldersOnly ? '/' : '') + ending,
  );
const ignoreFile = fc.record({
  folder: folderPath,
  lines: fc.array(ignoreLine, { minLength: 1, maxLength: 6 }),
});
const tree = fc.record({
  files: fc.array(filePath, { minLength: 3, maxLength: 25 }),
  ignoreFiles: fc.array(ignoreFile, { maxLength: 4 }),
});

function fullPath(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), encodePathBytes(path)]);
}

/** A path that needs a folder where a file already is (or the other way round) is left out. */
function tryWrite(root: string, path: string, content: Buffer | string): void {
  const target = fullPath(root, path);
  try {
    mkdirSync(Buffer.from(dirname(target.toString('latin1')), 'latin1'), { recursive: true });
    writeFileSync(target, content);
  } catch {}
}

function plant(shape: typeof tree extends fc.Arbitrary<infer Shape> ? Shape : never): string {
  const root = temporaryTree();
  initRepository(root);
  for (const path of shape.files) tryWrite(root, path, 'x');
  for (const { folder, lines } of shape.ignoreFiles) {
    tryWrite(root, folder === '' ? '.gitignore' : `${folder}/.gitignore`, encodePathBytes(lines.join('')));
  }
  return root;
}

test('the walk lists what git lists', async () => {
  await fc.assert(
    fc.asyncProperty(tree, async (shape) => {
      const root = plant(shape);
      const found = await discoverByWalk(root);
      expect(pathsOf(found)).toEqual(gitPaths(root, ['-o', '--exclude-standard']).sort());
      removeTrees();
    }),
    { numRuns: 80 },
  );
}, 60_000);

test('with git the list is that of git, without files that are gone from disk', async () => {
  const steps = fc.array(fc.constantFrom('track', 'leave', 'track-and-delete', 'track-and-change'), {
    minLength: 25,
    maxLength: 25,
  });
  await fc.assert(
    fc.asyncProperty(tree, steps, async (shape, fates) => {
      const root = plant(shape);
      const onDisk = gitPaths(root, ['-o']);
      const chosen = onDisk.filter((_, index) => (fates[index] ?? 'leave') !== 'leave');
      const input = Buffer.concat(chosen.map((path) => encodePathBytes(`${path}\0`)));
      git(root, ['update-index', '--add', '-z', '--stdin'], input);
      for (const [index, path] of onDisk.entries()) {
        if (fates[index] === 'track-and-delete') rmSync(fullPath(root, path));
        if (fates[index] === 'track-and-change') writeFileSync(fullPath(root, path), 'changed text');
      }
      const found = await discoverWithGit(root);
      const gone = new Set(gitPaths(root, ['-d']));
      const listed = new Set(gitPaths(root, ['-c', '-o', '--exclude-standard']));
      expect(found.source).toBe('git');
      expect(pathsOf(found)).toEqual([...listed].filter((path) => !gone.has(path)).sort());
      const clean = new Set(chosen.filter((path) => fates[onDisk.indexOf(path)] === 'track'));
      for (const file of found.files) expect(file.gitBlob !== null).toBe(clean.has(file.path));
      removeTrees();
    }),
    { numRuns: 60 },
  );
}, 60_000);
