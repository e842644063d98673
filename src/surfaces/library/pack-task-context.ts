import type { FileSelection } from '../../context/pack/package-request.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { createLoadout, type LoadoutOptions, type Package, type PackRequest } from './create-loadout.ts';

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

const ALL_FILES: FileSelection = {
  allow: () => true,
  always: [],
  wanted: [],
  change: [],
  diagnostics: [],
};

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
  // The agent is a name for guidelines, which need not be a role.
  const select = async (): Promise<FileSelection> => ALL_FILES;
  const loadout = await createLoadout({ repo, ...(given ? { settings: given } : {}) });
  return loadout.pack({
    ...request,
    task,
    role: agent,
    targets: paths,
    event,
    ...(action === undefined ? {} : { action }),
    ...(typeof domain === 'string' ? { domain } : {}),
    select,
  });
}
