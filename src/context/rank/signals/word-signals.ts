import { WORD_FIELD } from '../../../model/parsed-file.ts';
import type { GivenEvidence } from '../given-evidence.ts';
import { type LookedUpTerm, type RankingContext, remember } from '../ranking-context.ts';
import { ALL_FIELDS, type FieldWeights, onlyField, scoreTerms } from '../search-words.ts';
import { contentReason } from './reason-words.ts';
import type { SignalDefinition } from './signal.ts';

/** The file has the words of the task, rare ones most of all. */
export const words: SignalDefinition = {
  name: 'words',
  group: 'lexical',
  isAboutContent: true,
  score: (context) => wholeTaskWords(context),
  reason: contentReason,
};

/** The same with the words of the title alone. */
export const titleWords: SignalDefinition = {
  ...words,
  name: 'titleWords',
  toldAs: 'words',
  score: (context) => titleOnlyWords(context),
};

/** Names that the file defines have words of the task. */
export const definitionWords = fieldSignal('definition');
/** Comments of the file have words of the task. */
export const commentWords = fieldSignal('comment');
/** Strings of the file have words of the task. */
export const stringWords = fieldSignal('string');

/** The file is near to the task for an embedding model; empty without one. */
export const meaning: SignalDefinition = {
  name: 'meaning',
  group: 'semantic',
  score: ({ given, files }) => given.meaning ?? new Float64Array(files.length),
  reason: () => 'close to the task in meaning',
};

/** Columns of the two signals above, before anything is done to them: passages are looked for in the best files. */
export const wholeTaskWords = remember((context: RankingContext) =>
  scoreWords(context, 'words', ALL_FIELDS, ({ weight }) => weight),
);
export const titleOnlyWords = remember((context: RankingContext) =>
  scoreWords(context, 'titleWords', ALL_FIELDS, ({ titleWeight }) => titleWeight),
);

function fieldSignal(field: 'definition' | 'comment' | 'string'): SignalDefinition {
  const name = `${field}Words` as const;
  return {
    name,
    group: 'lexical',
    isAboutContent: true,
    score: (context) => scoreWords(context, name, onlyField(WORD_FIELD[field]), ({ weight }) => weight),
    reason: contentReason,
  };
}

/** The answer of a knowledge store where it has one, else of the index. */
function scoreWords(
  { given, corpus, terms }: RankingContext,
  name: keyof GivenEvidence,
  fields: FieldWeights,
  weightOf: (term: LookedUpTerm) => number,
): Float64Array {
  const weighted = () => terms.map((term) => ({ hits: term.hits, weight: weightOf(term) }));
  return given[name] ?? scoreTerms(corpus, weighted(), fields);
}
