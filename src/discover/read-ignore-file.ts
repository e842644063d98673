import type { SafeRoot } from '../platform/safe-root.ts';
import { type IgnoreRules, parseIgnoreRules } from './ignore-rules.ts';

const MOST_IGNORE_FILE_BYTES = 1_000_000;

/** Null when there is no such file to read: a pipe or a link under that name is no ignore file. */
export function readIgnoreFile(root: SafeRoot, path: string): IgnoreRules | null {
  const outcome = root.read(path, MOST_IGNORE_FILE_BYTES);
  return outcome.kind === 'content' ? parseIgnoreRules(outcome.bytes.toString('latin1')) : null;
}
