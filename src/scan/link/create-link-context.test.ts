import { expect, test } from 'vitest';
import { createLinkContext } from './link-files.ts';

const context = createLinkContext(
  ['src/b.ts', 'src/a.ts', 'src/deep/er/a.ts', 'README.md', 'src/a.ts'],
  new Map([['app', ['src/b.ts', 'src/a.ts', 'src/b.ts']]]),
  (path) => (path === 'README.md' ? 'hello' : null),
);

test('paths are sorted and unique', () => {
  expect(context.paths).toEqual(['README.md', 'src/a.ts', 'src/b.ts', 'src/deep/er/a.ts']);
});

test('files, folders and names', () => {
  expect(context.has('src/a.ts')).toBe(true);
  expect(context.has('src')).toBe(false);
  expect(['', 'src', 'src/deep', 'src/deep/er'].map((folder) => context.hasFolder(folder))).not.toContain(
    false,
  );
  expect(context.hasFolder('sr')).toBe(false);
  expect(context.named('a.ts')).toEqual(['src/a.ts', 'src/deep/er/a.ts']);
  expect(context.named('constructor')).toEqual([]);
  expect(context.within('src')).toEqual(['src/a.ts', 'src/b.ts']);
  expect(context.within('')).toEqual(['README.md']);
  expect(context.within('src/deep')).toEqual([]);
});

test('declared packages and texts', () => {
  expect(context.declaring('app')).toEqual(['src/a.ts', 'src/b.ts']);
  expect(context.declaring('__proto__')).toEqual([]);
  expect(context.readText('README.md')).toBe('hello');
  expect(context.readText('src/a.ts')).toBeNull();
});

test('an empty repository has no folders', () => {
  expect(createLinkContext([], new Map(), () => null).hasFolder('')).toBe(false);
});
