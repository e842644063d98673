/**
 * The library's way to packages and rankings: `createLoadout` for one repository, and `packTaskContext` for a
 * single task of an agent. Both check their arguments before they do anything.
 */

import { librarySettings, type Settings } from '../../config/index.ts';
import { loadTokenCounter, parseBudget, resolveModel } from '../../context/fit/index.ts';
import { type FileSelection, PACK_STRATEGIES, type PackageRequest } from '../../context/pack/index.ts';
import { buildPackage } from '../../context/pack.ts';
import type { RoleForPackage } from '../../context/prompt/index.ts';
import { type RankRequest as RepositoryRankRequest, rankRepository } from '../../context/rank.ts';
import { PACK_FORMATS, type PackFormat, renderPack, renderSummary } from '../../context/render/index.ts';
import type { ContextPack } from '../../model/context-pack.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { Ranking } from '../../model/ranking.ts';
import { TASK_ACTIONS } from '../../model/task-analysis.ts';
import { environment } from '../../platform/environment.ts';
import { openSafeRoot, type SafeRoot } from '../../platform/fs/safe-root.ts';
import { shownName } from '../../redact/index.ts';
import {
  AMOUNT,
  type ArgumentKinds,
  checkArguments,
  FLAG,
  FUNCTION,
  listOf,
  objectWith,
  oneOf,
  orNull,
  RECORD,
  required,
  SIGNAL,
  TEXT,
  TEXTS,
  wholeNumber,
} from '../../schema/check-arguments.ts';

/** The repository of a `Loadout`, and its settings. */
export interface LoadoutOptions {
  /** A folder; a git work tree or not. */
  readonly repo: string;
  /** On top of the environment's variables and the defaults. */
  readonly settings?: Partial<Settings>;
}

/** The request for a package; see the flags of `loadout pack`. A role brings its files, restrictions and budget. */
export interface PackRequest
  extends Omit<PackageRequest, 'repo' | 'settings' | 'model' | 'targets' | 'rank'> {
  /** Relative to the repository. */
  readonly targets?: readonly string[];
  /** Tokens, `30k`, or with a model `50%`; without it the setting `tokenBudget` counts. */
  readonly budget?: number | string;
  /** The model whose tokens are counted, such as `gpt-5`. */
  readonly model?: string;
}

/** The request for a ranking; see the flags of `loadout rank`. */
export interface RankRequest
  extends Pick<
    RepositoryRankRequest,
    'task' | 'role' | 'event' | 'userDirectory' | 'domain' | 'allow' | 'stores' | 'signal' | 'onProgress'
  > {
  /** Maximum number of files. */
  readonly limit?: number;
}

/** Callers in plain JavaScript have no types, so every argument is checked at run time. */
const OPTION_KINDS: ArgumentKinds<LoadoutOptions> = { repo: required(TEXT), settings: RECORD };

/** The fields that both requests share. */
const COMMON_KINDS = {
  task: required(TEXT),
  role: orNull(TEXT),
  event: orNull(TEXT),
  userDirectory: TEXT,
  domain: TEXT,
  allow: FUNCTION,
  stores: listOf(objectWith('a KnowledgeStore', { name: TEXT, search: FUNCTION }), 'stores'),
  signal: SIGNAL,
  onProgress: FUNCTION,
};

const PACK_KINDS: ArgumentKinds<PackRequest> = {
  ...COMMON_KINDS,
  action: orNull(oneOf(TASK_ACTIONS)),
  targets: TEXTS,
  onlyListedTargets: FLAG,
  forms: RECORD,
  alwaysInclude: TEXTS,
  alsoInclude: TEXTS,
  select: FUNCTION,
  change: objectWith('a change with a base, such as { base: "main" }', { base: TEXT }),
  format: oneOf(PACK_FORMATS),
  lineNumbers: FLAG,
  redact: FLAG,
  instructions: TEXT,
  removeComments: FLAG,
  strategy: oneOf(PACK_STRATEGIES),
  fill: FLAG,
  split: wholeNumber(1),
  patienceMs: wholeNumber(1),
  budget: AMOUNT,
  model: TEXT,
};

const RANK_KINDS: ArgumentKinds<RankRequest> = { ...COMMON_KINDS, limit: wholeNumber(1) };

/** A package with its text. */
export interface Package extends ContextPack {
  /**
   * In the format that was asked for (markdown, unless the request says otherwise) the text is inside the budget; another
   * format shows the same items and may count more. `summary` is inside the setting `summaryMaxTokens`.
   */
  text(format?: PackFormat | 'summary'): string;
}

/** One repository. Calls may overlap; nothing is kept between them but the index on disk. */
export interface Loadout {
  /** Builds the package for a task. It is never over its budget. */
  pack(request: PackRequest): Promise<Package>;
  /** Ranks the files for a task, best first. */
  rank(request: RankRequest): Promise<Ranking>;
  /** Stops calls in progress and refuses further ones. */
  close(): void;
}

/** Files of a ranking when the request does not say. */
const DEFAULT_LIMIT = 20;
const TEXT_KINDS = { format: oneOf([...PACK_FORMATS, 'summary']) };

