import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ImportResolver } from '../../model/import-resolver.ts';
import type { ImportKind, ImportReference } from '../../model/parsed-file.ts';
import { fixtureContext, listed } from './fixture-context.test-kit.ts';
import type { LinkInput } from './import-graph.ts';
import { type Linked, linkFiles } from './link-files.ts';

/** A language whose imports are paths from the root, separated by blanks; what is not there is missing or foreign. */
const paths: ImportResolver =
  (context) =>
  (_from, { specifier }) => {
    const found = specifier.split(' ').filter((path) => context.has(path) || path === 'unlisted');
    if (found.length > 0) return { kind: 'resolved', paths: found };
    return { kind: specifier.startsWith('@') ? 'external' : 'unresolved' };
  };

type Statement = readonly [specifier: string, names?: readonly string[], kind?: ImportKind];

interface Fixture {
  readonly imports?: readonly Statement[];
  readonly exports?: readonly string[];
  readonly tests?: readonly string[];
  readonly language?: string | null;
}

function link(fixture: Readonly<Record<string, Fixture>>): Linked {
  const files = Object.entries(fixture).map(
    ([path, { imports = [], tests, language = 'x' }]): LinkInput => ({
      path,
      language,
      isTest: tests !== undefined,
      imports: imports.map(
        ([specifier, names = [], kind = 'import']): ImportReference => ({
          kind,
          specifier,
          names,
          line: 1,
          endLine: 1,
        }),
      ),
    }),
  );
  return linkFiles(
    files,
    fixtureContext(listed(...Object.keys(fixture))),
    (language) => (language === 'none' ? null : paths),
    {
      exportsOf: (path) => new Set(fixture[path]?.exports),
      testedNames: (path) => fixture[path]?.tests ?? [],
    },
  );
}

describe('imports', () => {
  test('targets are listed, sorted, unique and never the file itself', () => {
    const { imports } = link({
      a: { imports: [['c'], ['b', ['x']], ['c b'], ['a'], ['unlisted'], ['gone'], ['@out']] },
      b: {},
      c: {},
    });
    expect([...imports]).toEqual([['a', ['b', 'c']]]);
  });

  test('what resolved is counted by language; packages are no imports', () => {
    const { links } = link({
      a: { imports: [['b'], ['gone'], ['@out'], ['b', [], 'package']] },
      b: { language: 'w', imports: [['a']] },
      c: { language: null, imports: [['a']] },
      d: { language: 'none', imports: [['a']] },
    });
    expect(links).toEqual([
      { language: 'w', imports: 1, resolved: 1, external: 0 },
      { language: 'x', imports: 2, resolved: 1, external: 1 },
    ]);
  });

  test('of a package named for one thing, the file that defines it', () => {
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`p${index}`, { exports: [`N${index}`] }]),
    );
    const all = Object.keys(files).join(' ');
    const { imports } = link({
      ...files,
      one: { imports: [[all, ['N7']]] },
      none: { imports: [[all, ['Generated']]] },
      few: { imports: [['p0 p1 p2', ['Unknown']]] },
      wild: { imports: [[all, ['*']]] },
      each: { imports: [['p0 p1', ['p0', 'N1']]] },
    });
    expect(imports.get('one')).toEqual(['p7']);
    expect(imports.get('none')).toBeUndefined();
    expect(imports.get('few')).toEqual(['p0', 'p1', 'p2']);
    expect(imports.get('wild')).toHaveLength(12);
    expect(imports.get('each')).toEqual(['p0', 'p1']);
  });

  test('a name too long to be one is not even tried', () => {
    const { links } = link({ a: { imports: [['b '.repeat(600)]] }, b: {} });
    expect(links).toEqual([{ language: 'x', imports: 1, resolved: 0, external: 0 }]);
  });
});

