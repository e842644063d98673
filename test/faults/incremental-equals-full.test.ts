import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../src/config/settings.ts';
import { answersOf, PATIENT, SCALE, scanInProcess } from '../support/scan-kit.ts';
import {
  type FileContents,
  gitIn,
  type TemporaryRepository,
  temporaryRepository,
} from '../support/temporary-repository.ts';
import { anyStep, type Family, type Step, takeStep } from './fixtures/edit-steps.ts';

const START = {
  typescript: {
    'src/a.ts': "import { c } from './lib/c';\nexport function alpha1() { return c; }\n",
    'src/lib/c.ts': 'export const c = 1;\n',
    'src/use.ts': "import { c } from '@/lib/c';\nexport { c };\n",
    'test/a.test.ts': "import { alpha1 } from '../src/a';\ntest('alpha1', () => alpha1());\n",
    'tsconfig.json': '{"compilerOptions":{"paths":{"@/*":["./src/*"]}}}',
  },
  others: {
    'py/m.py': 'from pkg import n\n\ndef m1(): pass\n',
    'py/pkg/__init__.py': '',
    'py/pkg/n.py': 'def n(): pass\n',
    'go/main.go': 'package main\n\nimport "example.org/one/util"\n\nfunc Main1() { util.Use1() }\n',
    'go/util/u.go': 'package util\n\nfunc Use1() {}\n',
    'go/go.mod': 'module example.org/one\n',
  },
} satisfies Record<Family, FileContents>;

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

/** Repositories whose first scan came late enough after their last change to trust time stamps. */
async function prepare(family: Family, count: number): Promise<TemporaryRepository[]> {
  const repositories = Array.from({ length: count }, () => temporaryRepository(START[family]));
  await delay(2100);
  for (const repository of repositories) await scanInProcess(repository);
  return repositories;
}

async function playSequence(repository: TemporaryRepository, steps: readonly Step[]): Promise<void> {
  for (const [at, step] of steps.entries()) {
    // the last step alone makes the difference that the last scan has to see
    if (at === steps.length - 1) await scanInProcess(repository);
    takeStep(repository, step);
    if (step.do === 'scan') await expectSameAsFull(repository);
  }
  await expectSameAsFull(repository);
}

describe('an incremental scan gives the same result as a full one', PATIENT, () => {
  it.each([
    ['typescript', 1],
    ['typescript', 2],
    ['others', 1],
    ['others', 2],
  ] as const)('after any sequence of changes (%s, part %i)', async (family, _part) => {
    const runs = SCALE === 1 ? 2 : 3 * SCALE;
    const ready = await prepare(family, runs);
    const steps = fc.array(anyStep(family), { minLength: 4, maxLength: 15, size: 'max' });
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) =>
        playSequence(ready.pop() ?? (await prepare(family, 1))[0]!, sequence),
      ),
      { numRuns: runs, endOnFailure: SCALE === 1 },
    );
  });

  it('when a manifest changes that is too large to be indexed', async () => {
    const paths = (folder: string) =>
      `{"compilerOptions":{"paths":{"@/*":["./src/${folder}/*"]}}}${' '.repeat(900)}`;
    const repository = temporaryRepository({
      ...START.typescript,
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
    const repository = temporaryRepository(START.typescript);
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
    const repository = temporaryRepository(START.typescript);
    const tree = join(repository.home, 'tree');
    repository.git('worktree', 'add', '--quiet', '-b', 'side', tree);
    const side = { ...repository, path: tree, git: gitIn(tree) };
    for (let round = 0; round < 2; round++) {
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
    const repository = temporaryRepository(START.others);
    let segments = 0;
    for (let round = 0; round < 14; round++) {
      repository.write(`py/f${round}.py`, `value${round} = 1\n`);
      const { index } = await scanInProcess(repository);
      segments = Math.max(segments, index.snapshot.segments.length);
    }
    expect(segments).toBeLessThanOrEqual(10);
    await expectSameAsFull(repository);
  });
});
