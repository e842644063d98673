import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandFixture, commandFixture } from './command-fixture.test-kit.ts';

let made: CommandFixture;
const piped = (text: string) => ({ text, isTerminal: false });

beforeAll(() => {
  made = commandFixture({
    'src/a.ts': 'export const alpha = 1;\n',
    'src/b.ts': 'export const beta = 2;\n',
    'src/deep/c.ts': 'export const gamma = 3;\n',
    'with\nline end.txt': 'delta\n',
  });
});
afterAll(() => made.remove());

it('packs the files and folders of a list, without a task, and says what is largest', async () => {
  const { exitCode, stdout, stderr } = await made.run(
    ['pack', '--files-from', '-'],
    piped('src/a.ts\nsrc/deep\n'),
  );
  expect(exitCode).toBe(0);
  expect(stdout).toContain('alpha');
  expect(stdout).toContain('gamma');
  expect(stdout).not.toContain('beta');
  expect(stderr).toMatch(/^2 files, .* tokens\nlargest: src\/\S+ \d+, src\/\S+ \d+$/m);
});

it('takes names that are separated by NUL as they are', async () => {
  const { stdout } = await made.run(['pack', '--files-from', '-'], piped('with\nline end.txt\0src/b.ts\0'));
  expect(stdout).toContain('delta');
  expect(stdout).toContain('beta');
  expect(stdout).not.toContain('alpha');
});

it('keeps a package for a task to the list', async () => {
  const { stdout } = await made.run(
    ['pack', 'change alpha and beta', '--files-from', '-'],
    piped('./src/b.ts\n'),
  );
  expect(stdout).toContain('beta = 2');
  expect(stdout).not.toContain('alpha = 1');
});

it('names what is not in the repository, and refuses a list without any file', async () => {
  const some = await made.run(['pack', '--files-from', '-'], piped('src/a.ts\n../out.ts\nnone.ts\n'));
  expect(some.exitCode).toBe(0);
  expect(some.stderr).toContain('left out: "../out.ts", "none.ts"');
  const none = await made.run(['pack', '--files-from', '-'], piped('/etc/passwd\n'));
  expect(none).toMatchObject({ exitCode: 2, stdout: '' });
  expect(none.stderr).toContain('nothing that standard input names is in the repository: "/etc/passwd"');
  const empty = await made.run(['pack', '--files-from', '-'], piped('\n'));
  expect(empty.stderr).toContain('standard input names no file');
  const missing = await made.run(['pack', '--files-from', 'no-such-list']);
  expect(missing.stderr).toContain('cannot read no-such-list: it does not exist');
});

it('does not read standard input twice', async () => {
  const { exitCode, stderr } = await made.run(['pack', '-', '--files-from', '-'], piped('src/a.ts\n'));
  expect(exitCode).toBe(2);
  expect(stderr).toContain('and not both');
});

it('prints no summary with --quiet', async () => {
  const { stderr } = await made.run(['pack', '--all', '--quiet']);
  expect(stderr).toBe('');
});

const NOTE = 'Explain each file.\r\nKeep \u202eit short. ghp_Zx8Kq2Lm5Np7Rt9Vw1Yb3Cd6Fg4Hj0Ks2Lm7\n';

it.each(['markdown', 'xml', 'json'])(
  'puts instructions at the end of %s, inside the budget',
  async (format) => {
    // beside the repository, so that it is not one of its files
    const file = join(made.home, 'ask.md');
    writeFileSync(file, NOTE);
    const asked = ['--instructions', file, '--format', format];
    for (const what of [['where is alpha?'], ['--all'], ['--files-from', 'list.txt']]) {
      made.write('list.txt', 'src/a.ts\n');
      const { exitCode, stdout, stderr } = await made.run(['pack', ...what, '--budget', '2000', ...asked]);
      expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('error')]);
      expect(stdout).toContain('Explain each file.');
      if (format !== 'json')
        expect(stdout.indexOf('alpha')).toBeLessThan(stdout.indexOf('Explain each file.'));
      // as every output: hidden characters are marked, secrets are replaced
      expect(stdout).toContain('⟨U+202E⟩');
      expect(stdout).not.toContain('ghp_Zx8');
      const bare = await made.run(['pack', ...what, '--budget', '2000', '--format', format]);
      const tokens = (text: string) => Number(/, ([\d,]+) of 2,000 tokens/.exec(text)?.[1]?.replace(',', ''));
      expect(tokens(stderr)).toBeGreaterThan(tokens(bare.stderr) + 10);
    }
  },
);

