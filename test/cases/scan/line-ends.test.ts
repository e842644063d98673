// Repositories as Windows has them: lines that end in CRLF, and names that differ only in case.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/run-cli.ts';
import { type TemporaryRepository, temporaryRepository } from '../../support/temporary-repository.ts';

const FILLER = Array.from(
  { length: 40 },
  (_, at) => `export function helper${at}(a: number): number {\n  return a + ${at};\n}\n`,
);
const FILES: Readonly<Record<string, string>> = {
  'src/token.ts': `/** Renews the token. */\nexport function refreshToken(token: string): string {\n  // never twice\n  return token + '1';\n}\n`,
  'src/store.ts': `import { refreshToken } from './token.ts';\n\nexport class Store {\n  load(): string {\n    return refreshToken('x');\n  }\n}\n`,
  'src/long.ts': `${FILLER.join('\n')}\nexport function expireToken(token: string): string {\n  return token.slice(1);\n}\n`,
  'test/token.test.ts': `import { refreshToken } from '../src/token.ts';\n\nit('renews', () => {\n  refreshToken('a');\n});\n`,
  'lib/token.py': 'class Token:\n    def refresh(self):\n        """Renews the token."""\n        return 1\n',
  'package.json':
    '{\n  "name": "x",\n  "scripts": { "test": "vitest run" },\n  "devDependencies": { "vitest": "1" }\n}\n',
  'CONTRIBUTING.md': '# Rules\n\n- Run `npm test` before each commit.\n- Use two spaces.\n',
};

const withLineEnds = (end: string) =>
  temporaryRepository(
    Object.fromEntries(Object.entries(FILES).map(([path, text]) => [path, text.replaceAll('\n', end)])),
  );

async function ask(repository: TemporaryRepository, ...words: string[]) {
  const { exitCode, stdout, stderr } = await runCli(words, { cwd: repository.path, cache: repository.cache });
  expect(exitCode, stderr).toBe(0);
  return stdout;
}

const TASK = 'refreshToken and expireToken renew the token twice';

describe('a repository whose lines end in CRLF', () => {
  it.each([
    ['brief', TASK],
    ['rank', TASK, '--symbols'],
    ['map'],
    ['pack', TASK],
    ['pack', TASK, '--format', 'xml'],
    ['pack', TASK, '--budget', '700'],
    ['pack', TASK, '--line-numbers'],
    ['pack', TASK, '--strategy', 'signature_only'],
    ['pack', TASK, '--remove-comments'],
    ['pack', '--all'],
    ['prompt', TASK, '--role', 'implementer', '--target', 'src/token.ts'],
  ])('gives the same text as with LF: loadout %s %s %s', async (...words) => {
    const [unix, windows] = [withLineEnds('\n'), withLineEnds('\r\n')];
    const given = words.filter((word) => word !== undefined);
    const text = await ask(windows, ...given);
    expect(text).not.toContain('\r');
    expect(text).not.toContain('U+000D');
    expect(text).toBe(await ask(unix, ...given));
  });

  it('is what it was when a package of it is verified', async () => {
    const repository = withLineEnds('\r\n');
    for (const more of [[], ['--budget', '700']]) {
      const file = join(repository.home, 'package.json');
      await ask(repository, 'pack', TASK, '--json', '--output', file, ...more);
      await ask(repository, 'pack', '--verify', file);
    }
  });
});

describe('names that differ only in case', () => {
  const TWINS = {
    'src/Token.ts': 'export function refreshToken() {\n  return 1;\n}\n',
    'src/token.ts': 'export function otherThing() {\n  return 2;\n}\n',
    'src/main.ts': "import { refreshToken } from './Token.ts';\nrefreshToken();\n",
  };
  /** The files of a ranking, and whether the task names them. */
  const rankedIn = async (repository: TemporaryRepository, task: string) => {
    const { files } = JSON.parse(await ask(repository, 'rank', task, '--json')) as {
      files: { path: string; reasons: string[] }[];
    };
    return Object.fromEntries(
      files.map(({ path, reasons }) => [path, reasons.includes('the task names this file')]),
    );
  };

  it('are two files where the file system keeps them apart', async () => {
    const repository = temporaryRepository(TWINS);
    for (const [named, other] of [
      ['src/token.ts', 'src/Token.ts'],
      ['src/Token.ts', 'src/token.ts'],
    ])
      expect(await rankedIn(repository, `look at ${named}`)).toMatchObject({
        [named!]: true,
        [other!]: false,
      });
    const text = await ask(repository, 'pack', 'change refreshToken', '--target', 'src/Token.ts');
    expect(text).toContain('src/main.ts -> src/Token.ts');
  });

  it('are the one that is on disk where a checkout could write only one of them', async () => {
    const repository = temporaryRepository(TWINS);
    repository.git('config', 'core.ignorecase', 'true');
    // git wrote both into one file: the second name is not there.
    rmSync(join(repository.path, 'src/token.ts'));
    expect(Object.keys(await rankedIn(repository, 'look at src/token.ts')).sort()).toEqual([
      'src/Token.ts',
      'src/main.ts',
    ]);
    expect(await ask(repository, 'pack', 'change refreshToken')).toContain('src/main.ts -> src/Token.ts');
  });
});
