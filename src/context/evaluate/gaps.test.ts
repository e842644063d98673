import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { settingsFor } from '../../../test/support/scan-kit.ts';
import { temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { openRepository } from '../../scan/repository.ts';
import { rankRepository } from '../rank.ts';
import { forgetGaps, type Gap, readGaps, recordGap } from './gaps.ts';

const gap = (text: string, task = 'Fix the access token', id = 'p1'): Gap => {
  return { package: id, task, text, at: '2026-01-01T00:00:00.000Z' };
};

function setUp() {
  const cache = mkdtempSync(join(tmpdir(), 'loadout-gaps-'));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
  return { cache, repository: { cache: { path: '/x/project-1' } } };
}

describe('gaps', () => {
  it('are kept in order, each once, and never more than 80', () => {
    const { cache, repository } = setUp();
    for (let number = 0; number < 100; number++) recordGap(repository, cache, gap(`gap ${number}`));
    recordGap(repository, cache, gap('gap 50'));
    const texts = readGaps(repository, cache).map(({ text }) => text);
    expect(texts).toHaveLength(80);
    expect(texts.at(-1)).toBe('gap 50');
    expect(new Set(texts).size).toBe(80);
  });

  it('stay readable at the maximum length', () => {
    const { cache, repository } = setUp();
    for (let number = 0; number < 80; number++)
      recordGap(repository, cache, gap(`${number} ${'語'.repeat(5_000)}`, '語'.repeat(5_000)));
    expect(readGaps(repository, cache)).toHaveLength(80);
  });

  it('can be forgotten; an empty one is refused; a damaged file counts as none', () => {
    const { cache, repository } = setUp();
    recordGap(repository, cache, gap('x'));
    expect(forgetGaps(repository, cache)).toBe(1);
    expect(readGaps(repository, cache)).toEqual([]);
    expect(() => recordGap(repository, cache, gap('  '))).toThrow('the gap description is empty');
    recordGap(repository, cache, gap('x'));
    const [name] = readdirSync(join(cache, 'index'));
    for (const text of ['', '{', '[]', '{"format":1,"gaps":[{}]}', '{"format":9,"gaps":[]}']) {
      writeFileSync(join(cache, 'index', name!), text);
      expect(readGaps(repository, cache)).toEqual([]);
    }
  });
});

describe('a gap as a hint', () => {
  const FILES = {
    'src/token.ts': 'export function refreshToken() { return "access token"; }\n',
    'config/limits.ts': 'export const WINDOW = 3;\n',
    'src/other.ts': 'export const other = "nothing";\n',
  };
  const TASK = 'Fix the refresh of the access token in refreshToken';

  it('ranks the file higher for a similar task, with a reason, and for no other task', async () => {
    const { path, cache } = temporaryRepository(FILES);
    const rank = (task: string) =>
      rankRepository({ repo: path, settings: settingsFor(cache, { minRelevance: 0.05 }), task, limit: 10 });
    const rankOf = async (task: string) =>
      (await rank(task)).files.find((file) => file.path === 'config/limits.ts');
    expect(await rankOf(TASK)).toBeUndefined();
    const repository = await openRepository(path, cache);
    recordGap(
      repository,
      cache,
      gap('the window is in config/limits.ts', 'Fix the access token refresh race'),
    );
    const hinted = await rankOf(TASK);
    expect(hinted?.reasons.at(-1)).toBe(
      'an earlier task like this lacked it: “the window is in config/limits.ts”',
    );
    const { files, diagnostics } = await rank(TASK);
    expect(files[0]?.path).toBe('src/token.ts');
    expect(diagnostics.map(({ code }) => code)).toContain('gap-hints');
    const strict = await rankRepository({
      repo: path,
      settings: settingsFor(cache, { minRelevance: 0.5 }),
      task: TASK,
      limit: 10,
    });
    expect(strict.files.map((file) => file.path)).toEqual(['src/token.ts']);
    expect(strict.diagnostics.map(({ code }) => code)).not.toContain('gap-hints');
    const other = await rankOf('Rename the export called nothing in other');
    expect(other?.reasons.join() ?? '').not.toContain('lacked');
  });
});
