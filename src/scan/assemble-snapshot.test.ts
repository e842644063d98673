import { expect, it } from 'vitest';
import type { FileEntry } from '../model/file-entry.ts';
import { assembleSnapshot } from './assemble-snapshot.ts';
import type { SegmentFileResult } from './pool/open-segment.ts';

const NOW = 1_700_000_000_000;
const hint = { size: 3, mtimeMs: NOW - 60_000, ctimeMs: NOW - 60_000, inode: 1 };

const entry: FileEntry = {
  path: 'a.py',
  language: 'python',
  size: 3,
  classification: { role: 'source', generated: false, vendored: false, reasons: [] },
  skip: null,
  gitBlob: 'blob',
  hint,
};

function assemble(result: Partial<SegmentFileResult>) {
  const read: SegmentFileResult = {
    skip: null,
    hash: 'blob',
    size: 3,
    language: 'python',
    saysGenerated: false,
    hint,
    document: 0,
    problem: null,
    symbolCount: 0,
    interfaceHash: 0,
    ...result,
  };
  const built = [{ paths: ['a.py'], segment: 's', files: [read] }];
  return assembleSnapshot({ entries: [entry], found: new Map(), previous: null }, built, NOW).files[0];
}

it("keeps git's blob only for content that is the blob's", () => {
  expect(assemble({})?.gitBlob).toBe('blob');
  // edited between git's listing and the reading: another work tree with this blob must not get this content
  expect(assemble({ hash: 'other' })?.gitBlob).toBeNull();
});

it('trusts no time stamp that is younger than two seconds or in the future', () => {
  expect(assemble({})?.hint).toEqual(hint);
  expect(assemble({ hint: { ...hint, mtimeMs: NOW - 1_000 } })?.hint).toBeNull();
  expect(assemble({ hint: { ...hint, ctimeMs: NOW - 1_000 } })?.hint).toBeNull();
  expect(assemble({ hint: { ...hint, mtimeMs: NOW + 86_400_000 } })?.hint).toBeNull();
});

it('leaves out files that went away before they were read', () => {
  expect(assemble({ skip: 'vanished', document: -1 })).toBeUndefined();
});
