import type { Signal } from '../model/ranking.ts';
import type { EvidenceName } from './evidence.ts';
import type { GraphEvidenceName } from './graph-evidence.ts';

export interface EvidenceWeight {
  /** Under which name a person sees it. */
  readonly signal: Signal;
  readonly weight: number;
}

/**
 * What each look at a file counts. Found by coordinate ascent over the development sets together with commits of eight
 * other repositories, the mean of several near-equal results, rounded: the ranking changes little when one of them is
 * off by a third. `bench/relevance/learn.mjs` looks for them anew.
 */
export const EVIDENCE_WEIGHTS: Readonly<Record<EvidenceName | GraphEvidenceName, EvidenceWeight>> = {
  words: { signal: 'lexical', weight: 0.45 },
  titleWords: { signal: 'lexical', weight: 0.7 },
  definitionWords: { signal: 'lexical', weight: 0.05 },
  commentWords: { signal: 'lexical', weight: 0.1 },
  stringWords: { signal: 'lexical', weight: 0.45 },
  passage: { signal: 'lexical', weight: 1 },
  secondPassage: { signal: 'lexical', weight: 0.2 },
  titleCompounds: { signal: 'lexical', weight: 0.45 },
  // not learned: there are vectors only where the user has named a model
  meaning: { signal: 'semantic', weight: 0.75 },
  pathWords: { signal: 'path', weight: 0.85 },
  titlePath: { signal: 'path', weight: 0.15 },
  mentionedPaths: { signal: 'path', weight: 1.8 },
  frames: { signal: 'path', weight: 1.7 },
  scopePlaces: { signal: 'path', weight: 1.25 },
  names: { signal: 'symbol', weight: 0.45 },
  titleNames: { signal: 'symbol', weight: 0.1 },
  mentionedNames: { signal: 'symbol', weight: 0.65 },
  mentionedUses: { signal: 'symbol', weight: 0.95 },
  history: { signal: 'history', weight: 1.25 },
  pastScopes: { signal: 'history', weight: 0.4 },
  recentlyChanged: { signal: 'history', weight: 0.2 },
  oftenChanged: { signal: 'history', weight: 0.05 },
  usedByStrong: { signal: 'graph', weight: 0.1 },
  usesStrong: { signal: 'graph', weight: 0.05 },
  testedByStrong: { signal: 'graph', weight: 0.15 },
  besideStrong: { signal: 'graph', weight: 0.3 },
};
