// The context of the places of a brief: the code that calls them, and the tests that cover them.

import type { IndexView } from '../../model/index-view.ts';
import { WORD_FIELD } from '../../model/parsed-file.ts';
import type { EdgeList } from '../../model/snapshot.ts';
import { kindsWith, type SymbolDefinition } from '../../model/symbol.ts';
import { redactSecrets } from '../../redact/index.ts';
import type { SourceReader } from '../compose/index.ts';
import { eachDefinition } from '../rank/index.ts';
import { checkCommand } from './check-command.ts';
import type { BriefPlace } from './places.ts';

/** A line that uses one of the places. */
export interface BriefCaller {
  readonly path: string;
  readonly line: number;
  /** The definition that it uses. */
  readonly uses: string;
}

/** A test that covers one of the places. */
export interface BriefTest {
  readonly path: string;
  readonly line: number;
  /** The test case; null when only the file is known. */
  readonly name: string | null;
  /** The narrowest command that runs it; null when the repository's files do not show one. */
  readonly command: string | null;
}

/** When a name has more definitions, it is unclear which one a caller means. */
const MAX_DEFINERS = 3;
/** Short names are words of the language more often than not. */
const MIN_NAME = 3;
const CALLERS_OF_A_PLACE = 4;
const MAX_CALLERS = 6;
const MAX_TESTS = 3;
const CALLABLE = kindsWith('callable');
const USABLE = kindsWith('usable');

interface RelatedOptions {
  readonly index: IndexView;
  readonly sources: SourceReader;
  readonly allow: (path: string) => boolean;
}

/** Lines in other files that use the definitions: what breaks if a signature changes. */
export function callersOf(places: readonly BriefPlace[], options: RelatedOptions): BriefCaller[] {
  const { index, allow } = options;
  const { files } = index.snapshot;
  const numbers = new Map(files.map(({ path }, number) => [path, number]));
  const found: BriefCaller[] = [];
  for (const place of places) {
    const definition = definitionAt(place, options);
    const file = numbers.get(place.path);
    if (definition === null || file === undefined || !USABLE.has(definition.kind)) continue;
    const { name } = definition;
    if (name.length < MIN_NAME || countDefiners(index, name) > MAX_DEFINERS) continue;
    const users = sourcesOf(index.links.definers, file).filter((user) => {
      return files[user]!.classification.role !== 'test' && allow(files[user]!.path);
    });
    const calls = users.flatMap((user): BriefCaller[] => {
      const line = lineOfUse(index, user, name);
      return line === null ? [] : [{ path: files[user]!.path, line, uses: name }];
    });
    found.push(...calls.slice(0, CALLERS_OF_A_PLACE));
  }
  return found.slice(0, MAX_CALLERS);
}

/** Tests that cover the definitions, those that name them first. */
export function testsOf(places: readonly BriefPlace[], options: RelatedOptions): BriefTest[] {
  const { index, sources, allow } = options;
  const { files } = index.snapshot;
  const paths = new Set(files.map(({ path }) => path));
  const numbers = new Map(files.map(({ path }, number) => [path, number]));
  const read = (path: string) => {
    const outcome = allow(path) ? sources.read(path) : null;
    return outcome?.text ?? null;
  };
  const found = new Map<string, BriefTest>();
  for (const place of places) {
    const file = numbers.get(place.path);
    if (file === undefined) continue;
    const name = place.name?.split('.').at(-1) ?? '';
    const tests = sourcesOf(index.links.tests, file).filter((test) => allow(files[test]!.path));
    const best = tests
      .map((test) => ({ test, line: lineOfUse(index, test, name), path: files[test]!.path }))
      .sort((a, b) => Number(a.line === null) - Number(b.line === null) || near(place.path, a, b))[0];
    if (best === undefined || found.has(best.path)) continue;
    const around = best.line === null ? null : caseAround(index, best.test, best.line);
    const test = {
      path: best.path,
      line: around?.line ?? best.line ?? 1,
      name: around === null ? null : redactSecrets(around.name, '').text,
    };
    const asked = { path: test.path, ...(around ?? {}) };
    found.set(best.path, { ...test, command: checkCommand(asked, { files: paths, read }) });
    if (found.size >= MAX_TESTS) break;
  }
  return [...found.values()];
}

/** The test whose path is most like the path of the source: `a/b.ts` and `a/b.test.ts`. */
function near(path: string, a: { readonly path: string }, b: { readonly path: string }): number {
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
  const has = (one: { readonly path: string }) => Number(one.path.includes(stem));
  return has(b) - has(a) || a.path.length - b.path.length || (a.path < b.path ? -1 : 1);
}

/** The definition that contains a place or equals it. */
function definitionAt({ path, endLine, name }: BriefPlace, { sources }: RelatedOptions) {
  if (name === null) return null;
  const own = name.split('.').at(-1);
  const symbols = sources.read(path)?.symbols ?? [];
  return (
    symbols.findLast((one) => one.name === own && one.startLine <= endLine && one.endLine >= endLine) ?? null
  );
}

function countDefiners(index: IndexView, name: string): number {
  let count = 0;
  for (let number = 0; number < index.snapshot.segments.length; number++) {
    const segment = index.segment(number);
    const word = segment.words.find(name);
    if (word < 0) continue;
    eachDefinition(segment, word, () => count++);
  }
  return count;
}

/** The first line of a file where its code uses a name; import statements do not count. */
function lineOfUse(index: IndexView, file: number, name: string): number | null {
  const { segment: number, document } = index.snapshot.files[file]!;
  if (number < 0 || name === '') return null;
  const segment = index.segment(number);
  const word = segment.words.find(name);
  if (word < 0) return null;
  const imported = new Set(segment.imports(document).flatMap(({ line, endLine }) => range(line, endLine)));
  let first: number | null = null;
  segment.eachPosting(word, (own, _count, positions, kept) => {
    if (own !== document) return;
    for (let at = 0; at < kept && first === null; at++) {
      const line = positions[at]! >>> 2;
      if ((positions[at]! & 3) === WORD_FIELD.code && !imported.has(line)) first = line;
    }
  });
  return first;
}

const range = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);

/** The innermost test case or function around a line of a test. */
function caseAround(index: IndexView, file: number, line: number) {
  const { segment, document } = index.snapshot.files[file]!;
  const symbols = index.segment(segment).symbols(document);
  const isAround = ({ startLine, endLine, kind }: SymbolDefinition) =>
    startLine <= line && endLine >= line && CALLABLE.has(kind);
  const found = symbols.findLast(isAround);
  if (!found) return null;
  const container = symbols[found.container]?.name;
  return { name: found.name, line: found.startLine, ...(container ? { container } : {}) };
}

/** Files with an edge to this one, in their order. */
function sourcesOf({ starts, targets }: EdgeList, target: number): number[] {
  const found: number[] = [];
  for (let file = 0; file + 1 < starts.length; file++)
    for (let at = starts[file]!; at < starts[file + 1]!; at++)
      if (targets[at] === target) {
        found.push(file);
        break;
      }
  return found;
}
