import { cutToCharacters } from '../../../context/fit/cut-text.ts';
import type { TreeNode } from './tree-node.ts';

export interface TreeLine {
  readonly depth: number;
  readonly node: TreeNode;
  readonly mark: 'passed' | 'open' | 'selected' | 'stuck';
}

const MAX_LINES = 80;
const MAX_TITLE = 60;
const MARKS: Readonly<Record<TreeLine['mark'], string>> = {
  passed: '[x]',
  open: '[ ]',
  selected: '[>]',
  stuck: '[!]',
};

/** The nodes as a person would list them. */
export function treeLines(tree: TreeNode, selected: string | null, depth = 0): readonly TreeLine[] {
  const isStuck = tree.children.length === 0 && !tree.passes && tree.attempts >= tree.max_attempts;
  const mark = tree.passes ? 'passed' : isStuck ? 'stuck' : tree.id === selected ? 'selected' : 'open';
  const below = tree.children.flatMap((child) => treeLines(child, selected, depth + 1));
  return [{ depth, node: tree, mark }, ...below];
}

/** The tree in few lines: what is below a passed node is left out, and so is what is far from the selected one. */
export function summarizeTree(tree: TreeNode, selected: string): string {
  const lines = treeLines(withoutPassedBelow(tree), selected);
  const at = Math.max(
    0,
    lines.findIndex(({ node }) => node.id === selected),
  );
  const first = Math.max(0, Math.min(at - MAX_LINES / 2, lines.length - MAX_LINES));
  const shown = lines.slice(first, first + MAX_LINES).map(({ depth, node, mark }) => {
    const attempts = node.attempts > 0 ? ` (attempts: ${node.attempts} of ${node.max_attempts})` : '';
    const title = cutToCharacters(node.title, MAX_TITLE, '…');
    return `${'  '.repeat(depth)}- ${MARKS[mark]} ${node.id}: ${title}${attempts}`;
  });
  const behind = lines.length - first - shown.length;
  return [
    ...(first > 0 ? [`(${first} nodes before these are left out)`] : []),
    ...shown,
    ...(behind > 0 ? [`(${behind} nodes after these are left out)`] : []),
  ].join('\n');
}

function withoutPassedBelow(node: TreeNode): TreeNode {
  return { ...node, children: node.passes ? [] : node.children.map(withoutPassedBelow) };
}
