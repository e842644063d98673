/**
 * The tool `expand`: shows a file, some of its lines or a definition as it is on disk now. Guidelines and
 * redaction apply as they do to a package.
 */

import type { Settings } from '../../config/index.ts';
import { type ItemSource, readSource } from '../../context/compose/index.ts';
import { type CountTokens, loadTokenCounter } from '../../context/fit/index.ts';
import { type FileGuard, type GuardRequest, guardFiles } from '../../context/guidelines/index.ts';
import { notShown } from '../../context/pack/index.ts';
import { eachDefinition, kindWeight } from '../../context/rank/index.ts';
import type { LineSpan } from '../../model/context-pack.ts';
import type { IndexView } from '../../model/index-view.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { SnapshotFile } from '../../model/snapshot.ts';
import type { SymbolDefinition } from '../../model/symbol.ts';
import { fenced, inlineName, inlinePath, shownName } from '../../redact/index.ts';
import { type OpenScan, type ScanStep, useIndex } from '../../scan/index.ts';

/** A reference, and the reader it is for. */
export interface ExpandRequest extends Omit<GuardRequest, 'root'> {
  readonly repo: string;
  readonly settings: Settings;
  /** `src/a.ts`, `src/a.ts:40-90`, `src/a.ts#Foo.bar` or `Foo.bar`. */
  readonly reference: string;
  /** Token budget of the answer. */
  readonly budget: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: ScanStep) => void;
}

/** Lines of a file to show. */
interface Place {
  readonly source: ItemSource;
  readonly span: LineSpan;
  /** The name of the definition; empty for files and lines. */
  readonly note: string;
}

/** Definitions of one name that are shown; others are only listed. */
const MAX_PLACES = 5;
/** Tokens for the lines around the code: path, fence, the rest of the file. */
const LINE_NOTE_TOKENS = 40;

/** Shows a file, some of its lines or a definition as it is on disk now, without secrets. */
export async function expandReference(request: ExpandRequest): Promise<string> {
  const count = await loadTokenCounter();
  return useIndex({ ...request, mode: request.settings.scanMode }, async (scan) => {
    const guard = await guardFiles({ ...request, root: scan.repository.root });
    const files = new Map(scan.index.snapshot.files.map((file) => [file.path, file]));
    const isFile = (path: string) => files.has(path);
    const reference = parseReference(request.reference, isFile);
    const { places, more } = findPlaces({ ...request, guard }, scan, files, reference);
    // Several definitions share the budget equally.
    const share = Math.floor(request.budget / places.length);
    const shown = places.map((place) => renderPlace(place, share, count));
    return [...shown, ...(more.length > 0 ? [`Also defined at: ${more.join(', ')}`] : [])].join('\n\n');
  });
}

/** A request with the guidelines that apply to its reader. */
interface GuardedRequest extends ExpandRequest {
  readonly guard: FileGuard;
}

/** The places that a reference means. A name without a path may be defined in several files. */
function findPlaces(
  request: GuardedRequest,
  scan: OpenScan,
  files: ReadonlyMap<string, SnapshotFile>,
  reference: Reference,
): { readonly places: readonly Place[]; readonly more: readonly string[] } {
  const open = (path: string) => openSource(request, scan, files, path);
  if (reference.kind === 'file') {
    const source = open(reference.path);
    return { places: [{ source, span: { startLine: 1, endLine: source.lines.length }, note: '' }], more: [] };
  }
  if (reference.kind === 'lines') {
    const source = open(reference.path);
    return { places: [{ source, span: inside(source, reference), note: '' }], more: [] };
  }
  const found =
    reference.path === null
      ? findSymbols(scan.index, reference.name)
          .map((one) => ({ ...one, path: one.file.path }))
          .filter(({ path }) => request.guard.allow(path))
      : symbolsOf(open(reference.path), reference.name);
  if (found.length === 0) throw unknownSymbol(reference);
  const places = found.slice(0, MAX_PLACES).map(({ path, name, startLine, endLine }) => {
    const source = open(path);
    return { source, span: inside(source, { startLine, endLine }), note: inlineName(shownName(name)) };
  });
  const more = found
    .slice(MAX_PLACES)
    .map(({ path, startLine }) => `${inlinePath(shownName(path))}:${startLine}`);
  return { places, more: more.slice(0, 20) };
}

/** Definitions of a name in one file. */
function symbolsOf(source: ItemSource, asked: string) {
  return source.symbols.flatMap(({ startLine, endLine }, at) => {
    const name = qualifiedName(source.symbols, at);
    return answersTo(name, asked) ? [{ path: source.path, name, startLine, endLine }] : [];
  });
}

/** The same files that may be targets. */
function openSource(
  { settings, guard }: GuardedRequest,
  { index, repository }: OpenScan,
  files: ReadonlyMap<string, SnapshotFile>,
  asked: string,
): ItemSource {
  const path = files.has(asked) ? asked : repository.root.contain(asked);
  const file = files.get(path);
  const keeper = guard.keptBy(path);
  if (keeper !== null)
    throw new LoadoutError(
      'kept-by-guideline',
      `${path} is not shown: the guideline ${keeper} keeps it out`,
      {
        subject: path,
      },
    );
  const source = file
    ? readSource({ index, root: repository.root, redact: true, maxBytes: settings.maxFileBytes }, path, file)
    : null;
  if (source) return source;
  throw notShown(asked);
}

/** Cuts a span at the end of the file. A span that starts after it is an error. */
function inside({ lines, path }: ItemSource, { startLine, endLine }: LineSpan): LineSpan {
  const last = Math.max(1, lines.length);
  if (startLine <= last) return { startLine, endLine: Math.min(endLine, last) };
  const message = `${path} has ${lines.length} lines; line ${startLine} is past its end`;
  throw new LoadoutError('bad-reference', message, { subject: path });
}

