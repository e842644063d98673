import type { LanguageLinks } from './scan-result.ts';

/** Directed edges between files of a snapshot by number: those of file `i` are `targets[starts[i]..starts[i + 1])`. */
export interface EdgeList {
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
}

/** How the files of a snapshot refer to each other. */
export interface FileLinks {
  /** File to the files it imports, as written. */
  readonly imports: EdgeList;
  /** File to the files that define what it imports, barrels followed. */
  readonly definers: EdgeList;
  /** Test to the sources it covers. */
  readonly tests: EdgeList;
  readonly languages: readonly LanguageLinks[];
  /** What the links rest on; the same basis gives the same links. */
  readonly basis: LinkBasis;
}

export interface LinkBasis {
  /** Hash over paths, languages, test roles and interfaces. */
  readonly files: string;
  /** Manifests that resolvers read, with the hash of their content. */
  readonly manifests: readonly (readonly [path: string, hash: string])[];
}