describe('definers', () => {
  test('names are followed through barrels, by name and by star', () => {
    const { imports, definers } = link({
      app: { imports: [['barrel', ['Foo', 'Bar']]] },
      barrel: {
        imports: [
          ['foo', ['Foo'], 'reexport'],
          ['more', ['*'], 'reexport'],
        ],
      },
      more: { imports: [['bar', ['*'], 'reexport']] },
      foo: { exports: ['Foo'] },
      bar: { exports: ['Bar'] },
    });
    expect(imports.get('app')).toEqual(['barrel']);
    expect(definers.get('app')).toEqual(['bar', 'foo']);
  });

  test('a name that is imported and passed on, as a package root or `import` and `export` do', () => {
    const { definers } = link({
      app: { imports: [['pkg/__init__.py', ['Model']]] },
      'pkg/__init__.py': { imports: [['pkg/models.py', ['Model', 'Other']], ['pkg/x.py']] },
      'pkg/models.py': { exports: ['Model', 'Other'] },
      'pkg/x.py': { exports: ['Model'] },
    });
    expect(definers.get('app')).toEqual(['pkg/models.py']);
  });

  test('defaults: passed on, renamed, or simply there', () => {
    const { definers } = link({
      one: { imports: [['pass', ['default']]] },
      two: { imports: [['index', ['MyButton']]] },
      three: { imports: [['plain', ['default']]] },
      four: { imports: [['index', ['default']]] },
      pass: { imports: [['ui/my-button.ts', ['default'], 'reexport']] },
      index: {
        imports: [
          ['ui/card.ts', ['default as Shown'], 'reexport'],
          ['ui/my-button.ts', ['default as MyButton'], 'reexport'],
        ],
      },
      five: { imports: [['index', ['Shown as Card']]] },
      plain: { imports: [['ui/card.ts', ['default']]] },
      'ui/card.ts': {},
      'ui/my-button.ts': {},
    });
    expect(definers.get('one')).toEqual(['ui/my-button.ts']);
    expect(definers.get('two')).toEqual(['ui/my-button.ts']);
    expect(definers.get('three')).toEqual(['plain']);
    expect(definers.get('four')).toEqual(['index']);
    expect(definers.get('five')).toEqual(['ui/card.ts']);
  });

  test('a name that is passed on under another name, step by step', () => {
    const { definers, imports } = link({
      app: { imports: [['index', ['shown', 'space']]] },
      wrong: { imports: [['index', ['inner']]] },
      index: {
        imports: [
          ['middle', ['passed as shown'], 'reexport'],
          ['other', ['* as space'], 'reexport'],
        ],
      },
      middle: { imports: [['deep decoy', ['inner as passed']]] },
      deep: { exports: ['inner'] },
      decoy: { exports: ['shown', 'passed'] },
      other: { exports: ['shown'] },
    });
    expect(definers.get('app')).toEqual(['deep', 'other']);
    expect(definers.get('wrong')).toEqual(['index']);
    expect(imports.get('app')).toEqual(['index']);
  });

  test('a circle of new names ends', () => {
    const { definers } = link({
      app: { imports: [['a', ['x']]] },
      a: { imports: [['b', ['y as x'], 'reexport']] },
      b: { imports: [['a', ['x as y'], 'reexport']] },
    });
    expect(definers.get('app')).toEqual(['b']);
  });

  test('a namespace is passed on under a name like its file', () => {
    const { definers } = link({
      app: { imports: [['index', ['NodeHelpers', 'Other']]] },
      index: {
        imports: [
          ['node-helpers.ts', ['*'], 'reexport'],
          ['other/index.ts', ['*'], 'reexport'],
          ['more.ts', ['*'], 'reexport'],
        ],
      },
      'node-helpers.ts': { exports: ['help'] },
      'other/index.ts': {},
      'more.ts': { exports: ['Other'] },
    });
    expect(definers.get('app')).toEqual(['more.ts', 'node-helpers.ts']);
  });

  test('circles end, and a name that is nowhere stays with the last file named for it', () => {
    const { definers } = link({
      app: {
        imports: [
          ['a', ['Lost']],
          ['c', ['Named']],
        ],
      },
      a: { imports: [['b', ['*'], 'reexport']] },
      b: { imports: [['a', ['*'], 'reexport']] },
      c: { imports: [['d', ['Named'], 'reexport']] },
      d: { imports: [['c', ['Named'], 'reexport']] },
    });
    expect(definers.get('app')).toEqual(['a', 'd']);
  });

  test('eight steps and no more', () => {
    const chain = (length: number) =>
      Object.fromEntries(
        Array.from({ length }, (_, index) => [
          `f${index}`,
          index === length - 1
            ? { exports: ['N'] }
            : { imports: [[`f${index + 1}`, ['*'], 'reexport']] as const },
        ]),
      );
    const app = { imports: [['f0', ['N']]] as const };
    expect(link({ app, ...chain(9) }).definers.get('app')).toEqual(['f8']);
    expect(link({ app, ...chain(10) }).definers.get('app')).toEqual(['f0']);
  });

  test('a statement with several files: a submodule by its name, the rest from the package', () => {
    const { definers } = link({
      app: { imports: [['p/sub.py p/__init__.py', ['sub', 'Thing']]] },
      'p/sub.py': { imports: [['p/trap.py', ['Thing']]] },
      'p/__init__.py': { imports: [['p/thing.py', ['Thing']]] },
      'p/thing.py': { exports: ['Thing'] },
      'p/trap.py': { exports: ['Thing'] },
    });
    expect(definers.get('app')).toEqual(['p/sub.py', 'p/thing.py']);
  });

  test('without names the files themselves; never the importer', () => {
    const { definers } = link({
      a: { exports: ['A'], imports: [['b'], ['c', ['*']], ['barrel', ['A']]] },
      b: {},
      c: { imports: [['b', ['*'], 'reexport']] },
      barrel: { imports: [['a', ['A'], 'reexport']] },
    });
    expect(definers.get('a')).toEqual(['b', 'c']);
  });
});

