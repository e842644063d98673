import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../src/config/settings.ts';
import { answersOf, SCALE, scanInProcess } from '../support/scan-kit.ts';
import { gitIn, type TemporaryRepository, temporaryRepository } from '../support/temporary-repository.ts';
import { anyStep, type Step, takeStep } from './fixtures/edit-steps.ts';

const START = {
  'src/a.ts': "import { c } from './lib/c';\nexport function alpha1() { return c; }\n",
  'src/lib/c.ts': 'export const c = 1;\n',
  'test/a.test.ts': "import { alpha1 } from '../src/a';\ntest('alpha1', () => alpha1());\n",
  'py/m.py': 'from pkg import n\n\ndef m1(): pass\n',
  'py/pkg/__init__.py': '',
  'tsconfig.json': '{"compilerOptions":{"paths":{"@/*":["./src/*"]}}}',
};

async function expectSameAsFull(
  repository: TemporaryRepository,
  changes: Partial<Settings> = {},
): Promise<void> {
  const cache = mkdtempSync(join(repository.home, 'fresh-'));
  // together, so that the listing of both sees the same tree and the wait is shared
  const [incremental, full] = await Promise.all([
    scanInProcess(repository, 'incremental', changes),
    scanInProcess({ path: repository.path, cache }, 'full', changes),
  ]);
  expect(answersOf(incremental)).toEqual(answersOf(full));
}

async function playSequence(steps: readonly Step[]): Promise<void> {
  const repository = temporaryRepository(START);
  await scanInProcess(repository);
  for (const step of steps) {
    takeStep(repository, step);
    if (step.do === 'scan') await expectSameAsFull(repository);
  }
  await expectSameAsFull(repository);
}

describe('an incremental scan gives what a full one gives', () => {
  it.each([1, 2, 3, 4])('after any sequence of changes (part %i)', { timeout: 60_000 * SCALE }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 15, size: 'max' }), playSequence),
      { numRuns: 10 * SCALE, endOnFailure: SCALE === 1 },
    );
  });

  it('when a manifest changes that is too large to be indexed', async () => {
    const paths = (folder: string) =>
      `{"compilerOptions":{"paths":{"@/*":["./src/${folder}/*"]}}}${' '.repeat(900)}`;
    const repository = temporaryRepository({
      ...START,
      'src/use.ts': "import { c } from '@/c';\n",
      'tsconfig.json': paths('lib'),
    });
    const limits = { maxFileBytes: 800 };
    const before = answersOf(await scanInProcess(repository, 'incremental', limits));
    expect(before.imports).toContain('src/use.ts -> src/lib/c.ts');
    repository.write('tsconfig.json', paths('nil'));
    await expectSameAsFull(repository, limits);
  });

  it('in a second work tree on another branch that shares the index', async () => {
    const repository = temporaryRepository(START);
    await scanInProcess(repository);
    const tree = join(repository.home, 'tree');
    repository.git('worktree', 'add', '--quiet', '-b', 'side', tree);
    const side = { ...repository, path: tree, git: gitIn(tree) };
    await expectSameAsFull(side);
    repository.write('src/a.ts', 'export function other1() {}\n');
    await expectSameAsFull(repository);
    await expectSameAsFull(side);
  });

  it('in two work trees that are scanned at the same moment', async () => {
    const repository = temporaryRepository(START);
    const tree = join(repository.home, 'tree');
    repository.git('worktree', 'add', '--quiet', '-b', 'side', tree);
    const side = { ...repository, path: tree, git: gitIn(tree) };
    for (let round = 0; round < 3; round++) {
      repository.write('src/a.ts', `export function here${round}() {}\n`);
      repository.write('src/b.ts', `export function both${round}() {}\n`);
      for (const path of ['src/a.ts', 'src/lib/c.ts'])
        writeFileSync(join(tree, path), `export function there${round}() {}\n`);
      await Promise.all([repository, side, repository, side].map((place) => scanInProcess(place)));
      await expectSameAsFull(repository);
      await expectSameAsFull(side);
    }
  });

  it('and the index stays small over many edits', async () => {
    const repository = temporaryRepository(START);
    let segments = 0;
    for (let round = 0; round < 24; round++) {
      repository.write(`src/f${round}.ts`, `export const value${round} = 1;\n`);
      const { index } = await scanInProcess(repository);
      segments = Math.max(segments, index.snapshot.segments.length);
    }
    expect(segments).toBeLessThanOrEqual(10);
    await expectSameAsFull(repository);
  });
});
