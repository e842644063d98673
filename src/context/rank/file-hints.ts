import type { PathMention, SymbolMention } from '../../model/task-analysis.ts';
import type { Corpus } from './corpus.ts';
import { scoreMentions } from './path-signals.ts';
import { findMentioned, scoreMentioned } from './symbol-signals.ts';

/** Something that is known from elsewhere to matter for tasks like this one. */
export interface FileHint {
  /** 0..1. */
  readonly strength: number;
  readonly paths: readonly PathMention[];
  readonly symbols: readonly SymbolMention[];
  /** For people. */
  readonly reason: string;
}

export interface HintedFile {
  /** 0..1. */
  readonly strength: number;
  readonly reason: string;
}

/** The files that hints speak of, each with its strongest hint. */
export function hintedFiles(corpus: Corpus, hints: readonly FileHint[]): ReadonlyMap<number, HintedFile> {
  const { files } = corpus.index.snapshot;
  const found = new Map<number, HintedFile>();
  for (const { strength, paths, symbols, reason } of hints) {
    const columns = [scoreMentions(files, paths), scoreMentioned(corpus, findMentioned(corpus, symbols))];
    for (const column of columns) {
      const most = column.reduce((highest, value) => Math.max(highest, value), 0);
      if (most === 0) continue;
      for (let file = 0; file < column.length; file++) {
        const own = (strength * column[file]!) / most;
        if (own > (found.get(file)?.strength ?? 0)) found.set(file, { strength: own, reason });
      }
    }
  }
  return found;
}
