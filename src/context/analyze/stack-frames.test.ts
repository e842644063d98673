import { describe, expect, it } from 'vitest';
import { analyzeTask } from './analyze-task.ts';

/** `depth path:line symbol`. */
function frames(text: string): string[] {
  return analyzeTask(text).frames.map(
    ({ depth, path, line, symbol }) => `${depth} ${path}:${path === '' ? '' : line} ${symbol}`,
  );
}

describe('stack frames', () => {
  it.each([
    [
      'innermost last, with code between',
      'Traceback (most recent call last):\n  File "/app/main.py", line 3, in <module>\n    run()\n  File "/app/core/run.py", line 40, in run\n    raise ValueError("x")\nValueError: x',
      ['0 /app/core/run.py:40 run', '1 /app/main.py:3 null'],
    ],
    [
      'a chain of them: the cause first',
      'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    x\nKeyError: 1\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "b.py", line 2, in g\n    y\nValueError: 2',
      ['0 a.py:1 f', '1 b.py:2 g'],
    ],
    [
      'notebooks, old',
      'KeyError                                  Traceback (most recent call last)\n<ipython-input-1> in <module>()\n----> 1 f()\n\n~/lib/pkg/frame.py in get(self, key)\n     41   x\n---> 42   return y\n     43\n\nKeyError: 1',
      ['0 ~/lib/pkg/frame.py:42 get'],
    ],
    [
      'notebooks, new',
      'File ~/lib/pkg/frame.py:42, in get(self, key)\n     41 x',
      ['0 ~/lib/pkg/frame.py:42 get'],
    ],
    [
      'test runners',
      'tests/test_a.py:12: in test_a\n    f()\nsrc/a.py:3: AssertionError',
      ['0 src/a.py:3 null', '1 tests/test_a.py:12 test_a'],
    ],
    [
      'innermost first, with methods in parentheses',
      'TypeError: x is not a function\n    at Foo.bar (/app/src/foo.js:12:5)\n    at async main (file:///app/src/main.mjs:3:1)\n    at /app/index.js:1:1\n    at node:internal/modules/cjs/loader:1101:14',
      [
        '0 /app/src/foo.js:12 Foo.bar',
        '1 /app/src/main.mjs:3 main',
        '2 /app/index.js:1 null',
        '3 internal/modules/cjs/loader:1101 null',
      ],
    ],
    [
      'bundles',
      '    at eval (webpack:///./src/a.js?:10:3)\n    at b (http://localhost:3000/static/b.js:2:1)',
      ['0 src/a.js:10 eval', '1 static/b.js:2 b'],
    ],
    [
      'browsers',
      'load@http://localhost:8080/src/app.js:12:3\nmain@/src/main.js:1:1',
      ['0 src/app.js:12 load', '1 /src/main.js:1 main'],
    ],
    [
      'packages, cause behind',
      'Exception in thread "main" java.lang.RuntimeException: x\n\tat org.example.App.main(App.java:10)\nCaused by: java.io.IOException: y\n\tat org.example.io.Reader.read(Reader.java:42)\n\tat java.base/java.util.ArrayList.get(ArrayList.java:427)\n\t... 1 more',
      [
        '0 org/example/io/Reader.java:42 org.example.io.Reader.read',
        '1 java/util/ArrayList.java:427 java.util.ArrayList.get',
        '2 org/example/App.java:10 org.example.App.main',
      ],
    ],
    [
      'inner classes',
      '\tat org.example.App$Inner.lambda$run$0(App.kt:7)',
      ['0 org/example/App.kt:7 org.example.App$Inner.lambda$run$0'],
    ],
    [
      'goroutines',
      'panic: boom\n\ngoroutine 1 [running]:\nmain.(*Server).Run(0xc000)\n\t/app/server.go:42 +0x1d\nmain.main()\n\t/app/main.go:5 +0x20',
      ['0 /app/server.go:42 main.(*Server).Run', '1 /app/main.go:5 main.main'],
    ],
    [
      'panics with a backtrace',
      "thread 'main' panicked at src/lib.rs:10:5:\nindex out of bounds\nstack backtrace:\n   0: rust_begin_unwind\n             at /rustc/abc/library/std/src/panicking.rs:617:5\n   1: app::parse\n             at ./src/lib.rs:10:5",
      [
        '0 src/lib.rs:10 null',
        '1 /rustc/abc/library/std/src/panicking.rs:617 rust_begin_unwind',
        '2 src/lib.rs:10 app::parse',
      ],
    ],
    ['panics, old', "thread 'main' panicked at 'oh no', src/main.rs:3:5", ['0 src/main.rs:3 null']],
    [
      'methods in backticks',
      "app/models/user.rb:12:in `save!': boom (RuntimeError)\n\tfrom app/main.rb:3:in `block in <main>'\n\tfrom lib/x.rb:4:in 'Foo#bar'",
      ['0 app/models/user.rb:12 save!', '1 app/main.rb:3 null', '2 lib/x.rb:4 Foo#bar'],
    ],
    [
      'numbered, lines in parentheses',
      'PHP Fatal error:  Uncaught Error: x in /app/src/Foo.php:42\nStack trace:\n#0 /app/src/Bar.php(10): App\\Foo->run()\n#1 {main}\n  thrown in /app/src/Foo.php on line 42',
      ['0 /app/src/Foo.php:42 null', '1 /app/src/Bar.php:10 App\\Foo->run', '2 /app/src/Foo.php:42 null'],
    ],
    [
      'with the word line',
      '   at App.Foo.Bar(String x) in C:\\src\\Foo.cs:line 42\n   at App.Main() in C:\\src\\Main.cs:line 3',
      ['0 C:/src/Foo.cs:42 App.Foo.Bar', '1 C:/src/Main.cs:3 App.Main'],
    ],
    [
      'debuggers',
      '#0  0x00007f in lookup (db=0x1, key=0x2) at src/db.c:42\n#1  main (argc=1, argv=0x2) at src/main.c:7',
      ['0 src/db.c:42 lookup', '1 src/main.c:7 main'],
    ],
    [
      'sanitizers',
      '==1234==ERROR: AddressSanitizer: heap-use-after-free\n    #0 0x4f5 in lookup /src/db.c:42:7\n    #1 0x4f6 in main /src/main.c:7',
      ['0 /src/db.c:42 lookup', '1 /src/main.c:7 main'],
    ],
    [
      'fatal errors',
      'Fatal error: Index out of range: file App/List.swift, line 10',
      ['0 App/List.swift:10 null'],
    ],
    ['fatal errors, new', 'App/List.swift:10: Fatal error: Index out of range', ['0 App/List.swift:10 null']],
    [
      'with the application',
      '** (ArgumentError) boom\n    (app 0.1.0) lib/app/user.ex:12: App.User.load/1\n    (elixir 1.14.0) lib/enum.ex:4: Enum.map/2',
      ['0 lib/app/user.ex:12 App.User.load', '1 lib/enum.ex:4 Enum.map'],
    ],
    [
      'numbered, with packages',
      '#0      User.load (package:app/user.dart:12:5)\n#1      main (file:///app/bin/main.dart:3:1)',
      ['0 lib/user.dart:12 User.load', '1 /app/bin/main.dart:3 main'],
    ],
    [
      'call stacks',
      'CallStack (from HasCallStack):\n  error, called at src/Foo.hs:12:5 in main:Foo\n  run, called at app/Main.hs:3:1 in main:Main',
      ['0 src/Foo.hs:12 error', '1 app/Main.hs:3 run'],
    ],
    [
      "in function 'name'",
      "stack traceback:\n\t[C]: in function 'error'\n\tsrc/foo.lua:12: in function 'load'\n\tmain.lua:3: in main chunk",
      ['0 src/foo.lua:12 load', '1 main.lua:3 null'],
    ],
    [
      'programs without their sources: the C library',
      '------ STACK TRACE ------\nEIP:\n/usr/bin/server *:6379(streamGet+0x1f2)[0x55e1f2]\n\nBacktrace:\n/lib/x86_64-linux-gnu/libpthread.so.0(+0x12730)[0x7fd3b]\nserver *:6379(streamGet+0x1f2)[0x55e1f2]\nserver *:6379(lpGet+0x1b) [0x55d0c3]\n./a.out(_ZN3foo3barEv+0x9)[0x4007]\n/lib/libc.so.6(__libc_start_main+0xe7)[0x7f]',
      ['0 : streamGet', '0 : streamGet', '1 : lpGet', '2 : foo::bar', '3 : __libc_start_main'],
    ],
    [
      'programs without their sources: debuggers',
      '#0  0x00007ffff in raise () from /lib64/libc.so.6\n#1  0x0000000000401 in lp_get ()\n#2  main (argc=1) from ./a.out',
      ['0 : raise', '1 : lp_get', '2 : main'],
    ],
    [
      'programs without their sources: crash reports',
      'Thread 0 Crashed:\n0   server                 0x0000000104f5a streamGet + 498\n1   server                 0x0000000104f5b foo::Bar::run(int) + 12',
      ['0 : streamGet', '1 : foo::Bar::run'],
    ],
  ])('%s', (_, text, expected) => {
    expect(frames(text)).toEqual(expected);
    expect(frames(`It crashes\n\n\`\`\`\n${text}\n\`\`\`\n`)).toEqual(expected);
  });

  it.each([
    'a sentence at src/foo.ts that goes on',
    'see src/main.rs:3:5',
    'look at line 12 of the file',
    '#1 is the best',
    'at 10:30 in the morning',
    'src/server.go:42',
    'call f(x + 0x1f) and g(y)',
    'the sum (a+0x10) [see 0x10]',
    '3   apples   0x12 pears',
  ])('none in: %s', (text) => expect(frames(`Title\n\n${text}\n`)).toEqual([]));

  it('counts two traces of one text each from zero', () => {
    const trace = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    x\nKeyError: 1';
    expect(frames(`It crashes\n\n${trace}\n\nAnd later:\n\n${trace}\n`)).toEqual([
      '0 a.py:1 f',
      '0 a.py:1 f',
    ]);
  });
});
