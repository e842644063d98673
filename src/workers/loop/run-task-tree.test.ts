import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FOLDER, loopKit, node, type StubWorker, TREE } from './loop.test-kit.ts';
import { startLoop } from './start-loop.ts';

const done = { status: 'done', summary: 'All of it.' } as const;
const retry = { status: 'retry', summary: 'Not yet.' } as const;
const decomposed = { status: 'decomposed', summary: 'In parts.' } as const;
const GOAL = 'Build it\n\nThe whole thing.\n\nAcceptance:\n- it runs';

async function started(worker: StubWorker, guard: Parameters<typeof loopKit>[1] = null, goal = GOAL) {
  const kit = await loopKit(worker, guard);
  await startLoop({ repository: kit.repository.path, goal }, () => 0);
  return kit;
}

const twoLeaves = JSON.stringify(
  node('root', { children: [node('second', { order: 2 }), node('first', { order: 1 })] }),
);

describe('the step', () => {
  it("passes a node that is done and checked, and commits the worker's files with the state", async () => {
    const kit = await started(
      ({ write }) => {
        write('new/file.txt', 'made\n');
        return done;
      },
      () => ({ passed: true, log: 'ok\n' }),
    );
    const report = await kit.step();
    expect(report).toMatchObject({ kind: 'stepped', result: 'passed', guard: 'pass', outcome: 'passed' });
    expect(kit.tree()).toMatchObject({ passes: true, attempts: 0 });
    expect(kit.state()).toMatchObject({ next_iter: 2, last_status: 'done', last_guard: 'pass' });
    expect(readFileSync(join(kit.repository.path, 'new/file.txt'), 'utf8')).toBe('made\n');
    expect(kit.subjects()).toEqual(['loadout loop: start', 'loadout loop: root done, guard pass']);
    expect(kit.repository.git('status', '--porcelain')).toBe('');
    expect(kit.repository.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n')).toEqual([
      `${FOLDER}/state/run_state.json`,
      TREE,
      'new/file.txt',
    ]);
    expect(await kit.step()).toMatchObject({ kind: 'ended', outcome: 'passed' });
  });

  it('counts an attempt when the guard fails, keeps the work, and tells the next worker why', async () => {
    const seen: (string | null)[] = [];
    const kit = await started(
      ({ request, write, read }) => {
        const failure = `${FOLDER}/context/failure.md`;
        seen.push(existsSync(join(request.tree.path, failure)) ? read(failure) : null);
        write('a.txt', `${read('a.txt')}more\n`);
        return done;
      },
      ({ read }) => ({ passed: read('a.txt').split('\n').length > 3, log: 'too short\n' }),
    );
    expect(await kit.step()).toMatchObject({ result: 'failed', guard: 'fail', attempts: 1, outcome: 'open' });
    expect(await kit.step()).toMatchObject({ result: 'passed', attempts: 1, outcome: 'passed' });
    expect(seen).toEqual([null, '# Failure (previous attempt)\n\ntoo short\n']);
    expect(kit.prompts[1]).toContain('too short');
    expect(readFileSync(join(kit.repository.path, 'a.txt'), 'utf8')).toBe('one\nmore\nmore\n');
  });

  it('skips the guard for retry, and is stuck when no attempt is left', async () => {
    let guarded = 0;
    const kit = await started(
      () => retry,
      () => {
        guarded += 1;
        return { passed: true, log: '' };
      },
    );
    for (const [attempts, outcome] of [
      [1, 'open'],
      [2, 'open'],
      [3, 'stuck'],
    ] as const)
      expect(await kit.step()).toMatchObject({ status: 'retry', guard: 'skipped', attempts, outcome });
    expect(guarded).toBe(0);
    expect(await kit.step()).toMatchObject({ kind: 'ended', outcome: 'stuck' });
    expect(kit.prompts[1]).toContain('Not yet.');
    expect(kit.tree().attempts).toBe(3);
  });

  it('takes the leftmost open leaf, and parents pass with their last child', async () => {
    const kit = await started(() => done, null, twoLeaves);
    expect(await kit.step()).toMatchObject({ node: 'first', outcome: 'open', guard: 'skipped' });
    expect(kit.tree().passes).toBe(false);
    expect(await kit.step()).toMatchObject({ node: 'second', outcome: 'passed' });
    expect(kit.tree().passes).toBe(true);
  });

  it('lets a worker decompose its node', async () => {
    const kit = await started(({ editTree, request }) => {
      if (request.node.id !== 'root') return done;
      editTree((tree) => {
        tree.children = [node('b', { order: 2 }), node('a', { order: 1 })];
      });
      return decomposed;
    });
    expect(await kit.step()).toMatchObject({ result: 'decomposed', attempts: 0, outcome: 'open' });
    expect(kit.tree().children.map(({ id }) => id)).toEqual(['a', 'b']);
    await kit.step();
    expect(await kit.step()).toMatchObject({ node: 'b', outcome: 'passed' });
  });

  it('makes the next step a repair when the worker leaves a tree that cannot be used', async () => {
    let first = true;
    const kit = await started((bench) => {
      if (!first) return done;
      first = false;
      bench.write('kept.txt', 'kept\n');
      bench.write(TREE, '{"id":');
      return done;
    });
    const before = kit.tree();
    expect(await kit.step()).toMatchObject({ result: 'repair', guard: 'fail', attempts: 1, outcome: 'open' });
    expect(kit.tree()).toEqual({ ...before, attempts: 1 });
    expect(existsSync(join(kit.repository.path, 'kept.txt'))).toBe(true);
    expect(await kit.step()).toMatchObject({ result: 'passed' });
    expect(kit.prompts[1]).toContain('tree.json:1:7');
  });

  it("takes nothing of the loop's own folder from a worker but the task tree and the notes", async () => {
    const kit = await started(({ write, remove }) => {
      remove(`${FOLDER}/.gitignore`);
      write(`${FOLDER}/iterations/fake/1/guard.log`, 'passed\n');
      write(`${FOLDER}/mine.txt`, 'mine\n');
      write(`${FOLDER}/state/run_state.json`, '{}');
      write(`${FOLDER}/state/questions.md`, 'Why?\n');
      write('a.txt', 'two\n');
      return done;
    });
    const report = await kit.step();
    expect(report).toMatchObject({ result: 'passed', iteration: 1 });
    expect(kit.repository.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n')).toEqual([
      `${FOLDER}/state/questions.md`,
      `${FOLDER}/state/run_state.json`,
      TREE,
      'a.txt',
    ]);
    expect(kit.state()).toMatchObject({ next_iter: 2 });
    expect(existsSync(join(kit.repository.path, FOLDER, 'iterations/fake'))).toBe(false);
  });

  it('counts no attempt and commits nothing when the worker could not work', async () => {
    let fails = true;
    const kit = await started(() => (fails ? { kind: 'failed', message: 'no login', log: 'x' } : done));
    const head = kit.repository.git('rev-parse', 'HEAD');
    await expect(kit.step()).rejects.toMatchObject({ code: 'worker-failed' });
    expect(kit.repository.git('rev-parse', 'HEAD')).toBe(head);
    expect(kit.repository.git('status', '--porcelain')).toBe('');
    fails = false;
    expect(await kit.step()).toMatchObject({ iteration: 1, attempts: 0, outcome: 'passed' });
    const run = join(kit.repository.path, FOLDER, 'iterations', String(kit.state().run_id));
    expect(readdirSync(run).sort()).toEqual(['1', '1.cut-short-1']);
    expect(readdirSync(join(run, '1')).sort()).toEqual([
      'executor.log',
      'meta.json',
      'output.json',
      'prompt.md',
      'tree.after.json',
      'tree.before.json',
    ]);
  });

  it('counts an attempt without an answer, and leaves its files behind', async () => {
    const kit = await started(({ write }) => {
      write('half.txt', 'ha');
      return { kind: 'no-answer', message: 'no answer within 60 s', log: null };
    });
    expect(await kit.step()).toMatchObject({ result: 'failed', status: 'retry', attempts: 1 });
    expect(existsSync(join(kit.repository.path, 'half.txt'))).toBe(false);
    expect(kit.state().last_summary).toBe('no answer within 60 s');
  });

  it('keeps notes across iterations, also when a worker removes them or puts a link there', async () => {
    let turn = 0;
    const kit = await started(({ request, write, remove }) => {
      turn += 1;
      const path = `${FOLDER}/state/questions.md`;
      if (turn === 1) write(path, 'Which port?\n');
      if (turn === 2) {
        remove(path);
        symlinkSync('/etc/passwd', join(request.tree.path, path));
      }
      return retry;
    });
    await kit.step();
    await kit.step();
    await kit.step();
    expect(readFileSync(join(kit.repository.path, FOLDER, 'state/questions.md'), 'utf8')).toBe(
      'Which port?\n',
    );
    expect(kit.prompts[2]).toContain('Which port?');
  });

  it("commits the user's edits of the state separately", async () => {
    const kit = await started(() => done, null, twoLeaves);
    const edited = kit.tree();
    writeFileSync(join(kit.repository.path, TREE), JSON.stringify({ ...edited, title: 'Another' }));
    await kit.step();
    expect(kit.subjects()[1]).toBe('loadout loop: state edited by hand');
    expect(kit.tree().title).toBe('Another');
    writeFileSync(join(kit.repository.path, TREE), '{}');
    await expect(kit.step()).rejects.toMatchObject({ code: 'bad-tree' });
  });

  it('does not let hooks or filters of the repository run', async () => {
    const kit = await started(({ write }) => {
      write('a.txt', 'two\n');
      return done;
    });
    const mark = join(kit.repository.home, 'ran');
    const hooks = join(kit.repository.path, '.git/hooks');
    mkdirSync(hooks, { recursive: true });
    for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change', 'pre-commit'])
      writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    const { git, path } = kit.repository;
    git('config', 'filter.evil.clean', `touch ${mark}; cat`);
    git('config', 'filter.evil.smudge', `touch ${mark}; cat`);
    writeFileSync(join(path, '.git/info/attributes'), '* filter=evil\n');
    await kit.step();
    expect(readFileSync(join(kit.repository.path, 'a.txt'), 'utf8')).toBe('two\n');
    expect(existsSync(mark)).toBe(false);
  });
});

