import type { Diagnostic } from '../../model/diagnostic.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import { environment } from '../../platform/environment.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { createPathFilter } from '../../scan/discover/index.ts';
import { applicable, evaluateGuidelines, type Judgement } from './evaluate-guidelines.ts';
import { loadGuidelines } from './guideline-places.ts';

/** The agent that something is shown to, and when. A guideline about a value that is not given does not apply. */
export interface Audience {
  /** The agent's role or kind. */
  readonly role?: string | null;
  /** The hook event, if there is one. */
  readonly event?: string | null;
  /** Where the user's guidelines are; the user's config directory if absent. */
  readonly userDirectory?: string;
}

export interface GuardRequest extends Audience {
  readonly root: SafeRoot;
  /** What the task says, if there is one. */
  readonly analysis?: {
    readonly action: string | null;
    readonly domains: readonly string[];
    readonly paths: readonly { readonly path: string }[];
  } | null;
  /** Files that the task is about by the caller's word. */
  readonly targets?: readonly string[];
}

/** Which files guidelines keep out of everything that an agent is shown. */
export interface FileGuard {
  readonly allow: (path: string) => boolean;
  /** The id of the guideline that keeps a file out; null when it may be shown. */
  readonly keptBy: (path: string) => string | null;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The one filter for every way out: rankings, packages, prompts, outlines and what MCP shows ask it where they put
 * their files together, so that no command can forget it.
 */
export async function guardFiles(request: GuardRequest): Promise<FileGuard> {
  const { root, role = null, event = null, analysis, targets = [] } = request;
  const userDirectory = request.userDirectory ?? configDirectory(environment());
  const { guidelines, diagnostics } = await loadGuidelines({ repository: root, userDirectory });
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
    keptBy,
    allow: (path) => keptBy(path) === null,
    diagnostics,
  };
}

/** Every restriction must let a file through; the first that does not is named. */
function keeperOf(judgements: readonly Judgement[]): (path: string) => string | null {
  const filters = applicable(judgements).flatMap(({ guideline: { id, action } }) => {
    return action.type === 'path_restriction'
      ? [{ id, filter: createPathFilter(action.allow, action.deny) }]
      : [];
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

/** A file that looked relevant, or was asked for, and is not shown. */
export interface KeptFile {
  readonly path: string;
  /** Id of the guideline. */
  readonly guideline: string;
}

/** A file that was asked for by name and is not shown. */
export function keptOut(kept: KeptFile): Diagnostic {
  return { ...leftOutByGuideline(kept), severity: 'warning' };
}

/** A file that would have been shown. */
export function leftOutByGuideline({ path, guideline }: KeptFile): Diagnostic {
  const message = `${path} is left out: the guideline ${guideline} keeps it from this agent`;
  return { code: 'kept-by-guideline', severity: 'info', message, path };
}
