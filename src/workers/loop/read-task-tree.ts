// Reads and checks a task tree: the JSON of `tree.json`, and the changes that a worker made to it. A worker may add
// nodes, and may not rewrite the goals that it is judged by.
import { LoadoutError } from '../../model/loadout-error.ts';
import { object } from '../../schema/object-schema.ts';
import { parseJsonDocument } from '../../schema/parse-json-document.ts';
import { pointerTo } from '../../schema/parsed-document.ts';
import {
  checked,
  integer,
  isJsonObject,
  list,
  matching,
  optional,
  prepared,
  recursive,
  type Schema,
  truth,
} from '../../schema/schema.ts';
import { readValue, showPath } from '../../schema/value-issues.ts';
import type { LoopStatus } from './loop-files.ts';
import { canonicalNode, DEFAULT_MAX_ATTEMPTS, renderTree, type TreeNode, walkTree } from './task-tree.ts';

/** A tree, or every problem with it as a line for a message. */
type ReadTree =
  | { readonly kind: 'tree'; readonly tree: TreeNode }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/** A larger tree is a mistake, and would fill every prompt. */
const MAX_NODES = 1_000;
const MAX_LEVELS = 16;
/** Problems that a message lists. */
const SHOWN_PROBLEMS = 12;

/** Reads `tree.json`: the tree with its children sorted, or everything that is wrong with it. */
export function readTree(text: string, name: string): ReadTree {
  const problems: string[] = [];
  let tree: TreeNode | null = null;
  try {
    const { value, positions } = parseJsonDocument(text, name);
    const read = readValue(treeSchema, value);
    for (const { path, expected, received } of read.kind === 'read' ? [] : read.issues) {
      // Problems name the place in the file, because people write trees by hand.
      const { line, column } = positions.get(path.reduce<string>(pointerTo, '')) ?? { line: 1, column: 1 };
      const place = path.length === 0 ? 'the tree' : showPath(path);
      problems.push(`${name}:${line}:${column}: ${place}: expected ${expected}, got ${received}`);
    }
    if (read.kind === 'read') tree = canonicalNode(withoutEmptyRoles(read.value));
  } catch (error) {
    if (!(error instanceof LoadoutError)) throw error;
    problems.push(error.message);
  }
  if (tree !== null) problems.push(...contradictions(tree).map((problem) => `${name}: ${problem}`));
  if (tree !== null && problems.length === 0) return { kind: 'tree', tree };
  const more = problems.length - SHOWN_PROBLEMS;
  const shown = problems.slice(0, SHOWN_PROBLEMS);
  return { kind: 'invalid', problems: more > 0 ? [...shown, `and ${more} more`] : shown };
}

/** Reads `tree.json`. Throws an error that a user can act on when it is not valid. */
export function needTree(
  text: string,
  name: string,
  hint = `correct ${name}, or restore its last committed version: git checkout HEAD -- ${name}`,
): TreeNode {
  const read = readTree(text, name);
  if (read.kind === 'tree') return read.tree;
  throw new LoadoutError('bad-tree', `the task tree is not valid:\n${read.problems.join('\n')}`, {
    subject: name,
    hint,
  });
}

/** The schema reads an absent role as an empty one. */
function withoutEmptyRoles({ role, ...node }: TreeNode): TreeNode {
  const children = node.children.map(withoutEmptyRoles);
  return role ? { ...node, role, children } : { ...node, children };
}

/** Problems that the schema cannot find: ids used twice, counts that do not fit, parents that pass too early. */
function contradictions(tree: TreeNode): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  let count = 0;
  for (const { node, above } of walkTree(tree)) {
    const id = JSON.stringify(node.id);
    count += 1;
    if (seen.has(node.id)) problems.push(`the id ${id} is used twice`);
    seen.add(node.id);
    if (node.attempts > node.max_attempts)
      problems.push(`${id} has ${node.attempts} attempts, more than its max_attempts ${node.max_attempts}`);
    if (above.length === MAX_LEVELS) problems.push(`${id} is deeper than ${MAX_LEVELS} levels`);
    if (node.passes && node.children.some(({ passes }) => !passes))
      problems.push(`${id} passes, but not all of its children do`);
  }
  if (count > MAX_NODES) problems.push(`the tree has ${count} nodes; at most ${MAX_NODES} are allowed`);
  return problems;
}

/** The largest value that a user may set. */
const MAX_ATTEMPTS = 1_000;
/** An id becomes part of commit messages and of paths. */
const ID = /^[A-Za-z0-9][\w.-]{0,63}$/;
/** The name of a role. */
const ROLE = /^[A-Za-z0-9][\w-]{0,63}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const NOT_ONE_LINE = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/;

const whole = (least: number, most: number): Schema<number> =>
  integer({ min: least, max: most }, `a whole number from ${least} to ${most}`);
const line: Schema<string> = checked(
  { type: 'string' },
  'one line of text',
  (value) => typeof value === 'string' && value.trim() !== '' && !NOT_ONE_LINE.test(value),
);

/** A child without an `order` gets its place in the list. */
function withOrder(children: unknown): unknown {
  if (!Array.isArray(children)) return children;
  return children.map((node, order) => (isJsonObject(node) ? { order, ...node } : node));
}

const child = recursive('a node', () => treeSchema);

/** Strict: a field that is not known here is a mistake. What the loop counts may be left out of a tree written by hand. */
const treeSchema: Schema<TreeNode> = object(
  { title: 'TreeNode' },
  {
    id: matching(ID, 'letters, digits, ".", "_" and "-", at most 64'),
    order: optional(whole(-1_000_000, 1_000_000), () => 0),
    title: line,
    goal: checked<string>(
      { type: 'string' },
      'a text',
      (value) => typeof value === 'string' && !value.includes('\0'),
    ),
    acceptance: list(line),
    passes: optional(truth(), () => false),
    attempts: optional(whole(0, MAX_ATTEMPTS), () => 0),
    max_attempts: optional(whole(1, MAX_ATTEMPTS), () => DEFAULT_MAX_ATTEMPTS),
    role: optional(matching(ROLE, 'the name of a role'), () => ''),
    children: optional(prepared(list(child), withOrder), () => []),
  },
);

/** A node and the id of its parent. */
interface Placed {
  readonly node: TreeNode;
  readonly parent: string | null;
}

/** The changes to the tree that a worker was not allowed to make; empty when all are accepted. Both trees are valid. */
export function checkTreeChange(
  before: TreeNode,
  after: TreeNode,
  selected: string,
  status: LoopStatus,
): readonly string[] {
  // Nothing may be removed or moved. Nodes that passed stay as they are.
  const [old, now] = [placesIn(before), placesIn(after)];
  // The selected node and the nodes above it are the words that the worker is judged by.
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

/** Only the loop changes the counts. A worker may not change the words that it is judged by. */
function fieldChanges(before: TreeNode, after: TreeNode, isJudged: boolean): string[] {
  const fixed = ['passes', 'attempts', 'max_attempts'] as const;
  const wording = ['order', 'title', 'goal', 'acceptance', 'role'] as const;
  return [...fixed, ...(isJudged ? wording : [])]
    .filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => `${field} of "${before.id}" was changed`);
}

/** All nodes by id, with their parents. */
function placesIn(tree: TreeNode): Map<string, Placed> {
  const placed = [...walkTree(tree)].map(({ node, above }) => [
    node.id,
    { node, parent: above.at(-1)?.id ?? null },
  ]);
  return new Map(placed as [string, Placed][]);
}
