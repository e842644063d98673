import type { RankedList, StoreHit, VectorQuery } from '../../model/knowledge-store.ts';
import { unitVector } from '../knowledge-store/packed-vector.ts';
import { rankedList } from '../knowledge-store/ranked-list.ts';
import { refused } from '../knowledge-store/search-vectors.ts';
import { chosenFiles, inSnapshot } from './branch-layers.ts';
import type { Patience } from './connection.ts';
import { LARGEST_LIST } from './index-layout.ts';
import { searchAll, textField } from './search-request.ts';
import { type Place, routingOf, type SnapshotRecord } from './snapshot-document.ts';
import { PASSAGE_HEAD } from './stored-document.ts';

/** Runs through the passages of a file; what it keeps of the best one differs. */
const LOOP = `def v = doc['vectors'].value; int size = params.q.length; int step = size + ${PASSAGE_HEAD};
double best = 0; int at = -1;
for (int from = v.offset; from + step <= v.offset + v.length; from += step) {
  int bits = ((v.bytes[from + 8] & 255) << 24) | ((v.bytes[from + 9] & 255) << 16) | ((v.bytes[from + 10] & 255) << 8) | (v.bytes[from + 11] & 255);
  double sum = 0;
  for (int i = 0; i < size; i++) { sum += v.bytes[from + ${PASSAGE_HEAD} + i] * (double) params.q[i]; }
  sum *= Float.intBitsToFloat(bits);
  if (sum > best) { best = sum; at = from; }
}`;
const BEST = `${LOOP} return best;`;
const LINES = `${LOOP} if (at < 0) { return null; }
int first = ((v.bytes[at] & 255) << 24) | ((v.bytes[at + 1] & 255) << 16) | ((v.bytes[at + 2] & 255) << 8) | (v.bytes[at + 3] & 255);
int last = ((v.bytes[at + 4] & 255) << 24) | ((v.bytes[at + 5] & 255) << 16) | ((v.bytes[at + 6] & 255) << 8) | (v.bytes[at + 7] & 255);
return first + '-' + last;`;

/** A cosine below this is none. */
const LEAST = 1e-6;

/**
 * Cosine of the best passage of each file, worked out on the server one by one: exact, with every server that runs
 * scripts, and fast enough for the files of a repository.
 */
export async function searchByMeaning(
  place: Place,
  query: VectorQuery,
  records: readonly SnapshotRecord[],
  patience: Patience,
): Promise<RankedList> {
  const unit = unitVector(query.vector);
  if (!unit) throw refused('the vector of a query has no direction');
  const files = chosenFiles(query.filter);
  const chosen = files
    ? records.filter(({ head, dimension }) => head.model === query.model && dimension > 0)
    : [];
  for (const { dimension } of chosen)
    if (dimension !== unit.length)
      throw refused(`the query has ${unit.length} numbers, the stored vectors have ${dimension}`);
  const params = { q: [...unit] };
  const searches = chosen.map(({ head: { repository, fileCount }, layers }) => {
    const scope = inSnapshot({ team: place.team, repository, layers });
    const filter = [...scope, ...files!, { exists: { field: 'vectors' } }];
    const script = { lang: 'painless', source: BEST, params };
    return {
      routing: routingOf(place.team, repository),
      body: {
        size: Math.min(query.limit, fileCount, LARGEST_LIST),
        track_total_hits: false,
        _source: false,
        docvalue_fields: ['path', 'contentHash'],
        script_fields: { lines: { script: { lang: 'painless', source: LINES, params } } },
        sort: [{ _score: 'desc' }, { path: 'asc' }],
        query: { script_score: { query: { bool: { filter } }, script, min_score: LEAST } },
      },
    };
  });
  const answers = await searchAll(place, searches, patience);
  const hits = chosen.flatMap(({ head: { repository, branch } }, at) =>
    answers[at]!.hits.map((hit): StoreHit => {
      const [startLine, endLine] = textField(hit, 'lines').split('-').map(Number);
      return {
        repository,
        branch,
        path: textField(hit, 'path'),
        contentHash: textField(hit, 'contentHash'),
        score: hit._score ?? 0,
        span: { startLine: startLine ?? 1, endLine: endLine ?? 1 },
      };
    }),
  );
  return rankedList(hits, query.limit);
}