it('refuses instructions that are missing, empty or too long', async () => {
  made.write('empty.md', ' \n');
  made.write('long.md', 'word '.repeat(800));
  const refused = async (file: string, ...more: string[]) => {
    const { exitCode, stderr } = await made.run(['pack', 'alpha', '--instructions', file, ...more]);
    expect(exitCode).toBe(2);
    return stderr;
  };
  expect(await refused('nowhere.md')).toContain('--instructions: cannot read nowhere.md: it does not exist');
  expect(await refused('empty.md')).toContain('--instructions: empty.md is empty');
  expect(await refused('long.md', '--budget', '1000')).toMatch(
    /the instructions have 8\d\d tokens, and a budget of 1000 has room for 500 of them/,
  );
  expect(await refused('long.md', '--format', 'summary')).toContain('does not go with --format summary');
});

describe('without comments', () => {
  const CODE = `/**
 * Says hello.
 */
export function hello() {
  // a note
  const url = 'http://example.org'; // where
  return url;
}
`;
  const bare = `


export function hello() {

  const url = 'http://example.org';
  return url;
}
`;

  it.each([[['hello']], [['--all']]])('%j shows code on its own lines', async (what) => {
    made.write('src/hello.ts', CODE);
    made.write('main.tf', '# hello stays\n');
    const flags = ['--remove-comments', '--json', '--target', 'src/hello.ts', 'main.tf'];
    const { stdout, stderr } = await made.run([
      'pack',
      ...what,
      ...flags.slice(0, what[0] === '--all' ? 2 : 5),
    ]);
    const { items } = JSON.parse(stdout) as { items: { path: string; content: string; lineRuns: unknown }[] };
    const item = (path: string) => items.find((one) => one.path === path);
    expect(item('src/hello.ts')?.content).toBe(bare);
    expect(item('src/hello.ts')?.lineRuns).toEqual([{ startLine: 1, count: 8 }]);
    expect(item('main.tf')?.content).toBe('# hello stays\n');
    expect(stderr).toMatch(
      /comments are left as they are in languages without a parser: (Markdown, )?Terraform\n/,
    );
  });

  it('numbers lines as in the file, costs less, and can be verified', async () => {
    made.write('src/hello.ts', CODE);
    const asked = ['pack', '--files-from', 'list.txt', '--remove-comments'];
    made.write('list.txt', 'src/hello.ts\n');
    const { stdout } = await made.run([...asked, '--line-numbers']);
    expect(stdout).toMatch(/^ *4\W+export function hello/m);
    await made.run([...asked, '--json', '--output', 'stored.json']);
    const verified = await made.run(['pack', '--verify', 'stored.json']);
    expect([verified.exitCode, verified.stderr]).toEqual([0, expect.any(String)]);
    made.write('src/hello.ts', CODE.replace('return url', 'return null'));
    expect((await made.run(['pack', '--verify', 'stored.json'])).exitCode).toBe(1);
  });
});

it('shows a file in the form that is asked for', async () => {
  const words = ['pack', 'change alpha and beta', '--form', 'src/b.ts=mention', 'src/a.ts=full', '--json'];
  const { stdout, exitCode } = await made.run(words);
  expect(exitCode).toBe(0);
  const { items } = JSON.parse(stdout) as { items: { path: string; form: string }[] };
  expect(Object.fromEntries(items.map(({ path, form }) => [path, form]))).toMatchObject({
    'src/b.ts': 'mention',
    'src/a.ts': 'full',
  });
});

it.each([
  [['task', '--form', 'signatures'], '--form: "signatures" is not PATH=FORM'],
  [['task', '--form', 'src/a.ts=half'], 'a form is one of full, excerpt, signatures, mention'],
  [['task', '--form', 'src/none.ts=full'], 'does not exist'],
  [['task', '--form', 'src/a.ts=full', '--strategy', 'signature_only'], 'does not go with --strategy'],
  [['--all', '--form', 'src/a.ts=full'], 'one word for all files, full or signatures'],
  [['--all', '--form', 'excerpt'], 'allowed is full, signatures'],
])('says what is wrong with a form: %j', async (words, message) => {
  const { stderr, exitCode } = await made.run(['pack', ...words]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});
