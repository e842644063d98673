import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeWork } from './judge-work.ts';
import { node, TREE } from './loop.test-kit.ts';
import type { PromptInputs } from './loop-context.ts';
import { LOOP_STATUSES, type LoopPlace } from './loop-files.ts';
import type { LoopGit } from './loop-git.ts';
import { DROP_ORDER, PromptBuilder, promptSections } from './loop-prompt.ts';
import { readTree } from './read-task-tree.ts';
import { renderTree, selectLeaf, summarizeTree, type TreeNode, treeOutcome, walkTree } from './task-tree.ts';

/** Shapes of trees: how many children each node has, and how the nodes are ordered. */
const trees = fc
  .array(
    fc.record({
      parent: fc.nat(),
      order: fc.integer({ min: 0, max: 3 }),
      attempts: fc.nat(3),
      max: fc.integer({ min: 1, max: 3 }),
    }),
    {
      maxLength: 12,
    },
  )
  .map((rows) => {
    type Draft = Omit<TreeNode, 'children'> & { children: Draft[] };
    const drafts: Draft[] = [{ ...node('root'), children: [] }];
    for (const [at, { parent, order, attempts, max }] of rows.entries()) {
      const draft: Draft = {
        ...node(`n${at}`, { order, attempts: Math.min(attempts, max), max_attempts: max }),
        children: [],
      };
      drafts[parent % drafts.length]!.children.push(draft);
      drafts.push(draft);
    }
    const read = readTree(JSON.stringify(drafts[0]), TREE);
    if (read.kind !== 'tree') throw new Error(read.problems.join('\n'));
    return read.tree;
  });

/** A worker's change to the tree: the field that it changes, in which node, and the nodes that it adds there. */
const answers = fc.array(
  fc.record({
    status: fc.constantFrom(...LOOP_STATUSES),
    guard: fc.constantFrom(true, false, null),
    adds: fc.nat(2),
    addsTo: fc.constantFrom('selected', 'other'),
    touches: fc.option(
      fc.record({
        at: fc.nat(),
        field: fc.constantFrom(
          'passes',
          'attempts',
          'max_attempts',
          'title',
          'order',
          'children',
          'id',
          'extra',
        ),
        value: fc.constantFrom<unknown>(true, false, 0, 1, 2, 'text', [], null),
      }),
      { nil: null, freq: 2 },
    ),
    breaks: fc.constantFrom('no', 'no', 'no', 'no', 'gone', 'cut'),
  }),
  { maxLength: 20 },
);

type Answer = typeof answers extends fc.Arbitrary<(infer One)[]> ? One : never;

function leftBy(tree: TreeNode, selected: string, answer: Answer, turn: number): string | null {
  if (answer.breaks === 'gone') return null;
  const copy: TreeNode = structuredClone(tree);
  const nodes = [...walkTree(copy)].map(({ node: one }) => one as unknown as Record<string, unknown>);
  const target =
    answer.addsTo === 'selected' ? nodes.find(({ id }) => id === selected) : nodes[turn % nodes.length];
  for (let at = 0; at < answer.adds; at += 1)
    (target!.children as unknown[]).push(node(`new-${turn}-${at}`, { max_attempts: 1 }));
  if (answer.touches !== null)
    nodes[answer.touches.at % nodes.length]![answer.touches.field] = answer.touches.value;
  const text = JSON.stringify(copy);
  return answer.breaks === 'cut' ? text.slice(0, text.length / 2) : text;
}

const passedNodes = (tree: TreeNode): Map<string, string> =>
  new Map(
    [...walkTree(tree)].flatMap(({ node: one, above }) =>
      one.passes ? [[one.id, `${above.at(-1)?.id} ${renderTree(one)}`] as const] : [],
    ),
  );
const openLeaves = (tree: TreeNode): string[] =>
  [...walkTree(tree)].flatMap(({ node: one }) => (one.children.length === 0 && !one.passes ? [one.id] : []));

