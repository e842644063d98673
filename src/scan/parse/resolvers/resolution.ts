import type { Resolution } from '../../../model/import-resolver.ts';

export const EXTERNAL: Resolution = { kind: 'external' };
export const UNRESOLVED: Resolution = { kind: 'unresolved' };

/** An import of a whole package with more files than this says nothing about any one of them. */
const MAX_FILES = 32;

export function resolvedTo(path: string): Resolution {
  return { kind: 'resolved', paths: [path] };
}

/** Inside the repository, but without edges when the answer would be half of it. */
export function resolvedToAll(paths: readonly string[]): Resolution {
  return { kind: 'resolved', paths: paths.length > MAX_FILES ? [] : paths };
}

export function resolvedOr(path: string | null | undefined, otherwise: Resolution): Resolution {
  return path == null ? otherwise : resolvedTo(path);
}
