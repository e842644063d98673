import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ImportResolver } from '../../../model/import-resolver.ts';
import type { ImportReference } from '../../../model/parsed-file.ts';
import { fixtureContext } from '../../link/fixture-context.test-kit.ts';
import { cFamilyResolver } from './c-family.ts';
import { csharpResolver } from './csharp.ts';
import { cssResolver } from './css.ts';
import { dartResolver } from './dart.ts';
import { elixirResolver } from './elixir.ts';
import { goResolver } from './go.ts';
import { haskellResolver } from './haskell.ts';
import { javascriptResolver } from './javascript.ts';
import { jvmResolver } from './jvm.ts';
import { luaResolver } from './lua.ts';
import { phpResolver } from './php.ts';
import { pythonResolver } from './python.ts';
import { rubyResolver } from './ruby.ts';
import { rustResolver } from './rust.ts';
import { shellResolver } from './shell.ts';
import { swiftResolver } from './swift.ts';
import { zigResolver } from './zig.ts';

const RESOLVERS: Readonly<Record<string, ImportResolver>> = {
  cFamilyResolver,
  csharpResolver,
  cssResolver,
  dartResolver,
  elixirResolver,
  goResolver,
  haskellResolver,
  javascriptResolver,
  jvmResolver,
  luaResolver,
  phpResolver,
  pythonResolver,
  rubyResolver,
  rustResolver,
  shellResolver,
  swiftResolver,
  zigResolver,
};

const word = fc.constantFrom('a', 'b', 'src', 'lib', 'index', '__init__', 'mod', 'main', 'Sources', 'A');
const ending = fc.constantFrom(
  ...[
    '.ts',
    '.js',
    '.py',
    '.go',
    '.rs',
    '.java',
    '.h',
    '.cs',
    '.php',
    '.rb',
    '.dart',
    '.swift',
    '.zig',
    '.ex',
  ],
  ...['.hs', '.lua', '.sh', '.scss'],
);
const source = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 4 }), ending)
  .map(([folders, end]) => folders.join('/') + end);
const manifest = fc
  .tuple(
    fc.array(word, { maxLength: 2 }),
    fc.constantFrom(
      ...[
        'package.json',
        'tsconfig.json',
        'go.mod',
        'Cargo.toml',
        'composer.json',
        'pubspec.yaml',
        'build.zig',
      ],
      ...['pyproject.toml', 'Package.swift', 'go.work'],
    ),
  )
  .map(([folders, name]) => [...folders, name].join('/'));
const text = fc.oneof(
  fc.string(),
  fc.json(),
  fc.constantFrom(
    '{"name":"a","main":".","exports":{".":"./","./*":"./*"},"imports":{"#a":"#a","#*":"./*"}}',
    '{"extends":"./tsconfig.json","compilerOptions":{"paths":{"*":["*"]},"baseUrl":".","outDir":".","rootDir":".."}}',
    'module a\nreplace b => ../..\nreplace a => ./b',
    '[package]\nname = "a"\n[lib]\npath = "../../x.rs"\n[dependencies]\nb = { package = "a" }',
    '{"autoload":{"psr-4":{"":"","a\\\\":"../.."},"classmap":["."]}}',
    'name: a',
  ),
);
const specifier = fc.oneof(
  fc.string(),
  fc
    .tuple(
      fc.constantFrom('', './', '../', '@/', '#', '/', 'crate::', 'package:', '$X/'),
      fc.array(word),
      fc.constantFrom('/', '.', '::', '\\'),
    )
    .map(([start, words, separator]) => start + words.join(separator)),
);
const reference: fc.Arbitrary<ImportReference> = fc.record({
  kind: fc.constantFrom('import', 'reexport', 'include', 'module'),
  specifier,
  names: fc.array(fc.oneof(word, fc.constantFrom('*', '<>', 'self', '')), { maxLength: 3 }),
  line: fc.constant(1),
  endLine: fc.constant(1),
});
const repository = fc.record({
  sources: fc.uniqueArray(source, { minLength: 1, maxLength: 12 }),
  manifests: fc.dictionary(manifest, text, { maxKeys: 5 }),
  questions: fc.array(fc.tuple(fc.nat(), reference), { minLength: 1, maxLength: 8 }),
});

describe.each(Object.entries(RESOLVERS))('%s', (_name, resolver) => {
  test('never throws, answers with listed paths, and does not depend on earlier questions', () => {
    fc.assert(
      fc.property(repository, ({ sources, manifests, questions }) => {
        const files = { ...manifests, ...Object.fromEntries(sources.map((path) => [path, ''])) };
        const packages = { a: sources.slice(0, 3), 'a.b': sources.slice(2) };
        const context = fixtureContext(files, packages);
        const used = resolver(context);
        const asked = questions.map(([index, one]) => [sources[index % sources.length]!, one] as const);
        const answers = asked.map(([from, one]) => used(from, one));
        for (const answer of answers)
          if (answer.kind === 'resolved')
            for (const path of answer.paths) expect(context.has(path)).toBe(true);
        const reordered = fixtureContext(Object.fromEntries(Object.entries(files).reverse()), packages);
        const fresh = resolver(reordered);
        const again = asked.toReversed().map(([from, one]) => fresh(from, one));
        expect(again.toReversed()).toEqual(answers);
      }),
      { numRuns: 150 },
    );
  });
});
