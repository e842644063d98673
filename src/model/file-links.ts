import type { LanguageLinks } from './scan-result.ts';

/** Directed edges between files of a snapshot by number: those of file `i` are `targets[starts[i]..starts[i + 1])`. */
export interface EdgeList {
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
}

/**
 * Which files each import statement means, before the names it takes narrow them down: what linking a few files
 * anew starts from. Statements of file `i` are `starts[i]..starts[i + 1]`; one with an empty list means something
 * outside of the repository.
 */
export interface StatementTargets {
  readonly starts: Uint32Array;
  /** Number of the statement among the imports of its file. */
  readonly statements: Uint32Array;
  /** Number of its list of files; equal lists are kept once. */
  readonly lists: Uint32Array;
  readonly listStarts: Uint32Array;
  readonly listTargets: Uint32Array;
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
  readonly statements?: StatementTargets;
  /** What the links rest on; the same basis gives the same links. */
  readonly basis: LinkBasis;
}

export interface LinkBasis {
  /** Hash over paths, languages, test roles and interfaces. */
  readonly files: string;
  /** Manifests that resolvers read, with the hash of their content. */
  readonly manifests: readonly (readonly [path: string, hash: string])[];
}