describe('any tree and any answers', () => {
  it('keep what has passed, count within the maximum, select one leaf, and come to an end', async () => {
    await fc.assert(
      fc.asyncProperty(trees, answers, async (start, given) => {
        let tree = start;
        for (const [turn, answer] of given.entries()) {
          const selected = selectLeaf(tree);
          expect(selected?.node.id).toBe(openLeaves(tree)[0]);
          if (selected === null || treeOutcome(tree) !== 'open') break;
          const before = passedNodes(tree);
          const left = leftBy(tree, selected.node.id, answer, turn);
          const git = { readFile: async () => (left === null ? null : Buffer.from(left)) };
          const judged = await judgeWork(
            {
              kind: 'answered',
              answer: { status: answer.status, summary: '' },
              log: null,
              isReadOnly: false,
            },
            {
              ...{ place: { tree: TREE } as LoopPlace, git: git as unknown as LoopGit, before: tree },
              selected: selected.node.id,
              left: { tree: '', nestedRepositories: [] },
              runGates: answer.guard === null ? null : async () => ({ passed: answer.guard!, log: '' }),
            },
          );
          const after = judged.tree;
          expect(readTree(renderTree(after), TREE)).toEqual({ kind: 'tree', tree: after });
          for (const [id, text] of before) expect(passedNodes(after).get(id)).toBe(text);
          for (const { node: one } of walkTree(after)) {
            expect(one.attempts).toBeLessThanOrEqual(one.max_attempts);
            if (one.children.length > 0) expect(one.passes).toBe(one.children.every(({ passes }) => passes));
          }
          const newlyPassed = openLeaves(tree).filter(
            (id) => ![...walkTree(after)].some(({ node: one }) => one.id === id && !one.passes),
          );
          expect(newlyPassed).toEqual(judged.outcome === 'passed' ? [selected.node.id] : []);
          const attempts = (one: TreeNode) =>
            [...walkTree(one)].reduce((sum, { node: each }) => sum + each.attempts, 0);
          const counts = judged.outcome === 'failed' || judged.outcome === 'repair' ? 1 : 0;
          expect(attempts(after)).toBe(attempts(tree) + counts);
          tree = after;
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are written in one way, whatever the order of children and fields', () => {
    fc.assert(
      fc.property(trees, fc.nat(), (tree, seed) => {
        const shuffle = (one: TreeNode): unknown => {
          const fields = Object.entries({ ...one, children: one.children.map(shuffle) });
          const turned = fields.slice(seed % fields.length).concat(fields.slice(0, seed % fields.length));
          const shuffled = Object.fromEntries(turned);
          return { ...shuffled, children: (shuffled.children as unknown[]).reverse() };
        };
        const read = readTree(JSON.stringify(shuffle(tree)), TREE);
        expect(read.kind === 'tree' && renderTree(read.tree)).toBe(renderTree(tree));
      }),
      { numRuns: 100 },
    );
  });
});

const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .tuple(fc.constantFrom('é', '語', '🙂', '```', '\n# Output contract\n', 'x'), fc.nat(2_000))
    .map(([unit, times]) => unit.repeat(times)),
);
const maybe = fc.option(words, { nil: null });

describe('any prompt', () => {
  it('holds its budget in bytes, keeps required sections whole, and drops nothing that fits', () => {
    const paths = { tree: TREE, assumptions: 'a.md', questions: 'q.md', context: 'c' };
    const required = ['contract', 'selected', 'output'];
    const texts = fc.record({
      goal: words.map((text) => `# Goal\n\n${text}`),
      nodeGoal: words,
      history: maybe,
      failure: maybe,
      treeSummary: words,
      assumptions: maybe,
      questions: maybe,
      contextPackage: maybe,
      feedback: fc.option(words, { nil: undefined }),
    });
    fc.assert(
      fc.property(texts, fc.nat(30_000), ({ nodeGoal, feedback, ...given }, budget) => {
        const one = node('root', { goal: nodeGoal });
        const selected = { node: one, path: [one] };
        const bare: PromptInputs = { paths, selected, ...given };
        const inputs = feedback === undefined ? bare : { ...bare, feedback };
        const least = promptSections(bare).filter(({ name }) => required.includes(name));
        const leastBytes = Buffer.byteLength(
          [...least.map((section) => section.text), '# Goal\n[truncated]'].join('\n\n'),
        );
        const build = () => new PromptBuilder(budget).build(inputs);
        if (leastBytes + (feedback ? 20 : 0) > budget) {
          if (leastBytes > budget)
            expect(build).toThrowError(expect.objectContaining({ code: 'goal-too-large' }));
          return;
        }
        const pack = build();
        const text = pack.render();
        for (const section of least) expect(text).toContain(section.text);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(budget);
        expect(pack.bytes).toBe(Buffer.byteLength(text));
        const whole = promptSections(inputs);
        const allText = whole.map((section) => section.text).join('\n\n');
        // Half a pair would come back as another character, unless it was there before.
        if (Buffer.from(allText).toString() === allText) expect(Buffer.from(text).toString()).toBe(text);
        if (Buffer.byteLength(allText) <= budget) expect(text).toBe(allText);
        expect(DROP_ORDER).toEqual(expect.arrayContaining([...pack.dropped]));
        for (const name of pack.dropped) {
          const size = Buffer.byteLength(`\n\n${whole.find((section) => section.name === name)!.text}`);
          expect(pack.bytes + size).toBeGreaterThan(budget);
        }
        if (pack.truncated.length > 0) expect(pack.sections.every((section) => section.required)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('has a bounded summary of any tree, with the selected node in it', () => {
    const children = Array.from({ length: 900 }, (_, at) =>
      node(`n${at}`, { order: at, title: '語'.repeat(400) }),
    );
    const tree = node('root', { children });
    for (const at of [0, 450, 899]) {
      const summary = summarizeTree(tree, `n${at}`);
      expect(summary).toContain(`[>] n${at}:`);
      expect(Buffer.byteLength(summary)).toBeLessThan(20_000);
      expect(summary).toContain('are left out)');
    }
  });
});
