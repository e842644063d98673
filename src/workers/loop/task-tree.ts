// The task tree as plain data: which leaf is next, how a result changes the tree, how it is written and shown. It reads
// no files.
import { cutToCharacters } from '../../context/fit/index.ts';
/** One task of the tree. The field names are those of `tree.json`. */
export interface TreeNode {
  readonly id: string;
  /** Its place among its siblings. Those with the same order are sorted by id. */
  readonly order: number;
  readonly title: string;
  readonly goal: string;
  /** When the node is done, one condition for each entry. */
  readonly acceptance: readonly string[];
  /** Set by the loop alone. */
  readonly passes: boolean;
  /** How often it did not pass; counted by the loop alone. */
  readonly attempts: number;
  readonly max_attempts: number;
  /** The role of its worker, when it is not that of the loop. */
  readonly role?: string;
  /** Sorted by order, then id. */
  readonly children: readonly TreeNode[];
}

/** Attempts of a node that names no limit. */
export const DEFAULT_MAX_ATTEMPTS = 3;

function compareNodes(one: TreeNode, other: TreeNode): number {
  return one.order - other.order || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}

/** Every node with the nodes above it, parents before their children. */
export function* walkTree(
  node: TreeNode,
  above: readonly TreeNode[] = [],
): Generator<{ readonly node: TreeNode; readonly above: readonly TreeNode[] }> {
  yield { node, above };
  for (const child of node.children) yield* walkTree(child, [...above, node]);
}

/** The node with an id; null when there is none. */
export function nodeById(tree: TreeNode, id: string): TreeNode | null {
  for (const { node } of walkTree(tree)) if (node.id === id) return node;
  return null;
}

/** The leaf that an iteration works on. */
export interface SelectedLeaf {
  readonly node: TreeNode;
  /** From the root down to the node itself. */
  readonly path: readonly TreeNode[];
}

/** The leftmost leaf that does not pass yet, depth first; null when there is none. */
export function selectLeaf(tree: TreeNode): SelectedLeaf | null {
  for (const { node, above } of walkTree(tree)) {
    if (node.children.length === 0 && !node.passes) return { node, path: [...above, node] };
  }
  return null;
}

/** Whether the loop can go on, is complete, or is stuck. */
export type TreeOutcome = 'open' | 'passed' | 'stuck';

/** Stuck means that the next leaf has no attempt left. Later leaves may need it, so they are not tried. */
export function treeOutcome(tree: TreeNode): TreeOutcome {
  const next = selectLeaf(tree);
  if (next === null) return 'passed';
  return next.node.attempts >= next.node.max_attempts ? 'stuck' : 'open';
}

/** The path to a node, as messages show it. */
export const showNodePath = (path: readonly TreeNode[]): string => path.map(({ id }) => id).join(' > ');

/** `open` leaves the node as it is, because it was decomposed. */
type NodeResult = 'passed' | 'failed' | 'open';

/** The tree after an iteration on one node. Parents pass when all of their children do. */
export function finishNode(tree: TreeNode, id: string, result: NodeResult): TreeNode {
  const finish = (node: TreeNode): TreeNode => {
    if (node.id !== id) return { ...node, children: node.children.map(finish) };
    if (result === 'failed') return { ...node, attempts: Math.min(node.attempts + 1, node.max_attempts) };
    return result === 'passed' ? { ...node, passes: true } : node;
  };
  return passParents(finish(tree));
}

/** Parents pass exactly when all of their children do. */
export function passParents(node: TreeNode): TreeNode {
  if (node.children.length === 0) return node;
  const children = node.children.map(passParents);
  return { ...node, children, passes: children.every(({ passes }) => passes) };
}

/** The text of `tree.json`: fields in a fixed order, children sorted, a line break at the end. */
export function renderTree(tree: TreeNode): string {
  return `${JSON.stringify(canonicalNode(tree), null, 2)}\n`;
}

/** A node with its fields in a fixed order and its children sorted. */
export function canonicalNode(node: TreeNode): TreeNode {
  return {
    id: node.id,
    order: node.order,
    title: node.title,
    goal: node.goal,
    acceptance: [...node.acceptance],
    passes: node.passes,
    attempts: node.attempts,
    max_attempts: node.max_attempts,
    ...(node.role === undefined ? {} : { role: node.role }),
    children: [...node.children].sort(compareNodes).map(canonicalNode),
  };
}

/** One node in a list of the tree. */
export interface TreeLine {
  /** 0 for the root. */
  readonly depth: number;
  readonly node: TreeNode;
  /** `selected` is the next leaf, `stuck` one without attempts left. */
  readonly mark: 'passed' | 'open' | 'selected' | 'stuck';
}

/** Lines of the summary at most. */
const MAX_LINES = 80;
const MAX_TITLE = 60;
/** How a line of the summary begins. */
const MARKS: Readonly<Record<TreeLine['mark'], string>> = {
  passed: '[x]',
  open: '[ ]',
  selected: '[>]',
  stuck: '[!]',
};

/** All nodes, one for each line, parents before their children. */
export function treeLines(tree: TreeNode, selected: string | null, depth = 0): readonly TreeLine[] {
  const isStuck = tree.children.length === 0 && !tree.passes && tree.attempts >= tree.max_attempts;
  const mark = tree.passes ? 'passed' : isStuck ? 'stuck' : tree.id === selected ? 'selected' : 'open';
  const below = tree.children.flatMap((child) => treeLines(child, selected, depth + 1));
  return [{ depth, node: tree, mark }, ...below];
}

/** The tree in few lines: nodes below a passed one and nodes far from the selected one are left out. */
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
