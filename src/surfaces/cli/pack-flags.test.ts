import { afterAll, beforeAll, expect, it } from 'vitest';
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
