import { createHash } from 'node:crypto';

/** Names what a prompt shows, so that two prompts with the same context can be told from two that differ. */
export function promptPackageId(packed: string): string {
  return createHash('sha256').update(packed).digest('hex');
}
