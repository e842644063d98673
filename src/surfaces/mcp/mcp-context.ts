/**
 * The values that the MCP tools work with: repository, settings, roles, packages that were returned, and the
 * place for gaps. One context serves all calls of a server.
 */

import { dirname } from 'node:path';
import type { LoadedSettings, Settings } from '../../config/index.ts';
import type { PlaceSpan } from '../../context/brief.ts';
import type { GuardRequest } from '../../context/guidelines/index.ts';
import type { BuiltPackage, PackageRequest } from '../../context/pack/index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import { wallClockMs } from '../../platform/clock.ts';
import type { Environment } from '../../platform/environment.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import type { OpenScan, useIndex } from '../../scan/index.ts';

/**
 * Stores a gap that an agent reported. The task may be empty. Resolves to the task of the package, or to an empty text
 * when no such package was built here.
 */
type RecordGap = (packageId: string, text: string, task: string) => Promise<string>;

/** The fields that a role adds to a request. */
type RoleChoices = Pick<PackageRequest, 'role' | 'alwaysInclude' | 'select'> & {
  /** Null when the role has none. */
  readonly tokenBudget: number | null;
};

/** The values that the tools work with: one repository, its settings and services. */
export interface McpContext {
  readonly version: string;
  /** The only folder that anything is read from. */
  readonly repo: string;
  /** Throws for a home directory without a repository, which is hardly meant. */
  readonly checkRepository: () => void;
  /** Read once when the server starts. */
  readonly settings: Settings;
  /** The folder with the user's guidelines. */
  readonly userDirectory: string;
  /** The budget of a package when neither the call nor a role sets one. */
  readonly usualBudget: number;
  /** A warm server builds from open indexes, any other from disk. */
  readonly buildPackage: (request: PackageRequest) => Promise<BuiltPackage>;
  /** Hands over an index that is up to date; a warm server keeps it open. */
  readonly withIndex: WithIndex;
  /** Throws for a role that does not exist. */
  readonly readRole: (name: string) => Promise<RoleChoices>;
  /** Null when gaps are not kept. */
  readonly recordGap: RecordGap | null;
  /** Writes a line for the operator of the server, never to the channel of the protocol. */
  readonly log: (line: string) => void;
  readonly packages: PackageCache;
  /** Answers that can be continued. */
  readonly continuations: ContinuationCache;
}

type WithIndex = <Result>(
  request: Parameters<typeof useIndex>[0],
  use: (scan: OpenScan) => Promise<Result>,
) => Promise<Result>;

/**
 * The state of one client. A file that guidelines kept out of its last package must stay out of later results, so the
 * role and the task of that package are kept.
 */
export interface Connection {
  audience: Pick<GuardRequest, 'role' | 'analysis' | 'targets'>;
}

/** The packages that were returned last, so that clients can read them again. */
export interface PackageCache {
  /** Drops the oldest packages when there are too many. */
  put(pack: CachedPackage): void;
  /** Undefined for a package that was dropped or never built here. */
  get(id: string): CachedPackage | undefined;
  /** Latest first. */
  list(): readonly CachedPackage[];
}

/** A package that a client can read again by its id. */
export interface CachedPackage {
  readonly id: string;
  readonly task: string;
  readonly text: string;
}

/** The rest of a short answer: how to make the next page of it. */
export interface Continuation {
  /** The state of the repository that the answer was made from. */
  readonly snapshot: string;
  readonly task: string;
  readonly targets: readonly string[];
  readonly role: string | null;
  readonly maxTokens: number;
  /** Places whose code was shown. */
  readonly seen: readonly PlaceSpan[];
}

/** By handle. The oldest ones are dropped. */
export interface ContinuationCache {
  put(handle: string, continuation: Continuation): void;
  get(handle: string): Continuation | undefined;
}

const MAX_CONTINUATIONS = 100;

