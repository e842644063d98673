import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../support/run-cli.ts';
import { type TemporaryRepository, temporaryRepository } from '../../support/temporary-repository.ts';

const FILES = {
  'src/a.ts': "import { b } from './lib/b';\nexport const a = b;\n",
  'src/lib/b.ts': 'export const b = 1;\n',
  'web/w.py': 'import os\nimport tiktoken\nfrom web import v\ndef w(): pass\n',
  'web/v.py': 'def v(): pass\n',
};

async function scan({ path, cache }: TemporaryRepository, ...flags: string[]) {
  const run = await runCli(['scan', '--json', ...flags], { cwd: path, cache });
  expect(run.exitCode, run.stderr).toBe(0);
  return JSON.parse(run.stdout);
}

/** Every file of that name below a folder. */
function written(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('ast_context.json') && !path.startsWith('.git/'))
    .sort();
}

describe('ast_context.json of each module', () => {
  it.each([
    ['in the folder it has by itself', [], '.loadout/ast-context'],
    ['in a folder of the repository', ['build/ast'], 'build/ast'],
    ['beside the sources', ['.'], '.'],
  ])('is never part of a scan: %s', async (_where, folder, place) => {
    const repository = temporaryRepository(FILES);
    const before = await scan(repository);
    for (let turn = 0; turn < 3; turn++) {
      const after = await scan(repository, '--ast-context', ...folder);
      expect([after.filesScanned, after.symbolsIndexed]).toEqual([4, before.symbolsIndexed]);
      expect(written(join(repository.path, place))).toEqual([
        'src/ast_context.json',
        'src/lib/ast_context.json',
        'web/ast_context.json',
      ]);
    }
    // nor when it is committed, or packed whole
    repository.commit();
    expect((await scan(repository, '--mode', 'full')).filesScanned).toBe(4);
    const all = await runCli(['pack', '--all', '--json'], { cwd: repository.path, cache: repository.cache });
    expect(all.stdout).not.toContain('ast_context.json');
  });

  it('goes when its module goes, and with it the folders that are empty then', async () => {
    const repository = temporaryRepository(FILES);
    const place = join(repository.path, '.loadout/ast-context');
    await scan(repository, '--ast-context');
    rmSync(join(repository.path, 'src/lib'), { recursive: true });
    rmSync(join(repository.path, 'web'), { recursive: true });
    await scan(repository, '--ast-context');
    expect(written(place)).toEqual(['src/ast_context.json']);
    expect([existsSync(join(place, 'web')), existsSync(join(place, 'src/lib'))]).toEqual([false, false]);
  });

  it('keeps files that Loadout did not write', async () => {
    const repository = temporaryRepository(FILES);
    const foreign = {
      'notes.md': 'mine',
      'web/notes.md': 'mine',
      'gone/ast_context.json': '{"tool": "another"}',
      'moved/ast_context.json': '{"module": "elsewhere", "files": [], "dependencies": []}',
      'broken/ast_context.json': '{',
    };
    const place = join(repository.home, 'out');
    for (const [path, text] of Object.entries(foreign)) {
      mkdirSync(join(place, path, '..'), { recursive: true });
      writeFileSync(join(place, path), text);
    }
    await scan(repository, '--ast-context', place);
    rmSync(join(repository.path, 'web'), { recursive: true });
    await scan(repository, '--ast-context', place);
    expect(existsSync(join(place, 'web/ast_context.json'))).toBe(false);
    for (const [path, text] of Object.entries(foreign))
      expect(readFileSync(join(place, path), 'utf8')).toBe(text);
  });

  it('has the edges to files and to packages outside of the repository', async () => {
    const repository = temporaryRepository(FILES);
    await scan(repository, '--ast-context');
    const { dependencies } = JSON.parse(
      readFileSync(join(repository.path, '.loadout/ast-context/web/ast_context.json'), 'utf8'),
    );
    expect(dependencies).toEqual([
      { from: 'web/w.py', to: 'web/v.py' },
      { from: 'web/w.py', to: 'tiktoken', external: true },
    ]);
    const { path, cache } = repository;
    const summary = await runCli(['pack', 'Change web/w.py and web/v.py', '--format', 'summary'], {
      cwd: path,
      cache,
    });
    expect(summary.stdout).toContain('### Dependencies\n- web/w.py -> web/v.py\n- web/w.py -> tiktoken\n');
    const pack = JSON.parse(
      (await runCli(['pack', 'Change web/w.py and web/v.py', '--json'], { cwd: path, cache })).stdout,
    );
    expect(pack.dependencies).toContainEqual({ from: 'web/w.py', to: 'tiktoken', external: true });
  });

  it('is written only when its content changes', async () => {
    const repository = temporaryRepository(FILES);
    const file = join(repository.path, '.loadout/ast-context/src/ast_context.json');
    await scan(repository, '--ast-context');
    const first = statSync(file).ino;
    await scan(repository, '--ast-context');
    expect(statSync(file).ino).toBe(first);
    repository.write('src/a.ts', 'export const other = 2;\n');
    await scan(repository, '--ast-context');
    expect(readFileSync(file, 'utf8')).toContain('"other"');
  });
});
