import type { Diagnostic } from '../../model/diagnostic.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import { environment } from '../../platform/environment.ts';
import { openSafeRoot, type SafeRoot } from '../../platform/fs/safe-root.ts';
import { createPathFilter } from '../../scan/discover/index.ts';
import { applicable, evaluateGuidelines, type Judgement } from './evaluate-guidelines.ts';
import { loadGuidelines } from './guideline-places.ts';

/** The agent that reads the output, and when. A guideline with a condition on a missing value does not apply. */
export interface Audience {
  /** The agent's role or kind. */
  readonly role?: string | null;
  /** The hook event, if there is one. */
  readonly event?: string | null;
  /** Where the user's guidelines are; the user's config directory if absent. */
  readonly userDirectory?: string;
}

/** Everything that decides which guidelines apply. */
export interface GuardRequest extends Audience {
  readonly root: SafeRoot;
  /** The repository whose guidelines hold; the one that is shown if absent. */
  readonly guidelinesFrom?: string;
  /** The analysis of the task, if there is a task. */
  readonly analysis?: {
    readonly action: string | null;
    readonly domains: readonly string[];
    readonly paths: readonly { readonly path: string }[];
  } | null;
  /** Files that the caller named as targets. */
  readonly targets?: readonly string[];
}

/** The files that guidelines keep from an agent. */
export interface FileGuard {
  /** Whether a file may be shown. */
  readonly allow: (path: string) => boolean;
  /** The id of the guideline that keeps a file out; null when it may be shown. */
  readonly keptBy: (path: string) => string | null;
  /** Equal for guards that let the same files through. */
  readonly key: string;
  /** Problems with the guideline files. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The one filter for every way out. Rankings, packages, prompts, maps and MCP tools ask it where they collect their
 * files, so that no command can forget it.
 */
export async function guardFiles(request: GuardRequest): Promise<FileGuard> {
  const { root, role = null, event = null, analysis, targets = [] } = request;
  const userDirectory = request.userDirectory ?? configDirectory(environment());
  const repository = request.guidelinesFrom === undefined ? root : openSafeRoot(request.guidelinesFrom);
  const { guidelines, diagnostics } = await loadGuidelines({ repository, userDirectory });
  // A path that the task names counts only if the file exists.
  const named = analysis?.paths.map(({ path }) => path).filter((path) => root.stat(path)?.type === 'file');
  const judgements = evaluateGuidelines(guidelines, {
    agent: role,
    event,
    action: analysis?.action ?? null,
    domains: analysis?.domains ?? [],
    paths: [...new Set([...targets, ...(named ?? [])])],
  });
  const keptBy = keeperOf(judgements);
  return {
    key: JSON.stringify(restrictionsOf(judgements)),
    keptBy,
    allow: (path) => keptBy(path) === null,
    diagnostics,
  };
}

/** The guidelines that hold here and that restrict paths. */
function restrictionsOf(judgements: readonly Judgement[]) {
  return applicable(judgements).flatMap(({ guideline: { id, action } }) => {
    return action.type === 'path_restriction' ? [{ id, allow: action.allow, deny: action.deny }] : [];
  });
}

/** Every restriction must let a file through. Returns the id of the first one that does not. */
function keeperOf(judgements: readonly Judgement[]): (path: string) => string | null {
  const filters = restrictionsOf(judgements).map(({ id, allow, deny }) => {
    return { id, filter: createPathFilter(allow, deny) };
  });
  const known = new Map<string, string | null>();
  return (path) => {
    let keeper = known.get(path);
    if (keeper === undefined) {
      keeper = filters.find(({ filter }) => !filter.accepts(path))?.id ?? null;
      known.set(path, keeper);
    }
    return keeper;
  };
}

/** A file that is relevant or was asked for, but may not be shown. */
export interface KeptFile {
  readonly path: string;
  /** Id of the guideline. */
  readonly guideline: string;
}

/** The warning for a file that was asked for by name. */
export function keptOut(kept: KeptFile): Diagnostic {
  return { ...leftOutByGuideline(kept), severity: 'warning' };
}

/** The note for a file that would have been shown. */
export function leftOutByGuideline({ path, guideline }: KeptFile): Diagnostic {
  const message = `${path} is left out: the guideline ${guideline} keeps it from this agent`;
  return { code: 'kept-by-guideline', severity: 'info', message, path };
}
