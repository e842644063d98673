import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import type { ItemSource, SourceReader } from '../pack/item-source.ts';
import { MAX_FILE_BYTES, MAX_TOTAL_BYTES } from './prompt-limits.ts';

type PromptRead =
  | { readonly kind: 'text'; readonly source: ItemSource; readonly bytes: number }
  | { readonly kind: 'too-large' | 'over-total' | 'unreadable' | 'gone' };

export interface PromptReader {
  read(path: string): PromptRead;
}

/** Reads the files of one prompt: each no larger than its cap, all of them together inside another. */
export function createPromptReader(root: SafeRoot, sources: SourceReader): PromptReader {
  const known = new Map<string, PromptRead>();
  let left = MAX_TOTAL_BYTES;
  const readNew = (path: string): PromptRead => {
    const stat = root.stat(path);
    if (stat === null) return { kind: 'gone' };
    const { size } = stat.hint;
    if (stat.type !== 'file') return { kind: 'unreadable' };
    if (size > MAX_FILE_BYTES) return { kind: 'too-large' };
    if (size > left) return { kind: 'over-total' };
    const source = sources.read(path);
    if (source === null) return { kind: 'unreadable' };
    left -= size;
    return { kind: 'text', source, bytes: size };
  };
  return {
    read(path) {
      let read = known.get(path);
      if (read === undefined) {
        read = readNew(path);
        known.set(path, read);
      }
      return read;
    },
  };
}
