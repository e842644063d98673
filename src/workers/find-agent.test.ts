import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-repository.ts';
import { workerOf } from '../agents/table.ts';
import type { LoadoutError } from '../model/loadout-error.ts';
import { blanksForFiles, refuseNames, refuseObeyedFiles } from './run-environment.ts';

const FILES = ['.gemini/.env', '.env'];

describe('environment files of a repository', () => {
  it('set nothing: every name in them is blank, unless the user has set it', () => {
    const { path } = temporaryFolder({
      '.env': 'export A=1\nB : 2\n  C.D-E="x\nF=y"\n#G=3\r\nUSERS=evil\n',
      '.gemini/.env': 'H=4',
    });
    expect(blanksForFiles(path, FILES, { USERS: 'own' })).toMatchObject({
      ...{ A: '', B: '', 'C.D-E': '', F: '', H: '' },
    });
    expect(blanksForFiles(path, FILES, { USERS: 'own' })).not.toHaveProperty('USERS');
    expect(blanksForFiles(path, [], {})).toEqual({});
  });

  it('are refused when it is not clear what they set', () => {
    const { path, home } = temporaryFolder();
    mkdirSync(join(path, '.env'));
    expect(blanksForFiles(path, FILES, {})).toEqual({});
    writeFileSync(join(home, 'outside'), 'A=1\n');
    mkdirSync(join(path, '.gemini'));
    symlinkSync(join(home, 'outside'), join(path, '.gemini/.env'));
    expect(() => blanksForFiles(path, FILES, {})).toThrow(
      expect.objectContaining({
        ...{ code: 'environment-file-refused', subject: '.gemini/.env' },
        message: expect.stringContaining('it is a link, and links are not followed'),
      }),
    );
    const many = temporaryFolder({ '.env': Array.from({ length: 1_001 }, (_, at) => `N${at}=1`).join('\n') });
    expect(() => blanksForFiles(many.path, FILES, {})).toThrow('1001 names are more than 1000');
  });

  it('are read at least as widely as the usual readers of such files do', () => {
    const name = fc.stringMatching(/^[A-Za-z_][\w.-]{0,12}$/);
    const line = fc.tuple(
      ...[fc.constantFrom('', ' ', 'export ', '\texport  ', '\n'), name],
      ...[fc.constantFrom('=', ' = ', ': ', '= '), fc.constantFrom('x', '"a\nb"', "'a=b'", '', '`c`')],
    );
    const { path, write } = temporaryFolder();
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        write('.env', lines.map((parts) => parts.join('')).join('\n'));
        const blanks = blanksForFiles(path, ['.env'], {});
        for (const [, given] of lines) expect(blanks).toHaveProperty([given as string], '');
      }),
      { numRuns: 50 },
    );
  });

  it('are refused for an agent that fills blanks, and only where they set something new', () => {
    refuseNames(['.env'], []);
    expect(() => refuseNames(['.qwen/.env', '.env'], ['A', 'B', 'C', 'D'])).toThrow(
      'settings from .qwen/.env or .env of the repository, and that cannot be prevented: it sets A, B, C and more',
    );
  });
});

describe('files that an agent obeys regardless of its options', () => {
  const refusal = (files: Readonly<Record<string, string>>, name: 'opencode' | 'qwen') => {
    const { path } = temporaryFolder(files);
    try {
      refuseObeyedFiles(path, workerOf(name).obeyedFiles ?? []);
      return null;
    } catch (error) {
      return (error as LoadoutError).subject;
    }
  };

  it.each([
    ['opencode.json', '{"plugin":["./x.js"]}'],
    ['opencode.jsonc', '{"\\u0070lugins":["./x.js"]}'],
    ['.opencode/opencode.json', '{"Plugin":[]}'],
    ['.opencode/opencode.jsonc', `{"plugin":[]}${' '.repeat(300_000)}`],
  ])('are refused for opencode: %s', (file, text) =>
    expect(refusal({ [file]: text }, 'opencode')).toBe(file),
  );

  it('are refused for opencode: a folder of plugins, also behind a link', () => {
    expect(refusal({ '.opencode/plugin/a.js': '' }, 'opencode')).toBe('.opencode/plugin');
    expect(refusal({ '.opencode/plugins/a.ts': '' }, 'opencode')).toBe('.opencode/plugins');
    const { path } = temporaryFolder({ 'elsewhere/plugin/a.js': '' });
    symlinkSync('elsewhere', join(path, '.opencode'));
    expect(() => refuseObeyedFiles(path, workerOf('opencode').obeyedFiles!)).toThrow(
      '.opencode/plugin of the repository',
    );
  });

  it('are refused for qwen: its settings', () => {
    expect(refusal({ '.qwen/settings.json': '{}' }, 'qwen')).toBe('.qwen/settings.json');
  });

  it('do not stop an agent when there are none of them', () => {
    const harmless = { 'opencode.json': '{"theme":"x"}', '.opencode/agent/a.md': 'x', '.qwen/QWEN.md': 'x' };
    for (const name of ['opencode', 'qwen'] as const) expect(refusal(harmless, name)).toBeNull();
  });
});
