import { WORD_FIELD } from '../../model/file-words.ts';
import type { IndexView } from '../../model/index-view.ts';
import type { LexicalSearch, LexicalTerm, WordFieldName } from '../../model/lexical-search.ts';
import { type Corpus, corpusOf } from './corpus.ts';
import { scoreTerms } from './score-terms.ts';
import { TermCounter, type TermHits, type TermWords } from './term-hits.ts';

/** Scores the files of an index by their words; by file number, files with equal content alike. */
export function searchWords(index: IndexView, search: LexicalSearch): Float64Array {
  const corpus = corpusOf(index);
  const counter = new TermCounter(corpus);
  const known = countedIn(corpus);
  const terms = search.terms.map((term) => {
    const hits = known.get(term.words) ?? counter.count(wordsOf(corpus, term));
    known.set(term.words, hits);
    return { hits, weight: term.weight };
  });
  const fields: number[] = [];
  for (const [name, field] of Object.entries(WORD_FIELD))
    fields[field] = search.fields[name as WordFieldName];
  const { lengthShare, saturation } = search;
  const scores = scoreTerms(corpus, terms, { fields, lengthShare, saturation });
  const { twinOf } = corpus;
  for (let file = 0; file < scores.length; file++)
    if (twinOf[file]! >= 0) scores[file] = scores[twinOf[file]!]!;
  return scores;
}

const counted = new WeakMap<Corpus, WeakMap<LexicalTerm['words'], TermHits>>();

/** Searches that differ in their weights share their terms: each is counted once. */
function countedIn(corpus: Corpus): WeakMap<LexicalTerm['words'], TermHits> {
  const known = counted.get(corpus) ?? new WeakMap();
  counted.set(corpus, known);
  return known;
}

function wordsOf({ index, fileOf }: Corpus, { words: forms }: LexicalTerm): TermWords {
  const bySegment = fileOf.map((_, number) => {
    const segment = index.segment(number);
    const words: number[] = [];
    const weights: number[] = [];
    for (const { word: form, weight } of forms) {
      const part = segment.parts.find(form);
      if (part < 0) continue;
      for (const word of segment.wordsWithPart(part)) {
        words.push(word);
        weights.push(weight);
      }
    }
    return { words: Uint32Array.from(words), weights: Float32Array.from(weights) };
  });
  return { bySegment };
}
