import { isStopWord } from '../../model/stop-words.ts';
import type { TaskAnalysis, TaskZone } from '../../model/task-analysis.ts';
import { wordParts } from '../../model/word-parts.ts';
import { type WordForms, wordForms } from './word-forms.ts';

/** A lower-case word that the task is searched by. */
export interface QueryTerm {
  readonly part: string;
  /** Over the whole task; repetition counts less and less. */
  readonly weight: number;
  /** In the title alone. */
  readonly titleWeight: number;
  readonly forms: WordForms;
}

const ZONE_WEIGHT: Readonly<Record<TaskZone, number>> = {
  title: 2,
  lead: 1.2,
  prose: 1,
  code: 0.6,
  trace: 0.4,
  boilerplate: 0.15,
};

/** A part of a written word says less than the whole word. */
const PART_WEIGHT = 0.7;

export const MAX_TERMS = 200;

/** What to look up for a task, strongest first. */
export function queryTerms({ words }: Pick<TaskAnalysis, 'words'>): QueryTerm[] {
  const sums = new Map<string, { weight: number; title: number }>();
  for (const { word, zone, count } of words) {
    wordParts(word).forEach((part, at) => {
      if (!isWorthLooking(part)) return;
      const weight = ZONE_WEIGHT[zone] * (1 + Math.log(count)) * (at === 0 ? 1 : PART_WEIGHT);
      const sum = sums.get(part) ?? { weight: 0, title: 0 };
      sum.weight += weight;
      if (zone === 'title') sum.title += weight;
      sums.set(part, sum);
    });
  }
  return [...sums]
    .map(([part, { weight, title }]) => ({
      part,
      weight: Math.log1p(weight),
      titleWeight: Math.log1p(title),
      forms: wordForms(part),
    }))
    .sort((a, b) => b.weight - a.weight || (a.part < b.part ? -1 : 1))
    .slice(0, MAX_TERMS);
}

function isWorthLooking(part: string): boolean {
  if (part.length < 2 && part.charCodeAt(0) < 128) return false;
  if (/^\d{1,2}$/.test(part)) return false;
  return !isStopWord(part);
}
