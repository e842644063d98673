import type { Settings } from '../../config/settings.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { originName } from '../../platform/git/repository-source.ts';
import type { OpenScan } from '../../scan/run-scan.ts';

export interface NameInStore {
  readonly repository: string;
  /** Empty when no branch is checked out. */
  readonly branch: string;
}

/** How a work tree is called in a store that others read too. */
export async function nameInStore(
  { repository: { git, root } }: Pick<OpenScan, 'repository'>,
  settings: Pick<Settings, 'storeRepository' | 'storeBranch'>,
): Promise<NameInStore> {
  const folder = root.path.split(/[\\/]/).filter(Boolean).at(-1) ?? 'repository';
  const repository = settings.storeRepository || (git && originName(git.commonDirectory)) || folder;
  if (settings.storeBranch !== '') return { repository, branch: settings.storeBranch };
  const head = git ? await git.run(['symbolic-ref', '--short', 'HEAD']) : null;
  const branch = head?.exitCode === 0 ? head.stdout.toString().trim() : git ? '' : 'main';
  return { repository, branch };
}

export function needBranch(branch: string): string {
  if (branch !== '') return branch;
  throw new LoadoutError('no-branch', 'no branch is checked out', {
    hint: 'say what the branch is called in the store: --store-branch main',
  });
}
