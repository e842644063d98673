import { describe, expect, it } from 'vitest';
import { analyzeTask } from './analyze-task.ts';

/** `kind path:line` of everything that a text mentions. */
function mentions(text: string): string[] {
  return analyzeTask(text).paths.map(
    ({ kind, path, line }) => `${kind} ${path}${line === null ? '' : `:${line}`}`,
  );
}

describe('paths', () => {
  it.each([
    ['Look at src/auth/token.ts please', 'path src/auth/token.ts'],
    ['Look at ./src/auth/token.ts', 'path src/auth/token.ts'],
    ['Look at ../shared/token.ts', 'path shared/token.ts'],
    ['The bug is in auth/token.ts.', 'path auth/token.ts'],
    ['Change `settings.py`, then run', 'path settings.py'],
    // the language table knows these endings
    ['cities.geojson is too large', 'path cities.geojson'],
    ['Change schema.graphqls', 'path schema.graphqls'],
    // and these, which are also words
    ['calls git.command twice', 'module git.command'],
    ['(see lib/parser.rb)', 'path lib/parser.rb'],
    ['"src/a.ts", \'src/b.ts\'', 'path src/b.ts'],
    ['**src/bold.go**', 'path src/bold.go'],
    ['[the parser](src/parse/parser.ts)', 'path src/parse/parser.ts'],
    ['fails at src/a.py:42', 'path src/a.py:42'],
    ['fails at src/a.py:42:7: error', 'path src/a.py:42'],
    ['fails at src/a.py:42-50', 'path src/a.py:42'],
    ['fails in a.py, line 42', 'path a.py:42'],
    ['in `src/a.py` on line 42 we', 'path src/a.py:42'],
    ['File "src/a.py", line 42, in f', 'path src/a.py:42'],
    ['see src/a.ts#L10-L20', 'path src/a.ts:10'],
    ['src/a.ts(42,7): error TS2345: nope', 'path src/a.ts:42'],
    ['run tests/test_a.py::TestA::test_b', 'path tests/test_a.py'],
    ['C:\\work\\app\\src\\main.cs is wrong', 'path work/app/src/main.cs'],
    ['C:\\\\work\\\\src\\\\main.cs', 'path work/src/main.cs'],
    ['src\\lib\\main.cpp(12) : error C2065', 'path src/lib/main.cpp:12'],
    ['/usr/lib/python3/site-packages/pkg/mod.py', 'path usr/lib/python3/site-packages/pkg/mod.py'],
    ['~/project/src/index.js', 'path project/src/index.js'],
    ['--- a/src/x.ts', 'path src/x.ts'],
    ['.../vendor/pkg/tsdb/head.go:668', 'path vendor/pkg/tsdb/head.go:668'],
    ['app/(shop)/[slug]/page.tsx renders twice', 'path app/(shop)/[slug]/page.tsx'],
    ['`pages/[...all].vue`', 'path pages/[...all].vue'],
    ['everything in src/core/ is slow', 'path src/core'],
    ['all of src/core/**/*.ts', 'path src/core'],
    ['the `net/http` package', 'path net/http'],
    ['packages/reactivity is slow', 'path packages/reactivity'],
    ['lib/internal_utils drops it', 'path lib/internal_utils'],
    ['github.com/owner/name/tsdb/index', 'path tsdb/index'],
    ['the Makefile has no target', 'path Makefile'],
    ['edit .eslintrc.json', 'path .eslintrc.json'],
    ['edit .gitignore too', 'path .gitignore'],
    ['vite.config.ts is ignored', 'path vite.config.ts'],
    ['"docs/my notes/read me.md" is stale', 'path docs/my notes/read me.md'],
    ['修复 src/解析/词法.ts 中的错误', 'path src/解析/词法.ts'],
    ['错误在 `src/parse.ts`，第 3 行', 'path src/parse.ts'],
    ['eval (Crumbs.js?6780:32:1)', 'path Crumbs.js:32'],
    ['#include "table/block.h"', 'path table/block.h'],
  ])('%s -> %s', (text, expected) => expect(mentions(`Title of it\n\n${text}`)).toContain(expected));

  it.each([
    ['src/in-title.ts is broken', 'path src/in-title.ts'],
    ['fix(packages/core): close it', 'path packages/core'],
    ['net/http: keep the header', 'path net/http'],
  ])('in a title: %s', (text, expected) => expect(mentions(text)).toContain(expected));
});

