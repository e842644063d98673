import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Snapshot } from '../../model/snapshot.ts';
import { decodeSnapshot, decodeSnapshotHead, encodeSnapshot } from './snapshot-codec.ts';

const hash = fc.stringMatching(/^([0-9a-f]{40})?$/);
const number32 = fc.nat(0xffff_ffff);
const hint = fc.record({
  mtimeMs: fc.double({ min: 0, max: 1e13, noNaN: true }),
  ctimeMs: fc.maxSafeNat(),
  inode: fc.maxSafeNat(),
});
const file = fc
  .record({
    path: fc.string({ unit: 'binary', minLength: 1 }),
    language: fc.option(fc.constantFrom('typescript', 'python')),
    classification: fc.record({
      role: fc.constantFrom('source' as const, 'test' as const),
      generated: fc.boolean(),
      vendored: fc.boolean(),
      reasons: fc.array(fc.string(), { maxLength: 2 }),
    }),
    skip: fc.option(fc.constantFrom('binary' as const, 'too-large' as const)),
    hash,
    size: fc.maxSafeNat(),
    hint: fc.option(hint),
    isClean: fc.boolean(),
    segment: fc.integer({ min: -1, max: 9 }),
    document: fc.integer({ min: -1, max: 1_000_000 }),
    symbolCount: fc.nat(1_000_000),
    interfaceHash: number32,
    saysGenerated: fc.boolean(),
  })
  .map(({ isClean, ...one }) => ({
    ...one,
    hint: one.hint && { size: one.size, ...one.hint },
    gitBlob: isClean ? one.hash : null,
  }));
const snapshot: fc.Arbitrary<Snapshot> = fc.record({
  id: hash,
  root: fc.string(),
  gitSha: hash,
  segments: fc.array(fc.string(), { maxLength: 3 }),
  links: fc.string(),
  files: fc.array(file, { maxLength: 12 }),
  basis: fc.option(
    fc.record({
      gitIndex: hash,
      rules: fc.string(),
      untracked: fc.array(fc.string({ unit: 'binary' })),
      modified: fc.array(fc.string()),
      unwatched: fc.array(fc.string()),
      attributed: fc.array(fc.string()),
      folders: fc.array(fc.tuple(fc.string(), fc.maxSafeNat())),
      hidden: fc.array(fc.string()),
      diagnostics: fc.constant([]),
    }),
  ),
});

it('comes back as it was, and so does its head on its own', () => {
  fc.assert(
    fc.property(snapshot, (given) => {
      const bytes = encodeSnapshot(given);
      expect(decodeSnapshot(bytes)).toEqual(given);
      const { files, basis: _, ...head } = given;
      const reader = {
        size: bytes.length,
        read: (offset: number, length: number) => bytes.subarray(offset, offset + length),
        close: () => {},
      };
      expect(decodeSnapshotHead(reader)).toMatchObject(head);
      expect(files).toHaveLength(given.files.length);
    }),
    { numRuns: 200 },
  );
});

it('is damaged when any bit is another one, or when it is cut', () => {
  const [given] = fc.sample(fc.record({ s: snapshot }), { numRuns: 1, seed: 7 });
  const bytes = encodeSnapshot(given!.s);
  for (let at = 0; at < bytes.length; at++) {
    const wrong = Buffer.from(bytes);
    wrong[at] = wrong[at]! ^ (1 << (at % 8));
    expect(decodeSnapshot(wrong), `byte ${at}`).toBeNull();
    expect(decodeSnapshot(bytes.subarray(0, at))).toBeNull();
  }
});
