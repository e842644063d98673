import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import type { ImportReference } from '../model/parsed-file.ts';
import type { SnapshotFile } from '../model/snapshot.ts';
import { openSafeRoot } from '../platform/fs/safe-root.ts';
import { linkSnapshot, relinkSnapshot } from './link-snapshot.ts';

const folder = mkdtempSync(join(tmpdir(), 'loadout-relink-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const root = openSafeRoot(folder);

interface Content {
  readonly imports: readonly ImportReference[];
  readonly exports: readonly string[];
}
type State = readonly (Content & { readonly path: string })[];

const PATHS = [
  ...[
    'src/a.ts',
    'src/b.ts',
    'src/index.ts',
    'src/lib/c.ts',
    'src/lib/index.ts',
    'test/a.test.ts',
    'test/c.test.ts',
  ],
  ...[
    'go/main.go',
    'go/util/one.go',
    'go/util/two.go',
    'py/__init__.py',
    'py/one.py',
    'py/two.py',
    'py/test_one.py',
  ],
].sort();
const LANGUAGES = { ts: 'typescript', go: 'go', py: 'python' } as const;
const NAMES = ['alpha', 'beta', 'gamma', 'default', 'one'];
const TAKEN = [...NAMES, '*', 'alpha as beta', 'gamma as alpha', '* as one', 'default as gamma'];

const endingOf = (path: string) => path.slice(path.lastIndexOf('.') + 1) as keyof typeof LANGUAGES;
const specifiers = (path: string): string[] => {
  if (path.endsWith('.go')) return ['go/util', 'fmt', './util', 'example.org/go/util'];
  if (path.endsWith('.py')) return ['.', '.one', '.two', 'py', 'py.one', 'os'];
  return ['./a', './b', './lib', './index', '../src', '../src/a', '../src/lib/c', './c', 'react'];
};

const contentOf = (path: string): fc.Arbitrary<Content> =>
  fc.record({
    imports: fc.array(
      fc.record({
        kind: fc.constantFrom('import' as const, 'reexport' as const),
        specifier: fc.constantFrom(...specifiers(path)),
        names: fc.uniqueArray(fc.constantFrom(...TAKEN), { maxLength: 3 }),
        line: fc.constant(1),
        endLine: fc.constant(1),
      }),
      { maxLength: 4 },
    ),
    exports: fc.subarray(NAMES),
  });

function filesOf(state: State): SnapshotFile[] {
  return state.map(({ path, imports, exports }, document) => ({
    path,
    language: LANGUAGES[endingOf(path)],
    classification: {
      role: /test/.test(path) ? 'test' : 'source',
      generated: false,
      vendored: false,
      reasons: [],
    },
    skip: null,
    hash: '',
    size: 0,
    hint: null,
    gitBlob: null,
    segment: 0,
    document,
    symbolCount: 0,
    interfaceHash: hashOf(JSON.stringify([imports, exports])),
    saysGenerated: false,
  }));
}

const hashOf = (text: string) =>
  [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);

const segmentsOf = (state: State) => ({
  segmentOf: () => ({
    imports: (document: number) => [...state[document]!.imports],
    exports: (document: number) => [...state[document]!.exports],
    mayImport: (document: number, name: string) =>
      state[document]!.imports.some(({ names }) =>
        names.some((taken) => taken === name || taken.startsWith(`${name} as `)),
      ),
  }),
});

const anyState = fc.tuple(...PATHS.map((path) => contentOf(path).map((content) => ({ path, ...content }))));
/** Most edits touch either what a file offers or what it imports, in one file or two. */
const anyEdit = fc.array(
  fc
    .nat(PATHS.length - 1)
    .chain((at) =>
      contentOf(PATHS[at]!).chain((content) =>
        fc.constantFrom('imports', 'exports', 'both').map((what) => ({ at, content, what })),
      ),
    ),
  { minLength: 1, maxLength: 2 },
);

it('follows a name that is passed on under another one', () => {
  const takes = (specifier: string, name: string): ImportReference => ({
    ...{ kind: 'reexport', line: 1, endLine: 1 },
    specifier,
    names: [name],
  });
  const contents: Readonly<Record<string, Partial<Content>>> = {
    'src/b.ts': { exports: ['alpha'] },
    'src/a.ts': { imports: [takes('./b', 'alpha')] },
    'src/index.ts': { imports: [takes('./a', 'alpha as beta')] },
    'test/c.test.ts': { imports: [takes('../src', 'beta')] },
  };
  const before = PATHS.map((path) => ({ path, imports: [], exports: [], ...contents[path] }));
  const after = before.map((one) => (one.path === 'src/a.ts' ? { ...one, exports: ['alpha'] } : one));
  const files = filesOf(before);
  const changed = filesOf(after).map((file, at) => (after[at] === before[at] ? files[at]! : file));
  const links = linkSnapshot(files, segmentsOf(before), root);
  const full = linkSnapshot(changed, segmentsOf(after), root);
  expect(full.definers).not.toEqual(links.definers);
  const former = { files, links, ...segmentsOf(before) };
  expect(relinkSnapshot(changed, segmentsOf(after), former, root)?.definers).toEqual(full.definers);
});

it('gives the same links as a full link, or says that it cannot', () => {
  let told = 0;
  fc.assert(
    fc.property(anyState, anyEdit, (before, edits) => {
      const after: (Content & { path: string })[] = [...before];
      for (const { at, content, what } of edits) {
        const { path, imports, exports } = after[at]!;
        after[at] = {
          path,
          imports: what === 'exports' ? imports : content.imports,
          exports: what === 'imports' ? exports : content.exports,
        };
      }
      const files = filesOf(before);
      const changed = filesOf(after).map((file, at) => (after[at] === before[at] ? files[at]! : file));
      const links = linkSnapshot(files, segmentsOf(before), root);
      const full = linkSnapshot(changed, segmentsOf(after), root);
      const relinked = relinkSnapshot(
        changed,
        segmentsOf(after),
        { files, links, ...segmentsOf(before) },
        root,
      );
      if (!relinked) return;
      told++;
      expect({ ...relinked, basis: relinked.basis.files }).toEqual({ ...full, basis: full.basis.files });
    }),
    { numRuns: 1500 },
  );
  // a promise that is never given would always be kept
  expect(told).toBeGreaterThan(500);
}, 60_000);
