// The bytes of a snapshot: the files of a work tree as two tables of numbers, and their repeated values once each. A
// snapshot is read at the start of every command, so it must decode fast.
import { createHash } from 'node:crypto';
import type { FileClass, FileRole, SkipReason } from '../../model/file-entry.ts';
import type { Snapshot, SnapshotFile } from '../../model/snapshot.ts';
import { ALIGNMENT, DamagedFileError, type RangeReader, SectionFile, writeSections } from './section-file.ts';

/** Must go up when the sections change. */
export const SNAPSHOT_FORMAT = 3;

/** A snapshot without its files. It is read alone to learn which segments a snapshot needs. */
export type SnapshotHead = Omit<Snapshot, 'files' | 'basis'>;

interface StoredHead extends SnapshotHead {
  /** Distinct values. The columns hold their numbers. */
  readonly languages: readonly (string | null)[];
  readonly classes: readonly FileClass[];
  readonly skips: readonly (SkipReason | null)[];
}

/** Columns of 64-bit floats: times, sizes and inodes need 53 bits. */
const WIDE = { size: 0, mtime: 1, ctime: 2, inode: 3 } as const;
const WIDE_COLUMNS = 4;
/** Columns of 32-bit numbers. */
const NARROW = {
  language: 0,
  class: 1,
  skip: 2,
  segment: 3,
  document: 4,
  symbols: 5,
  interface: 6,
  flags: 7,
};
const NARROW_COLUMNS = 8;
/** Bits of the `flags` column. */
const FLAG = { generated: 1, clean: 2 } as const;
/** Stands for a file without a hint. */
const NO_HINT = -1;
const NO_CLASS: FileClass = {
  role: 'other' satisfies FileRole,
  generated: false,
  vendored: false,
  reasons: [],
};

/** Numbers distinct values. Equal objects get the same number, and the same object is found without comparing. */
class Interned<T> {
  readonly values: T[] = [];
  readonly #byIdentity = new Map<T, number>();
  readonly #byText = new Map<string, number>();

  number(value: T): number {
    let known = this.#byIdentity.get(value);
    if (known !== undefined) return known;
    const text = JSON.stringify(value);
    known = this.#byText.get(text) ?? this.values.push(value) - 1;
    this.#byText.set(text, known);
    this.#byIdentity.set(value, known);
    return known;
  }
}

/** A hash of everything that answers depend on. Two scans of the same content have the same id. */
export function snapshotId(files: readonly SnapshotFile[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    const { role, generated, vendored } = file.classification;
    hash.update(
      `${file.path}\0${file.hash}\0${file.language}\0${file.skip}\0${role}\0${generated}\0${vendored}\n`,
    );
  }
  return hash.digest('hex');
}

/** The bytes of a snapshot file. */
export function encodeSnapshot(snapshot: Snapshot): Buffer {
  const { files, id, root, gitSha, segments, links, basis } = snapshot;
  const languages = new Interned<string | null>();
  const classes = new Interned<FileClass>();
  const skips = new Interned<SkipReason | null>();
  const wide = new Float64Array(files.length * WIDE_COLUMNS);
  const narrow = new Uint32Array(files.length * NARROW_COLUMNS);
  files.forEach((file, at) => {
    const { hint, hash } = file;
    const wideAt = at * WIDE_COLUMNS;
    wide[wideAt + WIDE.size] = file.size;
    wide[wideAt + WIDE.mtime] = hint?.mtimeMs ?? NO_HINT;
    wide[wideAt + WIDE.ctime] = hint?.ctimeMs ?? NO_HINT;
    wide[wideAt + WIDE.inode] = hint?.inode ?? NO_HINT;
    const narrowAt = at * NARROW_COLUMNS;
    narrow[narrowAt + NARROW.language] = languages.number(file.language);
    narrow[narrowAt + NARROW.class] = classes.number(file.classification);
    narrow[narrowAt + NARROW.skip] = skips.number(file.skip);
    narrow[narrowAt + NARROW.segment] = file.segment + 1;
    narrow[narrowAt + NARROW.document] = file.document + 1;
    narrow[narrowAt + NARROW.symbols] = file.symbolCount;
    narrow[narrowAt + NARROW.interface] = file.interfaceHash;
    // A blob is kept only where it equals the hash of the content, so one bit is enough.
    const isClean = file.gitBlob !== null && file.gitBlob === hash;
    narrow[narrowAt + NARROW.flags] = (file.saysGenerated ? FLAG.generated : 0) | (isClean ? FLAG.clean : 0);
  });
  const values = { languages: languages.values, classes: classes.values, skips: skips.values };
  const head: StoredHead = { id, root, gitSha, segments, links, ...values };
  const sections = {
    head: aligned(JSON.stringify(head), ' '),
    // JSON keeps the lone surrogates that stand for bytes that are not UTF-8.
    paths: aligned(JSON.stringify(files.map(({ path }) => path)), ' '),
    hashes: aligned(files.map(({ hash }) => hash).join('\n'), '\n'),
    wide: new Uint8Array(wide.buffer),
    narrow,
    basis: aligned(JSON.stringify(basis), ' '),
  };
  return Buffer.concat(writeSections(SNAPSHOT_FORMAT, sections));
}

