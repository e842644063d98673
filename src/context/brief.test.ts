import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../test/support/run-cli.ts';
import { PATIENT, settingsFor } from '../../test/support/scan-kit.ts';
import { temporaryRepository } from '../../test/support/temporary-repository.ts';
import { type BriefRequest, briefRepository } from './brief.ts';

const LONG = Array.from({ length: 120 }, (_, at) => `  step(${at});`);
const FILES = {
  'package.json': '{ "devDependencies": { "vitest": "4" }, "scripts": { "test": "vitest" } }',
  'src/token.ts': `import { now } from './clock.ts';

/** Refreshes a token. */
export function refreshToken(token: string): string {
  return \`\${token}-\${now()}\`;
}

export function unrelated(): number {
  return 1;
}
`,
  'src/clock.ts': 'export function now(): number {\n  return 0;\n}\n',
  'src/client.ts': `import { refreshToken } from './token.ts';

export function send(token: string): string {
  return refreshToken(token);
}
`,
  'src/long.ts': `export function replay(step: (at: number) => void) {\n${LONG.with(60, '  step(60); // expired session').join('\n')}\n}\n`,
  'src/token.test.ts': `import { it } from 'vitest';
import { refreshToken } from './token.ts';

it('refreshes a token', () => {
  refreshToken('a');
});
`,
};

const TASK = 'refreshToken gives the same token twice';

async function brief(files: Readonly<Record<string, string>>, more: Partial<BriefRequest> = {}) {
  const repository = temporaryRepository(files);
  const request = {
    repo: repository.path,
    settings: settingsFor(repository.cache),
    task: TASK,
    maxChars: 6_000,
    ...more,
  };
  return { made: await briefRepository(request), repository, request };
}

