import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSafeRoot } from '../../src/platform/fs/safe-root.ts';
import { node } from '../../src/workers/loop/loop.test-kit.ts';
import {
  contextPayload,
  gatherPromptInputs,
  type PromptInputs,
  writeContextFiles,
} from '../../src/workers/loop/loop-context.ts';
import { openLoopPlace, type RunState, readFailure } from '../../src/workers/loop/loop-files.ts';
import {
  buildLoopPrompt,
  DEFAULT_PROMPT_BYTES,
  DROP_ORDER,
  PromptBuilder,
  promptSections,
  type SectionName,
} from '../../src/workers/loop/loop-prompt.ts';
import type { TreeNode } from '../../src/workers/loop/task-tree.ts';
import { temporaryFolder } from '../support/temporary-repository.ts';

const EXAMPLE = node('auth', {
  title: 'Implement user authentication',
  goal: 'Add JWT-based auth to the API',
  acceptance: [
    'POST /login returns JWT token',
    'Protected routes require valid token',
    'Token expires after 24 hours',
  ],
});
const SUMMARY = `Implemented login endpoint but tests fail due to missing
bcrypt dependency. Need to add bcrypt to Cargo.toml.`;
const FAILURE = `error[E0432]: unresolved import \`bcrypt\`
 --> src/auth.rs:3:5
  |
3 | use bcrypt::hash;
  |     ^^^^^^ use of undeclared crate
`;

const GOAL_MD = `# Goal

title: Implement user authentication
goal: Add JWT-based auth to the API
acceptance:
- POST /login returns JWT token
- Protected routes require valid token
- Token expires after 24 hours
`;
const HISTORY_MD = `# History (previous attempt)

Implemented login endpoint but tests fail due to missing
bcrypt dependency. Need to add bcrypt to Cargo.toml.
`;
const FAILURE_MD = `# Failure (previous attempt)

error[E0432]: unresolved import \`bcrypt\`
 --> src/auth.rs:3:5
  |
3 | use bcrypt::hash;
  |     ^^^^^^ use of undeclared crate
`;

const RUN = { run_id: 'r', next_iter: 2 };
const FRESH: RunState = { ...RUN, last_status: null, last_summary: null, last_guard: null };
const RETRY: RunState = { ...RUN, last_status: 'retry', last_summary: SUMMARY, last_guard: 'skipped' };
const FAILED: RunState = { ...RUN, last_status: 'done', last_summary: SUMMARY, last_guard: 'fail' };
const BOTH: RunState = { ...RUN, last_status: 'retry', last_summary: SUMMARY, last_guard: 'fail' };

function runner() {
  const { path, write } = temporaryFolder();
  return { path, write, place: openLoopPlace(openSafeRoot(path), '.runner') };
}

