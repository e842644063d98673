// Search by words. The server counts how often words occur; the weights and the statistics of the snapshot are
// sent along, so that the scores are those of every other store.

import type { LexicalQuery, LexicalTerm, RankedList, StoreHit } from '../../model/knowledge-store.ts';
import { rankedList } from '../knowledge-store/search-snapshots.ts';
import { type RoutedSearch, searchAll, textField } from './bulk-requests.ts';
import type { Patience } from './connection.ts';
import { MAX_LIST } from './index-layout.ts';
import { chosenFiles, inSnapshot, type Query } from './manifest-pages.ts';
import { type Place, routingOf, type SnapshotRecord } from './snapshot-document.ts';
import { FIELDS } from './stored-document.ts';

/** Servers refuse queries with more than 1024 conditions. */
const MAX_CONDITIONS = 900;

/**
 * BM25 over fields with the statistics of one snapshot. The server counts how often a word occurs in a field and adds
 * up (its similarity does nothing else). This script weighs the counts, with numbers that the request brings.
 */
const GAIN = `double n = _score / (params.s + params.b * (${FIELDS.map(
  (field) => `params.${field} * doc['length.${field}'].value`,
).join(' + ')})); return n > 0 && n < Double.POSITIVE_INFINITY ? params.g * n / (n + params.k) : 0;`;

/** One query over one snapshot. */
interface Job {
  readonly query: LexicalQuery;
  readonly record: SnapshotRecord;
  readonly files: readonly Query[];
}

/** One list for each query, over all snapshots that it is given. Two requests, however many queries there are. */
export async function searchLexically(
  place: Place,
  asked: readonly { readonly query: LexicalQuery; readonly records: readonly SnapshotRecord[] }[],
  patience: Patience,
): Promise<readonly RankedList[]> {
  const jobs = asked.map(({ query, records }) => {
    const files = chosenFiles(query.filter);
    return files === null || !query.terms.some(counts)
      ? []
      : records.map((record): Job => ({ query, record, files }));
  });
  const frequencies = await countWords(place, jobs.flat(), patience);
  const searches = jobs.map((some) =>
    some.map((job) => ({ job, parts: searchesOf(place, job, frequencies.get(job.record)!) })),
  );
  const all = searches.flat().flatMap(({ parts }) => parts);
  const answers = await searchAll(place, all, patience);
  let at = 0;
  return searches.map((some, number) => {
    const hits = some.flatMap(({ job, parts }) => {
      const scores = new Map<string, StoreHit>();
      for (const { hits: found } of answers.slice(at, at + parts.length))
        for (const hit of found) {
          const { repository, branch } = job.record.head;
          const path = textField(hit, 'path');
          const score = (scores.get(path)?.score ?? 0) + (hit._score ?? 0);
          scores.set(path, { repository, branch, path, contentHash: textField(hit, 'contentHash'), score });
        }
      at += parts.length;
      return [...scores.values()].filter(({ score }) => score > 0);
    });
    return rankedList(hits, asked[number]!.query.limit);
  });
}

/** A term that adds nothing is not asked for. */
const counts = ({ words, weight }: LexicalTerm) => weight > 0 && words.some((form) => form.weight > 0);
/** The forms of a term that have a weight. */
const formsOf = ({ words }: LexicalTerm) => words.filter(({ weight }) => weight > 0);
/** Terms with the same forms have the same frequency. */
const termKey = (term: LexicalTerm) =>
  formsOf(term)
    .map(({ word }) => word)
    .join(' ');

/** How many documents of a snapshot hold a word, or a term in any of its forms. */
interface Frequencies {
  readonly terms: ReadonlyMap<string, number>;
  readonly words: ReadonlyMap<string, number>;
}

