const MOST_NUMBERS = 8192;

/** The vectors of an answer in the order of the texts, or what is wrong with it. Nothing about it is trusted. */
export function readEmbeddings(value: unknown, count: number): readonly Float32Array[] | string {
  const data = isRecord(value) ? value.data : undefined;
  if (!Array.isArray(data)) return 'the answer has no list "data"';
  if (data.length !== count) return `the answer has ${data.length} vectors for ${count} texts`;
  const vectors: (Float32Array | undefined)[] = new Array(count).fill(undefined);
  for (const [at, entry] of data.entries()) {
    if (!isRecord(entry)) return 'an entry of "data" is not an object';
    const { index = at, embedding } = entry;
    if (typeof index !== 'number' || !(index in vectors) || vectors[index])
      return 'an entry of "data" has a wrong index';
    const vector = readVector(embedding);
    if (!vector) return `an embedding is not a list of 1 to ${MOST_NUMBERS} finite numbers`;
    vectors[index] = vector;
  }
  const size = vectors[0]?.length;
  if (vectors.some((vector) => vector?.length !== size)) return 'the vectors differ in length';
  return vectors as Float32Array[];
}

function readVector(embedding: unknown): Float32Array | null {
  if (!Array.isArray(embedding) || embedding.length === 0 || embedding.length > MOST_NUMBERS) return null;
  if (!embedding.every((value) => typeof value === 'number' && Math.abs(value) < 1e6)) return null;
  const vector = Float32Array.from(embedding as number[]);
  return vector.some((value) => value !== 0) ? vector : null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
