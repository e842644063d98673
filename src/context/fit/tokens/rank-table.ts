// The vocabulary of an encoding as a hash table over bytes. The build packs it into one run of bytes, which loads much
// faster than the list of tokens.

/** Every token in the order of its rank: as text, or as bytes if it is not valid text. */
export type Vocabulary = readonly (string | readonly number[])[];

/** The bytes of all tokens in one row: those of token `i` are `starts[i]` up to `starts[i + 1]`. */
export interface TokenPool {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
}

/**
 * A pool as one run of bytes: the number of tokens, the number of slots, the slots, the length of each token, then all
 * bytes. It loads ten times as fast as text, because the table does not have to be built again.
 */
export type PackedPool = Uint8Array;

/** A pool with its hash table. Without `slots` the table has to be built. */
export interface PlacedPool extends TokenPool {
  readonly slots?: Int32Array;
}

const HEAD_BYTES = 8;
const SLOT_BYTES = 4;
/** In bytes: the length of a token is stored in one byte. */
const MAX_LENGTH = 255;
/** The slots are stored in this byte order. Other machines build the table again. */
const IS_LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** Puts the tokens of a vocabulary into one row of bytes. */
export function poolOf(vocabulary: Vocabulary): TokenPool {
  const starts = new Uint32Array(vocabulary.length + 1);
  const tokens = Array.from(vocabulary, (token) => Buffer.from((token ?? '') as string));
  tokens.forEach((token, rank) => {
    starts[rank + 1] = starts[rank]! + token.length;
  });
  return { bytes: Buffer.concat(tokens), starts };
}

/** Only the build packs; see `scripts/build.mjs`. */
export function packPool({ bytes, starts }: TokenPool, slots: Int32Array): PackedPool {
  const count = starts.length - 1;
  const lengthsAt = HEAD_BYTES + slots.length * SLOT_BYTES;
  const packed = new Uint8Array(lengthsAt + count + bytes.length);
  const view = new DataView(packed.buffer);
  view.setUint32(0, count, true);
  view.setUint32(4, slots.length, true);
  for (const [at, slot] of slots.entries()) view.setInt32(HEAD_BYTES + at * SLOT_BYTES, slot, true);
  for (let rank = 0; rank < count; rank++) {
    const length = starts[rank + 1]! - starts[rank]!;
    if (length > MAX_LENGTH) throw new RangeError(`token ${rank} has ${length} bytes`);
    packed[lengthsAt + rank] = length;
  }
  packed.set(bytes, lengthsAt + count);
  return packed;
}

/** Reads a packed pool without copying its bytes. */
export function unpackPool(given: PackedPool): PlacedPool {
  // The slots are read in place, so they must begin at a multiple of their size.
  const packed = given.byteOffset % SLOT_BYTES === 0 ? given : given.slice();
  const view = new DataView(packed.buffer, packed.byteOffset);
  const count = view.getUint32(0, true);
  const slotCount = view.getUint32(4, true);
  const lengthsAt = HEAD_BYTES + slotCount * SLOT_BYTES;
  const starts = new Uint32Array(count + 1);
  for (let rank = 0; rank < count; rank++) starts[rank + 1] = starts[rank]! + packed[lengthsAt + rank]!;
  const pool = { bytes: packed.subarray(lengthsAt + count), starts };
  if (!IS_LITTLE_ENDIAN) return pool;
  return { ...pool, slots: new Int32Array(packed.buffer, packed.byteOffset + HEAD_BYTES, slotCount) };
}

/** The rank of no token. */
export const NO_RANK = -1;

/** Ranks by bytes. It takes a range, so that no piece of text has to be copied for a lookup. */
export interface RankTable {
  ofBytes(bytes: Uint8Array, start: number, end: number): number;
  /** The same for bytes whose hash is known. */
  ofHashed(bytes: Uint8Array, start: number, end: number, hash: number): number;
}

/** The prime of the FNV hash. */
const PRIME = 0x01000193;
/** A slot without a token. */
const FREE = -1;

/** The hash of a range of bytes. Packed pools depend on it. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, PRIME);
  return hash;
}

/** Builds the hash table, with open addressing: the rank of a token by slot, or `FREE`. */
export function placeTokens(pool: TokenPool): Int32Array {
  const count = pool.starts.length - 1;
  let size = 1;
  while (size < count * 2) size *= 2;
  const slots = new Int32Array(size).fill(FREE);
  for (let rank = 0; rank < count; rank++) {
    const [start, end] = [pool.starts[rank]!, pool.starts[rank + 1]!];
    if (start === end) continue;
    slots[slotOf(pool, slots, pool.bytes, start, end, hashOf(pool.bytes, start, end))] = rank;
  }
  return slots;
}

/** The slot of these bytes, or the free slot where they would go. */
function slotOf(
  { bytes: pool, starts }: TokenPool,
  slots: Int32Array,
  bytes: Uint8Array,
  start: number,
  end: number,
  hash: number,
): number {
  const mask = slots.length - 1;
  const length = end - start;
  let slot = (hash ^ (hash >>> 15)) & mask;
  for (; slots[slot] !== FREE; slot = (slot + 1) & mask) {
    const token = starts[slots[slot]!]!;
    if (starts[slots[slot]! + 1]! - token !== length) continue;
    let same = 0;
    while (same < length && pool[token + same] === bytes[start + same]) same++;
    if (same === length) break;
  }
  return slot;
}

/** The lookup for one vocabulary. Ranges longer than any token are refused without hashing. */
export function createRankTable(placed: PlacedPool): RankTable {
  const { starts } = placed;
  const slots = placed.slots ?? placeTokens(placed);
  let longest = 0;
  for (let rank = 1; rank < starts.length; rank++)
    longest = Math.max(longest, starts[rank]! - starts[rank - 1]!);
  return {
    ofBytes: (bytes, start, end) =>
      end - start > longest
        ? NO_RANK
        : slots[slotOf(placed, slots, bytes, start, end, hashOf(bytes, start, end))]!,
    ofHashed: (bytes, start, end, hash) => slots[slotOf(placed, slots, bytes, start, end, hash)]!,
  };
}
