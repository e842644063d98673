import type { ContextItem, Dependency, ExternalSignature } from '../../model/context-pack.ts';
import type { IndexView } from '../../model/index-view.ts';
import { kindsWith, type SymbolDefinition } from '../../model/symbol.ts';
import { externalPackages } from '../../scan/parse/index.ts';
import type { SourceReader } from './source.ts';

/** Finds the definitions that shown files use from files that are not shown. */
export type FindExternals = (items: readonly ContextItem[]) => ExternalSignature[];

const WORDS = /[\p{L}_$][\p{L}\p{N}_$]{2,}/gu;
/** Kinds that are called or built on from elsewhere. */
const USABLE = kindsWith('usable');
const MAX_SIGNATURE = 300;
/** Of what one file uses; a facade that imports everything must not take the room of all others. */
const MAX_OF_A_FILE = 12;
const MAX_FILES_ASKED = 40;
/** No signature costs less. */
const MIN_SIZE = 12;

interface ExternalsOptions {
  readonly index: IndexView;
  readonly numbers: ReadonlyMap<string, number>;
  readonly sources: SourceReader;
  /** In the units of `price`. */
  readonly room: number;
  readonly price: (external: ExternalSignature) => number;
  readonly allow: (path: string) => boolean;
}

/** Follows imports: a name that a file uses means the definition in the file that it imports, not another one of that name. */
export function createExternalsFinder(options: ExternalsOptions): FindExternals {
  const { room, price } = options;
  const offers = offersOf(options);
  const known = new Map<string, readonly ExternalSignature[]>();
  const usedBy = (item: ContextItem) => {
    const key = `${item.path}\n${item.form}\n${item.content.length}`;
    const used = known.get(key) ?? signaturesUsedBy(item, options, offers);
    known.set(key, used);
    return used;
  };
  return (items) => {
    const shown = new Set(items.filter(({ form }) => form !== 'mention').map(({ path }) => path));
    const taken = new Map<string, ExternalSignature>();
    let left = room;
    for (const item of items) {
      if (left < MIN_SIZE) break;
      if (item.form !== 'full' && item.form !== 'excerpt') continue;
      for (const external of usedBy(item)) {
        const key = `${external.path}\n${external.line}`;
        if (shown.has(external.path) || taken.has(key)) continue;
        const cost = price(external);
        if (cost > left) continue;
        left -= cost;
        taken.set(key, external);
      }
    }
    return [...taken.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
  };
}

interface Offers {
  /** The names that a file offers to others, and which of its definitions each is. */
  names(file: number): ReadonlyMap<string, number>;
  /** Null when the file has changed since the scan. */
  signature(file: number, definition: number): ExternalSignature | null;
}

/**
 * Names come from the index. Signatures come from the source as it is read now: none leaves with a secret in it, and none
 * that is not on disk. Only files of which something is used are read.
 */
function offersOf({ index, sources, allow }: ExternalsOptions): Offers {
  const known = new Map<number, ReadonlyMap<string, number>>();
  const namesOf = (file: number): ReadonlyMap<string, number> => {
    const found = index.snapshot.files[file]!;
    const isReadable = found.segment >= 0 && allow(found.path);
    const symbols = (isReadable && index.segmentOf(found)?.symbols(found.document)) || [];
    const names = new Map<string, number>();
    // the first of a name: further ones are overloads
    for (const [at, { name, container, kind }] of symbols.entries())
      if (container < 0 && USABLE.has(kind) && !names.has(name)) names.set(name, at);
    return names;
  };
  return {
    names(file) {
      const names = known.get(file) ?? namesOf(file);
      known.set(file, names);
      return names;
    },
    signature(file, definition) {
      const { path, language } = index.snapshot.files[file]!;
      const symbol = sources.read(path)?.symbols[definition];
      return symbol ? externalOf(path, language, symbol) : null;
    },
  };
}

function signaturesUsedBy(
  { path, content }: ContextItem,
  { index, numbers }: ExternalsOptions,
  offers: Offers,
): readonly ExternalSignature[] {
  const file = numbers.get(path);
  if (file === undefined) return [];
  const uses = new Map<string, number>();
  for (const word of content.match(WORDS) ?? []) uses.set(word, (uses.get(word) ?? 0) + 1);
  const { starts, targets } = index.links.definers;
  const found: { path: string; target: number; definition: number; uses: number }[] = [];
  for (const target of targets.subarray(starts[file], starts[file + 1]).subarray(0, MAX_FILES_ASKED)) {
    if (target === file) continue;
    const { path: from } = index.snapshot.files[target]!;
    for (const [name, definition] of offers.names(target))
      if (uses.has(name)) found.push({ path: from, target, definition, uses: uses.get(name)! });
  }
  return found
    .sort(
      (a, b) => b.uses - a.uses || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.definition - b.definition),
    )
    .slice(0, MAX_OF_A_FILE)
    .flatMap(({ target, definition }) => offers.signature(target, definition) ?? []);
}

function externalOf(path: string, language: string | null, symbol: SymbolDefinition): ExternalSignature {
  const signature = symbol.signature.trim();
  return {
    path,
    name: symbol.name,
    signature: signature.length > MAX_SIGNATURE ? `${signature.slice(0, MAX_SIGNATURE)}…` : signature,
    line: symbol.startLine,
    language: language ?? '',
  };
}

/** Says which of the shown files need which. */
export type FindDependencies = (items: readonly Pick<ContextItem, 'path' | 'form'>[]) => Dependency[];

/** The share of the room for packages outside of the repository, which say less than the files. */
const PACKAGES_SHARE = 1 / 3;

/** Edges between items, those of the best items first, then to packages outside; as many as there is room for. */
export function createDependencyFinder(
  index: IndexView,
  numbers: ReadonlyMap<string, number>,
  room: number,
  price: (dependency: Dependency) => number,
): FindDependencies {
  const { links, snapshot } = index;
  const targetsOf = (file: number): number[] => {
    const { imports, definers } = links;
    return [
      ...imports.targets.subarray(imports.starts[file], imports.starts[file + 1]),
      ...definers.targets.subarray(definers.starts[file], definers.starts[file + 1]),
    ];
  };
  return (items) => {
    const shown = items.filter(({ form }) => form !== 'mention');
    const places = new Map(shown.map(({ path }, place) => [path, place]));
    const found = shown.flatMap(({ path: from }) => {
      const file = numbers.get(from);
      if (file === undefined) return [];
      const targets = [...new Set(targetsOf(file).map((target) => snapshot.files[target]!.path))];
      return targets.filter((to) => to !== from && places.has(to)).map((to): Dependency => ({ from, to }));
    });
    const rank = ({ from, to }: Dependency) => places.get(from)! + places.get(to)!;
    found.sort((a, b) => rank(a) - rank(b) || places.get(a.from)! - places.get(b.from)!);
    let left = room;
    const affordable = (some: readonly Dependency[]): Dependency[] =>
      some.filter((one) => {
        const cost = price(one);
        if (cost > left) return false;
        left -= cost;
        return true;
      });
    const kept = affordable(found);
    left = Math.min(left, Math.floor(room * PACKAGES_SHARE));
    const packages = shown.flatMap(({ path: from }) => {
      const file = left > 0 ? numbers.get(from) : undefined;
      const names = file === undefined ? [] : externalPackages(index, file);
      return affordable(names.map((to): Dependency => ({ from, to, external: true })));
    });
    return [...kept, ...packages].sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to));
  };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
