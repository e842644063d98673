import type { ContextPack } from '../../model/context-pack.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import type { BuiltPackage } from './package-request.ts';
import { validatePack } from './validate-pack.ts';

/** The last look at a package before it leaves: what does not hold is a mistake of ours. */
export function settlePack(pack: ContextPack, text: string, root: SafeRoot): BuiltPackage {
  const problems = validatePack(pack, (path) => root.stat(path)?.type === 'file');
  if (problems.length > 0) throw new Error(`the package does not hold: ${problems.join('; ')}`);
  return { pack, text };
}
