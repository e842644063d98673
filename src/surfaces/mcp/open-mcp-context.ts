import { dirname } from 'node:path';
import type { LoadedSettings } from '../../config/load-settings.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { configDirectory } from '../../platform/cache/user-directories.ts';
import { wallClockMs } from '../../platform/clock.ts';
import type { Environment } from '../../platform/environment.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { createPackageCache, type McpContext, type RoleChoices } from './mcp-context.ts';

/** An agent in the middle of its work has less room than one that starts. */
const USUAL_BUDGET = 20_000;

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
}

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
    readRole: (name) => readRole(root, environment, name),
    recordGap: (id, text, task) => keepGap(root, settings.cacheDir, { package: id, text, task }),
    log,
    packages: createPackageCache(),
  };
}

/** A client that was started anywhere starts us there as well. */
function refuseHome(root: SafeRoot, home: string): void {
  if ((root.path !== home && dirname(root.path) !== root.path) || root.stat('.git') !== null) return;
  throw new LoadoutError('no-repository', `${root.path} is not a repository`, {
    subject: root.path,
    hint: 'start the client inside a repository, or the server with --repo DIR',
  });
}

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

async function readRole(root: SafeRoot, environment: Environment, name: string): Promise<RoleChoices> {
  const [{ openRoles }, { roleForPackage }] = await Promise.all([
    import('../../context/roles/open-roles.ts'),
    import('../../context/prompt/role-for-package.ts'),
  ]);
  const { role } = await (await openRoles({ repo: root, environment })).load(name);
  const { name: ownName, ...choices } = roleForPackage(role);
  return { role: ownName, ...choices };
}
