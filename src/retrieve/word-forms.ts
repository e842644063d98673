import type { StringList } from '../model/index-view.ts';

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
/** A stem that begins more words than this is none. */
const MAX_SCAN = 300;

export function wordForms(word: string): WordForms {
  if (!/^[a-z]{4,}$/.test(word)) return { word, stem: '' };
  const ending = ENDINGS.find((end) => word.endsWith(end) && word.length - end.length >= MIN_STEM) ?? '';
  const stem = word.slice(0, word.length - ending.length);
  return { word, stem: stem.length >= MIN_STEM ? stem : '' };
}

/** The entries of a sorted word list that are the word or another form of it. */
export function variantsOf(
  parts: StringList,
  { word, stem }: WordForms,
): { readonly part: number; readonly weight: number }[] {
  if (stem === '') {
    const part = parts.find(word);
    return part < 0 ? [] : [{ part, weight: 1 }];
  }
  const found: { part: number; weight: number }[] = [];
  const first = parts.lowerBound(stem);
  for (let part = first; part < Math.min(first + MAX_SCAN, parts.length); part++) {
    const other = parts.at(part);
    if (!other.startsWith(stem)) return found;
    if (other === word) found.push({ part, weight: 1 });
    else if (OTHER_FORMS.has(other.slice(stem.length))) found.push({ part, weight: VARIANT_WEIGHT });
  }
  // too many words begin like this: the word alone, wherever it stands
  const exact = parts.find(word);
  return exact < 0 ? [] : [{ part: exact, weight: 1 }];
}
