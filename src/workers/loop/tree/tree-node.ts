/** One task of the tree. The field names are those of `tree.json`. */
export interface TreeNode {
  readonly id: string;
  /** Among its siblings; equal ones go by id. */
  readonly order: number;
  readonly title: string;
  readonly goal: string;
  readonly acceptance: readonly string[];
  /** Set by the loop alone. */
  readonly passes: boolean;
  /** How often it did not pass; counted by the loop alone. */
  readonly attempts: number;
  readonly max_attempts: number;
  /** Who works on it, when not the role that the loop was started with. */
  readonly role?: string;
  /** Sorted by order, then id. */
  readonly children: readonly TreeNode[];
}

export const DEFAULT_MAX_ATTEMPTS = 3;

export function compareNodes(one: TreeNode, other: TreeNode): number {
  return one.order - other.order || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}

/** Every node with those above it, parents before their children. */
export function* walkTree(
  node: TreeNode,
  above: readonly TreeNode[] = [],
): Generator<{ readonly node: TreeNode; readonly above: readonly TreeNode[] }> {
  yield { node, above };
  for (const child of node.children) yield* walkTree(child, [...above, node]);
}

export function nodeById(tree: TreeNode, id: string): TreeNode | null {
  for (const { node } of walkTree(tree)) if (node.id === id) return node;
  return null;
}
