import type { LineSpan } from '../../../model/context-pack.ts';
import type { EdgeList } from '../../../model/file-links.ts';
import type { IndexView } from '../../../model/index-view.ts';
import type { RankedFile, RankedSymbol } from '../../../model/ranking.ts';
import type { SymbolDefinition } from '../../../model/symbol.ts';
import type { Candidate } from '../item-forms.ts';
import type { ItemSource, SourceReader } from '../item-source.ts';
import type { ChangedFile } from './read-change.ts';

const MAX_AROUND = 60;
/** How likely a reviewer needs them: what was changed, the tests of it, those who use it. */
const NEED = { changed: 1, test: 0.3, user: 0.15 };
const MAX_SYMBOL = 150;
const NO_SIGNALS = { path: 0, symbol: 0, lexical: 0, semantic: 0, graph: 0, history: 0 };

/** The files of a change, around the changed lines, then their tests and the files that use them. */
export function changeCandidates(
  change: readonly ChangedFile[],
  index: IndexView,
  sources: SourceReader,
  allow: (path: string) => boolean,
): Candidate[] {
  const read = (path: string) => (allow(path) ? sources.read(path) : null);
  const changed = change.flatMap(({ path, spans }): Candidate[] => {
    const source = read(path);
    if (source === null) return [];
    const ranked = asRanked(source, spans);
    return [{ source, ranked, origin: 'target', isAsked: false, need: NEED.changed, reason: 'changed' }];
  });
  const { files } = index.snapshot;
  const numbers = new Map(files.map(({ path }, number) => [path, number]));
  const inside = new Set(change.flatMap(({ path }) => numbers.get(path) ?? []));
  const neighbours = (edges: EdgeList, need: number, reason: string) =>
    sourcesInto(edges, inside)
      .filter((file) => !inside.has(file))
      .slice(0, MAX_AROUND)
      .flatMap((file, at): Candidate[] => {
        const source = read(files[file]!.path);
        if (source === null) return [];
        return [{ source, ranked: null, origin: 'ast', isAsked: false, need: need / (at + 1), reason }];
      });
  return [
    ...changed,
    ...neighbours(index.links.tests, NEED.test, 'tests what was changed'),
    ...neighbours(index.links.definers, NEED.user, 'uses what was changed'),
  ];
}

/** Files with an edge to one of these, those with most of them first. */
function sourcesInto({ starts, targets }: EdgeList, inside: ReadonlySet<number>): number[] {
  const found = new Map<number, number>();
  for (let file = 0; file + 1 < starts.length; file++)
    for (let at = starts[file]!; at < starts[file + 1]!; at++)
      if (inside.has(targets[at]!)) found.set(file, (found.get(file) ?? 0) + 1);
  return [...found].sort(([a, many], [b, more]) => more - many || a - b).map(([file]) => file);
}

/** What matters in a changed file: the definitions that hold the changed lines, and the lines outside of any. */
function asRanked(source: ItemSource, hunks: readonly LineSpan[]): RankedFile {
  const symbols = new Map<SymbolDefinition, RankedSymbol>();
  const spans: LineSpan[] = [];
  for (const hunk of hunks) {
    const around = enclosing(source.symbols, hunk);
    if (around === null) spans.push(hunk);
    else {
      const { name, startLine, endLine } = around;
      symbols.set(around, { name, startLine, endLine, score: 1 });
    }
  }
  const scores = { combinedScore: 1, astScore: 1, semanticScore: 1 };
  const lines = { symbols: [...symbols.values()], spans };
  return { path: source.path, ...scores, ...lines, signals: NO_SIGNALS, reasons: ['changed'] };
}

/** The smallest definition around the middle of some lines that is short enough to show. */
function enclosing(symbols: readonly SymbolDefinition[], { startLine, endLine }: LineSpan) {
  const middle = (startLine + endLine) >> 1;
  return symbols.reduce<SymbolDefinition | null>((best, symbol) => {
    const length = symbol.endLine - symbol.startLine;
    const isAround = symbol.startLine <= middle && symbol.endLine >= middle && length < MAX_SYMBOL;
    return isAround && (best === null || length <= best.endLine - best.startLine) ? symbol : best;
  }, null);
}
