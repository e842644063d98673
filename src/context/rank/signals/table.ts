import { namedStems, titleCompounds } from './compound-words.ts';
import { history, numberedCommits, oftenChanged, recentlyChanged } from './history-signals.ts';
import { mentionedNames, mentionedUses, names, titleNames } from './name-signals.ts';
import { besideStrong, testedByStrong, usedByStrong, usesStrong } from './neighbour-signals.ts';
import { passage, secondPassage } from './passages.ts';
import { pastPlaces } from './past-places.ts';
import { frames, mentionedPaths, pathWords, titlePath } from './path-signals.ts';
import { pastScopes, scopePlaces } from './scope-signals.ts';
import type { RankingSignal, SignalDefinition } from './signal.ts';
import { commentWords, definitionWords, meaning, stringWords, titleWords, words } from './word-signals.ts';

type Row = readonly [signal: SignalDefinition, weight: number];

/**
 * All signals with their weights. To add one, write its object in a file of this folder and add a row.
 *
 * The weights are means of three results of `bench/relevance/learn.mjs` (coordinate ascent on the five development sets
 * with equal weight for each, from several starts). Each result ranks as well as the others, and so does their mean on
 * repositories outside the sets. The ranking changes little when one weight is off by a third. The order of the rows is
 * the order of the sums: moving a row can change the last digit of a score.
 */
const ROWS: readonly Row[] = [
  [words, 0.79],
  [titleWords, 0.72],
  [definitionWords, 0.05],
  [commentWords, 0.25],
  [stringWords, 0.33],
  [passage, 1.35],
  [secondPassage, 0.26],
  [titleCompounds, 0.68],
  // not learned: there are vectors only where the user has named a model
  [meaning, 0.75],
  [pathWords, 0.98],
  [titlePath, 0.42],
  [mentionedPaths, 1.87],
  [namedStems, 0.5],
  [frames, 1.69],
  [scopePlaces, 1.82],
  [names, 0.39],
  [titleNames, 0.19],
  [mentionedNames, 0.51],
  [mentionedUses, 0.92],
  [history, 1.33],
  [numberedCommits, 0.4],
  [pastScopes, 0.61],
  [pastPlaces, 0.62],
  [recentlyChanged, 0.34],
  [oftenChanged, 0.08],
  [usedByStrong, 0.26],
  [usesStrong, 0.05],
  [testedByStrong, 0.16],
  [besideStrong, 0.43],
];

/** Every signal of the ranking. */
export const RANKING_SIGNALS: readonly RankingSignal[] = ROWS.map(([signal, weight]) => ({
  ...signal,
  weight,
}));
