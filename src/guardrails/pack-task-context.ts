import { createLoadout, type LoadoutOptions, type Package, type PackRequest } from '../create-loadout.ts';
import { librarySettings } from '../library-settings.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import type { FileSelection } from '../pack/package-request.ts';
import { environment } from '../platform/environment.ts';
import { openSafeRoot } from '../platform/safe-root.ts';
import { configDirectory } from '../platform/user-directories.ts';
import { analyzeFor } from '../rank-repository.ts';
import type { OpenScan } from '../scan/run-scan.ts';
import { evaluateGuidelines } from './evaluate-guidelines.ts';
import { loadGuidelines } from './guideline-places.ts';
import { pathRestriction } from './restrictions.ts';

/** An agent's task, as guidelines see it. What is left out is read from the text. */
export interface TaskContext {
  readonly task: string;
  /** Role or kind of the agent: `backend`. */
  readonly agent?: string | null;
  /** `implement`, `review`, … */
  readonly action?: string | null;
  /** A name of the setting `domains`, or a package of the repository. */
  readonly domain?: string | null;
  /** Files that the task is about, relative to the repository: they come first. */
  readonly paths?: readonly string[];
  /** What happens: `subagent-start`. */
  readonly event?: string | null;
}

export interface TaskContextOptions
  extends LoadoutOptions,
    Pick<PackRequest, 'budget' | 'model' | 'format' | 'strategy' | 'signal'> {}

/**
 * Builds the package for an agent's task, with the path restrictions of the guidelines that apply to it: the same that a
 * hook would build.
 *
 * @example
 * const pack = await packTaskContext({ task: 'Add retries', agent: 'backend', paths: ['src/http.ts'] }, { repo: '.' });
 */
export async function packTaskContext(
  context: TaskContext,
  { repo, settings: given, ...request }: TaskContextOptions,
): Promise<Package> {
  if (typeof context?.task !== 'string')
    throw new LoadoutError('bad-task', 'the task context has no task: it must be a text', {
      subject: 'task',
    });
  const { task, agent = null, action, domain, paths = [], event = null } = context;
  const settings = librarySettings(given);
  const userDirectory = configDirectory(environment());
  const { guidelines, diagnostics } = await loadGuidelines({ repository: openSafeRoot(repo), userDirectory });
  const select = async (scan: OpenScan): Promise<FileSelection> => {
    const analysis = analyzeFor(scan, task, settings, domain ?? undefined);
    const situation = {
      agent,
      action: action === undefined ? analysis.action : action,
      domains: analysis.domains,
      paths,
      event,
    };
    const allow = pathRestriction(evaluateGuidelines(guidelines, situation));
    return { allow: allow ?? (() => true), always: [], wanted: [], change: [], diagnostics };
  };
  const loadout = await createLoadout({ repo, ...(given ? { settings: given } : {}) });
  return loadout.pack({
    ...request,
    task,
    role: agent,
    targets: paths,
    ...(typeof domain === 'string' ? { domain } : {}),
    select,
  });
}
