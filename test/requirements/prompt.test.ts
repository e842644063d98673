import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHARACTERS } from '../../src/context/fit/measure.ts';
import { fitPrompt } from '../../src/context/prompt/fit-prompt.ts';
import { type PromptFixture, promptFixture } from '../../src/context/prompt/prompt-fixture.test-kit.ts';
import {
  estimateTokens,
  MAX_ALWAYS_INCLUDE_BYTES,
  MAX_FILE_BYTES,
  MAX_TOTAL_BYTES,
  TEMPLATE_OVERHEAD_CHARACTERS,
} from '../../src/context/prompt/prompt-limits.ts';
import {
  FILE_CONTEXT_PRIORITY,
  PROTECTED_KEYS,
  type Prompt,
  priorityOrder,
  titleOf,
} from '../../src/context/prompt/prompt-parts.ts';
import { renderPrompt, templateForRole } from '../../src/context/prompt/render-prompt.ts';
import { REPOMIX } from '../../src/context/prompt/repomix-part.ts';
import { readPatterns } from '../../src/context/prompt/role-files.ts';

const AUTH = 'from src.tokens import issue\n\n\ndef login(user):\n    return issue(user)\n';
const FILES = {
  'README.md': '# A shop\n',
  'src/__init__.py': '',
  'src/auth.py': AUTH,
  'src/tokens.py': 'from src.clock import now\n\n\ndef issue(user):\n    return (user, now())\n',
  'src/clock.py': 'def now():\n    return 1\n',
  'src/other.py': 'def unrelated():\n    return 2\n',
  'tests/test_auth.py': 'from src.auth import login\n\n\ndef test_login():\n    assert login(1)\n',
  'config/risk_limits.py': 'LIMIT = 100\n',
};

let environment: PromptFixture;
beforeAll(() => {
  environment = promptFixture(FILES);
});
afterAll(() => environment.remove());

/** Parts that cannot be cut. */
const fitWhole = (parts: readonly { key: string; text: string }[], limit: number) => {
  const whole = parts.map(({ key, text }) => ({ key, whole: { text, files: [] }, shrink: () => null }));
  const fitted = fitPrompt({ parts: whole, roleOrder: [], limit, measure: CHARACTERS });
  return { text: fitted.text, kept: new Set(fitted.shown.keys()) };
};
const part = ({ parts }: Prompt, key: string) => parts.find((one) => one.key === key);
const count = (text: string, piece: string) => text.split(piece).length - 1;

