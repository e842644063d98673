import type { CommitHistory } from '../../../model/commit-history.ts';
import type { SnapshotFile } from '../../../model/snapshot.ts';
import { allForms, type QueryTerm } from '../query-terms.ts';
import { type RankingContext, remember } from '../ranking-context.ts';
import { rarity } from '../search-words.ts';
import { findWord } from './history-signals.ts';
import { quotedWords } from './reason-words.ts';
import { wordsOf } from './scope-signals.ts';
import { type SignalDefinition, shownName, told } from './signal.ts';

/** Commits with words of the task changed files at the same place. */
export const pastPlaces: SignalDefinition = {
  name: 'pastPlaces',
  group: 'history',
  score: (context) => placesOf(context).scores,
  reason: (file, context) => {
    const word = placesOf(context.ranking).words.get(file);
    return told(
      'commits mentioning',
      word === undefined ? '' : quotedWords([shownName(context, word)]),
      word === undefined ? 'commits with words of the task changed this place' : '',
      'changed this place',
    );
  },
};

const placesOf = remember(({ history, terms, files, fileAt }: RankingContext) =>
  scorePastPlaces(history, terms, files, fileAt),
);

export interface PastPlaces {
  /** By file number. */
  readonly scores: Float64Array;
  /** By file: the word of the task that says most about its place. */
  readonly words: ReadonlyMap<number, string>;
}

/** A commit that changed more source files than this was about no place. */
const MAX_FILES = 20;
/** A word of more messages than this share is not about a place either. */
const MAX_MESSAGES = 0.2;
/** What a word in the body of a message counts against one in its first line. */
const IN_BODY = 0.4;
/** As if this many commits with the word had gone elsewhere: a few can go the same way by chance. */
const ELSEWHERE = 5;
/** Once is chance. */
const MIN_TIMES = 2;
/** A place is telling when the word leads there so many times more often than commits do at all. */
const MIN_LIFT = 1.5;
/** The rest of a long task says too little. */
const MAX_TERMS = 40;

/**
 * Files at places where the words of the task have led before: of the commits that say `proxy`, most may have changed
 * something in `net/`, or something named `agent`. Unlike the commits themselves that speaks for all files there.
 */
export function scorePastPlaces(
  history: CommitHistory,
  terms: readonly QueryTerm[],
  files: readonly SnapshotFile[],
  fileOf: (path: string) => number,
): PastPlaces {
  const scores = new Float64Array(files.length);
  const words = new Map<number, string>();
  const map = mapOf(history, files, fileOf);
  const most = new Float64Array(files.length);
  for (const { part, forms, weight, titleWeight } of terms.slice(0, MAX_TERMS)) {
    const commits = commitsWith(history, allForms(forms));
    if (commits.size < MIN_TIMES || commits.size > MAX_MESSAGES * history.ids.length) continue;
    const gain = (weight + titleWeight) * rarity(history.ids.length, commits.size);
    for (const [path, pull] of pullOf(map, commits)) {
      const file = map.files[path]!;
      const worth = gain * pull;
      scores[file]! += worth;
      if (worth <= most[file]!) continue;
      most[file] = worth;
      words.set(file, part);
    }
  }
  return { scores, words };
}

/** Where past commits went. A place is a folder, a name without its ending, or a word of a path. */
interface PlaceMap {
  /** By place in `history.paths`: the source file there, or -1. */
  readonly files: Int32Array;
  /** By commit: the places it went to; none when it was about no place. */
  readonly places: readonly Uint32Array[];
  /** By place: the paths that are there. */
  readonly paths: readonly number[][];
  /** By place: how many commits went there. */
  readonly visits: Uint32Array;
  /** Commits that went anywhere. */
  readonly commits: number;
}

interface KnownMap {
  readonly newest: string | undefined;
  readonly count: number;
  readonly map: PlaceMap;
}

const maps = new WeakMap<readonly SnapshotFile[], KnownMap>();

/** Made once for the files of an index that is asked again; its newest commit says which history it is. */
function mapOf(
  history: CommitHistory,
  files: readonly SnapshotFile[],
  fileOf: (path: string) => number,
): PlaceMap {
  const [newest] = history.ids;
  const count = history.ids.length;
  const known = maps.get(files);
  if (known?.newest === newest && known?.count === count) return known.map;
  const map = mapPlaces(history, (path) => {
    const file = fileOf(path);
    return file >= 0 && files[file]!.classification.role === 'source' ? file : -1;
  });
  maps.set(files, { newest, count, map });
  return map;
}

