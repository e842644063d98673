import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type InstalledPackage,
  installTarball,
  type PackedTarball,
  packTarball,
} from '../../support/packed-tarball.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const MAX_DOWNLOAD = 8_000_000;
const MAX_ON_DISK = 60_000_000;
const TASK = 'Greeter.greet returns the name without a greeting';

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? sizeOf(path) : entry.isFile() ? statSync(path).size : 0);
  }, 0);
}

describe('the package, installed from its tarball into an empty prefix', () => {
  let tarball: PackedTarball;
  let installed: InstalledPackage;
  let repository: string;
  const run = (args: readonly string[], input = '') => installed.run(args, { cwd: repository, input });

  beforeAll(() => {
    tarball = packTarball();
    installed = installTarball(tarball);
    repository = join(tarball.place, 'repository');
    mkdirSync(repository);
    writeFileSync(join(repository, 'package.json'), '{"private":true,"type":"module"}');
    writeFileSync(
      join(repository, 'greet.py'),
      'class Greeter:\n    def greet(self, name):\n        return name\n',
    );
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
        cwd: repository,
        env: installed.env,
        stdio: 'pipe',
      });
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message=first');
  }, 120_000);
  afterAll(() => tarball.remove());

  it('is a download of at most 8 MB', () => {
    expect(statSync(tarball.file).size).toBeLessThanOrEqual(MAX_DOWNLOAD);
  });

  it('takes less than 60 MB on disk', () => {
    expect(sizeOf(installed.folder)).toBeLessThan(MAX_ON_DISK);
  });

  it('starts by its name and says its version', () => {
    const stdout = execFileSync('loadout', ['--version'], {
      env: installed.env,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    expect(stdout).toBe(`${version}\n`);
  });

  it('packs, briefs and maps a repository', () => {
    expect(run(['pack', TASK, '--budget', '2000'])).toContain('return name');
    expect(run(['brief', TASK])).toContain('greet.py');
    expect(run(['map', '--budget', '500'])).toContain('def greet(self, name): ⋮ 3');
    expect(JSON.parse(run(['doctor', '--json']))).toMatchObject({ healthy: true });
  });

  it('answers a hook', () => {
    const input = {
      session_id: 's1',
      transcript_path: '',
      cwd: repository,
      hook_event_name: 'UserPromptSubmit',
      prompt: TASK,
    };
    const answer = run(['hook', 'user-prompt-submit'], JSON.stringify(input));
    expect(answer).toContain('greet.py');
    expect(() => JSON.parse(answer) as unknown).not.toThrow();
  });

  it('serves MCP', async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(installed.folder, 'bin/loadout.js'), 'mcp', '--repo', repository],
        env: { ...installed.env },
        stderr: 'ignore',
      }),
    );
    const { content } = await client.callTool({ name: 'get_context', arguments: { task: TASK } });
    expect((content as { text: string }[])[0]!.text).toContain('greet.py');
    await client.close();
  });

  it('is a library with subpaths', () => {
    mkdirSync(join(repository, 'node_modules'));
    symlinkSync(installed.folder, join(repository, 'node_modules/loadout'), 'junction');
    writeFileSync(
      join(repository, 'use.js'),
      `import { LoadoutError, scan } from 'loadout';
import { parseText, signatureView } from 'loadout/parse';
const { filesScanned } = await scan({ repo: '.', mode: 'full', settings: { include: ['*.py'] } });
const source = 'fn add(a: i32) -> i32 {\\n    a\\n}\\n';
const view = signatureView(source, await parseText('a.rs', source));
console.log(JSON.stringify({ filesScanned, view, error: typeof LoadoutError }));`,
    );
    const stdout = execFileSync(process.execPath, ['use.js'], {
      cwd: repository,
      env: installed.env,
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toEqual({
      filesScanned: 1,
      view: 'fn add(a: i32) -> i32 { ⋮ 2-3 }',
      error: 'function',
    });
  });
});