describe('tests', () => {
  test('an import that is called like the test wins over all else it imports', () => {
    const { tests } = link({
      'src/user.test.ts': {
        tests: ['user.ts'],
        imports: [['src/user.ts'], ['src/db.ts'], ['src/fake.test.ts']],
      },
      'src/fake.test.ts': { tests: ['fake.ts'] },
      'src/user.ts': {},
      'src/db.ts': {},
      'other/user.ts': {},
    });
    expect(tests.get('src/user.test.ts')).toEqual(['src/user.ts']);
    expect(tests.has('src/fake.test.ts')).toBe(false);
  });

  test('a file without a language is no source', () => {
    const { tests } = link({
      'a.test': { tests: ['a.bin'], imports: [['a.bin'], ['b']] },
      'a.bin': { language: null },
      b: {},
    });
    expect(tests.get('a.test')).toEqual(['b']);
  });

  test('a barrel between them does not hide it', () => {
    const { tests } = link({
      'src/__tests__/user.ts': { tests: ['user.ts'], imports: [['src/index.ts', ['User']]] },
      'src/index.ts': { imports: [['src/user.ts', ['User'], 'reexport']] },
      'src/user.ts': { exports: ['User'] },
    });
    expect(tests.get('src/__tests__/user.ts')).toEqual(['src/user.ts']);
  });

  test('a file nearby that is called like it, in mirrored trees too', () => {
    const { tests } = link({
      'src/test/java/app/UserTest.java': {
        tests: ['User.java'],
        imports: [['src/main/java/app/Order.java']],
      },
      'src/main/java/app/User.java': {},
      'src/main/java/app/Order.java': {},
      'far/away/from/here/app/User.java': {},
      'tests/unit/api/test_view.py': { tests: ['view.py'] },
      'src/api/view.py': {},
      'src/other/view.py': {},
    });
    expect(tests.get('src/test/java/app/UserTest.java')).toEqual(['src/main/java/app/User.java']);
    expect(tests.get('tests/unit/api/test_view.py')).toEqual(['src/api/view.py']);
  });

  test('an import that is called nearly like it, and folders named for what they test', () => {
    const { tests } = link({
      'nodes/user.test.ts': { tests: ['user.ts'], imports: [['nodes/user.service.ts'], ['nodes/x.ts']] },
      'nodes/user.service.ts': {},
      'nodes/x.ts': {},
      'lib/gen.auth_test.exs': { tests: ['gen.auth.ex'], imports: [['lib/gen.ex']] },
      'lib/gen.auth.ex': {},
      'lib/gen.ex': {},
      'tests/forms_tests/test_widgets.py': { tests: ['widgets.py'], imports: [['web/urls.py']] },
      'web/forms/widgets.py': {},
      'web/admin/widgets.py': {},
      'web/urls.py': {},
    });
    expect(tests.get('nodes/user.test.ts')).toEqual(['nodes/user.service.ts']);
    expect(tests.get('lib/gen.auth_test.exs')).toEqual(['lib/gen.auth.ex']);
    expect(tests.get('tests/forms_tests/test_widgets.py')).toEqual(['web/forms/widgets.py']);
  });

  test('all its imports, when the file that is called like it is far away', () => {
    const { tests } = link({
      'a/b/utils.test.ts': { tests: ['utils.ts'], imports: [['a/b/x.ts']] },
      'a/b/x.ts': {},
      'k/l/m/utils.ts': {},
    });
    expect(tests.get('a/b/utils.test.ts')).toEqual(['a/b/x.ts']);
  });

  test('a test that imports half the repository covers nothing in particular', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`s${index}`, {}]));
    const { tests } = link({ ...many, t: { tests: ['gone'], imports: [[Object.keys(many).join(' ')]] } });
    expect(tests.has('t')).toBe(false);
  });

  test('a name that many files share says nothing unless one of them is beside the test', () => {
    const many = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`m${index}/index.ts`, {}]));
    const { tests } = link({
      ...many,
      'm3/index.test.ts': { tests: ['index.ts'] },
      'm4/__tests__/index.ts': { tests: ['index.ts'] },
      'elsewhere/index.test.ts': { tests: ['index.ts'] },
    });
    expect(tests.get('m3/index.test.ts')).toEqual(['m3/index.ts']);
    expect(tests.get('m4/__tests__/index.ts')).toEqual(['m4/index.ts']);
    expect(tests.has('elsewhere/index.test.ts')).toBe(false);
  });
});

