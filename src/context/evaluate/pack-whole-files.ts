import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import type { CountTokens } from '../fit/count-tokens.ts';

/** Files that are looked at: beyond them nothing small enough is worth having. */
const MOST_FILES = 100;
/** No encoding makes a token of more bytes of code on average: what is larger does not fit, uncounted. */
const BYTES_PER_TOKEN = 8;

/** Whole files in the given order while they fit; one that does not is passed over. */
export function packWholeFiles(
  root: SafeRoot,
  order: readonly string[],
  budget: number,
  maxFileBytes: number,
  count: CountTokens,
): string[] {
  const packed: string[] = [];
  let left = budget;
  for (const path of order.slice(0, MOST_FILES)) {
    const read = root.read(path, Math.min(maxFileBytes, left * BYTES_PER_TOKEN));
    if (read.kind !== 'content') continue;
    const tokens = count(read.bytes.toString('utf8'));
    if (tokens > left) continue;
    left -= tokens;
    packed.push(path);
  }
  return packed;
}