describe('the user meanwhile', () => {
  it('keeps a change to another file, and stops a step that would overwrite one', async () => {
    const kit = await started(({ write }) => {
      kit.repository.write('a.txt', 'mine\n');
      write('b.txt', 'made\n');
      return retry;
    });
    await kit.step();
    const read = (name: string) => readFileSync(join(kit.repository.path, name), 'utf8');
    expect([read('a.txt'), read('b.txt')]).toEqual(['mine\n', 'made\n']);
    kit.repository.git('checkout', '--quiet', '--', 'a.txt');
    const clash = await started(({ write }) => {
      clash.repository.write('a.txt', 'mine\n');
      write('a.txt', 'made\n');
      return done;
    });
    await expect(clash.step()).rejects.toMatchObject({ code: 'would-overwrite' });
    expect(readFileSync(join(clash.repository.path, 'a.txt'), 'utf8')).toBe('mine\n');
    expect(clash.tree().passes).toBe(false);
  });

  it('may commit: the step is not put over it, and its commit is named', async () => {
    const kit = await started(({ write }) => {
      kit.repository.git('commit', '--quiet', '--allow-empty', '-m', 'mine');
      write('b.txt', 'made\n');
      return done;
    });
    await expect(kit.step()).rejects.toMatchObject({
      code: 'branch-moved',
      hint: expect.stringMatching(/commit [0-9a-f]{40}/),
    });
    expect(kit.subjects().at(-1)).toBe('mine');
    expect(kit.repository.git('status', '--porcelain')).toBe('');
  });
});

