/** The values that the data routes of the inspector work with, and how a route is declared. */

import type { Settings } from '../../config/index.ts';
import type { BuiltPackage } from '../../context/pack/index.ts';
import type { RankedScan } from '../../context/rank.ts';
import type { Environment } from '../../platform/environment.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import type { IndexSession } from '../../scan/index.ts';
import type { Highlighter } from '../../scan/pool/index.ts';

/** One inspector: one repository whose index stays open. */
export interface InspectContext {
  /** The real path of the repository. */
  readonly repo: string;
  readonly root: SafeRoot;
  readonly settings: Settings;
  readonly environment: Environment;
  readonly home: string;
  /** The folder with the user's guidelines. */
  readonly userDirectory: string;
  readonly version: string;
  readonly signal: AbortSignal;
  /** Kept open, so that a change of the package needs no scan. */
  readonly session: IndexSession;
  /** The last packages by their question, so that a file can be shown as the package has it. */
  readonly packages: Map<string, BuiltPackage>;
  /** The last rankings by everything that they depend on. */
  readonly rankings: Map<string, Promise<RankedScan>>;
  readonly highlighter: Highlighter;
  /** The flags of this call that a package on the command line needs as well. */
  readonly flags: readonly string[];
}

/** One question that the page can ask. */
export interface DataRoute {
  /** One word: `package` is asked at `/inspect/data/package`. */
  readonly path: string;
  /** Checks the query and resolves to data, which leaves without secrets. */
  readonly answer: (context: InspectContext, query: unknown) => unknown;
}