describe('packing: the three entry points', () => {
  it('build_full_prompt("implement.j2", role, "Implement user authentication", ["src/auth.py"], {"test_output": ...})', async () => {
    const role = await environment.builtIn('implementer');
    const { text, template } = await environment
      .packer()
      .buildFullPrompt('implement.j2', role, 'Implement user authentication', ['src/auth.py'], {
        test_output: '1 failed, 2 passed',
      });
    expect(template).toBe('implement.j2');
    expect(text).toContain(`### src/auth.py\n\n\`\`\`\n${AUTH}\`\`\``);
    expect(text).toContain('## Test Output\n\n1 failed, 2 passed');
    expect(text).toContain(role.systemPrompt.trim());
    expect(text).toContain('## Task\n\nImplement user authentication');
    expect(text).toContain('## Output Requirements');
  });

  it('pack_context(role, "Implement user authentication", ["src/auth.py"], {"git_diff": diff_output})', async () => {
    const role = await environment.role('unknown-role', 'context: {token_budget: 4000}\n');
    const { text, template, parts } = await environment
      .packer()
      .packContext(role, 'Implement user authentication', ['src/auth.py'], { git_diff: '+ a line' });
    expect(template).toBeNull();
    expect(
      text.startsWith('You work here.\n\n## Task\n\nImplement user authentication\n\n## Target Files'),
    ).toBe(true);
    expect(text).toContain('## Git Diff\n\n+ a line');
    expect(parts.map(({ key }) => key)).toEqual(['system_prompt', 'task', 'target_file', 'git_diff']);
  });

  it('pack_file_context returns FILE content only, NOT system_prompt/task (prevents duplication)', async () => {
    const role = await environment.builtIn('implementer');
    const { text } = await environment
      .packer()
      .packFileContext(role, ['src/auth.py'], {}, 'A task of its own');
    expect(text).toContain('## Target Files');
    expect(text).not.toContain(role.systemPrompt.trim().slice(0, 40));
    expect(text).not.toContain('A task of its own');
    const full = await environment
      .packer()
      .buildFullPrompt('implement', role, 'A task of its own', ['src/auth.py']);
    expect(count(full.text, role.systemPrompt.trim())).toBe(1);
    expect(count(full.text, 'A task of its own')).toBe(1);
  });

  it('For known roles: build_full_prompt; for unknown roles: pack_context', async () => {
    const overlay = await environment.role('reviewer-python', 'extends: reviewer\n');
    const second = await environment.role('my-reviewer', 'extends: reviewer-python\n');
    const unknown = await environment.role('stranger', '');
    expect(templateForRole(await environment.builtIn('planner'))).toBe('planning');
    expect(templateForRole(await environment.builtIn('implementer'))).toBe('implement');
    expect(templateForRole(await environment.builtIn('reviewer'))).toBe('review_strict');
    expect([overlay, second].map(templateForRole)).toEqual(['review_strict', 'review_strict']);
    expect(templateForRole(unknown)).toBeNull();
    expect((await environment.packer().buildPrompt(second, 'Review')).template).toBe('review_strict');
    expect((await environment.packer().buildPrompt(unknown, 'Do it')).template).toBeNull();
  });

  it('render_prompt renders a template with a pre-built context', async () => {
    const role = await environment.builtIn('planner');
    expect(renderPrompt('planning.j2', role, 'Plan it', 'MY CONTEXT')).toContain('## Context\n\nMY CONTEXT');
  });

  it('render_prompt(**kwargs): further variables reach the template, and none replaces role, task or context', async () => {
    const role = await environment.builtIn('planner');
    const text = renderPrompt('planning', role, 'Plan it', 'C', { output_schema: 'MY SCHEMA', other: 1 });
    expect(text).toContain('MY SCHEMA');
    expect(() => renderPrompt('planning', role, 'Plan it', 'C', { task: 'x' })).toThrowError(
      expect.objectContaining({ code: 'bad-variable', message: expect.stringContaining('task') }),
    );
  });

  it('test_role_to_prompt_flow: Load role → pack context → render template', async () => {
    for (const name of [
      'planner',
      'implementer',
      'reviewer',
      'tester',
      'debugger',
      'refactorer',
      'documenter',
    ]) {
      const role = await environment.builtIn(name);
      const { text, tokenCount, tokenBudget } = await environment
        .packer()
        .buildPrompt(role, 'Do it', ['src/auth.py']);
      expect(text).toContain('def login(user)');
      expect(tokenCount).toBeLessThanOrEqual(tokenBudget);
    }
  });
});

