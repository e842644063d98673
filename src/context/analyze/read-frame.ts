import { anyOf } from './any-of.ts';
import { FRAME_FORMATS, type FrameFormat } from './frame-formats.ts';
import { hasWord } from './word-runs.ts';

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
