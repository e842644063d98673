import { describe, expect, it } from 'vitest';
import { type GatesOutcome, judgeWork } from './judge-work.ts';
import { node, TREE } from './loop.test-kit.ts';
import type { LoopPlace, LoopStatus } from './loop-files.ts';
import type { LoopGit } from './loop-git.ts';
import { renderTree, type TreeNode } from './task-tree.ts';

const before = node('root', {
  children: [
    node('old', { order: 1, passes: true, children: [node('older', { passes: true })] }),
    node('now', { order: 2 }),
    node('later', { order: 3 }),
  ],
});

/** The tree with one node changed. */
function edited(id: string, change: Record<string, unknown>, tree: TreeNode = before): TreeNode {
  const children = tree.children.map((child) => edited(id, change, child));
  return tree.id === id ? ({ ...tree, children, ...change } as TreeNode) : { ...tree, children };
}

function judge(status: LoopStatus, left: string | null, guard: GatesOutcome | null = null) {
  const git = { readFile: async () => (left === null ? null : Buffer.from(left)) } as unknown as LoopGit;
  return judgeWork(
    { kind: 'answered', answer: { status, summary: 'said' }, log: null, isReadOnly: false },
    {
      ...{ place: { tree: TREE } as LoopPlace, git, before, selected: 'now' },
      left: { tree: '', nestedRepositories: [] },
      runGates: guard && (async () => guard),
    },
  );
}

describe('a tree that is not accepted', () => {
  it.each<[string, LoopStatus, TreeNode | string | null, string]>([
    ['broken JSON', 'done', '{"id":', 'tree.json:1:7'],
    ['no tree', 'done', null, 'is missing'],
    ['an unknown field', 'done', edited('later', { pases: true }), 'did you mean "passes"'],
    ['a wrong type', 'done', edited('later', { order: '1' }), 'children[2].order'],
    ['an id that is used twice', 'decomposed', edited('now', { children: [node('later')] }), 'used twice'],
    ['a node that passes itself', 'done', edited('now', { passes: true }), 'passes of "now" was changed'],
    ['another node that passes', 'done', edited('later', { passes: true }), 'passes of "later" was changed'],
    ['attempts taken back', 'retry', edited('later', { attempts: 1 }), 'attempts of "later" was changed'],
    ['more attempts', 'retry', edited('now', { max_attempts: 9 }), 'max_attempts of "now" was changed'],
    ['an easier goal', 'done', edited('now', { acceptance: [] }), 'acceptance of "now" was changed'],
    ['an easier goal above', 'done', edited('root', { goal: 'less' }), 'goal of "root" was changed'],
    ['a passed node', 'done', edited('older', { title: 'x' }), '"older" has passed and was changed'],
    ['a child of a passed node', 'done', edited('old', { children: [] }), '"older" was removed'],
    [
      'a node removed',
      'done',
      edited('root', { children: before.children.slice(0, 2) }),
      '"later" was removed',
    ],
    ['decomposed without children', 'decomposed', before, 'no child was added to "now"'],
    ['done with children', 'done', edited('now', { children: [node('new')] }), 'only the status decomposed'],
    [
      'retry with children',
      'retry',
      edited('now', { children: [node('new')] }),
      'only the status decomposed',
    ],
    [
      'a new node that passes',
      'decomposed',
      edited('now', { children: [node('new', { passes: true })] }),
      'is new',
    ],
    [
      'a node moved',
      'done',
      edited(
        'later',
        { children: [node('now')] },
        edited('root', { children: [before.children[0], node('later')] }),
      ),
      '"now" was moved',
    ],
  ])('%s', async (_, status, left, problem) => {
    const text = typeof left === 'string' || left === null ? left : JSON.stringify(left);
    const { outcome, guard, tree, failureLog, takesWork } = await judge(status, text);
    expect({ outcome, guard, takesWork }).toEqual({ outcome: 'repair', guard: 'fail', takesWork: true });
    expect(failureLog).toContain(problem);
    expect(renderTree(tree)).toBe(renderTree(edited('now', { attempts: 1 })));
  });
});

describe('a tree that is accepted', () => {
  it('may say more about open nodes and hold new ones elsewhere', async () => {
    const tree = edited('later', { goal: 'clearer', order: 9, children: [node('below')] });
    const judged = await judge('done', JSON.stringify(tree), { passed: true, log: 'fine' });
    expect(judged).toMatchObject({ outcome: 'passed', guard: 'pass', gatesLog: 'fine', failureLog: null });
    expect(renderTree(judged.tree)).toBe(renderTree(edited('now', { passes: true }, tree)));
  });

  it.each<[LoopStatus, GatesOutcome | null, Record<string, unknown>, Partial<TreeNode>]>([
    ['done', { passed: true, log: '' }, { outcome: 'passed', guard: 'pass' }, { passes: true, attempts: 0 }],
    [
      'done',
      { passed: false, log: 'no' },
      { outcome: 'failed', guard: 'fail' },
      { passes: false, attempts: 1 },
    ],
    ['done', null, { outcome: 'passed', guard: 'skipped' }, { passes: true, attempts: 0 }],
    [
      'retry',
      { passed: true, log: '' },
      { outcome: 'failed', guard: 'skipped' },
      { passes: false, attempts: 1 },
    ],
  ])('%s, guard %j', async (status, guard, result, after) => {
    const judged = await judge(status, renderTree(before), guard);
    expect(judged).toMatchObject({ ...result, status, summary: 'said' });
    expect(judged.tree.children[1]).toMatchObject(after);
  });
});