describe('packing: constants and order', () => {
  it('TEMPLATE_OVERHEAD_CHARS, MAX_FILE_SIZE, MAX_TOTAL_SIZE, MAX_ALWAYS_INCLUDE_SIZE', () => {
    expect([TEMPLATE_OVERHEAD_CHARACTERS, MAX_FILE_BYTES, MAX_TOTAL_BYTES, MAX_ALWAYS_INCLUDE_BYTES]).toEqual(
      [4000, 1024 * 1024, 10 * 1024 * 1024, 2 * 1024 * 1024],
    );
  });

  it('FILE_CONTEXT_PRIORITY and PROTECTED_KEYS', () => {
    expect(FILE_CONTEXT_PRIORITY).toEqual(
      'target_file git_diff changed_files imports related files tree'.split(' '),
    );
    expect([...PROTECTED_KEYS]).toEqual(['system_prompt', 'task', 'always_include']);
  });

  it('Map role.context.priority_order via PRIORITY_KEY_MAP; if no overlap with file-context keys, use FILE_CONTEXT_PRIORITY', () => {
    const role = [
      'system_prompt',
      'task_description',
      'readme',
      'docs',
      'standards',
      'git_diff',
      'test_output',
    ];
    expect(priorityOrder(role, ['git_diff', 'target_file', 'test_output']).slice(0, 3)).toEqual([
      'git_diff',
      'test_output',
      'target_file',
    ]);
    expect(priorityOrder(['readme', 'standards'], ['git_diff'])).toEqual(FILE_CONTEXT_PRIORITY);
    expect(priorityOrder([], ['git_diff'])).toEqual(FILE_CONTEXT_PRIORITY);
  });

  it('Unlisted keys are pruned first, then tree → files → related → imports → changed_files → git_diff → target_file', () => {
    const keys = ['system_prompt', ...FILE_CONTEXT_PRIORITY, 'test_output'];
    const parts = keys.map((key) => ({ key, text: `${key} ${'x'.repeat(1000)}` }));
    const gone: string[] = [];
    for (let limit = 10_000; limit > 1_100; limit -= 10) {
      const { kept, text } = fitWhole(parts, limit);
      expect(text.length).toBeLessThanOrEqual(limit);
      for (const key of keys) if (!kept.has(key) && !gone.includes(key)) gone.push(key);
    }
    expect(gone).toEqual(['test_output', ...FILE_CONTEXT_PRIORITY.toReversed()]);
  });

  it('Budget calculation: the template flow reserves overhead, 4 chars ~= 1 token', async () => {
    const role = await environment.role('small', 'context: {token_budget: 2000}\n');
    const { text } = await environment.packer().packFileContext(role, [], { log: 'x'.repeat(3_990) });
    expect(text).toContain('xxx');
    const over = await environment.packer().packFileContext(role, [], { log: 'x'.repeat(4_010) });
    expect(over.text).not.toContain('xxx');
    expect(part(over, 'log')?.state).toBe('pruned');
  });
});

