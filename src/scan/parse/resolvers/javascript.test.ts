import { describe, expect, test } from 'vitest';
import { fixtureContext, listed, resolveIn } from '../../link/fixture-context.test-kit.ts';
import { javascriptResolver } from './javascript.ts';

const resolving = (files: Record<string, string>) => resolveIn(javascriptResolver, fixtureContext(files));
const json = (value: unknown) => JSON.stringify(value);

describe('relative imports', () => {
  const resolve = resolving(
    listed(
      ...[
        'src/a.ts',
        'src/b.tsx',
        'src/c.mts',
        'src/d.cts',
        'src/e.js',
        'src/e.d.ts',
        'src/f.vue',
        'src/g.json',
      ],
      ...['src/h/index.ts', 'src/i.d.ts', 'src/style.css', 'src/j.ts', 'src/j.js', 'src/j/index.ts'],
      ...['src/k.ios.tsx', 'src/k.android.tsx', 'src/l.mjs', 'index.ts', 'src/m.svelte'],
    ),
  );

  test.each([
    ['./a', ['src/a.ts']],
    ['./b', ['src/b.tsx']],
    ['./c', ['src/c.mts']],
    ['./d.cjs', ['src/d.cts']],
    ['./c.mjs', ['src/c.mts']],
    ['./l.mjs', ['src/l.mjs']],
    ['./a.js', ['src/a.ts']],
    ['./b.js', ['src/b.tsx']],
    ['./b.jsx', ['src/b.tsx']],
    ['./e', ['src/e.js']],
    ['./i', ['src/i.d.ts']],
    ['./i.js', ['src/i.d.ts']],
    ['./f', ['src/f.vue']],
    ['./f.vue', ['src/f.vue']],
    ['./m', ['src/m.svelte']],
    ['./g', ['src/g.json']],
    ['./h', ['src/h/index.ts']],
    ['./h/', ['src/h/index.ts']],
    ['./h/index.js', ['src/h/index.ts']],
    ['./j', ['src/j.ts']],
    ['./j.js', ['src/j.ts']],
    ['./k', ['src/k.android.tsx', 'src/k.ios.tsx']],
    ['./style.css', ['src/style.css']],
    ['./style.css?inline', ['src/style.css']],
    ['raw-loader!./a', ['src/a.ts']],
    ['..', ['index.ts']],
    ['../src/./h/../a', ['src/a.ts']],
    ['./missing', 'unresolved'],
    ['../../outside', 'unresolved'],
    ['node:fs', 'external'],
    ['fs', 'external'],
    ['react', 'external'],
    ['https://example.org/x.js', 'external'],
    ['virtual:icons', 'external'],
    ['', 'external'],
  ])('%s', (specifier, expected) => {
    expect(resolve('src/from.ts', specifier)).toEqual(expected);
  });

  test('a name that only starts like another is not mistaken for a platform variant', () => {
    expect(resolving(listed('src/ka.ios.ts', 'src/k.test.ts'))('src/x.ts', './k')).toBe('unresolved');
  });
});

