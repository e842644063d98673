import { anyOf, hasWord } from './word-runs.ts';

// Reads one line of a stack trace. Each format is a row of the table at the end, with an example.

/** A stack frame as a line prints it. */
export interface ReadFrame {
  /** Empty when the trace has only names of functions. */
  readonly path: string;
  readonly line: number | null;
  /** The function, as printed. */
  readonly symbol: string | null;
  /** Traces of this format print the innermost frame last. */
  readonly innermostLast: boolean;
}

const MAX_LINE = 1_000;

/** Prefixes that bundlers, browsers and runtimes put in front of a path. */
const SCHEME = anyOf(
  /^file:\/\/\/(?=[A-Za-z]:)|^file:\/\/|^node:/,
  /^webpack(?:-internal)?:\/{2,3}(?:[^/.]{1,100}\/)?/,
  /^https?:\/\/[^/]{1,200}\//,
);
const PACKAGE_ADDRESS = /^package:[^/]{1,100}\//;

function cleanPath(path: string): string {
  const bare = path.replace(SCHEME, '').replace(PACKAGE_ADDRESS, 'lib/').split('?')[0]!;
  return bare
    .replaceAll('\\', '/')
    .replace(/\/{2,}/g, '/')
    .replace(/^(?:\.\/)+/, '');
}