describe('core workflow, task 4: acceptance criteria', () => {
  it('Token estimation works correctly', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('abc')).toBe(0);
    expect(estimateTokens('a'.repeat(400))).toBe(100);
  });

  it('Context fits within budget (test_token_budget_enforcement: Large context → prune → verify fits)', async () => {
    const large = promptFixture({
      ...FILES,
      ...Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => [
          `src/big${at}.py`,
          `def f${at}():\n    return ${at}\n`.repeat(200),
        ]),
      ),
    });
    const role = await large.role('wide', 'context: {token_budget: 3000, include: ["src/**"]}\n');
    for (const measure of ['estimate', 'tokens'] as const) {
      const { text, tokenCount } = await large
        .packer({ measure })
        .packContext(role, 'Do it', ['src/auth.py']);
      expect(tokenCount).toBeLessThanOrEqual(3000);
      expect(text).toContain('def login(user)');
      expect(tokenCount).toBeGreaterThan(2500);
    }
    large.remove();
  });

  it('Lower priority items are dropped first', () => {
    const parts = [
      { key: 'target_file', text: 't'.repeat(100) },
      { key: 'files', text: 'f'.repeat(100) },
      { key: 'tree', text: 'r'.repeat(100) },
    ];
    const { kept } = fitWhole(parts, 260);
    expect([...kept]).toEqual(['target_file', 'files']);
  });

  it('Truncation notice is added when needed', async () => {
    environment.write('src/long.py', `${'value = 1\n'.repeat(3_000)}`);
    environment.git('add', '--all');
    const role = await environment.role('differ', 'context: {token_budget: 2000, git_diff: true}\n');
    const { text, tokenCount } = await environment.packer().packContext(role, 'Look', []);
    expect(text).toMatch(/\n\[Truncated \d+ lines\]/);
    expect(text).toContain('+value = 1');
    expect(tokenCount).toBeLessThanOrEqual(2000);
    environment.git('reset', '--quiet', '--hard');
  });

  it('`_pack_target_files` method works correctly', async () => {
    const role = await environment.role('plain', '');
    environment.write('src/large.py', Buffer.alloc(MAX_FILE_BYTES + 1, 'a'));
    environment.write('src/picture.py', Buffer.from([0, 1, 2, 0, 255]));
    const { text } = await environment
      .packer()
      .packContext(role, 'Do it', ['src/auth.py', 'src/large.py', 'src/nowhere.py', 'src/picture.py']);
    expect(text).toContain(`## Target Files\n\n### src/auth.py\n\n\`\`\`\n${AUTH}\`\`\``);
    expect(text).toContain('### src/large.py\n\n[File exceeds size limit]');
    expect(text).toContain('### src/nowhere.py\n\n[Could not read file]');
    expect(text).toContain('### src/picture.py\n\n[Could not read file]');
    for (const path of ['src/large.py', 'src/picture.py']) rmSync(join(environment.repository, path));
    await expect(environment.packer().packContext(role, 'Do it', ['../outside.py'])).rejects.toMatchObject({
      code: 'path-outside-root',
    });
  });

  it('`always_include` files are NEVER pruned (protected)', async () => {
    environment.write('config/long.py', '# a limit\n'.repeat(2_000));
    const yaml = 'context: {token_budget: 1500, always_include: ["config/*.py", README.md]}\n';
    const role = await environment.role('careful', yaml);
    const { text } = await environment.packer().packContext(role, 'Do it', ['src/auth.py']);
    expect(text).toContain('## Required Context\n\n### config/long.py');
    expect(text).toContain('### config/risk_limits.py\n\n```\nLIMIT = 100\n```');
    expect(text).not.toContain('## Target Files');
    expect(text.endsWith('[WARNING: Context exceeds budget even with required content only]')).toBe(true);
    const files = await environment.packer().packFileContext(role, ['src/auth.py']);
    expect(files.text).toContain('LIMIT = 100');
    rmSync(join(environment.repository, 'config/long.py'));
  });

  it('`system_prompt` and `task` are NEVER pruned (protected)', async () => {
    const task = 'A very long task. '.repeat(500);
    const role = await environment.role('tight', 'context: {token_budget: 1000}\n');
    const { text } = await environment.packer().packContext(role, task, ['src/auth.py']);
    expect(text).toContain(task);
    expect(text).toContain('You work here.');
    expect(text.endsWith('[WARNING: Context exceeds budget even with required content only]')).toBe(true);
  });

  it('Existing `_pack_with_budget` logic verified working: all parts when they fit', async () => {
    const role = await environment.role(
      'roomy',
      'context: {include: ["src/*.py"], always_include: [README.md]}\n',
    );
    const { text, parts } = await environment
      .packer()
      .packContext(role, 'Do it', ['src/auth.py'], { note: 'Hello' });
    expect(parts.map(({ key }) => key)).toEqual([
      'system_prompt',
      'task',
      'always_include',
      'target_file',
      'files',
      'note',
    ]);
    expect(text).toContain('## Files\n\n### src/__init__.py');
    expect(text).toContain('## Note\n\nHello');
  });

  it('[WARNING: Template overhead exceeds token budget; no file context included]', async () => {
    const role = await environment.role('least', 'context: {token_budget: 1000}\n');
    const { text } = await environment.packer().packFileContext(role, ['src/auth.py']);
    expect(text).toBe('[WARNING: Template overhead exceeds token budget; no file context included]');
  });
});

describe('core workflow: always_include is size-capped', () => {
  it('[Skipped: would exceed total size cap] and [WARNING: always_include capped at 2048KB]', async () => {
    const heavy = promptFixture({ 'README.md': 'x' });
    for (const name of ['a', 'b', 'c'])
      heavy.write(`limits/${name}.txt`, `${name.repeat(99)}\n`.repeat(9_000));
    heavy.write('limits/huge.txt', 'h'.repeat(MAX_FILE_BYTES + 1));
    const role = await heavy.role('careful', 'context: {always_include: ["limits/*.txt"]}\n');
    const { text } = await heavy.packer().packContext(role, 'Do it');
    expect(text).toContain('### limits/b.txt\n\n```\nbbb');
    expect(text).toContain('### limits/c.txt\n\n[Skipped: would exceed total size cap]');
    expect(text).toContain('### limits/huge.txt\n\n[File exceeds size limit]');
    expect(text).toContain('[WARNING: always_include capped at 2048KB]');
    heavy.remove();
  }, 20_000);
});