describe('what a step refuses', () => {
  it('the main branch, no branch, uncommitted changes', async () => {
    const kit = await started(() => done);
    const { repository } = kit;
    repository.write('a.txt', 'changed\n');
    await expect(kit.step()).rejects.toMatchObject({
      code: 'dirty-tree',
      message: expect.stringContaining('a.txt'),
    });
    repository.git('checkout', '--quiet', '--', 'a.txt');
    repository.write('b.txt', 'new\n');
    await expect(kit.step()).rejects.toMatchObject({
      code: 'dirty-tree',
      message: expect.stringContaining('b.txt'),
    });
    repository.git('stash', '--quiet', '--include-untracked');
    repository.git('checkout', '--quiet', '--detach');
    await expect(kit.step()).rejects.toMatchObject({ code: 'no-branch' });
    repository.git('branch', '-f', 'main', 'HEAD');
    repository.git('checkout', '--quiet', 'main');
    await expect(kit.step()).rejects.toMatchObject({
      code: 'on-main-branch',
      hint: expect.stringContaining('git switch -c'),
    });
    expect(kit.prompts).toEqual([]);
  });

  it('a file that was only touched does not count as changed', async () => {
    const kit = await started(() => done);
    kit.repository.write('a.txt', 'one\n');
    expect(await kit.step()).toMatchObject({ outcome: 'passed' });
  });

  it('a repository without a loop', async () => {
    const kit = await loopKit(() => done);
    await expect(kit.step()).rejects.toMatchObject({ code: 'no-loop' });
  });

  it('a second process', async () => {
    let inner: Promise<unknown> | null = null;
    const kit = await started(async () => {
      inner = kit.step();
      await expect(inner).rejects.toMatchObject({ code: 'loop-running' });
      return done;
    });
    await kit.step();
    expect(inner).not.toBeNull();
  });
});

