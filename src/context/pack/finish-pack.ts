import type { ContextPack } from '../../model/context-pack.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import type { BuiltPackage } from './package-request.ts';

/** The last look at a package before it leaves: what does not hold is a mistake of ours. */
export function finishPack(pack: ContextPack, text: string, root: SafeRoot): BuiltPackage {
  const problems = validatePack(pack, (path) => root.stat(path)?.type === 'file');
  if (problems.length > 0) throw new Error(`the package does not hold: ${problems.join('; ')}`);
  return { pack, text };
}

/** What is wrong with a package; nothing when it may leave. */
export function validatePack(pack: ContextPack, isFile: (path: string) => boolean): string[] {
  const problems: string[] = [];
  const paths = pack.items.map(({ path }) => path);
  for (const path of new Set(paths.filter((one, at) => paths.indexOf(one) !== at)))
    problems.push(`${path} is in twice`);
  const named = [...pack.items, ...pack.conventions, ...pack.externals, ...pack.environment.commands];
  for (const path of new Set(named.map(({ path: one }) => one)))
    if (!isFile(path)) problems.push(`${path} does not resolve`);
  for (const { path, combinedScore, astScore, semanticScore } of pack.items)
    for (const score of [combinedScore, astScore, semanticScore])
      if (!(score >= 0 && score <= 1)) problems.push(`${path} has a score of ${score}`);
  const inside = new Set(paths);
  for (const { from, to, external } of pack.dependencies)
    if (!inside.has(from) || (!inside.has(to) && !external))
      problems.push(`the edge ${from} -> ${to} leads out`);
  if (pack.tokenCount > pack.tokenBudget)
    problems.push(`${pack.tokenCount} tokens are more than ${pack.tokenBudget}`);
  return problems;
}
