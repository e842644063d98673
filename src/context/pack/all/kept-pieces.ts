import { openScratchFile, type ScratchFile } from '../../../platform/fs/scratch-file.ts';

/** Rendered files between the moment they are chosen and the moment they are written. */
export interface KeptPieces {
  /** A way to get the bytes back, whatever becomes of theirs; null when they cannot be kept. */
  keep(bytes: Buffer): (() => Buffer | null) | null;
  close(): void;
}

/** Up to so many bytes in memory, the others in a file. */
export function keepPieces(mostInMemory: number, folder: string): KeptPieces {
  let inMemory = 0;
  let scratch: ScratchFile | null | undefined;
  return {
    keep(bytes) {
      if (inMemory + bytes.length <= mostInMemory) {
        inMemory += bytes.length;
        const copy = Buffer.from(bytes);
        return () => copy;
      }
      if (scratch === undefined) scratch = openScratchFile(folder);
      const offset = scratch?.add(bytes) ?? null;
      return offset === null ? null : () => scratch!.read(offset, bytes.length);
    },
    close: () => scratch?.close(),
  };
}