/** An error that points to the search. */
function unknownSymbol({ path, name }: { readonly path: string | null; readonly name: string }) {
  const where = path === null ? 'in this repository' : `in ${path}`;
  return new LoadoutError('unknown-symbol', `nothing called ${JSON.stringify(name)} is defined ${where}`, {
    subject: name,
    hint: 'search_code finds names by their words',
  });
}

/** As many whole lines as there is room for; what is missing is named so that it can be asked for. */
function renderPlace({ source, span, note }: Place, budget: number, count: CountTokens): string {
  const lines = source.lines.slice(span.startLine - 1, span.endLine);
  const text = (shown: number) => {
    const endLine = span.startLine + shown - 1;
    const head = `${inlinePath(shownName(source.path))}:${span.startLine}-${endLine}${note ? ` (${note})` : ''}`;
    const rest =
      shown < lines.length
        ? `\nMore: ${inlinePath(shownName(source.path))}:${endLine + 1}-${span.endLine}`
        : '';
    return `${head}\n${fenced(lines.slice(0, shown).join('\n'), source.language ?? '')}${rest}`;
  };
  const room = budget - LINE_NOTE_TOKENS;
  if (lines.length === 0) return `${inlinePath(shownName(source.path))} is empty`;
  // longer than any text of this many tokens: not worth counting whole
  const worth = (shown: number) => lines.slice(0, shown).join('\n').length <= room * 64;
  if (worth(lines.length) && count(text(lines.length)) <= budget) return text(lines.length);
  // Find the largest number of lines that fits, by halving.
  let least = 0;
  let most = lines.length;
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (worth(middle) && count(text(middle)) <= budget) least = middle;
    else most = middle - 1;
  }
  if (least > 0) return text(least);
  throw new LoadoutError('budget-too-small', `${budget} tokens have no room for line ${span.startLine}`, {
    subject: source.path,
    hint: 'give a larger budget',
  });
}

/** A request of the tool `expand`. */
type Reference =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'lines'; readonly path: string; readonly startLine: number; readonly endLine: number }
  | { readonly kind: 'symbol'; readonly path: string | null; readonly name: string };

/** `path:40`, `path:40-90` and `path:L40-L90`. */
const LINES = /^(?<path>.+?):(?:L)?(?<start>\d{1,9})(?:-(?:L)?(?<end>\d{1,9}))?$/s;

/** `isFile` settles what could be both: a file may be called `a:1` or `a#b`. */
function parseReference(text: string, isFile: (path: string) => boolean): Reference {
  const given = text.trim().replace(/^\.\//, '');
  if (isFile(given)) return { kind: 'file', path: given };
  const lines = LINES.exec(given)?.groups;
  if (lines) {
    const startLine = Number(lines.start);
    const endLine = Number(lines.end ?? lines.start);
    if (startLine < 1 || endLine < startLine)
      throw new LoadoutError(
        'bad-reference',
        `${given}: line numbers start at 1, and the first must not be larger than the last`,
        {
          subject: given,
        },
      );
    return { kind: 'lines', path: lines.path!, startLine, endLine };
  }
  const hash = given.lastIndexOf('#');
  if (hash > 0) return { kind: 'symbol', path: given.slice(0, hash), name: given.slice(hash + 1) };
  const looksLikePath = given.includes('/') || given.includes('\\');
  return looksLikePath ? { kind: 'file', path: given } : { kind: 'symbol', path: null, name: given };
}

/** A definition with its qualified name. */
interface FoundSymbol {
  readonly file: SnapshotFile;
  readonly name: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** `Foo.bar` for the method `bar` of `Foo`. */
function qualifiedName(symbols: readonly SymbolDefinition[], at: number): string {
  const { name, container } = symbols[at]!;
  return container >= 0 ? `${qualifiedName(symbols, container)}.${name}` : name;
}

/** Whether `bar`, `Foo.bar` or `Foo::bar` refers to `Foo.bar`. */
function answersTo(qualified: string, asked: string): boolean {
  const wanted = asked.replaceAll(/::|#|->/g, '.').replace(/\(\)$/, '');
  return qualified === wanted || qualified.endsWith(`.${wanted}`);
}

/** The definitions of a name: important kinds first, then by path. */
function findSymbols(index: IndexView, asked: string): readonly FoundSymbol[] {
  const last = asked
    .replace(/\(\)$/, '')
    .split(/\.|::|#|->/)
    .at(-1)!;
  const filesOf = new Map<string, SnapshotFile>();
  for (const file of index.snapshot.files)
    if (file.segment >= 0) filesOf.set(`${file.segment} ${file.document}`, file);
  const found: (FoundSymbol & { readonly weight: number })[] = [];
  index.snapshot.segments.forEach((_, number) => {
    const segment = index.segment(number);
    const word = segment.words.find(last);
    if (word < 0) return;
    eachDefinition(segment, word, (document, symbol, kind) => {
      const file = filesOf.get(`${number} ${document}`);
      if (!file) return;
      const symbols = segment.symbols(document);
      const name = qualifiedName(symbols, symbol);
      if (!answersTo(name, asked)) return;
      const { startLine, endLine } = symbols[symbol]!;
      found.push({ file, name, startLine, endLine, weight: kindWeight(kind) });
    });
  });
  return found.sort(
    (a, b) =>
      b.weight - a.weight ||
      (a.file.path < b.file.path ? -1 : a.file.path > b.file.path ? 1 : a.startLine - b.startLine),
  );
}
