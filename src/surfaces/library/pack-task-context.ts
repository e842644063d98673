import { type FileSelection, PACK_STRATEGIES } from '../../context/pack/index.ts';
import { PACK_FORMATS } from '../../context/render/index.ts';
import { TASK_ACTIONS } from '../../model/task-analysis.ts';
import {
  AMOUNT,
  type ArgumentKinds,
  checkArguments,
  oneOf,
  orNull,
  RECORD,
  required,
  SIGNAL,
  TEXT,
  TEXTS,
} from '../../schema/check-arguments.ts';
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

const CONTEXT_KINDS: ArgumentKinds<TaskContext> = {
  task: required(TEXT),
  agent: orNull(TEXT),
  action: orNull(oneOf(TASK_ACTIONS)),
  domain: orNull(TEXT),
  paths: TEXTS,
  event: orNull(TEXT),
};
const OPTION_KINDS: ArgumentKinds<TaskContextOptions> = {
  repo: required(TEXT),
  settings: RECORD,
  budget: AMOUNT,
  model: TEXT,
  format: oneOf(PACK_FORMATS),
  strategy: oneOf(PACK_STRATEGIES),
  signal: SIGNAL,
};

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
export async function packTaskContext(context: TaskContext, options: TaskContextOptions): Promise<Package> {
  checkArguments('packTaskContext', context, CONTEXT_KINDS);
  checkArguments('packTaskContext', options, OPTION_KINDS);
  const { repo, settings: given, ...request } = options;
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
