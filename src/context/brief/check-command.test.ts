// What holds for every runner. Each kind of runner has its own file beside this one.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/support/cpu-time.ts';
import { commandIn, JEST, manifest, VITEST } from './check-command.test-kit.ts';
import { checkCommand } from './check-command.ts';

describe('words from the repository', () => {
  it.each([
    'costs $5',
    'a `b`',
    "it's",
    'a "b"',
    'a\nb',
    'a; rm -rf x',
    '-t',
    '%s items',
    'x\u3164y',
    'a\\b',
  ])('leave the name out when it is not plain: %j', (name) =>
    expect(commandIn({ 'package.json': VITEST }, 'a.test.ts', name)).toBe('npx vitest run a.test.ts'),
  );

  it('are patterns where the runner reads patterns', () => {
    expect(commandIn({ 'package.json': JEST }, 'src/+page.test.ts', 'a + b')).toBe(
      'npx jest src/.page.test.ts -t "a . b"',
    );
  });

  it('fall back to a part of the path, then to the script', () => {
    const path = 'app/[id]/page.test.ts';
    expect(commandIn({ 'package.json': VITEST }, path)).toBe('npx vitest run page.test.ts');
    const mocha = manifest({ scripts: { test: 'mocha' } });
    expect(commandIn({ 'package.json': mocha }, path)).toBe('npm test');
    expect(commandIn({ 'a$(b)/package.json': VITEST }, 'a$(b)/a.test.ts')).toBeNull();
  });

  it.each([
    '/etc/a.test.ts',
    '../a.test.ts',
    'a/../b.test.ts',
    './a.test.ts',
    '',
    `${'a/'.repeat(300)}a.test.ts`,
  ])('are no paths outside of the repository: %s', (path) =>
    expect(commandIn({ 'package.json': VITEST }, path)).toBeNull(),
  );

  it('come from no manifest that is huge or broken', () => {
    const path = 'a.test.ts';
    expect(commandIn({ 'package.json': `${VITEST}${' '.repeat(300_000)}` }, path)).toBeNull();
    for (const text of ['{', '[]', 'null', '"vitest"', '{"scripts":[1]}', '{"scripts":{"test":{}}}'])
      expect(commandIn({ 'package.json': text }, path)).toBeNull();
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(commandIn({ 'package.json': deep }, path)).toBeNull();
    expect(commandIn({ 'composer.json': deep }, 'tests/CartTest.php')).toBeNull();
    const keys = '{"__proto__":{"scripts":{"test":"vitest"}},"constructor":{"vitest":1},"scripts":null}';
    expect(commandIn({ 'package.json': keys }, path)).toBeNull();
  });
});

/** A command of fixed words and of words that are plain or in quotes; nothing in it can end a word or start another command. */
const SAFE_COMMAND =
  /^(?:cd (?:"[^"$`\\\n]+"|[\w./@+:#-]+) && |make [\w-]+ && )?(?:"[^"$`\\\n]*"|'[^'\n]*'|[\p{L}\p{N} ._@+:/#,=~-])+$/u;
const EXTENSIONS = [
  'ts',
  'py',
  'go',
  'rs',
  'java',
  'kt',
  'scala',
  'cs',
  'swift',
  'cc',
  'rb',
  'php',
  'exs',
  'dart',
];
const MANIFESTS = [
  ...[
    'package.json',
    'vitest.config.ts',
    'deno.json',
    'pyproject.toml',
    'pytest.ini',
    'manage.py',
    'uv.lock',
  ],
  ...[
    'go.mod',
    'Cargo.toml',
    'pom.xml',
    'mvnw',
    'build.gradle',
    'settings.gradle',
    'build.sbt',
    'Package.swift',
  ],
  ...['CMakeLists.txt', 'Makefile', 'Gemfile', '.rspec', 'composer.json', 'mix.exs', 'pubspec.yaml'],
];

describe('hostile repositories', () => {
  const word = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      '$(id)',
      '`id`',
      '"; id; "',
      "'; id; '",
      '-x',
      '--config=x',
      '\n',
      '__proto__',
      'a b',
      'é',
    ),
  );
  const script = fc.tuple(
    fc.constantFrom('vitest ', 'A=1 jest ', 'mocha -r ', 'node --test --import ', 'ava '),
    word,
  );
  const text = fc.oneof(
    word,
    fc.json(),
    fc
      .tuple(word, script)
      .map(([key, parts]) => manifest({ scripts: { test: parts.join(''), [key]: parts.join('') } })),
    word.map(
      (name) => `[package]\nname = "${name}"\n[tool.pytest]\n[[test]]\nname = "${name}"\npath = "tests/a.rs"`,
    ),
    word.map(
      (name) => `<module>${name}</module> include "${name}" add_test(NAME ${name}) ${name}: "pestphp/pest"`,
    ),
    word.map(
      (name) =>
        `import unittest\nclass ${name}:\n  def ${name}(): from 'vitest'\n//go:build ${name}\nTEST(${name},`,
    ),
  );
  const folder = fc.array(fc.oneof(fc.constantFrom('src', 'tests', 'a'), word), { maxLength: 3 });
  const repository = fc.record({
    folder,
    stem: fc.oneof(fc.constantFrom('a_test', 'ATest', 'test_a'), word),
    extension: fc.constantFrom(...EXTENSIONS),
    name: fc.option(word, { nil: undefined }),
    container: fc.option(word, { nil: undefined }),
    line: fc.option(fc.double(), { nil: undefined }),
    manifests: fc.array(fc.tuple(fc.nat(3), fc.constantFrom(...MANIFESTS), text), { maxLength: 6 }),
    source: text,
  });

  it('give a safe command or none, and never throw', () => {
    fc.assert(
      fc.property(repository, ({ folder, stem, extension, name, container, line, manifests, source }) => {
        const path = [...folder, `${stem}.${extension}`].join('/');
        const texts = new Map(
          manifests.map(([depth, file, content]) => [[...folder.slice(0, depth), file].join('/'), content]),
        );
        texts.set(path, source);
        const test = { path, name, container, line };
        const command = checkCommand(test, { files: texts, read: (one) => texts.get(one) ?? null });
        if (command !== null)
          expect(command.replace(/^make ([\w-]+) && \.\/\1/, 'make')).toMatch(SAFE_COMMAND);
      }),
      { numRuns: 3_000 },
    );
  });

  it('take no longer for texts that are made to be slow', () => {
    const parts = [
      'node ',
      'import ',
      '[package]\n',
      'add_test(',
      "include: ['",
      'lazy val a file("',
      '#![cfg(',
      ' ',
    ];
    for (const part of parts)
      for (const extension of EXTENSIONS) {
        const long = part.repeat(Math.floor(250_000 / part.length));
        const files = Object.fromEntries(MANIFESTS.map((file) => [file, long]));
        const scripts = manifest({ scripts: { test: long.slice(0, 100_000), unit: long.slice(0, 1_900) } });
        const path = `a_test.${extension}`;
        const all = { ...files, 'package.json': scripts, [path]: long };
        expect(cpuTime(() => commandIn(all, path, 'test_a'))).toBeLessThan(500);
      }
  });
});
