import { createHash } from 'node:crypto';
import type { ContextPack } from '../../model/context-pack.ts';

/** Hash of what a reader gets to see: equal ids mean equal packages. */
export function packId(pack: Omit<ContextPack, 'id' | 'tokenCount' | 'receipts' | 'diagnostics'>): string {
  const seen = [
    pack.task,
    pack.role,
    pack.targets,
    pack.tokenBudget,
    pack.encoding,
    pack.items.map(({ path, form, content, lineRuns, combinedScore }) => {
      return [path, form, content, lineRuns.map(({ startLine, count }) => [startLine, count]), combinedScore];
    }),
    pack.dependencies.map(({ from, to }) => [from, to]),
    pack.environment.commands.map(({ purpose, command, path }) => [purpose, command, path]),
    pack.conventions.map(({ path, text }) => [path, text]),
    pack.externals.map(({ path, signature, line }) => [path, signature, line]),
    pack.tree,
    pack.diff,
  ];
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex');
}
