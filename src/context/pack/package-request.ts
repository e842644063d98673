import type { Settings } from '../../config/index.ts';
import type { ContextPack, ItemForm } from '../../model/context-pack.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { KnowledgeStore } from '../../model/knowledge-store.ts';
import type { TaskAnalysis } from '../../model/task-analysis.ts';
import type { OpenScan, ScanStep } from '../../scan/index.ts';
import type { ChangedFile, ChangeSelection } from '../compose/index.ts';
import type { Model } from '../fit/index.ts';
import type { Audience } from '../guidelines/index.ts';
import type { RankedScan, ScanRankRequest } from '../rank.ts';
import type { PackFormat } from '../render/index.ts';

/** Which rule chooses files and forms. */
export const PACK_STRATEGIES = ['value', 'relevance', 'signature_only'] as const;
export type PackStrategy = (typeof PACK_STRATEGIES)[number];

/** Files that a role means, as they turn out in one state of a repository. */
export interface FileSelection {
  readonly allow: (path: string) => boolean;
  /** Never left out for the budget. */
  readonly always: readonly string[];
  readonly wanted: readonly WantedFile[];
  /** Shown with its files, their tests and their users, unless the request names a change of its own. */
  readonly change: readonly ChangedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface WantedFile {
  readonly path: string;
  /** How likely it is needed, relative to the others. */
  readonly need: number;
  readonly reason: string;
}

/** A request for a package. */
export interface PackageRequest extends Audience {
  readonly repo: string;
  /** `tokenBudget` is the most tokens that the rendered text may have. */
  readonly settings: Settings;
  readonly task: string;
  /** The action of the task, such as `review`, for guidelines; read from its text if absent. */
  readonly action?: string | null;
  /** A domain that the task is about: a name of the setting `domains`, or a package of the repository. */
  readonly domain?: string;
  /** Files that come first and whole if they fit at all; relative to the root. */
  readonly targets?: readonly string[];
  /** A target must be a file that the scan lists: this caller may not see ignored files. */
  readonly onlyListedTargets?: boolean;
  /** Files by the form that each has in place of the one that the fitter would choose; relative to the root. */
  readonly forms?: Readonly<Record<string, ItemForm>>;
  /** Patterns of files that are never left out for the budget. */
  readonly alwaysInclude?: readonly string[];
  /** Patterns of files that belong in where there is room, relevant or not. */
  readonly alsoInclude?: readonly string[];
  /** Files that may be in; all if absent. */
  readonly allow?: (path: string) => boolean;
  /** Asked once the repository is scanned; its answer counts in place of the three above. */
  readonly select?: (scan: OpenScan, targets: readonly string[]) => Promise<FileSelection>;
  /** A change under review: it is shown with its files, their tests and their users. The task may be empty then. */
  readonly change?: ChangeSelection;
  /** For whose tokens to count; `o200k_base` if absent. */
  readonly model?: Model;
  readonly format?: PackFormat;
  readonly lineNumbers?: boolean;
  readonly redact?: boolean;
  /** A text of the user's own for the end of the package: what a reader is to do with it. It may take half of the budget. */
  readonly instructions?: string;
  /** Leave out comments, as the parser of each language finds them. */
  readonly removeComments?: boolean;
  readonly strategy?: PackStrategy;
  /** Use the whole budget, in place of what the task needs; the setting `fillBudget` if absent. */
  readonly fill?: boolean;
  /** Also return it as numbered documents of at most so many tokens each; not in JSON. */
  readonly split?: number;
  /** How files are ranked. For a caller that builds many packages for one task and remembers its ranking. */
  readonly rank?: RankFunction;
  /** Knowledge stores to ask about the text, one after the other; without any the index answers for itself. */
  readonly stores?: readonly KnowledgeStore[];
  /** Longest time for a store and an embedding endpoint together. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: ScanStep) => void;
}

/** `rankScan`, or something that gives the same answer sooner. */
type RankFunction = (scan: OpenScan, request: ScanRankRequest) => Promise<RankedScan>;

export interface BuiltPackage {
  /** How the task was read; absent without a task, and for several repositories. */
  readonly analysis?: TaskAnalysis;
  readonly pack: ContextPack;
  /** The package in the format that it was fitted for; never above the budget. */
  readonly text: string;
  /** The same as numbered documents, when that was asked for. */
  readonly parts?: readonly string[];
}
