import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { gitIn, temporaryFolder, temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { environment } from '../environment.ts';
import { repositorySource, withoutCredentials } from './locate-repository.ts';
import { openRemoteRepository } from './remote-repository.ts';

function bareRepository(files: Record<string, string>) {
  const repository = temporaryRepository(files);
  const bare = join(repository.home, 'project.git');
  gitIn(repository.home)('clone', '--quiet', '--bare', repository.path, bare);
  return { ...repository, bare, options: { folder: join(repository.cache, 'copies'), env: environment() } };
}

it('copies a bare repository one commit deep, and follows it', async () => {
  const { bare, options, write, commit, git } = bareRepository({ 'a.txt': '1\n' });
  write('a.txt', '2\n');
  commit();
  git('push', '--quiet', bare, 'main');
  const source = repositorySource(bare, '/')!;
  const first = await openRemoteRepository(source, options);
  expect(readFileSync(join(first.path, 'a.txt'), 'utf8')).toBe('2\n');
  expect(gitIn(first.path)('rev-list', '--count', 'HEAD').trim()).toBe('1');
  write('a.txt', '3\n');
  write('b.txt', 'new\n');
  commit();
  git('push', '--quiet', bare, 'main');
  const second = await openRemoteRepository(source, options);
  expect(second).toEqual({ path: first.path, diagnostics: [] });
  expect(readFileSync(join(first.path, 'b.txt'), 'utf8')).toBe('new\n');
  // out of reach: the last copy answers and says so
  renameSync(bare, `${bare}.gone`);
  const { path, diagnostics } = await openRemoteRepository(source, options);
  expect(path).toBe(first.path);
  expect(diagnostics).toMatchObject([{ code: 'repository-not-reached', severity: 'warning' }]);
});

it('takes a branch after "#", and leaves nothing behind when it cannot reach a repository', async () => {
  const { bare, options, git, write, commit } = bareRepository({ 'a.txt': '1\n' });
  git('checkout', '--quiet', '-b', 'side');
  write('a.txt', 'side\n');
  commit();
  git('push', '--quiet', bare, 'side');
  const { path } = await openRemoteRepository(repositorySource(`file://${bare}#side`, '/')!, options);
  expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('side\n');
  const missing = repositorySource(`file://${bare}#nowhere`, '/')!;
  await expect(openRemoteRepository(missing, options)).rejects.toMatchObject({
    code: 'repository-not-reached',
    message: expect.stringContaining('nowhere'),
  });
  expect(readdirSync(options.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

it('runs nothing of it: no hook, no filter, not even one that the user has set up', async () => {
  const { bare, options, home } = bareRepository({
    '.gitattributes': '* filter=evil\n',
    'a.txt': 'content\n',
  });
  const mark = join(home, 'ran');
  const script = join(bare, 'hooks', 'post-checkout');
  writeFileSync(script, `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
  const global = join(home, 'gitconfig');
  const evil = `touch ${mark}; cat`;
  writeFileSync(global, `[filter "evil"]\n\tsmudge = ${evil}\n\tclean = ${evil}\n\trequired = true\n`);
  const env = { ...environment(), HOME: home, XDG_CONFIG_HOME: home };
  renameSync(global, join(home, '.gitconfig'));
  const { path } = await openRemoteRepository(repositorySource(bare, '/')!, { ...options, env });
  expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('content\n');
  expect(existsSync(mark)).toBe(false);
});

it('leaves submodules where they are', async () => {
  const { bare, options, git, path } = bareRepository({ 'a.txt': 'content\n' });
  const inner = temporaryRepository({ 'inner.txt': 'inner\n' });
  git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'sub');
  git('commit', '--quiet', '--message=with a submodule');
  git('push', '--quiet', bare, 'main');
  expect(existsSync(join(path, 'sub/inner.txt'))).toBe(true);
  // the user asks for submodules everywhere
  const home = temporaryFolder({
    '.gitconfig': '[submodule]\n\trecurse = true\n[protocol "file"]\n\tallow = always\n',
  });
  const env = { ...environment(), HOME: home.path };
  const copy = await openRemoteRepository(repositorySource(bare, '/')!, { ...options, env });
  expect(readFileSync(join(copy.path, '.gitmodules'), 'utf8')).toContain(inner.path);
  expect(readdirSync(join(copy.path, 'sub'))).toEqual([]);
  expect(existsSync(join(copy.path, '.git/modules'))).toBe(false);
});

it('asks with the credentials of the user', async () => {
  const { options } = bareRepository({ 'a.txt': 'content\n' });
  const home = temporaryFolder({
    '.gitconfig': '[credential]\n\thelper = "!echo username=ann; echo password=hush; true"\n',
  });
  const seen: string[] = [];
  const server = createServer(({ headers }, response) => {
    if (headers.authorization !== undefined) seen.push(headers.authorization);
    response.writeHead(headers.authorization === undefined ? 401 : 404, {
      'www-authenticate': 'Basic realm="x"',
    });
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const source = repositorySource(`http://127.0.0.1:${port}/a.git`, '/')!;
  const env = { ...environment(), HOME: home.path };
  await expect(openRemoteRepository(source, { ...options, env })).rejects.toMatchObject({
    code: 'repository-not-reached',
  });
  expect(new Set(seen)).toEqual(new Set([`Basic ${Buffer.from('ann:hush').toString('base64')}`]));
});

it.each([
  ['https://example.org/a/b.git', { url: 'https://example.org/a/b.git', ref: '' }],
  ['git@example.org:a/b.git#v1', { url: 'git@example.org:a/b.git', ref: 'v1' }],
  ['ext::sh -c touch% /tmp/x', null],
  ['--upload-pack=touch /tmp/x', null],
  ['C:\\folder', null],
  ['.', null],
])('reads %s', (given, expected) => expect(repositorySource(given, '/')).toEqual(expected));

it('refuses names that are not branches, and shows no password', () => {
  expect(() => repositorySource('https://example.org/x#--evil', '/')).toThrow(/is not the name of a branch/);
  expect(withoutCredentials('https://user:secret@example.org/x')).toBe('https://example.org/x');
});

it('keeps no old commits, however often it is updated', async () => {
  const { bare, options, write, commit, git } = bareRepository({ 'a.txt': '0\n' });
  const source = repositorySource(bare, '/')!;
  const { path } = await openRemoteRepository(source, options);
  writeFileSync(`${path}.json`, JSON.stringify({ usedAt: 0, bytes: 0, updates: 18 }));
  const objects = () => Number(/^count: (\d+)/m.exec(gitIn(path)('count-objects', '-v'))![1]);
  for (const content of ['1\n', '2\n']) {
    write('a.txt', content);
    commit();
    git('push', '--quiet', bare, 'main');
    await openRemoteRepository(source, options);
  }
  expect(objects()).toBe(0);
  expect(gitIn(path)('rev-list', '--all', '--reflog', 'HEAD').trim().split('\n')).toHaveLength(1);
  expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('2\n');
});
