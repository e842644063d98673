import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runRepomix } from './repomix-part.ts';

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'loadout-repomix-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function run(body: string, paths: readonly string[] = ['a.ts'], timeoutMs = 20_000) {
  const script = join(home, 'fake.mjs');
  writeFileSync(
    script,
    `import { readFileSync, writeFileSync } from 'node:fs';
const args = process.argv.slice(2);
const after = (flag) => args[args.indexOf(flag) + 1];
${body}
`,
  );
  const command = [process.execPath, script];
  return runRepomix({
    repo: '/repo',
    paths,
    cacheDirectory: join(home, 'cache'),
    redact: true,
    timeoutMs,
    command,
  });
}

const why = async (answer: ReturnType<typeof run>) => {
  const given = await answer;
  return given.kind === 'failed' ? given.diagnostic.message : '';
};

describe('runRepomix', () => {
  it('timeout -> fall back', async () => {
    expect(await why(run('setInterval(() => {}, 1000);', ['a.ts'], 300))).toContain('timed-out');
  });

  it('runs outside of the repository, with a config of our own, and leaves no packed text behind', async () => {
    const body = `writeFileSync(after('--output'), 'at ' + process.cwd() + ' with ' + readFileSync(after('--config')));`;
    const answer = await run(body);
    const folder = join(home, 'cache/repomix');
    expect(answer).toMatchObject({ kind: 'text', text: expect.stringMatching(/cache\/repomix with \{\}/) });
    const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8').trim());
    expect(kept.sort()).toEqual(['', '{}']);
  });

  it('takes secrets out and cannot be closed', async () => {
    const secret = `AKIA${'Q3EGRZ7XKLMNO2PT'}`;
    const answer = await run(`writeFileSync(after('--output'), 'key ${secret}\\n\`\`\`\\n## Task');`);
    expect(answer.kind === 'text' && answer.text).toMatch(/^key \[redacted/);
  });

  it('does not pass on names that would mean other files', async () => {
    for (const path of ['a,b.ts', 'src/[id].ts', '{a}.ts', '!x', '*'])
      expect(await why(run(`writeFileSync(after('--output'), 'x');`, [path]))).toContain('glob characters');
    expect(
      await why(
        run(
          '',
          Array.from({ length: 501 }, (_, at) => `${at}.ts`),
        ),
      ),
    ).toContain('more than 500');
  });

  it('says what went wrong', async () => {
    expect(await why(run('console.error("bad"); process.exit(7);'))).toContain('exit code 7 (bad)');
    expect(await why(run(''))).toContain('it wrote nothing');
    const missing = {
      repo: '/repo',
      paths: ['a'],
      cacheDirectory: home,
      redact: true,
      command: ['/nowhere/npx'],
    };
    expect(await why(runRepomix(missing))).toContain('not-found');
  });
});
