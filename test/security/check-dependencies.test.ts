import { spawn } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/temporary-repository.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/check-dependencies.mjs', import.meta.url));

type Licence = unknown;
interface Packages {
  readonly shipped?: Readonly<Record<string, Licence>>;
  readonly bundled?: Readonly<Record<string, Licence>>;
  readonly tools?: Readonly<Record<string, Licence>>;
}

/** A package with everything installed, as npm would leave it. */
function project({ shipped = {}, bundled = {}, tools = {} }: Packages) {
  const folder = temporaryFolder();
  const write = (path: string, value: unknown) => folder.write(path, JSON.stringify(value));
  const versions = (names: object) => Object.fromEntries(Object.keys(names).map((name) => [name, '1.0.0']));
  const root = {
    name: 'project',
    version: '1.0.0',
    dependencies: versions(shipped),
    devDependencies: versions({ ...bundled, ...tools }),
  };
  const packages: Record<string, unknown> = { '': root };
  for (const [group, isDev] of [
    [shipped, false],
    [{ ...bundled, ...tools }, true],
  ] as const)
    for (const [name, license] of Object.entries(group)) {
      packages[`node_modules/${name}`] = { version: '1.0.0', ...(isDev ? { dev: true } : {}) };
      write(`node_modules/${name}/package.json`, { name, version: '1.0.0', license });
    }
  write('package.json', root);
  write('package-lock.json', {
    name: 'project',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages,
  });
  write('scripts/bundled.json', Object.keys(bundled));
  return { ...folder, write };
}

interface Run {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function check(folder: string, args: readonly string[], registry?: string): Promise<Run> {
  return new Promise((done) => {
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      npm_config_cache: `${folder}/cache`,
      npm_config_update_notifier: 'false',
      ...(registry === undefined ? {} : { npm_config_registry: registry }),
    };
    const child = spawn(process.execPath, [SCRIPT, '--folder', folder, ...args], { env, stdio: 'pipe' });
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const)
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        said[stream] += text;
      });
    child.on('close', (exitCode) => done({ exitCode, ...said }));
  });
}

/** A registry that answers audits as the test wants, and counts the requests. */
async function registry(answer: RequestListener) {
  let audits = 0;
  const server = createServer((request, response) => {
    if (!request.url?.includes('/advisories/bulk')) {
      response.writeHead(404).end('{}');
      return;
    }
    audits += 1;
    request.resume().on('end', () => answer(request, response));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, audits: () => audits };
}

const advisory = (severity: string) => ({
  id: 1,
  url: 'https://advisories.example/1',
  title: 'Runs anything',
  severity,
  vulnerable_versions: '<2.0.0',
  cwe: [],
  cvss: { score: 0, vectorString: null },
});
const answerWith =
  (advisories: unknown): RequestListener =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(advisories));
  };

const FINE = { shipped: { watcher: 'MIT' }, bundled: { schema: 'ISC' }, tools: { runner: 'MIT' } };

