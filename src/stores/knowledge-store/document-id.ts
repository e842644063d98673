import { createHash } from 'node:crypto';
import type { ManifestEntry } from '../../model/knowledge-store.ts';

/** Goes up when what is stored for a content changes. */
const DOCUMENT_FORMAT = 1;

/** Where in a store a content lives: the same for every branch that has it, so that it is sent once. */
export function documentId(
  team: string,
  repository: string,
  model: string,
  { path, contentHash, language }: Omit<ManifestEntry, 'edges'>,
): string {
  const parts = [DOCUMENT_FORMAT, team, repository, model, path, contentHash, language];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);
}

/** Over all that an answer can depend on. */
export function manifestHash(model: string, files: readonly ManifestEntry[]): string {
  const hash = createHash('sha256').update(JSON.stringify([DOCUMENT_FORMAT, model]));
  for (const { path, contentHash, language, edges } of files)
    hash.update(
      JSON.stringify([path, contentHash, language, ...edges.map(({ to, kind }) => `${kind} ${to}`)]),
    );
  return hash.digest('hex');
}
