import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type TemporaryRepository,
  temporaryFolder,
  temporaryRepository,
} from '../../../test/support/temporary-repository.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { loadHistory } from '../../scan/history/load-history.ts';
import { useIndex } from '../../scan/index-session.ts';
import { rankScan } from '../rank.ts';
import { type EvaluationRequest, evaluateRepository } from './evaluate-repository.ts';
import { AS_LEARNED, evidenceTable, rankTable, signalTable } from './signal-table.ts';

const TASKS = {
  parser: 'Accept longer input in the parser',
  weather: 'Forecast weather for tomorrow',
  keyboard: 'Swap two keys of the keyboard',
  renderer: 'Draw shadows with the renderer',
};
const NAMES = Object.keys(TASKS);

const sourceOf = (name: string, change = '') =>
  `export function load${name}(value: number) {\n  // the ${name} ${change}\n  return value;\n}\n`;

/** Every commit changes the file that its message names. */
function repositoryWithPast(): TemporaryRepository {
  const files = NAMES.map((name) => [`src/${name}.ts`, sourceOf(name)]);
  const repository = temporaryRepository(Object.fromEntries(files));
  for (const [name, task] of Object.entries(TASKS)) {
    repository.write(`src/${name}.ts`, sourceOf(name, 'is rounded'));
    repository.git('add', '--all');
    repository.git('commit', '--quiet', `--message=${task}`);
  }
  return repository;
}

function requestFor(
  { path, cache }: TemporaryRepository,
  more: Partial<EvaluationRequest> = {},
): EvaluationRequest {
  const sources = { flags: {}, environment: {}, repositoryFile: null, userFile: null, trusted: false };
  const { settings } = loadSettings({ ...sources, defaults: { cacheDir: cache } });
  return {
    repo: path,
    settings: { ...settings, parseWorkers: 1 },
    commits: 10,
    budgets: [],
    tune: false,
    ...more,
  };
}

function everyFile(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String).sort();
}

describe('evaluateRepository', () => {
  it('asks for each commit at its parent and finds what it changed', async () => {
    const repository = repositoryWithPast();
    const { tasks, summary, head } = await evaluateRepository(requestFor(repository));
    expect(head).toBe(repository.git('rev-parse', 'HEAD').trim());
    expect(tasks.map(({ subject, changed }) => [subject, changed])).toEqual(
      Object.entries(TASKS)
        .map(([name, task]) => [task, [`src/${name}.ts`]])
        .reverse(),
    );
    expect(summary).toMatchObject({ commits: 4, ranking: { within1: 1 }, plain: { within10: 1 } });
  });

  it('touches neither the work tree nor the git directory, and leaves no tree behind', async () => {
    const repository = repositoryWithPast();
    repository.write('src/parser.ts', 'export const changedByHand = 1;\n');
    const before = [everyFile(repository.path), repository.git('status', '--porcelain')];
    await evaluateRepository(requestFor(repository, { commits: 2 }));
    expect([everyFile(repository.path), repository.git('status', '--porcelain')]).toEqual(before);
    expect(readdirSync(join(repository.cache, 'eval'))).toEqual([]);
  });

  it('runs no filter and no hook of the repository', async () => {
    const repository = repositoryWithPast();
    const trap = join(repository.home, 'sprung');
    repository.git('config', 'filter.trap.smudge', `touch ${trap}; cat`);
    repository.git('config', 'filter.trap.clean', `touch ${trap}; cat`);
    repository.write('.git/info/attributes', '* filter=trap\n');
    repository.write('.git/hooks/post-checkout', `#!/bin/sh\ntouch ${trap}\n`);
    repository.write('.git/hooks/post-index-change', `#!/bin/sh\ntouch ${trap}\n`);
    const { summary } = await evaluateRepository(requestFor(repository, { commits: 1 }));
    expect(summary.commits).toBe(1);
    expect(existsSync(trap)).toBe(false);
  });

  it('cleans up when it is interrupted', async () => {
    const repository = repositoryWithPast();
    const interrupted = new AbortController();
    const request = requestFor(repository, {
      signal: interrupted.signal,
      onProgress: ({ done }) => void (done === 1 && interrupted.abort()),
    });
    await expect(evaluateRepository(request)).rejects.toThrow();
    expect(readdirSync(join(repository.cache, 'eval'))).toEqual([]);
  });

  it('measures packages with the given function, and counts shares', async () => {
    const repository = repositoryWithPast();
    const seen: string[] = [];
    const { summary } = await evaluateRepository(
      requestFor(repository, {
        commits: 2,
        budgets: [5, 1_000],
        packPaths: async ({ settings, task }) => {
          seen.push(`${settings.tokenBudget} ${task}`);
          return settings.tokenBudget > 500 ? ['src/renderer.ts', 'src/keyboard.ts'] : [];
        },
      }),
    );
    expect(seen).toHaveLength(4);
    expect(summary.ranking.budgets).toEqual([
      { budget: 5, all: 0, share: 0 },
      { budget: 1_000, all: 1, share: 1 },
    ]);
    expect(summary.plain.budgets.map(({ all }) => all)).toEqual([0, 1]);
  });

  it('tunes on the scores of the ranking itself', async () => {
    const { path, cache } = repositoryWithPast();
    const { settings } = requestFor({ path, cache } as TemporaryRepository);
    const everything = { ...settings, minRelevance: 0 };
    await useIndex({ repo: path, mode: 'full', settings }, async (scan) => {
      const task = 'the keyboard is rounded, see loadweather in src/renderer.ts';
      const { files, analysis } = await rankScan(scan, { task, settings: everything, limit: 50 });
      const history = await loadHistory(scan.repository, scan.result.gitSha, { limit: 100 });
      const paths = scan.index.snapshot.files.map((file) => file.path);
      const table = signalTable(paths, evidenceTable(scan.index, analysis, history), []);
      expect(files).toHaveLength(NAMES.length);
      expect(rankTable(table, AS_LEARNED)).toEqual(files.map((file) => file.path));
    });
  });

  it('looks at the part of the repository that it is asked about', async () => {
    const repository = repositoryWithPast();
    const { tasks } = await evaluateRepository({
      ...requestFor(repository, { commits: 2 }),
      repo: join(repository.path, 'src'),
    });
    expect(tasks.map(({ changed }) => changed)).toEqual([['renderer.ts'], ['keyboard.ts']]);
  });

  it('reads a repository with long ids, from one of its linked work trees', async () => {
    const repository = temporaryFolder({ 'src/clock.ts': sourceOf('clock') });
    repository.git('init', '--quiet', '--object-format=sha256');
    repository.commit();
    repository.write('src/clock.ts', sourceOf('clock', 'is wound up'));
    repository.git('commit', '--all', '--quiet', '--message=Wind the clock up');
    const linked = join(repository.home, 'linked');
    repository.git('worktree', 'add', '--quiet', linked);
    const { tasks } = await evaluateRepository({ ...requestFor(repository), repo: linked });
    expect(tasks.map(({ changed }) => changed)).toEqual([['src/clock.ts']]);
  });

  it('says what is missing when there is no history', async () => {
    const repository = temporaryRepository();
    await expect(evaluateRepository(requestFor(repository))).rejects.toThrow('has no commits');
  });
});
