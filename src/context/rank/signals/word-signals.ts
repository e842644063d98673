import { WORD_FIELD } from '../../../model/parsed-file.ts';
import { FIELD_COUNT } from '../corpus.ts';
import type { GivenEvidence } from '../given-evidence.ts';
import { type LookedUpTerm, type RankingContext, remember, strongestTerms } from '../ranking-context.ts';
import { ALL_FIELDS, type FieldWeights, onlyField, scoreTerms } from '../search-words.ts';
import { MAX_NAMED, quoted, type ReasonContext, type SignalDefinition, told } from './signal.ts';

/** The file has the words of the task, rare ones most of all. */
export const words: SignalDefinition = {
  name: 'words',
  group: 'lexical',
  isAboutContent: true,
  score: (context) => wholeTaskWords(context),
  reason: (file, context) =>
    told('contains', wordsIn(context, file, 'any'), 'contains many words of the task'),
};

/** The same with the words of the title alone. */
export const titleWords: SignalDefinition = {
  ...words,
  name: 'titleWords',
  toldAs: 'words',
  score: (context) => titleOnlyWords(context),
};

/** Names that the file defines have words of the task. */
export const definitionWords = fieldSignal(
  'definition',
  'defines names with',
  'defines names like the task’s words',
);
/** Comments of the file have words of the task. */
export const commentWords = fieldSignal('comment', 'comments contain', 'comments contain words of the task');
/** Strings of the file have words of the task. */
export const stringWords = fieldSignal('string', 'strings contain', 'strings contain words of the task');

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

function fieldSignal(
  field: 'definition' | 'comment' | 'string',
  front: string,
  otherwise: string,
): SignalDefinition {
  const name = `${field}Words` as const;
  return {
    name,
    group: 'lexical',
    isAboutContent: true,
    score: (context) => scoreWords(context, name, onlyField(WORD_FIELD[field]), ({ weight }) => weight),
    reason: (file, context) => told(front, wordsIn(context, file, field), otherwise),
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

/** Terms that can be a reason; the rest of a long task says too little. */
const MAX_TERMS = 40;

/** The terms that a reason may name, strongest first. */
export function namedTerms({ ranking }: ReasonContext): readonly LookedUpTerm[] {
  return strongestTerms(ranking).slice(0, MAX_TERMS);
}

interface FoundTerm {
  readonly part: string;
  readonly gain: number;
  readonly counts: Float32Array;
}

/** The terms in each file that is returned. */
const termsByFile = remember((context: ReasonContext): Map<number, FoundTerm[]> => {
  const { twinOf } = context.ranking.corpus;
  const wanted = new Set(context.order.map((file) => twinOf[file]!));
  const byFile = new Map<number, FoundTerm[]>();
  for (const { part, gain, hits } of namedTerms(context))
    for (let at = 0; at < hits.files.length; at++) {
      const file = hits.files[at]!;
      if (!wanted.has(file)) continue;
      const counts = hits.counts.subarray(at * FIELD_COUNT, (at + 1) * FIELD_COUNT);
      const known = byFile.get(file);
      if (known) known.push({ part, gain, counts });
      else byFile.set(file, [{ part, gain, counts }]);
    }
  return byFile;
});

/** The words that a file has in a field: rare ones first, a little more so when they come often. */
function wordsIn(context: ReasonContext, file: number, field: keyof typeof WORD_FIELD | 'any'): string {
  const found = termsByFile(context).get(context.ranking.corpus.twinOf[file]!) ?? [];
  const strongest = found
    .map(({ part, gain, counts }) => {
      const count = field === 'any' ? counts.reduce((sum, one) => sum + one, 0) : counts[WORD_FIELD[field]]!;
      return { part, worth: (gain * count) / (count + 1) };
    })
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth || (a.part < b.part ? -1 : 1));
  return quoted(strongest.slice(0, MAX_NAMED).map(({ part }) => part));
}
