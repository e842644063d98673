import type { LexicalSearch, WordFieldName } from '../../model/knowledge-store.ts';
import { WORD_FIELD } from '../../model/parsed-file.ts';
import type { TaskAnalysis } from '../../model/task-analysis.ts';
import { allForms, queryTerms } from './query-terms.ts';
import { ALL_FIELDS, type FieldWeights, onlyField } from './search-words.ts';

/** The signals about text that a knowledge store can score. */
export const TEXT_LOOKS = ['words', 'titleWords', 'definitionWords', 'commentWords', 'stringWords'] as const;

export type TextLook = (typeof TEXT_LOOKS)[number];

/** Columns by file number that were found elsewhere. `meaning` is 0..1 already. */
export type GivenEvidence = Readonly<Partial<Record<TextLook | 'meaning', Float64Array>>>;

/** The same questions that the index is asked, as searches that any store can answer. */
export function textSearches(task: TaskAnalysis): Readonly<Record<TextLook, LexicalSearch>> {
  const terms = queryTerms(task).map(({ forms, weight, titleWeight }) => ({
    words: allForms(forms),
    weight,
    titleWeight,
  }));
  const whole = terms.map(({ words, weight }) => ({ words, weight }));
  const title = terms.map(({ words, titleWeight }) => ({ words, weight: titleWeight }));
  const inField = (field: WordFieldName) => searchFor(whole, onlyField(WORD_FIELD[field]));
  return {
    words: searchFor(whole, ALL_FIELDS),
    titleWords: searchFor(title, ALL_FIELDS),
    definitionWords: inField('definition'),
    commentWords: inField('comment'),
    stringWords: inField('string'),
  };
}

function searchFor(terms: LexicalSearch['terms'], weights: FieldWeights): LexicalSearch {
  const { fields, lengthShare, saturation } = weights;
  const byName = Object.fromEntries(
    Object.entries(WORD_FIELD).map(([name, field]) => [name, fields[field]!]),
  ) as Record<WordFieldName, number>;
  return { terms, fields: byName, lengthShare, saturation };
}

/** Empty columns for all text: only structure counts then. */
export function withoutText(fileCount: number): GivenEvidence {
  return Object.fromEntries(TEXT_LOOKS.map((look) => [look, new Float64Array(fileCount)]));
}

/**
 * Nearness as evidence. Any two texts are near to some degree, and how near depends on the model: only files that stand
 * out in this repository count.
 */
export function meaningEvidence(cosines: Float64Array): Float64Array {
  const known = cosines.filter((value) => value > 0);
  const mean = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
  const spread = known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, known.length);
  const most = known.reduce((largest, value) => Math.max(largest, value), 0);
  const floor = known.length > 2 ? mean + Math.sqrt(spread) : 0;
  return cosines.map((value) => (most > floor ? Math.max(0, (value - floor) / (most - floor)) : 0));
}
