import { MOST_IGNORE_FILE_BYTES, tooLargeToIgnore } from '../../platform/fs/ignore-files.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { type IgnoreRules, parseIgnoreRules } from './ignore-rules.ts';

/**
 * Null when there is no such file to read: a pipe or a link under that name is no ignore file. One that is too large is
 * an error, because a list without its rules would show what was meant to be left out.
 */
export function readIgnoreFile(root: SafeRoot, path: string): IgnoreRules | null {
  const outcome = root.read(path, MOST_IGNORE_FILE_BYTES);
  if (outcome.kind === 'content') return parseIgnoreRules(outcome.bytes.toString('latin1'));
  if (outcome.reason === 'too-large') throw tooLargeToIgnore(`${root.path}/${path}`, outcome.size);
  return null;
}