describe('modules', () => {
  it.each([
    ['django.db.models.query drops rows', 'module django.db.models.query'],
    ['calling `astropy.io.fits.open()` fails', 'module astropy.io.fits'],
    ['    from a.b import c', 'module a.b'],
    ['    from a.b import c', 'module a.b.c'],
    ['>>> from sympy.core import basic', 'module sympy.core.basic'],
    ['In [1]: from pkg.text import Reader', 'module pkg.text'],
    ['import org.example.app.Main;', 'module org.example.app.Main'],
    ['use tokio::net::UdpSocket;', 'module tokio.net.UdpSocket'],
    ['`tokio::net::UdpSocket` is not Send', 'module tokio.net.UdpSocket'],
    ['App\\Http\\Controllers\\Home is unused', 'module App.Http.Controllers.Home'],
    ['alias Phoenix.LiveView.Socket', 'module Phoenix.LiveView.Socket'],
    ['using System.Text.Json;', 'module System.Text.Json'],
    ["INSTALLED_APPS = ['django.contrib.auth']", 'module django.contrib.auth'],
    ['django.utils.html.escape() is slow', 'module django.utils.html'],
  ])('%s -> %s', (text, expected) => expect(mentions(`Title of it\n\n${text}`)).toContain(expected));
});

describe('addresses of repository hosts', () => {
  it.each([
    ['https://github.com/o/r/blob/main/src/a.ts', 'url src/a.ts'],
    ['https://github.com/o/r/blob/4d560ae/src/a.ts#L10-L20', 'url src/a.ts:10'],
    ['(https://github.com/o/r/blob/main/src/a.ts#L7).', 'url src/a.ts:7'],
    ['[code](https://github.com/o/r/tree/main/src/core)', 'url src/core'],
    ['https://raw.githubusercontent.com/o/r/main/src/a.ts', 'url src/a.ts'],
    ['https://raw.githubusercontent.com/o/r/refs/heads/main/src/a.ts', 'url src/a.ts'],
    ['https://gitlab.com/g/sub/p/-/blob/main/lib/a.rb#L3', 'url lib/a.rb:3'],
    ['https://bitbucket.org/o/r/src/main/lib/a.py#lines-12', 'url lib/a.py:12'],
    ['https://codeberg.org/o/r/src/branch/main/lib/a.zig', 'url lib/a.zig'],
    ['https://github.com/o/r/blob/main/app/%5Bid%5D/page.tsx', 'url app/[id]/page.tsx'],
    ['https://git.example.org/o/r/blame/v1.2/src/a.c', 'url src/a.c'],
  ])('%s -> %s', (text, expected) => expect(mentions(`Title of it\n\nSee ${text}`)).toEqual([expected]));
});

describe('no paths', () => {
  it.each([
    'and/or',
    'read/write access',
    'it takes 24/7 care',
    'on 2024/01/31',
    'version 1.2.3',
    'v1.2.3 and 2.0.0-beta.1',
    'e.g. this, i.e. that',
    'see example.com',
    'https://docs.example.org/en/3.0/ref/models.html',
    'https://example.com/a/b/c.py is a page of another site',
    'https://github.com/o/r/issues/12',
    'https://github.com/o/r/pull/12/files',
    'mail me@example.com',
    'fixed in owner/name#123',
    'sent as application/json or text/html',
    'N/A',
    'he/she',
    'true/false',
    'w/o',
    'Node.js 18',
    '50 km/h',
    'on 24/Apr/2023',
    '```go\nc.JSON(200, nil)\nx.c = response.json\n```',
    'the end.Then',
    'a/b',
    '{{ x / y }}',
    '\\d+\\.\\w+',
  ])('%s', (text) => expect(mentions(`Title of it\n\n${text}`)).toEqual([]));
});
