const DISTINCT_WORDS = 30_000;
const FIELDS = { code: 60, comment: 15, string: 5, definition: 4 };

/** A corpus of made-up files as an update: words as in code, where few are frequent and most are rare. */
export function madeUpCorpus(size) {
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  const files = Array.from({ length: size }, (_, at) => ({
    path: `pkg${at % 97}/dir${at % 1009}/file${at}.ts`,
    contentHash: `h${at}`,
    language: 'typescript',
    edges: [],
  }));
  const counted = (count) => {
    const words = new Map();
    for (let at = 0; at < count; at++) {
      const word = `word${Math.floor(DISTINCT_WORDS ** random())}`;
      words.set(word, (words.get(word) ?? 0) + 1);
    }
    return [...words];
  };
  // made when it is asked for: half a million of them do not fit into memory
  const load = ({ path, contentHash, language }) => {
    seed = Math.imul(Number(contentHash.slice(1)) + 1, 2_654_435_761) >>> 0;
    const words = Object.fromEntries(Object.entries(FIELDS).map(([name, count]) => [name, counted(count)]));
    return { path, contentHash, language, lineCount: 60, words, symbols: [], imports: [], passages: [] };
  };
  return { repository: `bench/${size}`, branch: 'main', commit: 'c', model: '', files, load };
}

/** Five words, from one that is in nearly every file to one in every thousandth. */
export function madeUpQuery(number) {
  const terms = [3, 40, 300, 2000, 9000].map((word) => ({
    words: [{ word: `word${word + number}`, weight: 1 }],
    weight: 1,
  }));
  const fields = { code: 1, comment: 0.7, string: 0.7, definition: 3 };
  return {
    channel: 'lexical',
    terms,
    fields,
    lengthShare: 0.75,
    saturation: 1.2,
    filter: {},
    limit: 20,
  };
}