function written(state: RunState, logs: Record<string, string> = { 'failure.log': FAILURE }) {
  const { path, write, place } = runner();
  for (const [name, content] of Object.entries(logs)) write(`.runner/iterations/r/1/${name}`, content);
  write('.runner/context/left-over.md', 'of an earlier iteration');
  const failureLog = readFailure(place, state.run_id, state.next_iter - 1);
  writeContextFiles(place, contextPayload({ node: EXAMPLE, state, failureLog }));
  const folder = join(path, '.runner/context');
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

describe('1. Ephemeral Context Files', () => {
  it('goal.md, history.md and failure.md of the examples, byte for byte', () => {
    expect(written(BOTH)).toEqual({ 'goal.md': GOAL_MD, 'history.md': HISTORY_MD, 'failure.md': FAILURE_MD });
  });

  it('goal.md: always; from title, goal and acceptance of the selected node', () => {
    expect(written(FRESH)).toEqual({ 'goal.md': GOAL_MD });
  });

  it('history.md: run_state.last_summary, only when last_status == Retry', () => {
    expect(written(RETRY)).toEqual({ 'goal.md': GOAL_MD, 'history.md': HISTORY_MD });
    for (const last_status of ['done', 'decomposed', null] as const)
      expect(written({ ...RETRY, last_status })).not.toHaveProperty(['history.md']);
  });

  it("failure.md: previous iteration's failure.log, only when last_guard == Fail", () => {
    expect(written(FAILED)).toEqual({ 'goal.md': GOAL_MD, 'failure.md': FAILURE_MD });
    for (const last_guard of ['pass', 'skipped', null] as const)
      expect(written({ ...FAILED, last_guard })).not.toHaveProperty(['failure.md']);
  });

  it('failure.md: fallback guard.log', () => {
    expect(written(FAILED, { 'guard.log': FAILURE })).toHaveProperty(['failure.md'], FAILURE_MD);
    const both = { 'guard.log': 'everything it said\n', 'failure.log': FAILURE };
    expect(written(FAILED, both)).toHaveProperty(['failure.md'], FAILURE_MD);
  });

  it('cleared and rewritten every iteration', () => {
    expect(Object.keys(written(FRESH))).toEqual(['goal.md']);
  });
});

const ALL: SectionName[] = [
  ...(['contract', 'goal', 'history', 'failure', 'selected', 'tree', 'assumptions', 'questions'] as const),
  ...(['package', 'output'] as const),
];
const ROOT: TreeNode = node('root', { children: [EXAMPLE, node('later', { order: 1 })] });

function inputs(state: RunState = BOTH): PromptInputs {
  const { place, write } = runner();
  write('.runner/state/assumptions.md', 'Tokens are signed with HS256.\n');
  write('.runner/state/questions.md', 'Which key store?\n');
  const context = contextPayload({ node: EXAMPLE, state, failureLog: FAILURE });
  const selected = { node: EXAMPLE, path: [ROOT, EXAMPLE] };
  return {
    ...gatherPromptInputs(place, ROOT, selected, context),
    contextPackage: '# Context package\n\nfiles',
  };
}

describe('2. Prompt Pack Assembly', () => {
  it('Section Order (Deterministic)', () => {
    const pack = new PromptBuilder().build(inputs());
    expect(pack.sections.map(({ name }) => name)).toEqual(ALL);
    expect(pack.render()).toBe(pack.sections.map(({ text }) => text).join('\n\n'));
    expect(new PromptBuilder().build(inputs()).render()).toBe(pack.render());
  });

  it.each<[number, SectionName, boolean, string]>([
    [1, 'contract', true, '# Runner contract'],
    [2, 'goal', true, GOAL_MD.trim()],
    [3, 'history', false, SUMMARY],
    [4, 'failure', false, FAILURE.trim()],
    [5, 'selected', true, 'path: root > auth\nid: auth\ntitle: Implement user authentication\ngoal: Add JWT'],
    [6, 'tree', false, '- [ ] root: Title of root\n  - [>] auth: Implement user authentication'],
    [7, 'assumptions', false, 'Tokens are signed with HS256.'],
    [8, 'questions', false, 'Which key store?'],
    [9, 'output', true, '# Output contract'],
  ])('section %i, %s: required %s', (number, name, required, text) => {
    const nine = promptSections(inputs()).filter((section) => section.name !== 'package');
    expect(nine[number - 1]).toMatchObject({ name, required, text: expect.stringContaining(text) });
  });

  it('default 40KB', () => expect(new PromptBuilder().budgetBytes).toBe(40 * 1024));
  it('default 40KB is the default of the setting', () => expect(DEFAULT_PROMPT_BYTES).toBe(40_960));

  it('droppable sections are removed in priority order: tree, assumptions, questions, history, failure', () => {
    // Each smaller than those that went before it, so that none of them fits again.
    const whole = {
      ...inputs(),
      treeSummary: 'x'.repeat(3_000),
      assumptions: 'x'.repeat(2_500),
      questions: 'x'.repeat(2_000),
      history: 'x'.repeat(1_500),
      failure: 'x'.repeat(1_000),
    };
    const pack = new PromptBuilder(1_000_000).build(whole);
    expect(DROP_ORDER.slice(0, 5)).toEqual(['tree', 'assumptions', 'questions', 'history', 'failure']);
    let bytes = pack.bytes;
    for (const [at, name] of DROP_ORDER.entries()) {
      const dropped = new PromptBuilder(bytes - 1).build(whole);
      expect(new Set(dropped.dropped)).toEqual(new Set(DROP_ORDER.slice(0, at + 1)));
      expect(dropped.truncated).toEqual([]);
      expect(new PromptBuilder(bytes).build(whole).dropped).toHaveLength(at);
      bytes = dropped.bytes;
      expect(dropped.sections.map((section) => section.name)).not.toContain(name);
    }
  });

  it('a dropped section is restored when it still fits', () => {
    const whole = { ...inputs(), contextPackage: null, assumptions: 'x'.repeat(5_000) };
    const pack = new PromptBuilder(5_000).build(whole);
    expect(pack.dropped).toEqual(['assumptions']);
    expect(pack.sections.map(({ name }) => name)).toContain('tree');
  });

  it('required sections (contract, goal, selected, output) are never dropped; the goal is truncated, the others stay whole', () => {
    const whole = inputs();
    const required = promptSections(whole).filter((section) => section.required);
    expect(required.map(({ name }) => name)).toEqual(['contract', 'goal', 'selected', 'output']);
    const bytes = Buffer.byteLength(required.map(({ text }) => text).join('\n\n'));
    const pack = new PromptBuilder(bytes - 100).build(whole);
    expect(pack.sections.map(({ name }) => name)).toEqual(['contract', 'goal', 'selected', 'output']);
    expect(pack.truncated).toEqual(['goal']);
    expect(pack.sections[1]?.text).toMatch(/\n\[truncated\]$/);
    expect(pack.bytes).toBe(Buffer.byteLength(pack.render()));
    expect(pack.bytes).toBeLessThanOrEqual(bytes - 100);
  });
});

describe('the loop drops nothing that fits', () => {
  it.each([10_000, 28_000, 29_000, 34_000])(
    'assumptions of %i bytes stay, and the package takes the rest',
    async (bytes) => {
      const given = { ...inputs(FRESH), contextPackage: null, assumptions: '- one\n'.repeat(bytes / 6) };
      const rooms: number[] = [];
      const { pack, textWith } = await buildLoopPrompt(given, 40_960, async (_, room) => {
        rooms.push(room);
        return { id: 'p', text: 'f'.repeat(room) };
      });
      expect(pack.dropped).toEqual([]);
      expect(pack.bytes).toBeGreaterThan(40_800);
      expect(pack.bytes).toBeLessThanOrEqual(40_960);
      expect(rooms).toHaveLength(1);
      expect(Buffer.byteLength(textWith('Your answer did not have the form.'))).toBeLessThanOrEqual(40_960);
      expect(textWith('Your answer did not have the form.')).toContain('did not have the form');
    },
  );
});

describe('Key Design Decisions', () => {
  it('1. Ephemeral vs persistent separation: state/ stays when context/ is cleared', () => {
    const { path, write, place } = runner();
    write('.runner/state/assumptions.md', 'kept\n');
    write('.runner/state/questions.md', 'kept\n');
    writeContextFiles(place, contextPayload({ node: EXAMPLE, state: BOTH, failureLog: FAILURE }));
    writeContextFiles(place, contextPayload({ node: EXAMPLE, state: FRESH, failureLog: null }));
    expect(readdirSync(join(path, '.runner')).sort()).toEqual(['context', 'state']);
    expect(readdirSync(join(path, '.runner/context'))).toEqual(['goal.md']);
    expect(place.readText(place.assumptions)).toBe('kept\n');
    expect(existsSync(join(path, place.questions))).toBe(true);
  });

  it('2. Deterministic ordering: the same state gives the same bytes', () => {
    const texts = Array.from({ length: 3 }, () => new PromptBuilder(6_000).build(inputs()).render());
    expect(new Set(texts).size).toBe(1);
  });

  it('3. Graceful degradation: only a budget without room for the required sections is an error', () => {
    for (const bytes of [0, 1, 12, 13, 100, 1_000])
      expect(() => new PromptBuilder(bytes).build(inputs())).toThrowError(
        expect.objectContaining({ code: 'goal-too-large', message: expect.stringContaining(`${bytes}`) }),
      );
    for (const bytes of [4_000, 4_500, 5_000, 6_000])
      expect(Buffer.byteLength(new PromptBuilder(bytes).build(inputs()).render())).toBeLessThanOrEqual(bytes);
  });

  it('4. Required bookends: contract at the top, output instructions at the bottom', () => {
    const { sections } = new PromptBuilder().build(inputs());
    expect([sections[0]?.name, sections.at(-1)?.name]).toEqual(['contract', 'output']);
  });
});
