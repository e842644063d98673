import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-repository.ts';
import { blanksForFiles } from './environment-files.ts';

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

  it('are refused where nobody can say what they set', () => {
    const { path, home } = temporaryFolder();
    mkdirSync(join(path, '.env'));
    expect(blanksForFiles(path, FILES, {})).toEqual({});
    writeFileSync(join(home, 'outside'), 'A=1\n');
    mkdirSync(join(path, '.gemini'));
    symlinkSync(join(home, 'outside'), join(path, '.gemini/.env'));
    expect(() => blanksForFiles(path, FILES, {})).toThrow(
      expect.objectContaining({ code: 'environment-file-refused', subject: '.gemini/.env' }),
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
});
