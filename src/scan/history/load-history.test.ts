import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder, temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { openRepository } from '../repository.ts';
import { commit, historyIn, told } from './history.test-kit.ts';
import { loadHistory } from './load-history.ts';

describe('loadHistory', () => {
  it('tells what each commit changed, newest first, without merges', async () => {
    const repository = temporaryRepository({ 'a.ts': '1', 'b.ts': '1' });
    repository.git('switch', '--quiet', '--create', 'side');
    repository.write('c.ts', '1');
    commit(repository, 'Add c');
    repository.git('switch', '--quiet', 'main');
    repository.write('a.ts', '2');
    commit(repository, 'Change a');
    repository.git('merge', '--quiet', '--no-ff', '--message=Merge side', 'side');
    rmSync(join(repository.path, 'b.ts'));
    commit(repository, 'Drop b\n\nIt was never used.');
    const history = await historyIn(repository.path, repository.cache);
    expect(told(history)[0]).toBe('Drop b: b.ts');
    expect(told(history).sort()).toEqual([
      'Add c: c.ts',
      'Change a: a.ts',
      'Drop b: b.ts',
      'step: a.ts b.ts',
    ]);
    expect(history.ids[0]).toBe(repository.git('rev-parse', 'HEAD').trim());
    expect(history.words).toEqual([
      'a',
      'add',
      'b',
      'c',
      'change',
      'drop',
      'it',
      'never',
      'step',
      'used',
      'was',
    ]);
    expect(history.diagnostics).toEqual([]);
  });

  it('stops at the limit', async () => {
    const repository = temporaryRepository({ a: '' });
    for (const name of ['1', '2', '3']) commit(repository, name);
    expect((await historyIn(repository.path, repository.cache, 2)).subjects).toEqual(['3', '2']);
    expect((await historyIn(repository.path, repository.cache, 3)).subjects).toEqual(['3', '2', '1']);
    expect((await historyIn(repository.path, repository.cache, 2)).subjects).toEqual(['3', '2']);
    expect((await historyIn(repository.path, repository.cache, 0)).subjects).toEqual([]);
  });

  it('uses the current names of files', async () => {
    const text = Array.from({ length: 50 }, (_, line) => `line ${line}\n`).join('');
    const repository = temporaryRepository({
      'old.ts': text,
      'x.ts': 'x\n'.repeat(20),
      'y.ts': 'y\n'.repeat(20),
    });
    repository.write('old.ts', `${text}more\n`);
    commit(repository, 'Change');
    repository.git('mv', 'old.ts', 'middle.ts');
    commit(repository, 'Rename');
    repository.git('mv', 'middle.ts', 'new.ts');
    repository.write('new.ts', `${text}other\n`);
    commit(repository, 'Rename and edit');
    repository.write('old.ts', 'a new file under the old name');
    commit(repository, 'Again');
    repository.git('mv', 'x.ts', 'z.ts');
    repository.git('mv', 'y.ts', 'x.ts');
    repository.git('mv', 'z.ts', 'y.ts');
    commit(repository, 'Swap');
    const [swap, again, edit, rename, change, first] = told(
      await historyIn(repository.path, repository.cache),
    );
    expect([again, edit, rename, change]).toEqual([
      'Again: old.ts',
      'Rename and edit: new.ts',
      'Rename: new.ts',
      'Change: new.ts',
    ]);
    expect(swap).toBe('Swap: x.ts y.ts');
    expect(first?.split(' ').sort()).toEqual(['new.ts', 'step:', 'x.ts', 'y.ts']);
  });

  it('knows the new name of what another branch changed under the old one', async () => {
    const repository = temporaryRepository({ 'old.ts': 'text\n'.repeat(20) });
    repository.git('switch', '--quiet', '--create', 'side');
    repository.git('mv', 'old.ts', 'new.ts');
    repository.git('commit', '--quiet', '--message=Rename', '--date=2020-01-01T00:00:00Z');
    repository.git('switch', '--quiet', 'main');
    repository.write('old.ts', 'text\n'.repeat(21));
    commit(repository, 'Change');
    repository.git('merge', '--quiet', '--message=Merge', 'side');
    const history = await historyIn(repository.path, repository.cache);
    expect(told(history).sort()).toEqual(['Change: new.ts', 'Rename: new.ts', 'step: new.ts']);
  });

  it('ignores the files of a commit with too many, but follows its renames', async () => {
    const files = Array.from({ length: 201 }, (_, at) => [`src/${at}.ts`, `content ${at}`]);
    const repository = temporaryRepository({ 'a.ts': '1' });
    for (const [path, content] of files) repository.write(path!, content!);
    commit(repository, 'Import');
    repository.write('src/7.ts', 'seven');
    commit(repository, 'Change 7');
    repository.git('mv', 'src', 'lib');
    commit(repository, 'Move');
    const history = await historyIn(repository.path, repository.cache);
    expect(told(history)).toEqual(['Move:', 'Change 7: lib/7.ts', 'Import:', 'step: a.ts']);
    expect([...history.fileCounts]).toEqual([201, 1, 201, 1]);
  });

  it('sees only the files below its root', async () => {
    const repository = temporaryRepository({ 'a.ts': '1', 'app/b.ts': '1' });
    const history = await historyIn(join(repository.path, 'app'), repository.cache);
    expect(told(history)).toEqual(['step: b.ts']);
    expect([...history.fileCounts]).toEqual([2]);
  });

  it('reads messages in any encoding', async () => {
    const repository = temporaryRepository({ 'a.ts': '1' });
    const raw = (message: Buffer, encoding: string | null) => {
      const { git, path } = repository;
      const head = [
        `tree ${git('rev-parse', 'HEAD^{tree}').trim()}`,
        `parent ${git('rev-parse', 'HEAD').trim()}`,
        'author T <t@example.org> 1900000000 +0000',
        'committer T <t@example.org> 1900000000 +0000',
        ...(encoding === null ? [] : [`encoding ${encoding}`]),
      ].join('\n');
      const object = Buffer.concat([Buffer.from(`${head}\n\n`), message]);
      const options = { cwd: path, input: object };
      const id = execFileSync(
        'git',
        ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'],
        options,
      );
      git('update-ref', 'HEAD', id.toString().trim());
    };
    raw(Buffer.from('Größe ändern'), null);
    raw(Buffer.from('Größe ändern', 'latin1'), null);
    raw(Buffer.from('Größe ändern', 'latin1'), 'ISO-8859-1');
    raw(Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]), 'Shift_JIS');
    raw(Buffer.from('unknown to all'), 'no-such-encoding');
    raw(Buffer.from('a\0b\n\nwith\0nul'), null);
    raw(Buffer.alloc(0), null);
    raw(Buffer.from(`${'ü'.repeat(5000)}\n`), null);
    const { subjects, words } = await historyIn(repository.path, repository.cache);
    expect(subjects).toEqual([
      'ü'.repeat(200),
      '',
      'a b',
      'unknown to all',
      'テスト',
      'Größe ändern',
      'Größe ändern',
      'Größe ändern',
      'step',
    ]);
    expect(words).toContain('größe');
    expect(words).toContain('nul');
  });

  it('is not fooled by names and messages', async () => {
    const hostile = ['--output=x', 'a\nb', '"q"', 'R100', `${'0'.repeat(40)}`, 'tab\there', ' ', 'ü'];
    const repository = temporaryRepository({ 'a.ts': '1' });
    for (const name of hostile) repository.write(name, `${name} content`);
    repository.git('add', '--all', '.');
    const message = '--output=/x\n\n%G? \u001b[31m $(touch y)\ntree 0\n\nparent 0';
    repository.git('-c', 'user.name=-x\u001b', 'commit', '--quiet', '-m', message);
    repository.git('mv', '--', '--output=x', '-z');
    commit(repository, '\u0007bell\u202e');
    const history = await historyIn(repository.path, repository.cache);
    expect(history.subjects).toEqual(['bell\u202e', '--output=/x', 'step']);
    const renamed = hostile.map((name) => (name === '--output=x' ? '-z' : name));
    expect(history.paths.toSorted()).toEqual([...renamed, 'a.ts'].sort());
  });

  it('runs nothing of the repository and reads nothing of the work tree', async () => {
    const repository = temporaryRepository({
      'a.txt': 'text\n'.repeat(50),
      '.gitattributes': '*.txt diff=x\n',
    });
    repository.git('mv', 'a.txt', 'b.txt');
    repository.write('b.txt', 'text\n'.repeat(51));
    commit(repository, 'Rename');
    const trap = `touch ${join(repository.home, 'trapped')}; cat`;
    for (const key of ['diff.x.command', 'diff.x.textconv', 'diff.external', 'gpg.program', 'core.pager'])
      repository.git('config', key, trap);
    repository.git('config', 'log.showSignature', 'true');
    repository.git('config', 'diff.renames', 'false');
    rmSync(join(repository.path, '.gitattributes'));
    execFileSync('mkfifo', [join(repository.path, '.gitattributes')]);
    const history = await historyIn(repository.path, repository.cache);
    expect(told(history)).toEqual(['Rename: b.txt', 'step: .gitattributes b.txt']);
    expect(history.diagnostics).toEqual([]);
    expect(readdirSync(repository.home)).not.toContain('trapped');
  });

  it('reads the commits themselves, not their replacements', async () => {
    const repository = temporaryRepository({ 'a.ts': '1' });
    repository.write('a.ts', '2');
    commit(repository, 'Change');
    const before = await historyIn(repository.path, repository.cache);
    repository.git('replace', '--graft', 'HEAD');
    rmSync(repository.cache, { recursive: true });
    expect(await historyIn(repository.path, repository.cache)).toEqual(before);
  });

  it('treats a submodule that changed as one path', async () => {
    const repository = temporaryRepository({ 'a.ts': '1' });
    for (const digit of ['1', '2']) {
      repository.git('update-index', '--add', '--cacheinfo', `160000,${digit.repeat(40)},sub`);
      repository.git('commit', '--quiet', `--message=To ${digit}`);
    }
    const history = await historyIn(repository.path, repository.cache);
    expect(told(history)).toEqual(['To 2: sub', 'To 1: sub', 'step: a.ts']);
  });

  it('leaves out the edge of a shallow clone until the clone is deepened', async () => {
    const repository = temporaryRepository({ 'a.ts': '1', 'b.ts': '1' });
    for (const content of ['2', '3', '4']) {
      repository.write('a.ts', content);
      commit(repository, content);
    }
    const clone = join(repository.home, 'clone');
    repository.git('clone', '--quiet', '--depth=2', `file://${repository.path}`, clone);
    expect(told(await historyIn(clone, repository.cache))).toEqual(['4: a.ts']);
    repository.git('-C', clone, 'fetch', '--quiet', '--unshallow');
    const deepened = await historyIn(clone, repository.cache);
    expect(told(deepened)).toEqual(['4: a.ts', '3: a.ts', '2: a.ts', 'step: a.ts b.ts']);
    expect(deepened.diagnostics).toEqual([]);
  });

  it('does with exact renames where a clone left the contents out', async () => {
    const repository = temporaryRepository({ 'a.ts': 'text\n'.repeat(20), 'b.ts': 'same\n' });
    repository.git('mv', 'a.ts', 'c.ts');
    repository.write('c.ts', 'text\n'.repeat(21));
    repository.git('mv', 'b.ts', 'd.ts');
    commit(repository, 'Rename');
    repository.git('config', 'uploadpack.allowFilter', 'true');
    const clone = join(repository.home, 'clone');
    const options = ['--quiet', '--filter=blob:none', '--no-checkout'];
    repository.git('clone', ...options, `file://${repository.path}`, clone);
    const history = await historyIn(clone, repository.cache);
    expect(told(history)).toEqual(['Rename: a.ts c.ts d.ts', 'step: a.ts d.ts']);
    expect(history.diagnostics).toEqual([]);
  });

  it('reports missing objects', async () => {
    const repository = temporaryRepository({ 'a.ts': '1' });
    for (const content of ['2', '3', '4', '5']) {
      repository.write('a.ts', content);
      commit(repository, content);
    }
    const tree = repository.git('rev-parse', 'HEAD~2^{tree}').trim();
    rmSync(join(repository.path, '.git/objects', tree.slice(0, 2), tree.slice(2)));
    for (const _ of ['cold', 'warm']) {
      const history = await historyIn(repository.path, repository.cache);
      expect(told(history)).toEqual(['5: a.ts', '2: a.ts', 'step: a.ts']);
      expect(history.diagnostics).toMatchObject([{ code: 'history-incomplete', severity: 'info' }]);
    }
  });

  it('is empty without git and without a commit', async () => {
    const folder = temporaryFolder({ 'a.ts': '1' });
    expect(await historyIn(folder.path, folder.cache)).toMatchObject({ ids: [], diagnostics: [] });
    const unborn = temporaryRepository();
    expect(await historyIn(unborn.path, unborn.cache)).toMatchObject({ ids: [], diagnostics: [] });
  });

  it('says that git cannot list the commits', async () => {
    const repository = temporaryRepository({ 'a.ts': '1' });
    const opened = await openRepository(repository.path, repository.cache);
    for (const head of ['1'.repeat(40), '--output=x', 'HEAD']) {
      const history = await loadHistory(opened, head, { limit: 10 });
      expect(history).toMatchObject({ ids: [], diagnostics: [{ code: 'history-unreadable' }] });
    }
    expect(told(await historyIn(repository.path, repository.cache))).toEqual(['step: a.ts']);
  });

  it('stops when it is aborted', async () => {
    const repository = temporaryRepository({ 'a.ts': '1' });
    const opened = await openRepository(repository.path, repository.cache);
    const head = (await opened.git!.head())!;
    const signal = AbortSignal.abort();
    await expect(loadHistory(opened, head, { limit: 10, signal })).rejects.toThrow(/abort/i);
  });
});