const node = fc.integer({ min: 0, max: 9 }).map((index) => `f${index}`);
const name = fc.constantFrom('A', 'B', 'default', '*', 'f1');
const statement = fc.tuple(
  fc.array(node, { minLength: 1, maxLength: 3 }).map((all) => all.join(' ')),
  fc.array(name, { maxLength: 3 }),
  fc.constantFrom<ImportKind>('import', 'reexport', 'module'),
);
const fixtures = fc.dictionary(
  node,
  fc.record({
    imports: fc.array(statement, { maxLength: 4 }),
    exports: fc.array(name, { maxLength: 2 }),
    tests: fc.constantFrom<readonly string[] | undefined>(undefined, ['f1'], []),
  }),
);

test('any graph, however tangled: edges are listed, sorted, and do not depend on the order of files', () => {
  fc.assert(
    fc.property(fixtures, (generated) => {
      const fixture = generated as Record<string, Fixture>;
      const linked = link(fixture);
      const reversed = link(Object.fromEntries(Object.entries(fixture).reverse()));
      for (const key of ['imports', 'definers', 'tests'] as const) {
        for (const [from, targets] of linked[key]) {
          expect(targets).toEqual([...new Set(targets)].sort());
          expect(targets.length).toBeGreaterThan(0);
          for (const target of targets) expect(target !== from && target in fixture).toBe(true);
        }
        expect(new Map([...reversed[key]].sort())).toEqual(new Map([...linked[key]].sort()));
      }
    }),
    { numRuns: 300 },
  );
});
