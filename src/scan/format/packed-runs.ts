import { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';

/** Lists that mostly count up: `from, length` for each stretch that does. */
export function packRuns(lists: readonly Uint32Array[]): Buffer {
  const writer = new ByteWriter(1024);
  for (const list of lists) {
    writer.varint(list.length);
    for (let at = 0; at < list.length; ) {
      let end = at + 1;
      while (end < list.length && list[end] === list[end - 1]! + 1) end++;
      writer.varint(list[at]!);
      writer.varint(end - at);
      at = end;
    }
  }
  return writer.finish();
}

export function unpackRuns(bytes: Uint8Array, count: number): Uint32Array[] {
  const reader = new ByteReader(bytes);
  return Array.from({ length: count }, () => {
    const list = new Uint32Array(reader.varint());
    for (let at = 0; at < list.length; ) {
      const from = reader.varint();
      const end = at + reader.varint();
      for (let value = from; at < end; at++) list[at] = value++;
    }
    return list;
  });
}