describe('packing: pattern resolution', () => {
  it('$TARGET is replaced with target_files, once (skip_targets)', async () => {
    const role = await environment.role('aimed', 'context: {include: [$TARGET, "src/auth.py"]}\n');
    const { text } = await environment.packer().packContext(role, 'Do it', ['src/auth.py']);
    expect(count(text, '### src/auth.py')).toBe(1);
  });

  it('$TARGET_IMPORTS: Import dependencies', async () => {
    const role = await environment.role('importer', 'context: {include: [$TARGET_IMPORTS]}\n');
    const near = await environment.packer().packContext(role, 'Do it', ['src/auth.py']);
    expect(near.text).toContain('## Imports\n\n### src/tokens.py');
    expect(near.text).not.toContain('src/clock.py');
    const deep = await environment.role('deep', 'context: {include: ["$TARGET_IMPORTS:2"]}\n');
    const far = await environment.packer().packContext(deep, 'Do it', ['src/auth.py']);
    expect(part(far, 'imports')?.files.map(({ path }) => path)).toEqual(['src/tokens.py', 'src/clock.py']);
  });

  it('$CHANGED_FILES: files from git diff --name-only --cached; git_diff: true includes the staged git diff', async () => {
    environment.write('src/other.py', 'def unrelated():\n    return 3\n');
    environment.write('src/clock.py', 'def now():\n    return 4\n');
    environment.git('add', 'src/other.py');
    const yaml = 'context: {git_diff: true, include: [$CHANGED_FILES]}\n';
    const { text } = await environment.packer().packContext(await environment.role('changer', yaml), 'Do it');
    expect(text).toContain('## Git Diff (Staged)\n\n```diff\ndiff --git a/src/other.py');
    expect(text).toContain('+    return 3');
    expect(text).toContain('## Changed Files\n\n### src/other.py');
    expect(text).not.toContain('src/clock.py');
    environment.git('reset', '--quiet', '--hard');
  });

  it('"git diff --cached" in include is a sentinel: the staged diff, not a file', async () => {
    environment.write('src/other.py', 'def unrelated():\n    return 5\n');
    environment.git('add', 'src/other.py');
    const role = await environment.role('sentinel', 'context: {include: ["git diff --cached"]}\n');
    const prompt = await environment.packer().packFileContext(role);
    expect(prompt.text).toContain('+    return 5');
    expect(prompt.patterns).toEqual([]);
    environment.git('reset', '--quiet', '--hard');
  });

  it('$TESTS and $RELATED: the tests of the targets, and what ranks high for the task', async () => {
    const role = await environment.role('relative', 'context: {include: [$TESTS, $RELATED]}\n');
    const prompt = await environment
      .packer()
      .packContext(role, 'Fix issue() in src/tokens.py', ['src/auth.py']);
    const paths = part(prompt, 'related')?.files.map(({ path }) => path);
    expect(paths?.[0]).toBe('tests/test_auth.py');
    expect(paths).toContain('src/tokens.py');
  });

  it('Unresolved variables are reported', async () => {
    expect(readPatterns(['$NOTHING', '$TARGET:2', '$TARGET_IMPORTS:0', 'a/*.py', '$TESTS'])).toMatchObject({
      unknown: ['$NOTHING', '$TARGET:2', '$TARGET_IMPORTS:0'],
      globs: ['a/*.py'],
    });
    const role = await environment.role('odd', 'context: {include: [$NOTHING]}\n');
    const { diagnostics } = await environment.packer().packContext(role, 'Do it');
    expect(diagnostics.filter(({ code }) => code === 'unknown-variable')).toEqual([
      expect.objectContaining({ message: expect.stringContaining('"$NOTHING"') }),
    ]);
  });
});