/** Padded to the alignment, so that a checksum covers every byte of the file. */
function aligned(text: string, filler: string): Buffer {
  const bytes = Buffer.from(text);
  const missing = (ALIGNMENT - (bytes.length % ALIGNMENT)) % ALIGNMENT;
  return Buffer.concat([bytes, Buffer.from(filler.repeat(missing))]);
}

/** The snapshot, or null when the bytes are damaged or of another format. */
export function decodeSnapshot(bytes: Buffer): Snapshot | null {
  return unlessDamaged(() => {
    const file = new SectionFile(rangeOf(bytes), SNAPSHOT_FORMAT);
    const { languages, classes, skips, ...head } = readHead(file);
    const paths = JSON.parse(file.section('paths').toString('utf8')) as string[];
    const hashes = file.section('hashes').toString('latin1').split('\n');
    const wide = file.floats('wide');
    const narrow = file.numbers('narrow');
    const files = paths.map((path, at): SnapshotFile => {
      const wideAt = at * WIDE_COLUMNS;
      const narrowAt = at * NARROW_COLUMNS;
      const hash = hashes[at]!;
      const size = wide[wideAt + WIDE.size]!;
      const mtimeMs = wide[wideAt + WIDE.mtime]!;
      const flags = narrow[narrowAt + NARROW.flags]!;
      return {
        path,
        language: languages[narrow[narrowAt + NARROW.language]!] ?? null,
        classification: classes[narrow[narrowAt + NARROW.class]!] ?? NO_CLASS,
        skip: skips[narrow[narrowAt + NARROW.skip]!] ?? null,
        hash,
        size,
        hint:
          mtimeMs === NO_HINT
            ? null
            : { size, mtimeMs, ctimeMs: wide[wideAt + WIDE.ctime]!, inode: wide[wideAt + WIDE.inode]! },
        gitBlob: flags & FLAG.clean ? hash : null,
        segment: narrow[narrowAt + NARROW.segment]! - 1,
        document: narrow[narrowAt + NARROW.document]! - 1,
        symbolCount: narrow[narrowAt + NARROW.symbols]!,
        interfaceHash: narrow[narrowAt + NARROW.interface]!,
        saysGenerated: (flags & FLAG.generated) !== 0,
      };
    });
    const basis = JSON.parse(file.section('basis').toString('utf8')) as Snapshot['basis'];
    return { ...head, files, basis };
  });
}

/** The head of a snapshot, without reading its files; null as above. */
export function decodeSnapshotHead(reader: RangeReader): SnapshotHead | null {
  return unlessDamaged(() => readHead(new SectionFile(reader, SNAPSHOT_FORMAT)));
}

function readHead(file: SectionFile): StoredHead {
  return JSON.parse(file.section('head').toString('utf8')) as StoredHead;
}

/** Bytes in memory as a file that can be read by range. */
function rangeOf(bytes: Buffer): RangeReader {
  return {
    size: bytes.length,
    read: (offset, length) =>
      offset >= 0 && offset + length <= bytes.length ? bytes.subarray(offset, offset + length) : null,
    close: () => {},
  };
}

/** A damaged snapshot is like none: it is made again. */
function unlessDamaged<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedFileError) return null;
    throw error;
  }
}
