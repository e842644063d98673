import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PromptFixture, promptFixture } from './prompt-fixture.test-kit.ts';
import type { Prompt } from './prompt-parts.ts';

const functions = (count: number) =>
  Array.from(
    { length: count },
    (_, at) =>
      `def f${at}(a, b):\n    total = a * ${(at * 37) % 991} + b\n    return total - ${(at * 13) % 97}\n`,
  ).join('\n');

let environment: PromptFixture;
beforeAll(() => {
  environment = promptFixture({
    'target.py': `from dep import f1\n${functions(250)}`,
    'other.py': functions(300),
    'dep.py': functions(40),
    'small.py': 'from dep import f2\n',
  });
  environment.write('other.py', functions(300).replaceAll('total', 'sum'));
  environment.git('add', '--all');
});
afterAll(() => environment.remove());

const part = ({ parts }: Prompt, key: string) => parts.find((one) => one.key === key);
const defined = (text: string) => (text.match(/^def /gm) ?? []).length;

describe('the budget of a prompt', () => {
  it('is used when targets and the staged change are too large together', async () => {
    const role = await environment.role('small', 'extends: implementer\ncontext: {token_budget: 14000}\n');
    const prompt = await environment
      .packer({ measure: 'tokens' })
      .buildPrompt(role, 'Speed up', ['target.py']);
    expect(prompt.tokenCount).toBeGreaterThan(13_000);
    expect(prompt.parts.filter(({ state }) => state === 'pruned')).toEqual([]);
    expect(prompt.text).toMatch(/\n\[Truncated \d+ lines\]/);
  });

  it('shows no less when it is larger: more in all, and more of the most important part that differs', async () => {
    const packer = environment.packer({ measure: 'tokens' });
    const sizes: Map<string, number>[] = [];
    for (let tokenBudget = 2_000; tokenBudget <= 26_000; tokenBudget += 1_500) {
      const yaml = `extends: implementer\ncontext: {token_budget: ${tokenBudget}}\n`;
      const { tokenCount, parts } = await packer.buildPrompt(
        await environment.role('growing', yaml),
        'Speed up',
        ['target.py'],
        { test_output: 'one line of the output\n'.repeat(400) },
      );
      const shown = parts.map(({ key, state, tokens }) => [key, state === 'pruned' ? 0 : tokens] as const);
      sizes.push(new Map([...shown, ['all', tokenCount]]));
    }
    for (const [at, larger] of sizes.slice(1).entries()) {
      const smaller = sizes[at]!;
      expect(larger.get('all')).toBeGreaterThanOrEqual(smaller.get('all')!);
      const differs = [...smaller.keys()].find((key) => smaller.get(key) !== larger.get(key));
      if (differs !== undefined) expect(larger.get(differs)).toBeGreaterThan(smaller.get(differs)!);
    }
  }, 60_000);

  it('never cuts a file of always_include, also when it is a target', async () => {
    const yaml = 'extends: implementer\ncontext: {always_include: [target.py], token_budget: 6500}\n';
    const role = await environment.role('protective', yaml);
    const packer = environment.packer({ measure: 'tokens' });
    const without = await packer.buildPrompt(role, 'Do it');
    const named = await packer.buildPrompt(role, 'Do it', ['target.py']);
    expect([defined(without.text), defined(named.text)]).toEqual([250, 250]);
    const roomy = await packer.buildPrompt(
      { ...role, context: { ...role.context, tokenBudget: 9_000 } },
      'Do it',
      ['target.py', 'small.py'],
    );
    expect(defined(roomy.text)).toBeGreaterThanOrEqual(250);
    expect(roomy.text).toContain('## Target Files\n\n### target.py\n\n[Shown under Required Context]');
    expect(roomy.text.match(/^def f249\(/gm)).toHaveLength(1);
  });

  it('goes to more important parts first, and a line in the text names each part that is left out', async () => {
    const yaml = (budget: number) =>
      `context: {token_budget: ${budget}, git_diff: true, include: [$CHANGED_FILES, $TARGET_IMPORTS, "*.py"], priority_order: [target_file, git_diff, changed_files, imports, related, files, tree]}\n`;
    const extra = { test_output: 'one line of the output\n'.repeat(120) };
    for (const budget of [1000, 1100, 1300, 1600, 2000, 3050, 3200]) {
      const role = await environment.role('lone', yaml(budget));
      const { text, parts } = await environment
        .packer({ measure: 'tokens' })
        .packContext(role, 'Speed up', ['small.py'], extra);
      const pruned = parts.flatMap(({ key, state }) => (state === 'pruned' ? [key] : []));
      const said = /\[Left out for the token budget: (.*)\]$/.exec(text)?.[1]?.split(', ') ?? [];
      expect(said).toEqual(pruned);
      const sizeOf = (key: string) => parts.find((one) => one.key === key)?.tokens ?? 0;
      // An unlisted part stays only where the files of the repository are in.
      if (!pruned.includes('test_output') && sizeOf('test_output') > 300)
        expect(pruned.filter((key) => key !== 'tree')).toEqual([]);
    }
  });

  it('is also reported as too small outside of the text, with and without a template', async () => {
    const task = 'A very long task. '.repeat(500);
    for (const yaml of [
      'context: {token_budget: 1000}\n',
      'extends: planner\ncontext: {token_budget: 1000}\n',
    ]) {
      const { diagnostics } = await environment
        .packer()
        .buildPrompt(await environment.role('tight', yaml), task);
      expect(diagnostics.map(({ code }) => code)).toContain('prompt-over-budget');
    }
  });

  it('never drops the feedback of a failed check: it is shortened, head and tail stay', async () => {
    const output = ['FIRST', ...Array.from({ length: 3_000 }, (_, at) => String(at)), 'LAST'].join('\n');
    for (const yaml of [
      'extends: implementer\ncontext: {token_budget: 2000}\n',
      'context: {token_budget: 1000}\n',
    ]) {
      const role = await environment.role('tiny', yaml);
      const prompt = await environment
        .packer({ measure: 'tokens' })
        .buildPrompt(role, 'Do it', ['target.py'], { test_output: output }, { keep: ['test_output'] });
      expect(prompt.text).toMatch(
        /## Test Output\n\nFIRST\n[\s\S]*\[Truncated \d+ lines\][\s\S]*\nLAST(?:\n|$)/,
      );
      expect(part(prompt, 'test_output')?.state).toBe('protected');
      expect(prompt.tokenCount).toBeLessThanOrEqual(prompt.tokenBudget);
    }
  });
});

it('the staged files are shown before the first commit', async () => {
  const fresh = promptFixture({ 'a.py': 'A = 1\n' });
  rmSync(join(fresh.repository, '.git'), { recursive: true });
  fresh.git('init', '--quiet');
  fresh.git('add', '--all');
  const { text, diagnostics } = await fresh
    .packer()
    .buildPrompt(await fresh.builtIn('reviewer'), 'Review', []);
  expect(text).toContain('## Git Diff (Staged)\n\n```diff\ndiff --git a/a.py b/a.py');
  expect(text).toContain('+A = 1');
  expect(diagnostics.map(({ code }) => code)).not.toContain('no-staged-changes');
  fresh.remove();
});

describe('the change in a prompt', () => {
  it('is that of the files on disk or of a branch, when the caller asks for it', async () => {
    const own = promptFixture({ 'a.py': 'A = 1\n', 'b.py': 'B = 1\n', 'c.py': 'C = 1\n' });
    own.git('branch', 'base');
    own.write('a.py', 'A = 2\n');
    own.git('commit', '--quiet', '--all', '--message=second');
    own.write('b.py', 'B = 2\n');
    own.git('add', '--all');
    own.write('c.py', 'C = 2\n');
    const role = await own.role('any', 'context: {include: [$CHANGED_FILES]}\n');
    const textOf = async (change?: { base: string }) =>
      (await own.packer().packContext(role, 'Look', [], {}, change ? { change } : {})).text;
    const staged = await textOf();
    expect(staged).not.toContain('## Git Diff');
    const disk = await textOf({ base: 'HEAD' });
    expect(disk).toContain('## Git Diff (Work Tree)\n');
    for (const line of ['+B = 2', '+C = 2']) expect(disk).toContain(line);
    expect(disk).not.toContain('+A = 2');
    expect(disk).toContain('## Changed Files');
    const branch = await textOf({ base: 'base' });
    expect(branch).toContain('## Git Diff (Since base)\n');
    for (const line of ['+A = 2', '+B = 2', '+C = 2']) expect(branch).toContain(line);
    await expect(textOf({ base: 'nowhere' })).rejects.toMatchObject({ code: 'bad-base' });

    const packer = own.packer();
    expect(await packer.getGitDiff({ staged: true })).toContain('+B = 2');
    expect(await packer.getGitDiff()).not.toContain('+C = 2');
    const unstaged = await packer.getGitDiff({ staged: false });
    expect(unstaged).toContain('+C = 2');
    expect(unstaged).not.toContain('+B = 2');
    expect(await packer.getGitDiff({ base: 'base' })).toContain('+A = 2');
    own.remove();
  });
});
