import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { openGitRunTree } from './git-run-tree.ts';
import { needGit, openGitWriter } from './git-writer.ts';
import { readRepositoryState } from './own-git-directory.ts';

const FILES = {
  'a.txt': 'one\n',
  'b/c.txt': 'two\n',
  'b/d/e.txt': 'three\n',
  '.gitignore': 'ignored/\n*.log\n',
};

/** Things that an agent may leave behind, by accident or on purpose. */
const MESSES: readonly (readonly [string, string])[] = [
  [
    'changed, new and ignored files',
    'echo x > a.txt; echo y > new.txt; mkdir ignored; echo z > ignored/z; echo l > b/x.log',
  ],
  [
    'a file of the same size and time',
    'touch -r a.txt ref; printf "eno\\n" > a.txt; touch -r ref a.txt; rm ref',
  ],
  ['removed files', 'rm a.txt; rm -r b'],
  ['a file in place of a folder', 'rm -r b; echo b > b'],
  ['a folder in place of a file', 'rm a.txt; mkdir a.txt; echo x > a.txt/x'],
  ['a link out of the tree in place of a folder', 'rm -r b; ln -s /etc b'],
  ['another mode', 'chmod +x a.txt'],
  ['commits', 'echo x > a.txt; git add -A; git commit -qm x'],
  ['a branch', 'git checkout -qb mine; echo x > a.txt; git commit -qam x'],
  [
    'changes that its index hides',
    'git update-index --assume-unchanged a.txt; git update-index --skip-worktree b/c.txt; echo x > a.txt; echo x > b/c.txt',
  ],
  [
    'an index that is locked or gone',
    'touch "$(git rev-parse --git-dir)/index.lock"; rm "$(git rev-parse --git-dir)/index"; echo x > a.txt',
  ],
  ['no git directory', 'rm -rf .git; echo x > a.txt'],
  ['another git directory', 'rm -rf .git; git init -q; git config core.worktree /; echo x > a.txt'],
  [
    'a link to another git directory',
    'rm -rf .git; git init -q ../other; ln -s ../other/.git .git; echo x > a.txt',
  ],
  ['a repository inside', 'git init -q nested; echo x > nested/x'],
  [
    'a folder that looks like a work tree',
    'mkdir sub; echo "gitdir: /nonexistent" > sub/.git; echo x > sub/x',
  ],
  ['a name that looks like an option', 'echo x > ./--force; echo y > "a b\nc"'],
];

async function setUp() {
  const { path, home, git } = temporaryRepository(FILES);
  const commit = git('rev-parse', 'HEAD').trim();
  const tree = join(home, 'trees');
  const writer = openGitWriter(path);
  const repository = { gitDirectory: join(path, '.git'), commonDirectory: join(path, '.git') };
  const places = { path: tree, repository, indexFile: join(home, 'index'), asideFolder: join(home, 'aside') };
  const { reset, ...others } = openGitRunTree(places);
  const state = () => readRepositoryState(needGit(path), repository);
  const runTree = { ...others, reset: (at: string) => reset(at, state()) };
  await runTree.reset(commit);
  const run = (script: string) =>
    execFileSync('sh', ['-c', script], {
      cwd: tree,
      stdio: 'ignore',
      env: {
        ...process.env,
        GIT_AUTHOR_NAME: 't',
        GIT_AUTHOR_EMAIL: 't@e',
        GIT_COMMITTER_NAME: 't',
        GIT_COMMITTER_EMAIL: 't@e',
      },
    });
  return { commit, tree, writer, runTree, run, git, home };
}

function contents(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (entry) => !entry.isDirectory(),
  );
  const names = entries.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  return Object.fromEntries(
    names
      .filter((name) => !/^\.git\//.test(name))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

describe('a tree for runs', () => {
  it.each(MESSES)('is as in the commit again after %s', async (_, mess) => {
    const { commit, tree, writer, runTree, run } = await setUp();
    const base = await writer.treeOf(commit);
    expect((await runTree.snapshot()).tree).toBe(base);
    run(mess);
    await runTree.snapshot();
    await runTree.reset(commit);
    expect(contents(tree)).toEqual(FILES);
    expect(await runTree.snapshot()).toEqual({ tree: base, nestedRepositories: [] });
    expect(await runTree.head()).toBe(commit);
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: tree, encoding: 'utf8' })).toBe('');
  });

  it.each(MESSES.filter(([name]) => !/ignored|inside|looks like a work tree/.test(name)))(
    'reports %s, and the patch contains all of it',
    async (_, mess) => {
      const { commit, tree, writer, runTree, run, git } = await setUp();
      run(mess);
      const after = await runTree.snapshot();
      expect(after.tree).not.toBe(await writer.treeOf(commit));
      const patch = await writer.patchBetween(await writer.treeOf(commit), after.tree);
      expect(await writer.checkPatch(patch)).toBeNull();
      await writer.applyPatch(patch);
      git('add', '-A');
      expect(git('write-tree').trim()).toBe(after.tree);
      expect(tree).toBe(runTree.path);
    },
  );

  it('moves to another commit', async () => {
    const { commit, tree, runTree, run, git } = await setUp();
    run('echo half > a.txt; echo new > next.txt');
    git('commit', '--quiet', '--allow-empty', '--message=other');
    const other = git('rev-parse', 'HEAD').trim();
    await runTree.reset(other);
    expect(await runTree.head()).toBe(other);
    await runTree.reset(commit);
    expect(contents(tree)).toEqual(FILES);
  });

  it('names a repository that the agent made', async () => {
    const { runTree, run } = await setUp();
    run('git init -q nested; echo x > nested/x');
    expect((await runTree.snapshot()).nestedRepositories).toEqual(['nested/']);
  });

  it('is made again when the agent replaced it with a link, and the target of the link stays', async () => {
    const { commit, tree, runTree, home } = await setUp();
    mkdirSync(join(home, 'precious'));
    writeFileSync(join(home, 'precious/file'), 'mine\n');
    rmSync(tree, { recursive: true });
    symlinkSync(join(home, 'precious'), tree);
    await expect(runTree.snapshot()).rejects.toMatchObject({ code: 'work-tree-gone' });
    await runTree.reset(commit);
    expect(contents(tree)).toEqual(FILES);
    expect(readdirSync(join(home, 'precious'))).toEqual(['file']);
  });

  it('takes no branch but its own', async () => {
    const { writer, commit } = await setUp();
    await expect(writer.createBranch('main', commit)).rejects.toMatchObject({ code: 'git-command-refused' });
    await expect(writer.createBranch('loadout/../main', commit)).rejects.toMatchObject({
      code: 'git-command-refused',
    });
  });
});