describe('a brief', PATIENT, () => {
  it('shows the definition that the task is about, with its place and true line numbers', async () => {
    const { made, repository } = await brief(FILES);
    expect(made.places[0]).toMatchObject({ path: 'src/token.ts', name: 'refreshToken', form: 'body' });
    expect(made.text).toContain('src/token.ts:3-6 refreshToken');
    const lines = readFileSync(join(repository.path, 'src/token.ts'), 'utf8').split('\n');
    for (const line of [4, 5, 6]) expect(made.text).toContain(`\n${line} ${lines[line - 1]}\n`);
  });

  it('names the callers, the test and the narrowest command that runs it', async () => {
    const { made } = await brief(FILES);
    expect(made.callers).toContainEqual({ path: 'src/client.ts', line: 4, uses: 'refreshToken' });
    expect(made.tests[0]).toMatchObject({ path: 'src/token.test.ts' });
    expect(made.text).toContain('Called by: src/client.ts:4');
    expect(made.text).toMatch(/Check with: `npx vitest run src\/token\.test\.ts/);
  });

  it('shows of a long definition its header, the lines that matter and its end', async () => {
    const { made } = await brief(FILES, { task: 'replay: the expired session is replayed' });
    expect(made.text).toContain('1 export function replay(');
    expect(made.text).toContain('62   step(60); // expired session');
    expect(made.text).toContain('\n...\n122 }');
    expect(made.text).not.toContain('step(100);');
  });

  it('leaves long doc comments out of the code, and says which lines those are', async () => {
    const doc = ['/**', ...Array.from({ length: 10 }, () => ' * A token is kept for an hour.'), ' */'];
    const text = [...doc, 'export function refreshToken(token: string) {', '  return token;', '}', ''].join(
      '\n',
    );
    const { made } = await brief({ 'src/token.ts': text });
    expect(made.text).toContain(
      'src/token.ts:1-15 refreshToken  (named in the task)\n...\n13 export function refreshToken(token: string) {\n14   return token;\n15 }',
    );
    expect(made.places[0]).toMatchObject({ omitted: [{ startLine: 1, endLine: 12 }] });
  });

  it('names code that the reader has seen, and does not show it again', async () => {
    const { made } = await brief(FILES, { seen: new Set(['src/token.ts:3-6']) });
    expect(made.text).toContain('src/token.ts:3-6 refreshToken - shown before');
    expect(made.text).not.toContain('4 export function refreshToken');
  });

  it.each([500, 700, 1_200, 3_000, 20_000])('never has more than %i characters', async (maxChars) => {
    const many = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `src/token-${at}.ts`,
        `export function refreshToken${at}(token: string) {\n  return token;\n}\n`.repeat(3),
      ]),
    );
    const { made } = await brief({ ...FILES, ...many }, { maxChars });
    expect(made.text.length).toBeGreaterThan(0);
    expect(made.text.length).toBeLessThanOrEqual(maxChars);
  });

  it('names places of one file on one line', async () => {
    const long = (name: string) =>
      `export function ${name}(token: string) {\n${'  step();\n'.repeat(60)}}\n\n`;
    const more = `${long('renewToken')}${long('dropToken')}`;
    const { made } = await brief({ 'src/more.ts': more }, { maxChars: 700 });
    const line = made.text.split('\n').find((one) => one.startsWith('src/more.ts:'));
    expect(line).toMatch(/^src\/more\.ts:\d+-\d+ \w+Token, \d+-\d+ \w+Token$/);
  });

  it('names stretches of one definition that follow each other as one place', async () => {
    const steps = `${'  expire(session);\n'.repeat(79)}${'  rest();\n'.repeat(30)}`;
    const long = `export function replay() {\n${steps}}\n`;
    const { made } = await brief(
      { 'src/long.ts': long },
      { task: 'replay: expire the session', maxChars: 500 },
    );
    expect(made.text).toContain('\nsrc/long.ts:1-80 replay\n');
  });

  it('says what encloses a definition again when it is another', async () => {
    const method = `  renew(token: string) {\n${'    step();\n'.repeat(60)}  }\n`;
    const classes = `class Owner {\n${method}}\n\nclass Guest {\n${method}}\n`;
    const { made } = await brief({ 'src/two.ts': classes }, { task: 'renew loses a token', maxChars: 500 });
    expect(made.text).toMatch(/Owner\.renew, \d+-\d+ Guest\.renew/);
  });

  it('names a place of each of the first files, and says the folder of several files once', async () => {
    const step = '    step();\n'.repeat(60);
    const methods = `  renew(token: string) {\n${step}  }\n  drop(token: string) {\n${step}  }\n`;
    const many = Object.fromEntries(
      Array.from({ length: 6 }, (_, at) => [`src/more-${at}.ts`, `export class Token${at} {\n${methods}}\n`]),
    );
    const { made } = await brief(many, { task: 'renew and drop lose a token', maxChars: 900 });
    const [, also = ''] = made.text.split('\nAlso likely:\n');
    const [folder, ...lines] = also.trimEnd().split('\n');
    expect(folder).toBe('src/');
    expect(lines).toHaveLength(6);
    for (const line of lines)
      expect(line).toMatch(/^ {2}more-\d\.ts:\d+-\d+ Token\d\.\w+(?:, \d+-\d+ \w+)?$/);
    expect(new Set(made.places.map(({ path }) => path)).size).toBe(6);
  });

  it('finds lines outside of definitions', async () => {
    const script = `${'\n'.repeat(3)}export function other() {\n  return 1;\n}\n\nregister('quota', {\n  limit: 3,\n  window: 60,\n});\n`;
    const { made } = await brief({ 'src/setup.ts': script }, { task: 'register a smaller quota window' });
    expect(
      made.places.some(
        ({ path, startLine, endLine }) => path === 'src/setup.ts' && startLine <= 8 && endLine >= 8,
      ),
    ).toBe(true);
  });

  it('says how sure it is, and keeps silent for talk when the gate is on', async () => {
    const { made, request } = await brief(FILES);
    expect(made.gate).toMatchObject({ verdict: 'full', reason: 'the gate is off' });
    const talk = await briefRepository({ ...request, task: 'thanks, the token works', gate: 'normal' });
    expect([talk.gate.verdict, talk.text, talk.places]).toEqual(['silent', '', []]);
  });

  it('is the same every time', async () => {
    const { made, request } = await brief(FILES);
    expect(await briefRepository(request)).toMatchObject({ id: made.id, text: made.text });
  });

  it('shows no secret, and marks hidden characters', async () => {
    const secret = `ghp_${'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'}`;
    const { made } = await brief({
      'src/token.ts': `export function refreshToken() {\n  const key = '${secret}';\n  return key + '\u202e';\n}\n`,
    });
    expect(made.text).toContain('export function refreshToken');
    expect(made.text).not.toContain(secret);
    expect(made.text).not.toContain('\u202e');
  });

  it('is empty where nothing matches, and refuses an empty task', async () => {
    const { made, request } = await brief(FILES, { task: 'quokkas' });
    expect([made.text, made.places]).toEqual(['', []]);
    await expect(briefRepository({ ...request, task: ' ' })).rejects.toThrow('the task is empty');
  });

  it.each(['abc', '499', '0x10'])(
    'names the flag and its allowed values when --max-chars is %s',
    async (given) => {
      const { path, cache } = temporaryRepository(FILES);
      const { exitCode, stderr } = await runCli(['brief', TASK, '--max-chars', given], { cwd: path, cache });
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringContaining(`--max-chars: "${given}" is not allowed`),
      ]);
    },
  );
});
