import type { StringList } from '../../model/index-view.ts';
import { isStopWord } from '../../model/stop-words.ts';
import type { TaskAnalysis, TaskZone } from '../../model/task-analysis.ts';
import { wordParts } from '../../model/word-parts.ts';

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
  for (const { word, zone, count, isCode = false } of words) {
    wordParts(word).forEach((part, at) => {
      if (!isWorthLooking(part, isCode)) return;
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

/** Words that say nothing in a sentence may well be names in code: there they are looked up. */
function isWorthLooking(part: string, isCode: boolean): boolean {
  if (part.length < 2 && part.charCodeAt(0) < 128) return false;
  if (/^\d{1,2}$/.test(part)) return false;
  return isCode || !isStopWord(part);
}

/** A word and what its other forms begin with. */
export interface WordForms {
  readonly word: string;
  /** Empty when the word has no other forms worth looking for. */
  readonly stem: string;
}

/** The weight of the same word in another number or tense. */
const VARIANT_WEIGHT = 0.6;

/** English endings, and those that a stem takes instead; longest first. */
const ENDINGS = [
  'ations',
  'ation',
  'ators',
  'ator',
  'ions',
  'ing',
  'ion',
  'ers',
  'ies',
  'ed',
  'er',
  'es',
  'or',
  'e',
  's',
  'y',
];
const OTHER_FORMS: ReadonlySet<string> = new Set([
  '',
  ...ENDINGS,
  'ate',
  'ates',
  'ated',
  'ating',
  'able',
  'ings',
  'ors',
]);

const MIN_STEM = 4;
/** With more words that begin like the stem, looking its forms up one by one is faster. */
const MAX_SCAN = 300;

export function wordForms(word: string): WordForms {
  if (!/^[a-z]{4,}$/.test(word)) return { word, stem: '' };
  const ending = ENDINGS.find((end) => word.endsWith(end) && word.length - end.length >= MIN_STEM) ?? '';
  const stem = word.slice(0, word.length - ending.length);
  return { word, stem: stem.length >= MIN_STEM ? stem : '' };
}

/** What a word of the index counts as an answer to a term: 1 for the word itself, 0 for another word. */
export function formWeight({ word, stem }: WordForms, other: string): number {
  if (other === word) return 1;
  const isForm = stem !== '' && other.startsWith(stem) && OTHER_FORMS.has(other.slice(stem.length));
  return isForm ? VARIANT_WEIGHT : 0;
}

/** The word and all its other forms, sorted: for those who cannot look at the words there are. */
export function allForms(forms: WordForms): { readonly word: string; readonly weight: number }[] {
  const { word, stem } = forms;
  if (stem === '') return [{ word, weight: 1 }];
  const words = new Set([word, ...[...OTHER_FORMS].map((form) => stem + form)]);
  return [...words].sort().map((other) => ({ word: other, weight: formWeight(forms, other) }));
}

/** The entries of a sorted word list that are the word or another form of it. */
export function variantsOf(
  parts: StringList,
  forms: WordForms,
): { readonly part: number; readonly weight: number }[] {
  const { word, stem } = forms;
  if (stem === '') {
    const part = parts.find(word);
    return part < 0 ? [] : [{ part, weight: 1 }];
  }
  const found: { part: number; weight: number }[] = [];
  const add = (part: number, other: string) => {
    const weight = formWeight(forms, other);
    if (weight > 0) found.push({ part, weight });
  };
  const first = parts.lowerBound(stem);
  const last = Math.min(first + MAX_SCAN, parts.length);
  for (let part = first; part < last; part++) {
    const other = parts.at(part);
    if (!other.startsWith(stem)) return found;
    add(part, other);
  }
  if (last === parts.length) return found;
  // how an index is cut into segments must not decide what is found: look the forms up one by one
  found.length = 0;
  for (const other of new Set([word, ...[...OTHER_FORMS].map((form) => stem + form)])) {
    const part = parts.find(other);
    if (part >= 0) add(part, other);
  }
  return found.sort((a, b) => a.part - b.part);
}
