import type { LoopStatus } from '../loop-answer.ts';
import { renderTree } from './render-tree.ts';
import { type TreeNode, walkTree } from './tree-node.ts';

interface Placed {
  readonly node: TreeNode;
  readonly parent: string | null;
}

/** What a worker may not have done to the tree; empty when its change is accepted. Both trees are valid. */
export function checkTreeChange(
  before: TreeNode,
  after: TreeNode,
  selected: string,
  status: LoopStatus,
): readonly string[] {
  const [old, now] = [placesIn(before), placesIn(after)];
  const judged = new Set([...walkTree(before)].find(({ node }) => node.id === selected)?.above ?? []);
  const problems: string[] = [];
  for (const [id, { node, parent }] of old) {
    const changed = now.get(id);
    if (changed === undefined) problems.push(`"${id}" was removed`);
    else if (changed.parent !== parent) problems.push(`"${id}" was moved`);
    else if (node.passes && renderTree(node) !== renderTree(changed.node))
      problems.push(`"${id}" has passed and was changed`);
    else if (!node.passes) {
      const isJudged = id === selected || judged.has(node);
      problems.push(...fieldChanges(node, changed.node, isJudged));
    }
  }
  for (const [id, { node, parent }] of now) {
    if (old.has(id)) continue;
    if (node.passes || node.attempts > 0)
      problems.push(`"${id}" is new and must have no pass and no attempt`);
    if (parent === selected && status !== 'decomposed')
      problems.push(`"${id}" was added to "${selected}", which only the status decomposed may do`);
  }
  const added = [...now.values()].some(({ node, parent }) => parent === selected && !old.has(node.id));
  if (status === 'decomposed' && !added)
    problems.push(`the status is decomposed, but no child was added to "${selected}"`);
  return problems;
}

/** The loop counts; and nobody rewrites what they are judged by. */
function fieldChanges(before: TreeNode, after: TreeNode, isJudged: boolean): string[] {
  const fixed = ['passes', 'attempts', 'max_attempts'] as const;
  const wording = ['order', 'title', 'goal', 'acceptance', 'role'] as const;
  return [...fixed, ...(isJudged ? wording : [])]
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => `${field} of "${before.id}" was changed`);
}

function placesIn(tree: TreeNode): Map<string, Placed> {
  const placed = [...walkTree(tree)].map(({ node, above }) => [
    node.id,
    { node, parent: above.at(-1)?.id ?? null },
  ]);
  return new Map(placed as [string, Placed][]);
}