describe('compiler settings', () => {
  test('paths, with comments and trailing commas; the nearest settings win', () => {
    const resolve = resolving({
      ...listed('src/util.ts', 'web/src/util.ts', 'web/src/ui/index.tsx', 'web/src/only.ts'),
      'tsconfig.json': '{ /* root */ "compilerOptions": { "paths": { "@/*": ["./src/*"], }, }, }',
      'web/tsconfig.json': `{
        "compilerOptions": { // the // is not a comment here:
          "paths": { "@/*": ["./gone/*", "./src/*"], "ui": ["src/ui"], "u*": ["nowhere/*"] } } }`,
    });
    expect(resolve('src/a.ts', '@/util')).toEqual(['src/util.ts']);
    expect(resolve('web/src/a.ts', '@/util')).toEqual(['web/src/util.ts']);
    expect(resolve('web/src/a.ts', 'ui')).toEqual(['web/src/ui/index.tsx']);
    expect(resolve('web/src/a.ts', '@/nothing')).toBe('unresolved');
  });

  test('a prefix without a slash and the longest prefix', () => {
    const resolve = resolving({
      ...listed('chat/src/index.ts', 'chat/src/x.ts', 'hub/src/index.ts'),
      'app/tsconfig.json': json({
        compilerOptions: { paths: { '@n/chat*': ['../chat/src*'], '@n/chat-hub*': ['../hub/src*'] } },
      }),
    });
    expect(resolve('app/a.ts', '@n/chat')).toEqual(['chat/src/index.ts']);
    expect(resolve('app/a.ts', '@n/chat/x')).toEqual(['chat/src/x.ts']);
    expect(resolve('app/a.ts', '@n/chat-hub')).toEqual(['hub/src/index.ts']);
  });

  test('extends: chains, lists, packages of the repository, circles; paths stay with the file that has them', () => {
    const resolve = resolving({
      ...listed('base/lib/x.ts', 'app/y.ts', 'app/z/z.ts'),
      'base/tsconfig.json': json({
        extends: '../app/tsconfig.json',
        compilerOptions: { paths: { 'x/*': ['./lib/*'] } },
      }),
      'shared/package.json': json({ name: '@own/config' }),
      'shared/other.json': json({
        compilerOptions: { baseUrl: `\${configDir}` },
      }),
      'app/tsconfig.json': json({ extends: ['../base/tsconfig', '@own/config/other.json', 'not-here/x'] }),
      'app/z/tsconfig.json': json({ extends: '../../base/tsconfig.json' }),
    });
    expect(resolve('app/z/a.ts', 'x/x')).toEqual(['base/lib/x.ts']);
    expect(resolve('app/a.ts', 'y')).toEqual(['app/y.ts']);
  });

  test('baseUrl, and jsconfig.json', () => {
    const resolve = resolving({
      ...listed('src/components/button.jsx'),
      'jsconfig.json': json({ compilerOptions: { baseUrl: 'src' } }),
    });
    expect(resolve('src/a.js', 'components/button')).toEqual(['src/components/button.jsx']);
    expect(resolve('src/a.js', 'react')).toBe('external');
  });

  test('a file that only lists projects means those projects', () => {
    const resolve = resolving({
      ...listed('src/x.ts'),
      'tsconfig.json': json({ files: [], references: [{ path: './tsconfig.web.json' }] }),
      'tsconfig.web.json': json({ compilerOptions: { paths: { '#x': ['./src/x.ts'] } } }),
    });
    expect(resolve('src/a.vue', '#x')).toEqual(['src/x.ts']);
  });

  test.each(['', '{', '[]', '"x"', 'null', '{"compilerOptions": 1, "extends": {}, "references": [1]}'])(
    'invalid settings are ignored: %s',
    (text) => {
      const resolve = resolving({ ...listed('src/x.ts'), 'tsconfig.json': text, 'package.json': text });
      expect(resolve('src/a.ts', './x')).toEqual(['src/x.ts']);
      expect(resolve('src/a.ts', 'x')).toBe('external');
    },
  );
});