/** First request: in how many documents of each snapshot the terms and their single forms occur. */
async function countWords(
  place: Place,
  jobs: readonly Job[],
  patience: Patience,
): Promise<ReadonlyMap<SnapshotRecord, Frequencies>> {
  const records = [...new Set(jobs.map(({ record }) => record))];
  const asked = records.map((record) => {
    const terms = new Map<string, readonly string[]>();
    for (const { query } of jobs.filter((job) => job.record === record))
      for (const term of query.terms.filter(counts))
        terms.set(
          termKey(term),
          formsOf(term).map(({ word }) => word),
        );
    const words = [...new Set([...terms.values()].filter(({ length }) => length > 1).flat())];
    return { record, terms: [...terms], words };
  });
  // One aggregation for each snapshot, with a filter for each term.
  const searches = asked.map(({ record, terms, words }): RoutedSearch => {
    const anywhere = (some: readonly string[]) => ({
      bool: { should: FIELDS.map((field) => ({ terms: { [field]: some } })) },
    });
    const filters = Object.fromEntries([
      ...terms.map(([, forms], number) => [`t${number}`, anywhere(forms)]),
      ...words.map((word, number) => [`w${number}`, anywhere([word])]),
    ]);
    const { repository } = record.head;
    const filter = inSnapshot({ team: place.team, repository, layers: record.layers });
    return {
      routing: routingOf(place.team, repository),
      body: {
        size: 0,
        track_total_hits: false,
        query: { bool: { filter, must_not: twinsOf(place, record) } },
        aggs: { counts: { filters: { filters } } },
      },
    };
  });
  const answers = await searchAll(place, searches, patience);
  return new Map(
    asked.map(({ record, terms, words }, at) => {
      const { counts: found } = answers[at]!;
      return [
        record,
        {
          terms: new Map(terms.map(([key], number) => [key, found[`t${number}`] ?? 0])),
          words: new Map(words.map((word, number) => [word, found[`w${number}`] ?? 0])),
        },
      ];
    }),
  );
}

/** Files of equal content count once. */
function twinsOf({ alias, team }: Place, { head, twins }: SnapshotRecord): Query[] {
  if (twins === '') return [];
  const routing = routingOf(team, head.repository);
  return [{ terms: { _id: { index: alias, id: twins, path: 'page.ids', routing } } }];
}

/** Usually one; several when the query has more conditions than a server takes. */
function searchesOf(
  place: Place,
  { query, record, files }: Job,
  known: Frequencies,
): readonly RoutedSearch[] {
  const { head, layers, statistics } = record;
  const { documents } = statistics;
  // Words in a field of an average document.
  const averages = statistics.lengths.map((length) => Math.max(1, length / Math.max(1, documents)));
  const mean = FIELDS.reduce((sum, field, at) => sum + query.fields[field] * averages[at]!, 0) || 1;
  // The parameters of the script: see `GAIN`.
  const shape = {
    s: 1 - query.lengthShare,
    b: query.lengthShare / mean,
    k: query.saturation,
    ...query.fields,
  };
  const fields = FIELDS.filter((field) => query.fields[field] > 0);
  // One scored clause for each term. A form that occurs nowhere is left out.
  const clauses = query.terms.filter(counts).flatMap((term) => {
    const frequency = known.terms.get(termKey(term)) ?? 0;
    if (frequency === 0) return [];
    const rarity = Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
    const should = formsOf(term)
      .filter(({ word }) => (known.words.get(word) ?? 1) > 0)
      .flatMap(({ word, weight }) =>
        fields.map((field) => ({ term: { [field]: { value: word, boost: weight * query.fields[field] } } })),
      );
    const params = { ...shape, g: term.weight * rarity * (query.saturation + 1) };
    const script = { lang: 'painless', source: GAIN, params };
    if (should.length === 0) return [];
    return [{ size: should.length, clause: { script_score: { query: { bool: { should } }, script } } }];
  });
  // Servers take a limited number of conditions, so that a long query becomes several searches.
  const groups: { size: number; clauses: Query[] }[] = [];
  for (const { size, clause } of clauses) {
    const last = groups.at(-1);
    if (last && last.size + size <= MAX_CONDITIONS) {
      last.clauses.push(clause);
      last.size += size;
    } else groups.push({ size, clauses: [clause] });
  }
  const { repository, fileCount } = head;
  // sums of parts need all of the parts
  const limit = groups.length > 1 ? fileCount : Math.min(query.limit, fileCount);
  const filter = [...inSnapshot({ team: place.team, repository, layers }), ...files];
  return groups.map((group) => ({
    routing: routingOf(place.team, repository),
    body: {
      size: Math.min(limit, MAX_LIST),
      track_total_hits: false,
      _source: false,
      docvalue_fields: ['path', 'contentHash'],
      sort: [{ _score: 'desc' }, { path: 'asc' }],
      query: { bool: { filter, should: group.clauses, minimum_should_match: 1 } },
    },
  }));
}
