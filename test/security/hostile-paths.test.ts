import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LoadoutError } from '../../src/model/loadout-error.ts';
import { openSafeRoot } from '../../src/platform/fs/safe-root.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { writeFiles } from './support/write-files.ts';

const SECRET = 'SECRET-FROM-OUTSIDE';

function trap(): { parent: string; path: string } {
  const parent = temporaryDirectory();
  const path = join(parent, 'repo');
  writeFiles(parent, {
    secret: SECRET,
    'repo-evil/secret': SECRET,
    'outside/secret': SECRET,
    'outside/folder/secret': SECRET,
    'repo/src/a.ts': 'inside',
    'repo/folder/secret': 'inside',
    'repo/C:/secret': 'inside',
    'repo/%2e%2e/secret': 'inside',
  });
  symlinkSync('../outside', join(path, 'escape'));
  symlinkSync(join(parent, 'outside/secret'), join(path, 'absolute'));
  symlinkSync('escape/folder', join(path, 'chain'));
  symlinkSync('src', join(path, 'inner'));
  symlinkSync('/', join(path, 'top'));
  symlinkSync('../outside/none', join(path, 'dangling'));
  symlinkSync('/proc/self/root', join(path, 'magic'));
  symlinkSync('/proc/self/cwd', join(path, 'cwd'));
  symlinkSync('.', join(path, 'self'));
  symlinkSync('..', join(path, 'up'));
  return { parent, path };
}

const TRICKS = [
  '..',
  '.',
  '',
  '~',
  '...',
  '..\\',
  '%2e%2e',
  '..%2f',
  '\uff0e\uff0e',
  ' ..',
  '.. ',
  'C:',
  'a\0b',
  '\udcff',
  '\n',
];
const LINKS = 'escape absolute chain inner top dangling magic cwd self up'.split(' ');
const NAMES = 'src a.ts folder secret outside repo-evil repo etc passwd proc self fd 0 -x'.split(' ');

function hostilePath(parent: string): fc.Arbitrary<string> {
  const start = fc.oneof(
    { weight: 2, arbitrary: fc.constant('') },
    fc.constantFrom(
      ...'/ // ./ ../ ~/ ~root/ C:\\ file://'.split(' '),
      `${parent}/`,
      `${parent}/repo/`,
      `${parent}/repo-evil/`,
    ),
  );
  const segment = fc.constantFrom(...TRICKS, ...LINKS, ...NAMES, ...parent.slice(1).split('/'));
  const ending = fc.constantFrom('secret', 'src/a.ts', 'folder/secret', 'a.ts', '');
  const separator = fc.constantFrom('/', '/', '/', '\\', '//');
  return fc
    .tuple(start, fc.array(segment, { maxLength: 5 }), ending, separator)
    .map(([first, segments, last, between]) => first + [...segments, last].join(between));
}

describe('paths made to escape', () => {
  it('give no byte from outside, neither typed nor read directly (2,000 paths)', () => {
    const { parent, path } = trap();
    const root = openSafeRoot(path);
    let contained = 0;
    let read = 0;
    const check = (candidate: string): void => {
      for (const outcome of [root.read(candidate, 1e6), root.readHead(candidate, 100)]) {
        if (outcome.kind !== 'content') continue;
        read += 1;
        expect(outcome.bytes.toString()).toBe('inside');
      }
      expect(
        root.list(candidate)?.some((entry) => entry.name === 'outside' || entry.name === 'passwd') ?? false,
      ).toBe(false);
    };
    fc.assert(
      fc.property(
        hostilePath(parent),
        fc.constantFrom(path, `${path}/src`, parent),
        (typed, workingDirectory) => {
          check(typed);
          try {
            const safe = root.contain(typed, workingDirectory);
            contained += 1;
            expect(safe.split('/')).not.toContain('..');
            check(safe);
          } catch (error) {
            expect(error).toBeInstanceOf(LoadoutError);
            expect(error).toHaveProperty('code', 'path-outside-root');
          }
        },
      ),
      { numRuns: 2000 },
    );
    // The generator would prove nothing if every path were refused.
    expect(contained).toBeGreaterThan(100);
    expect(read).toBeGreaterThan(20);
    expect(readFileSync(join(parent, 'secret'), 'utf8')).toBe(SECRET);
  });
});