/** The name alone: of `block in Foo#bar`, `Foo.bar [as baz]`, `new Foo`. */
function cleanSymbol(symbol: string): string | null {
  const name = symbol
    .replace(/ \[as .{0,200}$/, '')
    .trim()
    .split(' ')
    .at(-1)!
    .replace(/::h[0-9a-f]{16}$/, '');
  return /\w/.test(name) && !/^<[\w ]+>$/.test(name) ? name : null;
}

/** The folder of a package: `org/example/` for `org.example.Parser.read`. */
function packageFolder(symbol: string): string {
  const folders: string[] = [];
  for (const segment of symbol.split('.').slice(0, -2)) {
    if (!/^[a-z_][\w]*$/.test(segment)) break;
    folders.push(`${segment}/`);
  }
  return folders.join('');
}

/** Turns `_ZN3foo3barEv`, as compilers of C++ write it, into `foo::bar`. */
function demangled(symbol: string): string {
  const names: string[] = [];
  for (let rest = /^_ZN?K?(.*)$/.exec(symbol)?.[1] ?? ''; ; ) {
    const [digits] = /^\d{1,3}/.exec(rest) ?? [];
    if (digits === undefined) break;
    const end = digits.length + Number(digits);
    names.push(rest.slice(digits.length, end));
    rest = rest.slice(end);
  }
  return names.length > 0 ? names.join('::') : symbol;
}

function frameOfFunction(symbol: string | undefined): ReadFrame | null {
  const name = symbol === undefined ? null : cleanSymbol(demangled(symbol));
  return name === null ? null : { path: '', line: null, symbol: name, innermostLast: false };
}

function readAs(format: FrameFormat, text: string, before: string): ReadFrame | null {
  const groups = format.pattern.exec(text)?.groups;
  if (!groups) return null;
  if (groups.path === undefined) return frameOfFunction(groups.symbol);
  const earlier = format.before?.exec(before);
  if (format.before && !earlier && !/ \+0x/.test(text)) return null;
  const printed = groups.symbol ?? earlier?.groups?.symbol ?? null;
  const path = cleanPath(groups.path.trim());
  if (path === '' || !hasWord(path)) return null;
  return {
    path: format.packageInSymbol && printed ? packageFolder(printed) + path : path,
    line: groups.line ? Number(groups.line) : null,
    symbol: printed === null ? null : cleanSymbol(printed),
    innermostLast: format.innermostLast ?? false,
  };
}

/** The stack frame in a line without indentation, or null. `before` is the line above it. */
export function readFrame(text: string, before: string): ReadFrame | null {
  if (text.length > MAX_LINE || text.length < 6) return null;
  // Every format has a line number or the word "in".
  if (!/\d/.test(text) && !text.includes(' in ')) return null;
  for (const format of FRAME_FORMATS) {
    if (format.start !== undefined && !text.startsWith(format.start)) continue;
    if (format.holds !== undefined && !text.includes(format.holds)) continue;
    const frame = readAs(format, text, before.length > MAX_LINE ? '' : before);
    if (frame) return frame;
  }
  return null;
}

/**
 * How one kind of stack trace writes a frame. The groups are `path`, `line` and `symbol`. A format without `path` is for
 * programs without sources.
 */
interface FrameFormat {
  /** The beginning of the line. It is checked first, because that is fast. */
  readonly start?: string;
  /** A text that the line must contain. It is checked first, because that is fast. */
  readonly holds?: string;
  readonly pattern: RegExp;
  /** The error was thrown in the last printed frame, not in the first. */
  readonly innermostLast?: true;
  /** The line above must match this. It may also give the symbol. */
  readonly before?: RegExp;
  /** The trace prints only the file name; the folder comes from the package in the symbol. */
  readonly packageInSymbol?: true;
}

/** The first format that matches wins. Every quantifier is bounded, so a hostile line cannot take long. */
const FRAME_FORMATS: readonly FrameFormat[] = [
  // `File "/app/run.py", line 40, in run`
  {
    start: 'File "',
    pattern: /^File "(?<path>[^"]{1,400})", line (?<line>\d{1,7})(?:, in (?<symbol>\S{1,200}))?/,
    innermostLast: true,
  },
  // `File ~/lib/frame.py:42, in get(self, key)`
  {
    start: 'File ',
    pattern: /^File (?<path>(?:[A-Za-z]:)?[^:"]{1,400}):(?<line>\d{1,7})(?:, in (?<symbol>[\w.<>]{1,200}))?/,
    innermostLast: true,
  },
  // `~/lib/pkg/frame.py in get(self, key)`
  {
    holds: ' in ',
    pattern: /^(?<path>[^\s()]{1,400}\.pyx?) in (?<symbol>[\w.<>]{1,200})\(/,
    innermostLast: true,
  },
  // `[/lib/frame.py](file:///lib/frame.py) in get(self)`
  {
    start: '[',
    holds: ') in ',
    pattern: /^\[(?<path>[^\]\s]{1,400})\]\([^()]{0,400}\) in (?<symbol>[\w.<>]{1,200})/,
    innermostLast: true,
  },
  // `tests/test_a.py:12: in test_a`
  {
    holds: '.py:',
    pattern:
      /^(?<path>[^\s:]{1,400}\.py):(?<line>\d{1,7}): (?:in (?<symbol>[\w.<>]{1,200})|[A-Z]\w{0,80}(?:Error|Exception|Warning|Failed)?$)/,
    innermostLast: true,
  },
  // `at App.Foo.Bar(String x) in C:\src\Foo.cs:line 42`
  {
    start: 'at ',
    holds: ':line ',
    pattern: /^at (?<symbol>[^(]{1,300})\([^)]{0,300}\) in (?<path>.{1,400}):line (?<line>\d{1,7})/,
  },
  // `at org.example.App.main(App.java:10)`
  {
    start: 'at ',
    pattern:
      /^at (?:[\w.@-]{0,100}\/{1,2})?(?<symbol>[\w$.<>]{1,300})\((?<path>[\w$-]{1,200}\.[a-z]{1,8})(?::(?<line>\d{1,7}))?\)/,
    packageInSymbol: true,
  },
  // `at Foo.bar (/app/src/foo.js:12:5)`
  {
    start: 'at ',
    pattern: /^at (?:async )?(?<symbol>[^(]{1,300}) \((?<path>\S{1,400}?):(?<line>\d{1,7})(?::\d{1,7})?\)/,
  },
  // `at /app/index.js:1:1`
  {
    start: 'at ',
    pattern: /^at (?:async )?(?<path>\S{1,400}?):(?<line>\d{1,7})(?::\d{1,7})?$/,
    before: /^(?:\d{1,4}: {1,8}(?:0x[0-9a-f]{1,16} - )?(?<symbol>[\w:<>{}$]{1,300}).{0,300}|.{0,1000})$/,
  },
  // `#0 /app/src/Bar.php(10): App\Foo->run()`
  {
    start: '#',
    pattern: /^#\d{1,5} (?<path>[^()\s][^()]{0,400})\((?<line>\d{1,7})\): (?<symbol>[^(]{1,200})/,
  },
  // `#0  0x00007f in lookup (db=0x1) at src/db.c:42`
  {
    start: '#',
    holds: ') at ',
    pattern:
      /^#\d{1,5} {1,6}(?:0x[0-9a-f]{1,16} in )?(?<symbol>[^\s(]{1,200}) ?\(.{0,600}\) at (?<path>[^\s:]{1,300}):(?<line>\d{1,7})/,
  },
  // `#0      User.load (package:app/user.dart:12:5)`
  {
    start: '#',
    pattern:
      /^#\d{1,5} {1,8}(?<symbol>[^()]{1,200}) \((?<path>(?:[a-z]{1,10}:)?[^()\s:]{1,300}):(?<line>\d{1,7})(?::\d{1,7})?\)$/,
  },
  // `#0 0x4f5 in lookup /src/db.c:42:7`
  {
    start: '#',
    holds: ' in ',
    pattern:
      /^#\d{1,5} {1,6}0x[0-9a-f]{1,16} in (?<symbol>[^\s(]{1,200}).{0,300} (?<path>[^\s:]{1,300}):(?<line>\d{1,7})(?::\d{1,7})?$/,
  },
  // `#0  0x00007ffff in raise () from /lib64/libc.so.6`
  {
    start: '#',
    holds: ' in ',
    pattern:
      /^#\d{1,5} {1,6}0x[0-9a-f]{1,16} in (?<symbol>[^\s(]{1,200}) ?\([^()]{0,600}\)(?: from \S{1,300})?$/,
  },
  // `#2  main (argc=1) from ./a.out`
  {
    start: '#',
    holds: ') from ',
    pattern: /^#\d{1,5} {1,6}(?<symbol>[^\s(]{1,200}) ?\([^()]{0,600}\) from \.{0,2}\/\S{1,300}$/,
  },
  // `./a.out(_ZN3foo3barEv+0x9)[0x4007]`
  {
    holds: '+0x',
    pattern: /^[^()]{1,300}\((?<symbol>[A-Za-z_][\w.$@]{0,300})\+0x[0-9a-f]{1,16}\) ?\[0x[0-9a-f]{1,16}\]/,
  },
  // `0   server                 0x0000000104f5a streamGet + 498`
  {
    holds: ' + ',
    pattern:
      /^\d{1,4} {1,8}\S{1,100} {1,80}0x[0-9a-f]{8,16} (?<symbol>[A-Za-z_~][\w:~.$<>]{0,300})(?:\(.{0,300}\))? \+ \d{1,9}\b/,
  },
  // `from lib/user.rb:3:in 'User#load'`
  {
    holds: ':in ',
    pattern: /^(?:from )?(?<path>[^\s:][^:]{0,300}):(?<line>\d{1,7}):in [`'](?<symbol>[^'`]{1,200})'/,
  },
  // `(app 0.1.0) lib/app/user.ex:12: App.User.load/1`
  {
    start: '(',
    pattern: /^\(\w{1,60} [^)]{1,40}\) (?<path>[^\s:]{1,300}):(?<line>\d{1,7}): (?<symbol>[^\s/]{1,200})/,
  },
  // `lib/app/user.ex:12: App.User.load/1`
  {
    holds: '.ex',
    pattern: /^(?<path>[^\s:]{1,300}\.exs?):(?<line>\d{1,7}): (?<symbol>[\w.!?]{1,200})\/\d/,
  },
  // `/app/server.go:42 +0x1d`, with the function on the line above
  {
    holds: '.go:',
    pattern: /^(?<path>[^\s:][^:]{0,300}\.go):(?<line>\d{1,7})(?: \+0x[0-9a-f]{1,16})?$/,
    before: /^(?:created by )?(?<symbol>[\w./*()@-]{1,300}?)(?:\([^()]{0,300}\)| in goroutine \d{1,9})$/,
  },
  // `thread 'main' panicked at src/lib.rs:10:5:`
  {
    holds: 'panicked at ',
    pattern: /panicked at (?:'.{0,500}', )?(?<path>[^\s:',]{1,300}):(?<line>\d{1,7}):\d{1,7}/,
  },
  // `src/foo.lua:12: in function 'load'`
  {
    holds: ': in ',
    pattern:
      /^(?:\w{1,20}: )?(?<path>[^\s:[\]"]{1,300}):(?<line>\d{1,7}): in (?:main chunk|[a-z]{5,8}\b(?: '?(?<symbol>[^'\s]{1,200}))?)/,
  },
  // `run, called at app/Main.hs:3:1 in main:Main`
  {
    holds: ', called at ',
    pattern: /^(?<symbol>[\w.']{1,200}), called at (?<path>[^\s:]{1,300}):(?<line>\d{1,7}):\d{1,7} in /,
  },
  // `Fatal error: Index out of range: file App/List.swift, line 10`
  {
    holds: ': file ',
    pattern: /\b(?:[Ee]rror|failed|failure)\b.{0,600}: file (?<path>[^,]{1,300}), line (?<line>\d{1,7})/,
  },
  // `App/List.swift:10: Fatal error: Index out of range`
  {
    holds: 'atal error: ',
    pattern: /^(?<path>[^\s:]{1,300}):(?<line>\d{1,7}): [Ff]atal error: /,
  },
  // `load@http://localhost:8080/src/app.js:12:3`
  {
    holds: '@',
    pattern:
      /^(?<symbol>[^@\s/]{0,200})@(?<path>[a-z-]{1,20}:\/\/\S{1,400}?|\/\S{1,400}?):(?<line>\d{1,7}):\d{1,7}$/,
  },
  // `thrown in /app/src/Foo.php on line 42`
  { holds: ' on line ', pattern: /\bin (?<path>\S{1,300}) on line (?<line>\d{1,7})/ },
  // `Uncaught Error: x in /app/src/Foo.php:42`
  {
    holds: ' in /',
    pattern: /\b(?:Uncaught|thrown)\b.{0,500} in (?<path>\/[^\s:]{1,300}):(?<line>\d{1,7})$/,
  },
  // `Died at lib/App.pm line 12.`
  { holds: ' line ', pattern: /\bat (?<path>[^\s:]{1,300}\.(?:pl|pm|t|cgi)) line (?<line>\d{1,7})[.,]/ },
];
