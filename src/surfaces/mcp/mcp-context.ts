import type { Settings } from '../../config/settings.ts';
import type { GuardRequest } from '../../context/guidelines/guard-files.ts';
import type { BuiltPackage, PackageRequest } from '../../context/pack/package-request.ts';

/**
 * Keeps what an agent said it was missing. The task may be empty; resolves to the task that was found for the package,
 * which is empty when no such package was built here.
 */
type RecordGap = (packageId: string, text: string, task: string) => Promise<string>;

/** What a role adds to a request. */
export type RoleChoices = Pick<PackageRequest, 'role' | 'alwaysInclude' | 'select'> & {
  /** Null when the role does not say. */
  readonly tokenBudget: number | null;
};

/** What the tools work with: one repository, and how things are done there. */
export interface McpContext {
  readonly version: string;
  /** The only folder that anything is read from. */
  readonly repo: string;
  /** Throws where nobody meant to be read: a home directory is no repository. */
  readonly checkRepository: () => void;
  readonly settings: Settings;
  /** Where the user's guidelines are. */
  readonly userDirectory: string;
  /** Tokens of a package when neither the call nor a role says. */
  readonly usualBudget: number;
  readonly buildPackage: (request: PackageRequest) => Promise<BuiltPackage>;
  readonly readRole: (name: string) => Promise<RoleChoices>;
  /** Null when gaps are not kept. */
  readonly recordGap: RecordGap | null;
  /** For people who look after the server; never the protocol's own channel. */
  readonly log: (line: string) => void;
  readonly packages: PackageCache;
}

/**
 * What one client has asked for so far. A file that guidelines kept out of its last package stays out of what it is shown
 * next, so the role and the task of that package are kept.
 */
export interface Connection {
  audience: Pick<GuardRequest, 'role' | 'analysis' | 'targets'>;
}

/** The packages that were handed out last, for those who come back to them. */
export interface PackageCache {
  put(pack: CachedPackage): void;
  get(id: string): CachedPackage | undefined;
  /** Latest first. */
  list(): readonly CachedPackage[];
}

export interface CachedPackage {
  readonly id: string;
  readonly task: string;
  readonly text: string;
}

const MAX_PACKAGES = 20;
const MAX_CHARACTERS = 20_000_000;

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