function mapPlaces(history: CommitHistory, sourceAt: (path: string) => number): PlaceMap {
  const files = Int32Array.from(history.paths, sourceAt);
  const paths: number[][] = [];
  const placesOf = placeNames(() => paths.push([]) - 1);
  const ofPath = history.paths.map((path, at) => (files[at]! >= 0 ? placesOf(path) : []));
  ofPath.forEach((places, path) => {
    for (const place of places) paths[place]!.push(path);
  });
  const visits = new Uint32Array(paths.length);
  const lastVisit = new Int32Array(paths.length).fill(-1);
  let commits = 0;
  const places = history.ids.map((_, commit) => {
    const changed = history.files.subarray(history.fileStarts[commit], history.fileStarts[commit + 1]);
    const sources = changed.filter((path) => files[path]! >= 0);
    if (sources.length === 0 || sources.length > MAX_FILES) return new Uint32Array(0);
    commits++;
    const visited: number[] = [];
    for (const path of sources)
      for (const place of ofPath[path]!) {
        if (lastVisit[place] === commit) continue;
        lastVisit[place] = commit;
        visits[place]!++;
        visited.push(place);
      }
    return Uint32Array.from(visited);
  });
  return { files, places, paths, visits, commits };
}

/** Numbers for places. Paths share most of their segments: the words of each are looked for once. */
function placeNames(create: () => number): (path: string) => readonly number[] {
  const numbers = new Map<string, number>();
  const segments = new Map<string, readonly number[]>();
  const folders = new Map<string, readonly number[]>();
  const numberOf = (name: string) => {
    let number = numbers.get(name);
    if (number === undefined) {
      number = create();
      numbers.set(name, number);
    }
    return number;
  };
  const wordsIn = (segment: string) => {
    let words = segments.get(segment);
    if (words === undefined) {
      words = wordsOf(segment)
        .filter((word) => word.length > 1)
        .map(numberOf);
      segments.set(segment, words);
    }
    return words;
  };
  const placesIn = (folder: string) => {
    let places = folders.get(folder);
    if (places === undefined) {
      // a word cannot have the character in front of a whole name
      places = distinct([numberOf(`/${folder}`), ...folder.split('/').flatMap(wordsIn)]);
      folders.set(folder, places);
    }
    return places;
  };
  return (path) => {
    const cut = path.lastIndexOf('/') + 1;
    const dot = path.indexOf('.', cut + 1);
    const stem = path.slice(cut, dot < 0 ? path.length : dot);
    return distinct([...placesIn(path.slice(0, cut)), numberOf(`.${stem}`), ...wordsIn(stem)]);
  };
}

/** Few enough to be looked through. */
function distinct(numbers: readonly number[]): readonly number[] {
  return numbers.filter((number, at) => numbers.indexOf(number) === at);
}

function commitsWith(history: CommitHistory, forms: ReturnType<typeof allForms>): Map<number, number> {
  const commits = new Map<number, number>();
  for (const { word, weight } of forms) {
    const place = findWord(history.words, word);
    if (place < 0) continue;
    for (let at = history.postingStarts[place]!; at < history.postingStarts[place + 1]!; at++) {
      const commit = history.postingCommits[at]!;
      const isInSubject = history.postingCounts[at]! >> 4 > 0;
      commits.set(commit, Math.max(commits.get(commit) ?? 0, isInSubject ? weight : weight * IN_BODY));
    }
  }
  return commits;
}

/** How much the word of these commits speaks for each path: by the most telling of its places. */
function pullOf(map: PlaceMap, commits: ReadonlyMap<number, number>): Map<number, number> {
  const sums = new Map<number, { weight: number; times: number }>();
  let whole = (ELSEWHERE * map.commits) / Math.max(1, map.places.length);
  for (const [commit, weight] of commits) {
    const places = map.places[commit]!;
    if (places.length > 0) whole += weight;
    for (const place of places) {
      const sum = sums.get(place);
      if (sum === undefined) sums.set(place, { weight, times: 1 });
      else {
        sum.weight += weight;
        sum.times++;
      }
    }
  }
  const pulls = new Map<number, number>();
  for (const [place, { weight, times }] of sums) {
    const share = weight / whole;
    const usual = map.visits[place]! / map.commits;
    if (times < MIN_TIMES || share <= MIN_LIFT * usual) continue;
    const pull = (share - usual) * rarity(map.commits, map.visits[place]!);
    for (const path of map.paths[place]!) if (pull > (pulls.get(path) ?? 0)) pulls.set(path, pull);
  }
  return pulls;
}
