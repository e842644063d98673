import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryRepository } from './support/temporary-repository.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const FILES = {
  'src/auth.ts': "import { issue } from './tokens.ts';\n\nexport const login = () => issue();\n",
  'src/tokens.ts': 'export const issue = () => 1;\n',
};

/** Runs the first code block below "In code", as the page has it, in a repository of its own. */
function runExample(page: string) {
  const text = readFileSync(join(root, 'docs/guides', page), 'utf8');
  const [, code = ''] = /^## In code\n[\s\S]*?^```ts\n([\s\S]*?)^```$/m.exec(text) ?? [];
  const entry = (name: string) => pathToFileURL(join(root, 'dist', name)).href;
  const runnable = code
    .replaceAll("from 'loadout'", `from '${entry('index.js')}'`)
    .replaceAll("from 'loadout/run'", `from '${entry('run.js')}'`);
  const repository = temporaryRepository(FILES);
  repository.write('src/tokens.ts', 'export const issue = () => 2;\n');
  if (page === 'loop.md') repository.git('checkout', '--quiet', '--', '.');
  const file = join(repository.home, 'example.mjs');
  writeFileSync(file, runnable);
  const env = { PATH: process.env.PATH, HOME: repository.home, LOADOUT_CACHE_DIR: repository.cache };
  const stdout = execFileSync(process.execPath, [file], { cwd: repository.path, env, encoding: 'utf8' });
  return { stdout, repository };
}

it('the example of docs/guides/prompts.md builds a prompt', () => {
  const { stdout } = runExample('prompts.md');
  expect(stdout).toContain('target_file: in\n');
  expect(stdout).toContain('imports: in\n');
  expect(stdout).toContain('test_output: protected\n');
  expect(stdout).toContain('unstaged: in\n');
  expect(stdout).toMatch(/^\d+ tokens, about \d+ by length$/m);
}, 30_000);

it('the example of docs/guides/loop.md writes the context and builds the prompt of an iteration', () => {
  const { stdout, repository } = runExample('loop.md');
  expect(stdout).toBe('goal.md\ncontract goal selected tree output\n# Runner contract 0\n');
  expect(repository.git('branch', '--show-current').trim()).toBe('loadout/loop-make-login-work');
  expect(readFileSync(join(repository.path, '.loadout/loop/context/goal.md'), 'utf8')).toBe(
    '# Goal\n\ntitle: Make login work\ngoal: Make login work\nacceptance:\n- POST /login returns a token\n',
  );
}, 30_000);