describe('packing: fallback behaviour', () => {
  it('Template error -> Fall back to pack_context(role, task, target_files, extra_context) to ensure no context is lost', async () => {
    const role = await environment.builtIn('implementer');
    // the time and output limits of a template are the only errors that shipped ones can have
    const task = 'x'.repeat(17 * 1024 * 1024);
    const extra = { test_output: 'still here' };
    const prompt = await environment
      .packer()
      .buildFullPrompt('implement', role, task, ['src/auth.py'], extra);
    expect(prompt.template).toBeNull();
    expect(prompt.parts.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['system_prompt', 'task', 'target_file', 'test_output']),
    );
    expect(prompt.diagnostics.map(({ code }) => code)).toContain('template-failed');
  }, 30_000);

  it('Unknown template -> Raises ValueError', async () => {
    const role = await environment.builtIn('implementer');
    for (const name of ['../secrets', 'mine.j2', ''])
      await expect(environment.packer().buildFullPrompt(name, role, 'Do it')).rejects.toMatchObject({
        code: 'template-unknown',
      });
  });

  it('Unreadable files -> always_include and packing skip', async () => {
    symlinkSync('/etc/hosts', join(environment.repository, 'config/link.py'));
    const yaml = 'context: {always_include: ["config/*.py"], include: ["config/*"]}\n';
    const { text } = await environment.packer().packContext(await environment.role('linked', yaml), 'Do it');
    expect(text).toContain('LIMIT = 100');
    expect(text).not.toContain('link.py');
    rmSync(join(environment.repository, 'config/link.py'));
  });

  it('npx repomix --style xml --include: one version is pinned for supply-chain safety', () => {
    // not the required number, 0.2.20, but the one that is run for real in test/frameworks
    expect(REPOMIX).toBe('repomix@1.14.0');
  });

  it('Repomix packs the files when it is chosen', async () => {
    const { prompt, args } = await packWith('writeFileSync(output, "<files>packed by it</files>")');
    expect(prompt.text).toContain('```xml\n<files>packed by it</files>\n```');
    expect(args).toEqual(
      expect.arrayContaining(['--style', 'xml', '--include', 'src/clock.py,src/other.py']),
    );
    expect(prompt.diagnostics).toEqual([]);
  });

  it('Repomix error -> Fall back to simple packing', async () => {
    for (const body of ['process.exit(3)', '', 'writeFileSync(output, Buffer.from([0, 0, 0, 255]))']) {
      const { prompt } = await packWith(body);
      expect(prompt.text).toContain('## Files\n\n### src/clock.py');
      expect(prompt.diagnostics.map(({ code }) => code)).toEqual(['repomix-failed']);
    }
  });
});

async function packWith(body: string) {
  const script = join(environment.home, 'fake-repomix.mjs');
  const seen = join(environment.home, 'arguments.json');
  writeFileSync(
    script,
    `#!/usr/bin/env node
import { writeFileSync } from 'node:fs';
const args = process.argv.slice(2);
const output = args[args.indexOf('--output') + 1];
writeFileSync(${JSON.stringify(seen)}, JSON.stringify(args));
${body};
`,
  );
  chmodSync(script, 0o755);
  const role = await environment.role('mixer', 'context: {include: ["src/clock.py", "src/other.py"]}\n');
  const settings = { ...environment.settings, packer: 'repomix' as const };
  const prompt = await environment
    .packer({ settings, repomixCommand: [process.execPath, script] })
    .packContext(role, 'Do it');
  const { readFileSync } = await import('node:fs');
  return { prompt, args: JSON.parse(readFileSync(seen, 'utf8')) as string[] };
}

describe('core workflow: headings', () => {
  it("f\"## {key.replace('_', ' ').title()}\"", () => {
    expect(['test_output', 'git_diff', 'HTTP_log', 'a2b', 'plain'].map(titleOf)).toEqual([
      'Test Output',
      'Git Diff',
      'Http Log',
      'A2B',
      'Plain',
    ]);
  });
});
