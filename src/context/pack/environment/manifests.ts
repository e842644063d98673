import type { RepositoryCommand } from '../../../model/context-pack.ts';

export type Purpose = RepositoryCommand['purpose'];

/** The files at the top of a repository, as far as they tell how to work on it. */
export interface Manifests {
  has(path: string): boolean;
  /** Null when it is not there or cannot be read. */
  text(path: string): string | null;
  /** Paths below a folder of the root. */
  within(folder: string): readonly string[];
}

/** Reads commands out of one kind of manifest. Nothing is run: what a file says is taken as text. */
export type CommandReader = (manifests: Manifests) => RepositoryCommand[] | Promise<RepositoryCommand[]>;