/**
 * Opens a repository for packages and rankings.
 *
 * @example
 * const loadout = await createLoadout({ repo: '.', settings: { tokenBudget: 30_000 } });
 * const pack = await loadout.pack({ task: 'Fix the token refresh race', targets: ['src/auth.ts'] });
 * pack.items; pack.text('markdown'); pack.receipts;
 */
export async function createLoadout(options: LoadoutOptions): Promise<Loadout> {
  checkArguments('createLoadout', options, OPTION_KINDS);
  const { repo, settings: given } = options;
  const root = openSafeRoot(repo);
  const settings = librarySettings(given);
  const closing = new AbortController();
  const signalFor = (signal: AbortSignal | undefined): AbortSignal => {
    if (closing.signal.aborted) throw new LoadoutError('closed', 'this Loadout is closed');
    return signal ? AbortSignal.any([closing.signal, signal]) : closing.signal;
  };
  return {
    async pack(asked) {
      checkArguments('pack', asked, PACK_KINDS);
      const { budget, model: modelName, ...request } = asked;
      const signal = signalFor(request.signal);
      // A caller that selects the files itself only labels the package with the role.
      const role =
        typeof request.role === 'string' && !request.select ? await loadRole(root, request.role) : null;
      const model = modelName === undefined ? undefined : resolveModel(modelName);
      const tokenBudget =
        budget === undefined
          ? (given?.tokenBudget ?? role?.tokenBudget ?? settings.tokenBudget)
          : parseBudget(String(budget), model);
      const built = await buildPackage({
        ...(role ? { select: role.select } : {}),
        ...request,
        ...(model ? { model } : {}),
        repo: root.path,
        settings: { ...settings, tokenBudget },
        signal,
      });
      return withText(built.pack, built.text, request, settings.summaryMaxTokens);
    },
    async rank(request) {
      checkArguments('rank', request, RANK_KINDS);
      const signal = signalFor(request.signal);
      // A ranking is for a role by its name alone; one that is not there is refused.
      if (typeof request.role === 'string') await loadRole(root, request.role);
      return rankRepository({ limit: DEFAULT_LIMIT, ...request, repo: root.path, settings, signal });
    },
    close: () => closing.abort(),
  };
}

/** The files that a role means, and its budget. */
async function loadRole(root: SafeRoot, name: string): Promise<RoleForPackage> {
  const [{ openRoles }, { roleForPackage }] = await Promise.all([
    import('../../context/roles/open-roles.ts'),
    import('../../context/prompt/role-for-package.ts'),
  ]);
  const loader = await openRoles({ repo: root, environment: environment() });
  return roleForPackage((await loader.load(name)).role);
}

/** Adds `text` to a package. Other formats are rendered only when they are asked for. */
async function withText(
  pack: ContextPack,
  fitted: string,
  {
    format: asked = 'markdown',
    lineNumbers = false,
    redact = true,
  }: Pick<PackRequest, 'format' | 'lineNumbers' | 'redact'>,
  limit: number,
): Promise<Package> {
  const measure = await loadTokenCounter();
  const names = redact ? { shownName } : {};
  return {
    ...pack,
    text(format = asked) {
      checkArguments('text', { format }, TEXT_KINDS);
      if (format === asked) return fitted;
      if (format === 'summary') return renderSummary(pack, { limit, measure, ...names });
      return renderPack(pack, { format, lineNumbers, ...names });
    },
  };
}

/** An agent's task, as guidelines see it. Fields that are left out are read from the text. */
export interface TaskContext {
  /** The task, in words. */
  readonly task: string;
  /** Role or kind of the agent: `backend`. */
  readonly agent?: string | null;
  /** `implement`, `review`, … */
  readonly action?: string | null;
  /** A name of the setting `domains`, or a package of the repository. */
  readonly domain?: string | null;
  /** Files that the task is about, relative to the repository: they come first. */
  readonly paths?: readonly string[];
  /** The hook event: `subagent-start`. */
  readonly event?: string | null;
}

/** The repository, and how the package should look. */
export interface TaskContextOptions
  extends LoadoutOptions,
    Pick<PackRequest, 'budget' | 'fill' | 'model' | 'format' | 'strategy' | 'signal'> {}

const CONTEXT_KINDS: ArgumentKinds<TaskContext> = {
  task: required(TEXT),
  agent: orNull(TEXT),
  action: orNull(oneOf(TASK_ACTIONS)),
  domain: orNull(TEXT),
  paths: TEXTS,
  event: orNull(TEXT),
};
const TASK_OPTION_KINDS: ArgumentKinds<TaskContextOptions> = {
  repo: required(TEXT),
  settings: RECORD,
  budget: AMOUNT,
  model: TEXT,
  format: oneOf(PACK_FORMATS),
  strategy: oneOf(PACK_STRATEGIES),
  fill: FLAG,
  signal: SIGNAL,
};

/** No file is chosen by a role; guidelines still apply. */
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
  checkArguments('packTaskContext', options, TASK_OPTION_KINDS);
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
