/** A file that grows at its end: what the log store needs of the world. */
export interface AppendFile {
  readonly size: number;
  /** On disk when it returns; after an error or a crash the file may end in a part of the bytes. */
  append(bytes: Buffer): void;
  /** Null when the file does not hold that range. */
  read(offset: number, length: number): Buffer | null;
  truncate(size: number): void;
  /** The file holds these bytes instead, or, after an error or a crash, what it held before. */
  replace(chunks: Iterable<Buffer>): void;
  close(): void;
}
