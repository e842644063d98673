import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { FileClass, FileRole, SkipReason } from '../model/file-entry.ts';
import type { Snapshot, SnapshotFile } from '../model/snapshot.ts';

/** Goes up when the columns change. */
export const SNAPSHOT_FORMAT = 1;

interface Columns {
  readonly format: number;
  readonly id: string;
  readonly root: string;
  readonly gitSha: string;
  readonly segments: readonly string[];
  readonly links: string;
  /** Distinct values of repeated things; the columns below hold their numbers. */
  readonly languages: readonly (string | null)[];
  readonly classes: readonly FileClass[];
  readonly skips: readonly (SkipReason | null)[];
  readonly paths: readonly string[];
  readonly language: readonly number[];
  readonly class: readonly number[];
  readonly skip: readonly number[];
  readonly hash: readonly string[];
  readonly size: readonly number[];
  readonly blob: readonly (string | 0 | 1)[];
  readonly mtime: readonly number[];
  readonly ctime: readonly number[];
  readonly inode: readonly number[];
  readonly segment: readonly number[];
  readonly document: readonly number[];
  readonly symbols: readonly number[];
  readonly interface: readonly number[];
  readonly generated: readonly number[];
}

const NO_HINT = -1;

class Interned<T> {
  readonly values: T[] = [];
  readonly #numbers = new Map<string, number>();

  number(value: T): number {
    const key = JSON.stringify(value);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.values.length);
    this.values.push(value);
    return this.values.length - 1;
  }
}

/** Covers what answers depend on, and nothing that differs between two scans of the same content. */
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

export function encodeSnapshot(snapshot: Snapshot): Buffer {
  const { files } = snapshot;
  const languages = new Interned<string | null>();
  const classes = new Interned<FileClass>();
  const skips = new Interned<SkipReason | null>();
  const columns: Columns = {
    format: SNAPSHOT_FORMAT,
    id: snapshot.id,
    root: snapshot.root,
    gitSha: snapshot.gitSha,
    segments: snapshot.segments,
    links: snapshot.links,
    paths: files.map(({ path }) => path),
    language: files.map(({ language }) => languages.number(language)),
    class: files.map(({ classification }) => classes.number(classification)),
    skip: files.map(({ skip }) => skips.number(skip)),
    hash: files.map(({ hash }) => hash),
    size: files.map(({ size }) => size),
    blob: files.map(({ gitBlob, hash }) => (gitBlob === null ? 0 : gitBlob === hash ? 1 : gitBlob)),
    mtime: files.map(({ hint }) => hint?.mtimeMs ?? NO_HINT),
    ctime: files.map(({ hint }) => hint?.ctimeMs ?? NO_HINT),
    inode: files.map(({ hint }) => hint?.inode ?? NO_HINT),
    segment: files.map(({ segment }) => segment),
    document: files.map(({ document }) => document),
    symbols: files.map(({ symbolCount }) => symbolCount),
    interface: files.map((file) => file.interfaceHash),
    generated: files.map(({ saysGenerated }) => Number(saysGenerated)),
    languages: languages.values,
    classes: classes.values,
    skips: skips.values,
  };
  const body = Buffer.from(JSON.stringify(columns));
  return Buffer.concat([Buffer.from(`${crc32(body).toString(16).padStart(8, '0')}\n`), body]);
}

/** The snapshot, or null when the bytes are damaged or of another format. */
export function decodeSnapshot(bytes: Buffer): Snapshot | null {
  const body = bytes.subarray(9);
  if (bytes.length < 9 || bytes.toString('latin1', 0, 8) !== crc32(body).toString(16).padStart(8, '0'))
    return null;
  const columns = JSON.parse(body.toString('utf8')) as Columns;
  if (columns.format !== SNAPSHOT_FORMAT) return null;
  const files = columns.paths.map((path, at): SnapshotFile => {
    const hash = columns.hash[at]!;
    const blob = columns.blob[at]!;
    const mtimeMs = columns.mtime[at]!;
    const size = columns.size[at]!;
    return {
      path,
      language: columns.languages[columns.language[at]!] ?? null,
      classification: columns.classes[columns.class[at]!] ?? {
        role: 'other' satisfies FileRole,
        generated: false,
        vendored: false,
        reasons: [],
      },
      skip: columns.skips[columns.skip[at]!] ?? null,
      hash,
      size,
      hint:
        mtimeMs === NO_HINT
          ? null
          : { size, mtimeMs, ctimeMs: columns.ctime[at]!, inode: columns.inode[at]! },
      gitBlob: blob === 0 ? null : blob === 1 ? hash : blob,
      segment: columns.segment[at]!,
      document: columns.document[at]!,
      symbolCount: columns.symbols[at]!,
      interfaceHash: columns.interface[at]!,
      saysGenerated: columns.generated[at] === 1,
    };
  });
  const { id, root, gitSha, segments, links } = columns;
  return { id, root, gitSha, segments, links, files };
}