describe('the licence check', () => {
  it.each([
    ...['MIT', 'ISC', 'Apache-2.0', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0', 'CC0-1.0', 'Python-2.0'],
    ...['(MIT OR GPL-3.0-only)', 'MIT AND (ISC OR AGPL-3.0)', 'Apache-2.0 WITH LLVM-exception'],
    ...[{ type: 'MIT' }, [{ type: 'GPL-2.0' }, { type: 'MIT' }]],
  ])('allows a package with the licence %j to be shipped', async (licence) => {
    const { path } = project({ shipped: { one: licence }, bundled: { two: licence } });
    expect(await check(path, ['--no-audit'])).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it.each([
    ['GPL-3.0-only', 'its licence GPL-3.0-only is not allowed for a package that users get'],
    ['MPL-2.0', 'its licence MPL-2.0 is not allowed for a package that users get'],
    ['MIT AND GPL-2.0', 'its licence MIT AND GPL-2.0 is not allowed for a package that users get'],
    ['UNLICENSED', 'its licence UNLICENSED is not allowed for a package that users get'],
    ['SEE LICENSE IN LICENSE', 'its licence "SEE LICENSE IN LICENSE" is not an SPDX expression'],
    ['(MIT', 'its licence "(MIT" is not an SPDX expression'],
    ['', 'it states no licence'],
    [undefined, 'it states no licence'],
  ])('keeps one with %j from users, shipped or bundled', async (licence, why) => {
    for (const place of ['shipped', 'bundled']) {
      const { path } = project({ [place]: { bad: licence }, tools: { fine: 'MIT' } });
      const { exitCode, stdout } = await check(path, ['--no-audit']);
      expect(stdout).toContain(`licence: bad: ${why}\n`);
      expect(exitCode).toBe(1);
    }
  });

  it('allows development tools to have licences that apply only to distribution', async () => {
    const { path } = project({ tools: { css: 'MPL-2.0' } });
    expect((await check(path, ['--no-audit'])).exitCode).toBe(0);
    const closed = project({ tools: { closed: 'GPL-3.0' } });
    const { exitCode, stdout } = await check(closed.path, ['--no-audit']);
    expect(stdout).toContain('licence: closed: its licence GPL-3.0 is not allowed for a tool');
    expect(exitCode).toBe(1);
  });

  it('looks at nested packages, at packages that no lockfile names and at bundled ones that are missing', async () => {
    const { path, write } = project(FINE);
    write('node_modules/runner/node_modules/@deep/one/package.json', { license: 'GPL-3.0' });
    write('node_modules/@extra/two/package.json', { license: 'GPL-3.0' });
    write('scripts/bundled.json', ['schema', 'gone']);
    const { stdout } = await check(path, ['--no-audit']);
    for (const line of [
      '@deep/one: its licence',
      '@extra/two: its licence',
      'gone: it is in scripts/bundled.json',
    ])
      expect(stdout).toContain(`licence: ${line}`);
  });

  it('holds for this repository', async () => {
    const root = fileURLToPath(new URL('../../', import.meta.url));
    const { exitCode, stdout } = await check(root, ['--no-audit', '--json']);
    const { ok, licences } = JSON.parse(stdout);
    expect({ exitCode, ok, problems: licences.problems }).toEqual({ exitCode: 0, ok: true, problems: [] });
    expect(licences.shipped).toBeGreaterThan(10);
    expect(licences.checked).toBeGreaterThan(licences.shipped);
  });
});

describe('the audit', { timeout: 60_000 }, () => {
  it.each([
    ['watcher', 'high', 'shipped', 1],
    ['watcher', 'critical', 'shipped', 1],
    ['schema', 'high', 'bundled', 1],
    ['watcher', 'moderate', 'shipped', 0],
    ['schema', 'low', 'bundled', 0],
    ['runner', 'critical', 'tool', 0],
  ])('of %s with a fault that is %s: it is %s, exit code %i', async (name, severity, where, exitCode) => {
    const { path } = project(FINE);
    const { url, audits } = await registry(answerWith({ [name]: [advisory(severity)] }));
    const run = await check(path, [], url);
    expect(run.stdout).toContain(
      `npm audit: ${severity}, ${where}: ${name} <2.0.0: Runs anything (https://advisories.example/1)\n`,
    );
    expect(run.stdout).toContain(
      `npm audit: 1 advisory, ${exitCode} of them high or critical in packages that users get\n`,
    );
    expect(run.exitCode).toBe(exitCode);
    expect(audits()).toBe(2);
  });

  it('prints its findings as JSON', async () => {
    const { path } = project(FINE);
    const { url } = await registry(answerWith({ schema: [advisory('high')] }));
    const { ok, audit } = JSON.parse((await check(path, ['--json'], url)).stdout);
    expect({ ok, audit }).toEqual({
      ok: false,
      audit: {
        answered: true,
        reason: null,
        findings: [
          {
            ...{ package: 'schema', range: '<2.0.0', severity: 'high', title: 'Runs anything' },
            ...{ url: 'https://advisories.example/1', where: 'bundled', fails: true },
          },
        ],
      },
    });
  });

  it.each([
    ['404', ((_, response) => response.writeHead(404).end('{}')) as RequestListener, '404 Not Found'],
    ['500', ((_, response) => response.writeHead(500).end('no')) as RequestListener, '500 Internal'],
    ['a page', ((_, response) => response.writeHead(200).end('<html>')) as RequestListener, ''],
    ['silence', (() => {}) as RequestListener, ''],
  ])(
    'of a registry that answers with %s: one line says so, and licences are still checked',
    async (_, answer, reason) => {
      const { url } = await registry(answer);
      const started = performance.now();
      const [fine, bad] = await Promise.all([
        check(project(FINE).path, ['--timeout', '3'], url),
        check(project({ shipped: { bad: 'GPL-3.0' } }).path, ['--timeout', '3'], url),
      ]);
      expect(performance.now() - started).toBeLessThan(20_000);
      const [licences, audit, ...more] = fine.stdout.trimEnd().split('\n');
      expect(licences).toBe('licences: 3 packages checked, 2 of them go to users; 0 not allowed');
      expect(audit).toMatch(/^npm audit: the registry did not answer \(.+\): not checked$/);
      expect(audit).toContain(reason);
      expect(more).toEqual([]);
      expect(fine).toMatchObject({ exitCode: 0, stderr: '' });
      expect(bad.exitCode).toBe(1);
    },
  );

  it('is not asked for with --no-audit', async () => {
    const { url, audits } = await registry(answerWith({}));
    const { stdout } = await check(project(FINE).path, ['--no-audit'], url);
    expect(stdout).not.toContain('npm audit');
    expect(audits()).toBe(0);
  });
});

describe('a check that cannot be made', () => {
  it('says why, with exit code 2', async () => {
    const { path, write } = project(FINE);
    const says = async (folder: string, ...args: string[]) => {
      const { exitCode, stdout, stderr } = await check(folder, ['--no-audit', ...args]);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      return stderr;
    };
    const empty = temporaryFolder();
    expect(await says(empty.path)).toBe(
      `check-dependencies: there is no package-lock.json in ${empty.path}\n`,
    );
    empty.write('package-lock.json', '{}');
    expect(await says(empty.path)).toContain('there is no node_modules');
    expect(await says(path, '--nope')).toBe(
      "check-dependencies: Unknown option '--nope'; run it with --help\n",
    );
    expect(await says(path, '--timeout', 'soon')).toContain(
      '--timeout is "soon"; it must be 1 to 600 seconds',
    );
    write('package-lock.json', 'x');
    expect(await says(path)).toContain('has no "packages"');
  });

  it('explains itself with --help', async () => {
    const { exitCode, stdout } = await check('.', ['--help']);
    expect(exitCode).toBe(0);
    for (const flag of ['--no-audit', '--folder DIR', '--timeout N', '--json', '--help'])
      expect(stdout).toContain(flag);
  });
});
