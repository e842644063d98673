/** Every token in the order of its rank: text, or bytes where these are no text. */
export type Vocabulary = readonly (string | readonly number[])[];

/** The rank of no token. */
export const NO_RANK = -1;
/** Text beyond ASCII: its bytes have to be asked for. */
export const WIDE = -2;

/** Ranks by bytes. Asked for a range, so that no piece of text has to be copied to be looked up. */
export interface RankTable {
  ofText(text: string, start: number, end: number): number;
  ofBytes(bytes: Uint8Array, start: number, end: number): number;
}

const FIRST_WIDE = 128;
const PRIME = 0x01000193;
const FREE = -1;

export function createRankTable(vocabulary: Vocabulary): RankTable {
  const { pool, starts, ends } = poolTokens(vocabulary);
  let size = 1;
  while (size < vocabulary.length * 2) size *= 2;
  const slots = new Int32Array(size).fill(FREE);
  const mask = size - 1;
  let longest = 0;

  /** The slot of these bytes, or the free one where they would go. */
  const slotOf = (bytes: Uint8Array, start: number, end: number): number => {
    let hash = 0;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, PRIME);
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (; slots[slot] !== FREE; slot = (slot + 1) & mask) {
      const token = starts[slots[slot]!]!;
      if (ends[slots[slot]!]! - token !== end - start) continue;
      let same = 0;
      while (same < end - start && pool[token + same] === bytes[start + same]) same++;
      if (same === end - start) break;
    }
    return slot;
  };
  for (let rank = 0; rank < vocabulary.length; rank++) {
    const start = starts[rank]!;
    const end = ends[rank]!;
    if (start === end) continue;
    slots[slotOf(pool, start, end)] = rank;
    longest = Math.max(longest, end - start);
  }

  return {
    ofBytes: (bytes, start, end) => (end - start > longest ? NO_RANK : slots[slotOf(bytes, start, end)]!),
    ofText(text, start, end) {
      let hash = 0;
      let wide = 0;
      for (let at = start; at < end; at++) {
        const code = text.charCodeAt(at);
        wide |= code;
        hash = Math.imul(hash ^ code, PRIME);
      }
      if (wide >= FIRST_WIDE) return WIDE;
      const length = end - start;
      let slot = (hash ^ (hash >>> 15)) & mask;
      for (; slots[slot] !== FREE; slot = (slot + 1) & mask) {
        const token = starts[slots[slot]!]!;
        if (ends[slots[slot]!]! - token !== length) continue;
        let same = 0;
        while (same < length && pool[token + same] === text.charCodeAt(start + same)) same++;
        if (same === length) break;
      }
      return slots[slot]!;
    },
  };
}

/** The bytes of all tokens in one place: those of token `i` are `starts[i]` up to `ends[i]`. */
function poolTokens(vocabulary: Vocabulary): { pool: Uint8Array; starts: Int32Array; ends: Int32Array } {
  const starts = new Int32Array(vocabulary.length);
  const ends = new Int32Array(vocabulary.length);
  const texts: string[] = [];
  const raw: number[] = [];
  let at = 0;
  for (let rank = 0; rank < vocabulary.length; rank++) {
    const token = vocabulary[rank] ?? '';
    if (typeof token !== 'string') continue;
    texts.push(token);
    starts[rank] = at;
    for (let read = 0; read < token.length; read++) at += utf8Length(token.charCodeAt(read));
    ends[rank] = at;
  }
  vocabulary.forEach((token, rank) => {
    if (typeof token === 'string') return;
    starts[rank] = at + raw.length;
    raw.push(...token);
    ends[rank] = at + raw.length;
  });
  return { pool: Buffer.concat([Buffer.from(texts.join(''), 'utf8'), Buffer.from(raw)]), starts, ends };
}

/** What a UTF-16 unit takes in UTF-8; a pair takes four bytes, two for each half. */
function utf8Length(code: number): number {
  if (code < FIRST_WIDE) return 1;
  return code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3;
}
