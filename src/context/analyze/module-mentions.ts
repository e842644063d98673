import { isFileName, isMemberLike } from './file-names.ts';
import type { Passage } from './passage.ts';

const SEPARATOR = /\.|::|\\{1,2}/;
const PROMPT = '^\\s{0,40}(?:>>> |\\.\\.\\.:? |In ?\\[\\d{1,4}\\]: )?';
const FROM_IMPORT = new RegExp(`${PROMPT}from (\\.{0,3}[\\w.]{1,200}) import \\(?([\\w\\s,.*]{0,400})`);
const IMPORTS = '(?:import|using|use|package|alias|require|open|extern crate|pub use|@import|namespace)';
const IMPORT = new RegExp(`${PROMPT}${IMPORTS}\\s{1,8}(?:static |qualified |type )?([\\w.:\\\\$]{2,200})`);

/** Objects that chains begin with everywhere: what follows is a member, not a module. */
const RECEIVERS = new Set(
  `self this cls super me it obj object window document console process module exports e i ctx req res
  request response args options props state event err error result data np pd plt sns tf ax fig df arr
  math Math JSON Object Array Promise sys os re time datetime random String System www`.split(/\s+/),
);

const NO_MODULE = /^(?:e\.g|i\.e|a\.k\.a|etc)\b|^[\w-]+\.(?:com|org|net|io|dev)$/i;

const QUOTES = '"\'`';
const MOST_SEGMENTS = 12;
const LONGEST_LINE = 1_000; /** Names of modules in a passage, with dots
  whatever the language writes:`a.b.c` of `a::b::c`. */
export function moduleMentions({ text, zone, chains }: Passage): string[] {
  const found = text.length < LONGEST_LINE ? importedModules(text) : [];
  const isCode = zone === 'code' || zone === 'trace';
  for (const { written, segments, start, end } of chains) {
    if (segments.length < 2 || /[#>?]/.test(written)) continue;
    const ahead = text[start - 1] ?? ' ';
    const behind = text[end] ?? ' ';
    if ('/\\@-'.includes(behind) || '/\\@.-'.includes(ahead)) continue;
    const own = behind === '(' ? segments.slice(0, -1) : segments;
    if (isModule(own, written, isCode, QUOTES.includes(ahead))) found.push(own.join('.'));
  }
  return found;
}

/** `vite.config.ts` is a file, `django.utils.html` may be both. */
function isNamedLikeFile(segments: readonly string[]): boolean {
  const name = segments.join('.');
  return isFileName(name) && (segments.length < 3 || !isMemberLike(name));
}

function isModule(segments: readonly string[], written: string, isCode: boolean, isQuoted: boolean): boolean {
  const first = segments[0]!;
  if (segments.length < 2 || RECEIVERS.has(first) || written.startsWith('$')) return false;
  if (isNamedLikeFile(segments) || NO_MODULE.test(written)) return false;
  if (segments.length > 2) {
    return !isCode || isQuoted || segments.length > 3 || /::|\\/.test(written);
  }
  if (written.includes('::')) return /^[a-z]/.test(first);
  const isPlain = segments.every((segment) => /^[a-z_][a-z0-9_]+$/.test(segment));
  return isPlain && (!isCode || isQuoted);
}

/** `from a.b import c` names `a.b` and perhaps `a.b.c`; the import of a single name says little. */
function importedModules(text: string): string[] {
  if (!/import|us(?:e|ing) |package |alias |require |open |namespace /.test(text)) return [];
  const from = FROM_IMPORT.exec(text);
  if (from) {
    const base = from[1]!.replace(/^\.+|\.+$/g, '');
    if (base === '') return [];
    const names = from[2]!.split(/[\s,]+/).filter((name) => /^[a-z_][a-z0-9_]*$/.test(name) && name !== 'as');
    const inner = names.slice(0, 8).map((name) => `${base}.${name}`);
    return base.includes('.') ? [base, ...inner] : inner;
  }
  const imported = IMPORT.exec(text)?.[1]?.replace(/^[.:\\]+|[.:\\]+$/g, '');
  if (!imported || !SEPARATOR.test(imported) || imported.includes('/')) return [];
  const segments = imported.split(SEPARATOR).filter((segment) => segment !== '');
  const isModuleName = segments.length > 1 && segments.length <= MOST_SEGMENTS && !isNamedLikeFile(segments);
  return isModuleName ? [segments.join('.')] : [];
}