/** A cache in memory: a handle ends with the server. */
export function createContinuationCache(): ContinuationCache {
  const known = new Map<string, Continuation>();
  return {
    put(handle, continuation) {
      known.delete(handle);
      known.set(handle, continuation);
      if (known.size > MAX_CONTINUATIONS) known.delete(known.keys().next().value!);
    },
    get: (handle) => known.get(handle),
  };
}

const MAX_PACKAGES = 20;
/** Their text together; the latest one always stays. */
const MAX_CHARACTERS = 20_000_000;

/** A cache in memory: it ends with the server. */
export function createPackageCache(): PackageCache {
  const packages = new Map<string, CachedPackage>();
  const size = () => [...packages.values()].reduce((sum, { text }) => sum + text.length, 0);
  return {
    put(pack) {
      packages.delete(pack.id);
      packages.set(pack.id, pack);
      while (packages.size > MAX_PACKAGES || (packages.size > 1 && size() > MAX_CHARACTERS))
        packages.delete(packages.keys().next().value!);
    },
    get: (id) => packages.get(id),
    list: () => [...packages.values()].reverse(),
  };
}

/** An agent in the middle of its work has less room than one that starts. */
const USUAL_BUDGET = 20_000;

/** The inputs of `loadout mcp` and `loadout serve`. */
export interface McpContextOptions {
  readonly root: SafeRoot;
  readonly loaded: LoadedSettings;
  /** Says where the user's own roles are, and what the user trusts. */
  readonly environment: Environment;
  /** Of the user. */
  readonly home: string;
  readonly version: string;
  readonly log: (line: string) => void;
  readonly buildPackage?: McpContext['buildPackage'];
  readonly withIndex?: WithIndex;
}

/** Makes the context. Roles and gaps are loaded when a tool asks for them. */
export function openMcpContext(options: McpContextOptions): McpContext {
  const { root, loaded, environment, version, log } = options;
  const { settings, provenance } = loaded;
  return {
    version,
    repo: root.path,
    checkRepository: () => refuseHome(root, options.home),
    settings,
    userDirectory: configDirectory(environment),
    usualBudget: provenance.tokenBudget.source === 'default' ? USUAL_BUDGET : settings.tokenBudget,
    buildPackage:
      options.buildPackage ??
      (async (request) => (await import('../../context/pack.ts')).buildPackage(request)),
    withIndex:
      options.withIndex ??
      (async (request, use) => (await import('../../scan/index.ts')).useIndex(request, use)),
    readRole: (name) => readRole(root, environment, name),
    recordGap: (id, text, task) => keepGap(root, settings.cacheDir, { package: id, text, task }),
    log,
    packages: createPackageCache(),
    continuations: createContinuationCache(),
  };
}

/** A client that was started in a home directory starts the server there as well. */
function refuseHome(root: SafeRoot, home: string): void {
  if ((root.path !== home && dirname(root.path) !== root.path) || root.stat('.git') !== null) return;
  throw new LoadoutError('no-repository', `${root.path} is not a repository`, {
    subject: root.path,
    hint: 'start the client inside a repository, or the server with --repo DIR',
  });
}

/** Stores a gap beside the index of the repository. */
async function keepGap(
  root: SafeRoot,
  cacheDirectory: string,
  gap: { readonly package: string; readonly text: string; readonly task: string },
): Promise<string> {
  const [{ reportGap }, { openRepository }] = await Promise.all([
    import('../hook/report-gap.ts'),
    import('../../scan/repository.ts'),
  ]);
  const repository = await openRepository(root.path, cacheDirectory);
  return reportGap(repository, cacheDirectory, { ...gap, nowMs: wallClockMs() }).task;
}

/** Opens the roles anew for each call, because their files may change while the server runs. */
async function readRole(root: SafeRoot, environment: Environment, name: string): Promise<RoleChoices> {
  const [{ openRoles }, { roleForPackage }] = await Promise.all([
    import('../../context/roles/open-roles.ts'),
    import('../../context/prompt/role-for-package.ts'),
  ]);
  const { role } = await (await openRoles({ repo: root, environment })).load(name);
  const { name: ownName, ...choices } = roleForPackage(role);
  return { role: ownName, ...choices };
}