describe('packages of the repository', () => {
  const resolve = resolving({
    ...listed(
      ...[
        'packages/a/src/index.ts',
        'packages/a/src/deep/tool.ts',
        'packages/a/src/node.ts',
        'packages/a/README.md',
      ],
      ...['packages/b/lib/main.js', 'packages/b/lib/extra.js', 'packages/b/types.d.ts'],
      ...[
        'packages/c/index.ts',
        'packages/d/source/entry.ts',
        'packages/e/src/e.ts',
        'packages/f/src/only.ts',
      ],
      ...['packages/a/src/internal/secret.ts'],
    ),
    'packages/a/package.json': json({
      name: '@own/a',
      exports: {
        '.': { types: './dist/index.d.ts', import: './dist/index.mjs', require: './dist/index.cjs' },
        './deep/*': { default: './dist/esm/deep/*.js' },
        './node': ['./dist/node.js'],
      },
      imports: { '#internal/*': { default: './dist/internal/*.js' }, '#dep': 'lodash' },
    }),
    'packages/b/package.json': json({ name: 'b', main: 'lib/main.js', types: 'types.d.ts' }),
    'packages/c/package.json': json({ name: 'c' }),
    'packages/d/package.json': json({ name: 'd', main: 'build/entry.js' }),
    'packages/d/tsconfig.json': json({ compilerOptions: { outDir: 'build', rootDir: 'source' } }),
    'packages/e/package.json': json({ name: 'e', module: 'src/e.ts', main: 'dist/e.js' }),
    'packages/f/package.json': json({ name: 'f', exports: './dist/gone.js' }),
  });

  test.each([
    ['@own/a', ['packages/a/src/index.ts']],
    ['@own/a/deep/tool', ['packages/a/src/deep/tool.ts']],
    ['@own/a/node', ['packages/a/src/node.ts']],
    ['@own/a/README.md', ['packages/a/README.md']],
    ['b', ['packages/b/lib/main.js']],
    ['b/lib/extra', ['packages/b/lib/extra.js']],
    ['c', ['packages/c/index.ts']],
    ['d', ['packages/d/source/entry.ts']],
    ['e', ['packages/e/src/e.ts']],
    ['f', 'unresolved'],
    ['@own/unknown', 'external'],
  ])('%s', (specifier, expected) => {
    expect(resolve('packages/z/src/x.ts', specifier)).toEqual(expected);
  });

  test('#imports belong to the package around them', () => {
    expect(resolve('packages/a/src/x.ts', '#internal/secret')).toEqual(['packages/a/src/internal/secret.ts']);
    expect(resolve('packages/a/src/x.ts', '#dep')).toBe('external');
    expect(resolve('packages/b/lib/x.ts', '#internal/secret')).toBe('unresolved');
  });

  test('relative paths into a build output or to a package folder', () => {
    expect(resolve('packages/a/test/x.ts', '../dist/deep/tool.js')).toEqual(['packages/a/src/deep/tool.ts']);
    expect(resolve('packages/z/x.ts', '../b')).toEqual(['packages/b/lib/main.js']);
  });

  test('the nearest of two packages with one name', () => {
    const twice = resolving({
      ...listed('x/p/index.ts', 'y/p/index.ts'),
      'x/p/package.json': json({ name: 'p' }),
      'y/p/package.json': json({ name: 'p' }),
    });
    expect(twice('y/q/a.ts', 'p')).toEqual(['y/p/index.ts']);
    expect(twice('x/q/a.ts', 'p')).toEqual(['x/p/index.ts']);
  });

  test('a source condition comes first, whatever the order of the keys', () => {
    const source = resolving({
      ...listed('p/src/main.ts', 'p/lib/main.js'),
      'p/package.json': json({
        name: 'p',
        exports: { default: './lib/main.js', '@own/source': './src/main.ts' },
      }),
    });
    expect(source('a.ts', 'p')).toEqual(['p/src/main.ts']);
  });
});

describe('conventions', () => {
  const resolve = resolving({
    ...listed('web/src/util.ts', 'src/util.ts', 'web/public/logo.svg'),
    'web/package.json': '{}',
  });

  test('@/ and ~/ without a declaration mean src/ of the package', () => {
    expect(resolve('web/src/pages/a.vue', '@/util')).toEqual(['web/src/util.ts']);
    expect(resolve('web/src/pages/a.vue', '~/util.js')).toEqual(['web/src/util.ts']);
    expect(resolve('lib/a.ts', '@/util')).toEqual(['src/util.ts']);
    expect(resolve('lib/a.ts', '@/nothing')).toBe('unresolved');
  });

  test('a leading slash means the folder of the package or what it serves', () => {
    expect(resolve('web/index.js', '/src/util.ts')).toEqual(['web/src/util.ts']);
    expect(resolve('web/index.js', '/logo.svg')).toEqual(['web/public/logo.svg']);
  });
});
