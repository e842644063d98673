import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DamagedFileError, type RangeReader, SectionFile, writeSections } from './section-file.ts';

function readerOf(bytes: Buffer): RangeReader {
  return {
    size: bytes.length,
    read: (offset, length) =>
      offset >= 0 && offset + length <= bytes.length
        ? Buffer.from(bytes.subarray(offset, offset + length))
        : null,
    close: () => {},
  };
}

const sections = {
  words: Buffer.from('alpha beta gamma'),
  numbers: Uint32Array.from([1, 2, 4_294_967_295]),
  empty: Buffer.alloc(0),
};
const written = Buffer.concat(writeSections(7, sections));

describe('SectionFile', () => {
  it('reads back the written values', () => {
    const file = new SectionFile(readerOf(written), 7);
    expect(file.section('words').toString()).toBe('alpha beta gamma');
    expect([...file.numbers('numbers')]).toEqual([1, 2, 4_294_967_295]);
    expect(file.section('empty')).toHaveLength(0);
    expect(file.names).toEqual(['words', 'numbers', 'empty']);
  });

  it('refuses another format', () => {
    expect(() => new SectionFile(readerOf(written), 8)).toThrow(DamagedFileError);
  });

  it('never gives wrong content for a flipped bit, whichever it is', () => {
    for (let at = 0; at < written.length; at++) {
      for (const bit of [1, 128]) {
        const damaged = Buffer.from(written);
        damaged[at]! ^= bit;
        try {
          const file = new SectionFile(readerOf(damaged), 7);
          expect(file.section('words').toString()).toBe('alpha beta gamma');
          expect([...file.numbers('numbers')]).toEqual([1, 2, 4_294_967_295]);
        } catch (error) {
          expect(error).toBeInstanceOf(DamagedFileError);
        }
      }
    }
  });

  it('notices every truncation', () => {
    for (let length = 0; length < written.length; length++)
      expect(() => new SectionFile(readerOf(written.subarray(0, length)), 7)).toThrow(DamagedFileError);
  });

  it.each([
    ['{'],
    ['null'],
    ['{"format":7}'],
    ['{"format":7,"sections":{"words":null}}'],
    ['{"format":7,"sections":{"words":[0,1e12,0]}}'],
    ['{"format":7,"sections":{"words":[-8,16,0]}}'],
    ['{"format":7,"sections":{"words":["0",{},0]}}'],
  ])('notices a directory with right checksums: %s', (text) => {
    const directory = Buffer.from(text);
    const tail = Buffer.from(written.subarray(-24));
    tail.writeUInt32LE(directory.length, 8);
    tail.writeUInt32LE(crc32(directory), 12);
    tail.writeUInt32LE(crc32(tail.subarray(0, 16)), 16);
    const bytes = Buffer.concat([written.subarray(0, tail.readDoubleLE(0)), directory, tail]);
    expect(() => new SectionFile(readerOf(bytes), 7)).toThrow(DamagedFileError);
  });

  it('keeps a section whose name every object already has', () => {
    const file = new SectionFile(
      readerOf(Buffer.concat(writeSections(1, { ['__proto__']: Buffer.from('kept') }))),
      1,
    );
    expect(file.section('__proto__').toString()).toBe('kept');
  });

  it('round-trips any sections', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1 }), fc.uint8Array(), { noNullPrototype: true }),
        (data) => {
          const file = new SectionFile(readerOf(Buffer.concat(writeSections(1, data))), 1);
          for (const [name, bytes] of Object.entries(data))
            expect([...file.section(name)]).toEqual([...bytes]);
        },
      ),
    );
  });
});
