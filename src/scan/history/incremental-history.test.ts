import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TemporaryRepository, temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { commit, historyIn, told } from './history.test-kit.ts';

const NAMES = ['a.ts', 'b.ts', 'dir/c.ts'];
const BRANCHES = ['main', 'left', 'right'];

type Step =
  | { readonly kind: 'edit' | 'amend'; readonly name: string; readonly content: number }
  | { readonly kind: 'rename'; readonly name: string; readonly to: string }
  | { readonly kind: 'switch' | 'merge'; readonly branch: string }
  | { readonly kind: 'reset'; readonly back: number };

const name = fc.constantFrom(...NAMES);
const branch = fc.constantFrom(...BRANCHES);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('edit' as const), name, content: fc.nat(9) }) },
  fc.record({ kind: fc.constant('amend' as const), name, content: fc.nat(9) }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename' as const), name, to: name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('switch' as const), branch }) },
  fc.record({ kind: fc.constant('merge' as const), branch }),
  fc.record({ kind: fc.constant('reset' as const), back: fc.integer({ min: 1, max: 2 }) }),
);

function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // a step that git refuses (nothing there, a conflict) is no step
  }
}

function take(repository: TemporaryRepository, taken: Step, at: number): void {
  const { git, write } = repository;
  // longer than what is edited, so that renames are seen
  const body = 'line\n'.repeat(20);
  if (taken.kind === 'switch') git('switch', '--quiet', taken.branch);
  else if (taken.kind === 'edit') {
    write(taken.name, `${body}${taken.content}\n`);
    commit(repository, `Edit ${taken.name} step${at}\n\nwith body${taken.content}`);
  } else if (taken.kind === 'amend') {
    write(taken.name, `${body}${taken.content}\n`);
    git('add', '--all');
    git('commit', '--quiet', '--amend', '--allow-empty', `--message=Amended step${at}`);
  } else if (taken.kind === 'rename') {
    attempt(() => {
      git('mv', taken.name, taken.to);
      commit(repository, `Rename step${at}`);
    });
  } else if (taken.kind === 'merge') {
    attempt(() => git('merge', '--quiet', '--no-edit', taken.branch));
    attempt(() => git('merge', '--abort'));
  } else if (taken.kind === 'reset') attempt(() => git('reset', '--quiet', '--hard', `HEAD~${taken.back}`));
}

describe('a history that is read on', () => {
  it('equals a history that is read from scratch, and has nothing that HEAD does not reach', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        const repository = temporaryRepository({ 'a.ts': 'line\n'.repeat(20) });
        for (const other of BRANCHES.slice(1)) repository.git('branch', other);
        for (const [at, taken] of steps.entries()) {
          take(repository, taken, at);
          const readOn = await historyIn(repository.path, repository.cache);
          const fresh = await historyIn(repository.path, join(repository.home, `fresh-${at}`));
          expect(readOn).toEqual(fresh);
          const reached = repository.git('rev-list', '--no-merges', 'HEAD').trim().split('\n');
          expect(readOn.ids).toEqual(reached);
        }
        rmSync(repository.home, { recursive: true });
      }),
      { numRuns: 8 },
    );
  });

  it('is right for all of several processes at once', async () => {
    const repository = temporaryRepository({ 'a.ts': '0' });
    const heads: string[] = [];
    for (let at = 1; at <= 6; at++) {
      repository.write('a.ts', String(at));
      commit(repository, `step${at}`);
      heads.push(repository.git('rev-parse', 'HEAD').trim());
    }
    const script = join(repository.home, 'reader.mjs');
    await build({
      stdin: {
        contents: `
          import { openRepository } from '../repository.ts';
          import { loadHistory } from './load-history.ts';
          const [path, cache, ...heads] = process.argv.slice(2);
          const repository = await openRepository(path!, cache!);
          for (let round = 0; round < 30; round++) {
            const head = heads[(round * 7 + process.pid) % heads.length]!;
            const { ids, subjects } = await loadHistory(repository, head, { limit: 100 });
            const wanted = 1 + heads.indexOf(head);
            if (ids[0] !== head || ids.length !== wanted + 1 || subjects[0] !== 'step' + wanted) process.exit(1);
          }
        `,
        resolveDir: import.meta.dirname,
        loader: 'ts',
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: script,
      logLevel: 'silent',
    });
    mkdirSync(repository.cache, { recursive: true });
    const ended = Array.from({ length: 3 }, () => {
      const child = spawn(process.execPath, [script, repository.path, repository.cache, ...heads], {
        stdio: 'inherit',
      });
      return new Promise((resolve) => child.once('exit', resolve));
    });
    expect(await Promise.all(ended)).toEqual([0, 0, 0]);
    expect(told(await historyIn(repository.path, repository.cache)).length).toBe(7);
  });
});
