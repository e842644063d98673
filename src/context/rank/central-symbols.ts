import type { IndexView } from '../../model/index-view.ts';
import { kindsWith, type SymbolDefinition } from '../../model/symbol.ts';
import { filesByDocument } from './reference-edges.ts';

/** What a reader of an outline looks for; the rest is detail. */
const OUTLINED = new Set([...kindsWith('structural'), ...kindsWith('exported')]);

/** A member's name is often used of something else, and tells less than the name of what holds it. */
const MEMBER_SHARE = 0.25;
const TELLING_MEMBER = /^(?:[a-zA-Z]..|[^ -~])/;

/** Of a file's symbols the numbers of those worth showing, most used first; a container comes before its members. */
export type RankSymbols = (file: number, symbols: readonly SymbolDefinition[]) => readonly number[];

/** Ranks by how many of the files that lean on a file use the name. */
export function createSymbolRanking(index: IndexView): RankSymbols {
  const fileOf = filesByDocument(index);
  const users = invert(index);

  function usesOf(name: string, among: ReadonlySet<number>): number {
    let uses = 0;
    index.snapshot.segments.forEach((_, number) => {
      const segment = index.segment(number);
      const word = segment.words.find(name);
      if (word < 0) return;
      segment.eachPosting(word, (document) => {
        const file = fileOf[number]![document] ?? -1;
        if (file >= 0 && among.has(file)) uses++;
      });
    });
    return uses;
  }

  return (file, symbols) => {
    const among = new Set(users(file));
    const scores: number[] = [];
    symbols.forEach(({ name, kind, container }, at) => {
      const isShown = OUTLINED.has(kind) && (container < 0 || scores[container]! >= 0);
      // tests name nobody, and members of members are details
      const isDeep = container >= 0 && symbols[container]!.container >= 0;
      if (!isShown || isDeep) scores[at] = -1;
      else if (container < 0) scores[at] = usesOf(name, among);
      else
        scores[at] = TELLING_MEMBER.test(name)
          ? Math.min(scores[container]!, usesOf(name, among)) * MEMBER_SHARE
          : 0;
    });
    // what nobody else names is not why the file is central
    const least = scores.some((score) => score > 0) ? Number.MIN_VALUE : 0;
    return symbols
      .map((_, at) => at)
      .filter((at) => scores[at]! >= least)
      .sort((a, b) => scores[b]! - scores[a]! || a - b);
  };
}

/** The files whose imports lead to a file. */
function invert({ links, snapshot }: IndexView): (file: number) => readonly number[] {
  const { starts, targets } = links.definers;
  const users: number[][] = snapshot.files.map(() => []);
  snapshot.files.forEach((_, file) => {
    for (let at = starts[file]!; at < starts[file + 1]!; at++) users[targets[at]!]!.push(file);
  });
  return (file) => users[file] ?? [];
}
