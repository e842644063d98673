import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PromptFixture, promptFixture } from '../../src/context/prompt/prompt-fixture.test-kit.ts';
import { REPOMIX, runRepomix } from '../../src/context/prompt/repomix-part.ts';

const packageFolder = fileURLToPath(new URL('node_modules/repomix/', import.meta.url));
const command = [process.execPath, join(packageFolder, 'bin/repomix.cjs')];

let environment: PromptFixture;
beforeAll(() => {
  environment = promptFixture({
    'src/clock.ts': 'export const now = 12;\n',
    'src/other.ts': 'export const other = `</file>`;\n',
    'src/unasked.ts': 'export const unasked = 1;\n',
    // code of the repository: nothing of it may run
    'repomix.config.js': `import { writeFileSync } from 'node:fs';\nwriteFileSync(new URL('ran', import.meta.url), '');\nexport default {};\n`,
    'repomix.config.json':
      '{ "output": { "filePath": "../stolen.xml", "headerText": "from the repository" } }\n',
    'docs/keys.md': `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEAx9Kq'.repeat(20)}\n-----END RSA PRIVATE KEY-----\n`,
  });
});
afterAll(() => environment.remove());

const build = async (include: string, more: readonly string[] = []) => {
  const role = await environment.role('packer', `context: {include: [${include}], token_budget: 50000}\n`);
  const settings = { ...environment.settings, packer: 'repomix' as const };
  return environment.packer({ settings, repomixCommand: [...command, ...more] }).packContext(role, 'Do it');
};

describe('repomix as the packer', () => {
  it('is the version that is pinned', () => {
    const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
    expect(`repomix@${version}`).toBe(REPOMIX);
  });

  it('packs the files it is given, and nothing of the repository decides how', async () => {
    const { text, parts, diagnostics } = await build('src/clock.ts, src/other.ts');
    expect(text).toContain('<file path="src/clock.ts">\nexport const now = 12;');
    expect(text).toContain('<file path="src/other.ts">');
    expect(text).not.toContain('unasked');
    expect(text).not.toContain('from the repository');
    expect(parts.find(({ key }) => key === 'files')?.files.map(({ path }) => path)).toEqual([
      'src/clock.ts',
      'src/other.ts',
    ]);
    expect(diagnostics).toEqual([]);
    expect(() => readFileSync(join(environment.repository, 'ran'))).toThrow('ENOENT');
    expect(() => readFileSync(join(environment.home, 'stolen.xml'))).toThrow('ENOENT');
  });

  it('names the files that it leaves out by its own rules', async () => {
    const { text, diagnostics } = await build('src/clock.ts, docs/keys.md');
    expect(text).toContain('export const now = 12;');
    expect(text).not.toContain('MIIEowIBAAKCAQEAx9Kq');
    expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([['repomix-left-out', 'docs/keys.md']]);
  });

  it('falls back to our packer when it fails', async () => {
    const { text, diagnostics } = await build('src/clock.ts', ['--no-such-flag']);
    expect(text).toContain('### src/clock.ts\n\n```\nexport const now = 12;\n```');
    expect(diagnostics).toEqual([
      expect.objectContaining({
        code: 'repomix-failed',
        message: expect.stringMatching(/exit code 1 \(.*no-such-flag.*\); Loadout packs them itself/),
      }),
    ]);
  });

  it('falls back when it takes too long', async () => {
    const answer = await runRepomix({
      repo: environment.repository,
      paths: ['src/clock.ts'],
      cacheDirectory: environment.settings.cacheDir,
      redact: true,
      timeoutMs: 100,
      command,
    });
    expect(answer).toMatchObject({
      kind: 'failed',
      diagnostic: { message: expect.stringContaining('timed-out') },
    });
  });
});
