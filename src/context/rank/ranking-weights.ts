import type { Signal } from '../../model/ranking.ts';
import type { EvidenceName } from './evidence.ts';
import type { GraphEvidenceName } from './graph-evidence.ts';

export interface EvidenceWeight {
  /** Under which name a person sees it. */
  readonly signal: Signal;
  readonly weight: number;
}

/**
 * What each look at a file counts. Means of three results of `bench/relevance/learn.mjs` (coordinate ascent on the five
 * development sets with equal weight for each, from several starts): each of them ranks as well as the others, and their
 * mean on repositories outside the sets. The ranking changes little when one weight is off by a third.
 */
export const EVIDENCE_WEIGHTS: Readonly<Record<EvidenceName | GraphEvidenceName, EvidenceWeight>> = {
  words: { signal: 'lexical', weight: 0.79 },
  titleWords: { signal: 'lexical', weight: 0.72 },
  definitionWords: { signal: 'lexical', weight: 0.05 },
  commentWords: { signal: 'lexical', weight: 0.25 },
  stringWords: { signal: 'lexical', weight: 0.33 },
  passage: { signal: 'lexical', weight: 1.35 },
  secondPassage: { signal: 'lexical', weight: 0.26 },
  titleCompounds: { signal: 'lexical', weight: 0.68 },
  // not learned: there are vectors only where the user has named a model
  meaning: { signal: 'semantic', weight: 0.75 },
  pathWords: { signal: 'path', weight: 0.98 },
  titlePath: { signal: 'path', weight: 0.42 },
  mentionedPaths: { signal: 'path', weight: 1.87 },
  frames: { signal: 'path', weight: 1.69 },
  scopePlaces: { signal: 'path', weight: 1.82 },
  names: { signal: 'symbol', weight: 0.39 },
  titleNames: { signal: 'symbol', weight: 0.19 },
  mentionedNames: { signal: 'symbol', weight: 0.51 },
  mentionedUses: { signal: 'symbol', weight: 0.92 },
  history: { signal: 'history', weight: 1.33 },
  pastScopes: { signal: 'history', weight: 0.61 },
  pastPlaces: { signal: 'history', weight: 0.62 },
  recentlyChanged: { signal: 'history', weight: 0.34 },
  oftenChanged: { signal: 'history', weight: 0.08 },
  usedByStrong: { signal: 'graph', weight: 0.26 },
  usesStrong: { signal: 'graph', weight: 0.05 },
  testedByStrong: { signal: 'graph', weight: 0.16 },
  besideStrong: { signal: 'graph', weight: 0.43 },
};
