import type { RankedSymbol } from '../model/ranking.ts';
import type { EvidenceColumns } from './fuse.ts';
import { EVIDENCE_WEIGHTS } from './ranking-weights.ts';

/** What a piece of evidence means to a person. */
const WORDING: Readonly<Record<keyof typeof EVIDENCE_WEIGHTS, string>> = {
  words: 'has many of the task’s words',
  titleWords: 'has the words of the task’s first line',
  definitionWords: 'defines names made of the task’s words',
  commentWords: 'its comments speak of the task',
  stringWords: 'its messages have the task’s words',
  passage: 'one passage has much of what the task says',
  secondPassage: 'a second passage has more of it',
  pathWords: 'its path has the task’s words',
  titlePath: 'its path has words of the first line',
  mentionedPaths: 'the task names this file',
  frames: 'it is in the stack trace',
  names: 'the name of a definition matches the task',
  titleNames: 'the name of a definition matches the first line',
  mentionedNames: 'it defines a name that the task mentions',
  history: 'commits like this task changed it',
  recentlyChanged: 'it was changed lately',
  oftenChanged: 'it is changed often',
  usedByStrong: 'strong matches use it',
  usesStrong: 'it uses strong matches',
  testedByStrong: 'tests that match the task cover it',
  besideStrong: 'strong matches lie beside it',
};

const MOST_REASONS = 3;
const WORTH_SAYING = 0.1;

/** Why a file is where it is, strongest reason first. */
export function explain(
  columns: EvidenceColumns,
  file: number,
  symbols: readonly RankedSymbol[],
): readonly string[] {
  const names = Object.keys(EVIDENCE_WEIGHTS) as (keyof typeof EVIDENCE_WEIGHTS)[];
  const reasons = names
    .map((name) => ({ name, worth: EVIDENCE_WEIGHTS[name].weight * (columns[name]?.[file] ?? 0) }))
    .filter(({ worth }) => worth >= WORTH_SAYING)
    .sort((a, b) => b.worth - a.worth || (a.name < b.name ? -1 : 1))
    .slice(0, MOST_REASONS)
    .map(({ name }) => WORDING[name]);
  const top = symbols[0];
  return top ? [...reasons, `see ${top.name}, line ${top.startLine}`] : reasons;
}