describe('starting', () => {
  it('refuses to throw away a tree, unless told to', async () => {
    const kit = await started(() => done);
    const { path } = kit.repository;
    await expect(startLoop({ repository: path, goal: 'Other' }, () => 0)).rejects.toMatchObject({
      code: 'loop-exists',
    });
    await startLoop({ repository: path, goal: 'Other', replace: true, maxAttempts: 5 }, () => 0);
    expect(kit.tree()).toMatchObject({ title: 'Other', goal: 'Other', max_attempts: 5 });
    await kit.step();
    await startLoop({ repository: path, goal: 'Third' }, () => 0);
    expect(kit.tree()).toMatchObject({ title: 'Third', passes: false });
  });

  it.each([
    ['not ignored', false],
    ['ignored', true],
  ])('takes the tree that another runner has left, %s', async (_, isIgnored) => {
    const kit = await loopKit(() => done);
    const { repository } = kit;
    repository.write('.runner/state/tree.json', JSON.stringify(node('root')));
    repository.write('.runner/context/goal.md', 'old\n');
    repository.write('.runner/iterations/x/1/guard.log', 'old\n');
    repository.write('.runner/.gitignore', '*.tmp');
    if (isIgnored) repository.write('.git/info/exclude', '.runner/\n');
    const begun = await startLoop({ repository: repository.path, folder: '.runner', goal: null }, () => 0);
    expect(begun.folder).toBe('.runner');
    const ignored = readFileSync(join(repository.path, '.runner/.gitignore'), 'utf8');
    expect(ignored).toBe('*.tmp\n/context/\n/context.*/\n/iterations/\n');
    expect(repository.git('status', '--porcelain')).toBe('');
    expect(await kit.step()).toMatchObject({ outcome: 'passed' });
    expect(JSON.parse(readFileSync(join(repository.path, '.runner/state/tree.json'), 'utf8')).passes).toBe(
      true,
    );
  });
});
