import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', '');
const lines = (instruction: string): readonly string[] =>
  [...dockerfile.matchAll(new RegExp(`^${instruction}\\s+(.*)$`, 'gm'))].map(([, rest]) => rest!);
const healthCheck = JSON.parse(/^HEALTHCHECK .*CMD (\[.*\])$/m.exec(dockerfile)![1]!) as readonly string[];

describe('the container image', () => {
  it('starts from a slim base of a fixed Node and Debian', () => {
    expect(lines('FROM').length).toBeGreaterThan(0);
    for (const line of lines('FROM')) expect(line).toMatch(/^node:\d+(\.\d+)*-[a-z]+-slim( AS \w+)?$/);
  });

  it('does not run as root, and writes only to its cache and the temporary folder', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM'));
    expect(/^USER (.*)$/m.exec(last)?.[1]).toBe('node');
    expect(last.indexOf('\nUSER ')).toBeLessThan(last.indexOf('\nENTRYPOINT'));
    expect(last).toMatch(/LOADOUT_CACHE_DIR=\/cache\b/);
    expect(last).toMatch(/LOADOUT_CONFIG_DIR=\/cache\//);
    expect(last).toMatch(/HOME=\/tmp\b/);
  });

  it('holds no secret and nothing of the work tree that it does not need', () => {
    expect(dockerfile).not.toMatch(/^ARG|TOKEN=|PASSWORD|SECRET|\.npmrc/im);
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', '**/node_modules', 'test']));
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM'));
    expect([...last.matchAll(/^COPY (.*)$/gm)].map(([, rest]) => rest)).toEqual([
      '--from=build /opt/loadout /opt/loadout',
    ]);
  });
});

describe('the health check of the image', () => {
  let folder: string;
  let server: ChildProcess | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'loadout-health-'));
    mkdirSync(join(folder, 'repo'));
  });
  afterEach(() => {
    server?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  function check(): number {
    try {
      const env = { ...process.env, LOADOUT_CACHE_DIR: join(folder, 'cache') };
      execFileSync(process.execPath, healthCheck.slice(1), { env, stdio: 'ignore' });
      return 0;
    } catch (error) {
      return (error as { status: number }).status;
    }
  }

  it('fails without a server, and passes while one answers', async () => {
    expect(healthCheck[0]).toBe('node');
    expect(check()).toBe(1);
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      LOADOUT_CACHE_DIR: join(folder, 'cache'),
      LOADOUT_CONFIG_DIR: join(folder, 'config'),
    };
    const cwd = join(folder, 'repo');
    server = spawn(process.execPath, [join(root, 'bin/loadout.js'), 'serve'], { cwd, env, stdio: 'pipe' });
    await new Promise<void>((resolve, reject) => {
      server?.stdout?.once('data', () => resolve());
      server?.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    });
    await expect.poll(check, { timeout: 5_000, interval: 50 }).toBe(0);
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    server.kill('SIGTERM');
    await ended;
    expect(check()).toBe(1);
  });
});
