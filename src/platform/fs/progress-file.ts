import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Two numbers that one process writes and another reads: which job, and how far it has come. A nameless file
 * costs the writer two microseconds and wakes nobody; a pipe would cost fifty, for each of thousands of files.
 */
const BYTES = 8;

/** The reader's end; `descriptor` is for the writer to inherit. */
export class ProgressFile {
  readonly descriptor: number;
  readonly #bytes = Buffer.alloc(BYTES);
  #isOpen = true;

  constructor(unique: string) {
    const path = join(tmpdir(), `loadout-progress-${unique}`);
    this.descriptor = openSync(path, 'wx+', 0o600);
    rmSync(path, { force: true });
  }

  /** How far the given job has come; 0 while the writer is still at another one. */
  read(job: number): number {
    if (!this.#isOpen) return 0;
    const read = readSync(this.descriptor, this.#bytes, 0, BYTES, 0);
    return read === BYTES && this.#bytes.readUInt32LE(0) === job ? this.#bytes.readUInt32LE(4) : 0;
  }

  close(): void {
    if (this.#isOpen) closeSync(this.descriptor);
    this.#isOpen = false;
  }
}

/** The writer's end, on a descriptor that it inherited. */
export function writeProgress(descriptor: number, bytes: Buffer, job: number, done: number): void {
  bytes.writeUInt32LE(job, 0);
  bytes.writeUInt32LE(done, 4);
  writeSync(descriptor, bytes, 0, BYTES, 0);
}
