import { describe, expect, it } from 'vitest';
import { temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { packTaskContext } from './create-loadout.ts';
import { changedFiles } from './scan-and-map.ts';

const FILES = {
  'src/core/models.ts': 'export class ContextPack {\n  tokens = 0;\n}\n',
  'src/api/pack.ts': "import { ContextPack } from './core/models';\nexport const pack = new ContextPack();\n",
  '.loadout/guidelines/core.json': JSON.stringify({
    id: 'core-is-closed',
    name: 'Core is closed',
    condition: { agents: ['backend'], actions: ['implement', 'fix'] },
    action: { type: 'path_restriction', deny: ['src/core/**'] },
  }),
};

describe('a package for the context of a task', () => {
  const pathsOf = async (context: Parameters<typeof packTaskContext>[0]) => {
    const { path, cache } = temporaryRepository(FILES);
    const settings = { cacheDir: cache, domains: { 'src/api': 'P01' } };
    const pack = await packTaskContext(context, { repo: path, settings, budget: 4_000 });
    expect([pack.task, pack.role, pack.tokenBudget]).toEqual([context.task, context.agent ?? null, 4_000]);
    return pack.items.map((item) => item.path);
  };

  it('leaves out files that guidelines deny to this agent for this action', async () => {
    const task = 'Fix the tokens of ContextPack';
    expect(await pathsOf({ task, agent: 'backend' })).toEqual(['src/api/pack.ts']);
    expect(await pathsOf({ task, agent: 'frontend' })).toContain('src/core/models.ts');
    // what the context says counts more than what the text seems to say
    expect(await pathsOf({ task, agent: 'backend', action: 'review' })).toContain('src/core/models.ts');
    expect(await pathsOf({ task: 'ContextPack tokens', agent: 'backend', action: null })).toContain(
      'src/core/models.ts',
    );
  });

  it('puts its files first and knows its domain', async () => {
    expect(await pathsOf({ task: 'Explain ContextPack', paths: ['src/api/pack.ts'] })).toEqual([
      'src/api/pack.ts',
      'src/core/models.ts',
    ]);
    await expect(pathsOf({ task: 'Explain ContextPack', domain: 'P09' })).rejects.toThrow(
      'unknown domain "P09"',
    );
    expect(await pathsOf({ task: 'Explain ContextPack', domain: 'P01' })).toContain('src/api/pack.ts');
  });

  it('needs a task', async () => {
    const context = {} as { task: string };
    await expect(packTaskContext(context, { repo: '.' })).rejects.toThrow(
      'task is missing; it must be a text',
    );
  });
});

describe('the files changed since a commit', () => {
  it('are those of later commits, of the index, of the disk and new ones', async () => {
    const { path, write, commit, git } = temporaryRepository({
      'a.ts': '1',
      'b.ts': '1',
      'sub/c.ts': '1',
      'd.ts': '1',
    });
    const since = git('rev-parse', 'HEAD').trim();
    expect(await changedFiles({ repo: path, since })).toEqual([]);
    write('a.ts', '2');
    commit();
    write('sub/c.ts', '2');
    git('add', '--all');
    git('rm', '--quiet', 'd.ts');
    write('sub/new.ts', '1');
    expect(await changedFiles({ repo: path, since })).toEqual(['a.ts', 'd.ts', 'sub/c.ts', 'sub/new.ts']);
    expect(await changedFiles({ repo: path, since: 'HEAD' })).toEqual(['d.ts', 'sub/c.ts', 'sub/new.ts']);
    expect(await changedFiles({ repo: `${path}/sub`, since })).toEqual(['c.ts', 'new.ts']);
    await expect(changedFiles({ repo: path, since: 'nothing' })).rejects.toThrow(/nothing/);
  });
});
