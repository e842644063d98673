import { anyOf, hasWord } from './word-runs.ts';

export interface ReadFrame {
  /** Empty when the trace names functions only. */
  readonly path: string;
  readonly line: number | null;
  readonly symbol: string | null;
  readonly innermostLast: boolean;
}

const MAX_LINE = 1_000;

/** What a bundler, a browser or a runtime puts in front of the path of a file. */
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

/** `block in Foo#bar`, `Foo.bar [as baz]`, `new Foo`: the name alone. */
function cleanSymbol(symbol: string): string | null {
  const name = symbol
    .replace(/ \[as .{0,200}$/, '')
    .trim()
    .split(' ')
    .at(-1)!
    .replace(/::h[0-9a-f]{16}$/, '');
  return /\w/.test(name) && !/^<[\w ]+>$/.test(name) ? name : null;
}

/** `org.example.Parser.read` in `Parser.java` is `org/example/Parser.java`. */
function packageFolder(symbol: string): string {
  const folders: string[] = [];
  for (const segment of symbol.split('.').slice(0, -2)) {
    if (!/^[a-z_][\w]*$/.test(segment)) break;
    folders.push(`${segment}/`);
  }
  return folders.join('');
}

/** `_ZN3foo3barEv` is `foo::bar` as compilers of C++ write it. */
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

/** The stack frame that a line (without indentation) prints, if it prints one; `before` is the line above it. */
export function readFrame(text: string, before: string): ReadFrame | null {
  if (text.length > MAX_LINE || text.length < 6) return null;
  // every format has a line number, or says in which function it is
  if (!/\d/.test(text) && !text.includes(' in ')) return null;
  for (const format of FRAME_FORMATS) {
    if (format.start !== undefined && !text.startsWith(format.start)) continue;
    if (format.holds !== undefined && !text.includes(format.holds)) continue;
    const frame = readAs(format, text, before.length > MAX_LINE ? '' : before);
    if (frame) return frame;
  }
  return null;
}

/** How one kind of stack trace writes a frame. The groups are `path`, `line` and `symbol`; without `path`, a program has no sources. */
interface FrameFormat {
  /** What the line, without indentation, begins with; a cheap first look. */
  readonly start?: string;
  /** What the line must hold; a cheap first look. */
  readonly holds?: string;
  readonly pattern: RegExp;
  /** The error was thrown in the last frame printed, not in the first. */
  readonly innermostLast?: true;
  /** Only with this in the line before, which may also give the symbol. */
  readonly before?: RegExp;
  /** The file's folder is the package that the symbol names. */
  readonly packageInSymbol?: true;
}

/** Every quantifier is bounded or stops at a character it cannot hold: lines are at most 1,000 characters. */
const FRAME_FORMATS: readonly FrameFormat[] = [
  {
    start: 'File "',
    pattern: /^File "(?<path>[^"]{1,400})", line (?<line>\d{1,7})(?:, in (?<symbol>\S{1,200}))?/,
    innermostLast: true,
  },
  {
    start: 'File ',
    pattern: /^File (?<path>(?:[A-Za-z]:)?[^:"]{1,400}):(?<line>\d{1,7})(?:, in (?<symbol>[\w.<>]{1,200}))?/,
    innermostLast: true,
  },
  {
    holds: ' in ',
    pattern: /^(?<path>[^\s()]{1,400}\.pyx?) in (?<symbol>[\w.<>]{1,200})\(/,
    innermostLast: true,
  },
  {
    start: '[',
    holds: ') in ',
    pattern: /^\[(?<path>[^\]\s]{1,400})\]\([^()]{0,400}\) in (?<symbol>[\w.<>]{1,200})/,
    innermostLast: true,
  },
  {
    holds: '.py:',
    pattern:
      /^(?<path>[^\s:]{1,400}\.py):(?<line>\d{1,7}): (?:in (?<symbol>[\w.<>]{1,200})|[A-Z]\w{0,80}(?:Error|Exception|Warning|Failed)?$)/,
    innermostLast: true,
  },
  {
    start: 'at ',
    holds: ':line ',
    pattern: /^at (?<symbol>[^(]{1,300})\([^)]{0,300}\) in (?<path>.{1,400}):line (?<line>\d{1,7})/,
  },
  {
    start: 'at ',
    pattern:
      /^at (?:[\w.@-]{0,100}\/{1,2})?(?<symbol>[\w$.<>]{1,300})\((?<path>[\w$-]{1,200}\.[a-z]{1,8})(?::(?<line>\d{1,7}))?\)/,
    packageInSymbol: true,
  },
  {
    start: 'at ',
    pattern: /^at (?:async )?(?<symbol>[^(]{1,300}) \((?<path>\S{1,400}?):(?<line>\d{1,7})(?::\d{1,7})?\)/,
  },
  {
    start: 'at ',
    pattern: /^at (?:async )?(?<path>\S{1,400}?):(?<line>\d{1,7})(?::\d{1,7})?$/,
    before: /^(?:\d{1,4}: {1,8}(?:0x[0-9a-f]{1,16} - )?(?<symbol>[\w:<>{}$]{1,300}).{0,300}|.{0,1000})$/,
  },
  {
    start: '#',
    pattern: /^#\d{1,5} (?<path>[^()\s][^()]{0,400})\((?<line>\d{1,7})\): (?<symbol>[^(]{1,200})/,
  },
  {
    start: '#',
    holds: ') at ',
    pattern:
      /^#\d{1,5} {1,6}(?:0x[0-9a-f]{1,16} in )?(?<symbol>[^\s(]{1,200}) ?\(.{0,600}\) at (?<path>[^\s:]{1,300}):(?<line>\d{1,7})/,
  },
  {
    start: '#',
    pattern:
      /^#\d{1,5} {1,8}(?<symbol>[^()]{1,200}) \((?<path>(?:[a-z]{1,10}:)?[^()\s:]{1,300}):(?<line>\d{1,7})(?::\d{1,7})?\)$/,
  },
  {
    start: '#',
    holds: ' in ',
    pattern:
      /^#\d{1,5} {1,6}0x[0-9a-f]{1,16} in (?<symbol>[^\s(]{1,200}).{0,300} (?<path>[^\s:]{1,300}):(?<line>\d{1,7})(?::\d{1,7})?$/,
  },
  {
    start: '#',
    holds: ' in ',
    pattern:
      /^#\d{1,5} {1,6}0x[0-9a-f]{1,16} in (?<symbol>[^\s(]{1,200}) ?\([^()]{0,600}\)(?: from \S{1,300})?$/,
  },
  {
    start: '#',
    holds: ') from ',
    pattern: /^#\d{1,5} {1,6}(?<symbol>[^\s(]{1,200}) ?\([^()]{0,600}\) from \.{0,2}\/\S{1,300}$/,
  },
  {
    holds: '+0x',
    pattern: /^[^()]{1,300}\((?<symbol>[A-Za-z_][\w.$@]{0,300})\+0x[0-9a-f]{1,16}\) ?\[0x[0-9a-f]{1,16}\]/,
  },
  {
    holds: ' + ',
    pattern:
      /^\d{1,4} {1,8}\S{1,100} {1,80}0x[0-9a-f]{8,16} (?<symbol>[A-Za-z_~][\w:~.$<>]{0,300})(?:\(.{0,300}\))? \+ \d{1,9}\b/,
  },
  {
    holds: ':in ',
    pattern: /^(?:from )?(?<path>[^\s:][^:]{0,300}):(?<line>\d{1,7}):in [`'](?<symbol>[^'`]{1,200})'/,
  },
  {
    start: '(',
    pattern: /^\(\w{1,60} [^)]{1,40}\) (?<path>[^\s:]{1,300}):(?<line>\d{1,7}): (?<symbol>[^\s/]{1,200})/,
  },
  {
    holds: '.ex',
    pattern: /^(?<path>[^\s:]{1,300}\.exs?):(?<line>\d{1,7}): (?<symbol>[\w.!?]{1,200})\/\d/,
  },
  {
    holds: '.go:',
    pattern: /^(?<path>[^\s:][^:]{0,300}\.go):(?<line>\d{1,7})(?: \+0x[0-9a-f]{1,16})?$/,
    before: /^(?:created by )?(?<symbol>[\w./*()@-]{1,300}?)(?:\([^()]{0,300}\)| in goroutine \d{1,9})$/,
  },
  {
    holds: 'panicked at ',
    pattern: /panicked at (?:'.{0,500}', )?(?<path>[^\s:',]{1,300}):(?<line>\d{1,7}):\d{1,7}/,
  },
  {
    holds: ': in ',
    pattern:
      /^(?:\w{1,20}: )?(?<path>[^\s:[\]"]{1,300}):(?<line>\d{1,7}): in (?:main chunk|[a-z]{5,8}\b(?: '?(?<symbol>[^'\s]{1,200}))?)/,
  },
  {
    holds: ', called at ',
    pattern: /^(?<symbol>[\w.']{1,200}), called at (?<path>[^\s:]{1,300}):(?<line>\d{1,7}):\d{1,7} in /,
  },
  {
    holds: ': file ',
    pattern: /\b(?:[Ee]rror|failed|failure)\b.{0,600}: file (?<path>[^,]{1,300}), line (?<line>\d{1,7})/,
  },
  {
    holds: 'atal error: ',
    pattern: /^(?<path>[^\s:]{1,300}):(?<line>\d{1,7}): [Ff]atal error: /,
  },
  {
    holds: '@',
    pattern:
      /^(?<symbol>[^@\s/]{0,200})@(?<path>[a-z-]{1,20}:\/\/\S{1,400}?|\/\S{1,400}?):(?<line>\d{1,7}):\d{1,7}$/,
  },
  { holds: ' on line ', pattern: /\bin (?<path>\S{1,300}) on line (?<line>\d{1,7})/ },
  {
    holds: ' in /',
    pattern: /\b(?:Uncaught|thrown)\b.{0,500} in (?<path>\/[^\s:]{1,300}):(?<line>\d{1,7})$/,
  },
  { holds: ' line ', pattern: /\bat (?<path>[^\s:]{1,300}\.(?:pl|pm|t|cgi)) line (?<line>\d{1,7})[.,]/ },
];
