import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const place = mkdtempSync(join(tmpdir(), 'loadout-package-'));
const app = join(place, 'app');
const env = { ...process.env, LOADOUT_CACHE_DIR: join(place, 'cache') };
const run = (command: string, args: readonly string[], cwd: string) =>
  execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? sizeOf(path) : entry.isFile() ? statSync(path).size : 0);
  }, 0);
}

describe('the packed package', () => {
  beforeAll(() => {
    const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', place], root)) as [
      { filename: string },
    ];
    execFileSync('mkdir', ['-p', app]);
    writeFileSync(join(app, 'package.json'), '{"private":true,"type":"module"}');
    run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', join(place, packed.filename)], app);
  }, 120_000);
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  it('takes less than 60 MB on disk', () => {
    expect(sizeOf(join(app, 'node_modules'))).toBeLessThan(60_000_000);
  });

  it('runs its program', () => {
    const program = join(app, 'node_modules/.bin/loadout');
    expect(run(program, ['--version'], app)).toMatch(/^\d+\.\d+\.\d+/);
    writeFileSync(join(app, 'greet.py'), 'class Greeter:\n    def greet(self, name):\n        return name\n');
    expect(run(program, ['map', '--budget', '500'], app)).toContain('def greet(self, name): ⋮ 3');
    expect(JSON.parse(run(program, ['doctor', '--json'], app))).toMatchObject({ healthy: true });
  });

  it('is a library with subpaths', () => {
    writeFileSync(
      join(app, 'use.js'),
      `import { LoadoutError, scan } from 'loadout';
import { parseText, signatureView } from 'loadout/parse';
const { filesScanned } = await scan({ repo: '.', mode: 'full', settings: { include: ['*.py'] } });
const source = 'fn add(a: i32) -> i32 {\\n    a\\n}\\n';
const view = signatureView(source, await parseText('a.rs', source));
console.log(JSON.stringify({ filesScanned, view, error: typeof LoadoutError }));`,
    );
    expect(JSON.parse(run(process.execPath, ['use.js'], app))).toEqual({
      filesScanned: 1,
      view: 'fn add(a: i32) -> i32 { ⋮ 2-3 }',
      error: 'function',
    });
  });
});
