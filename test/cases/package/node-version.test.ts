import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { checkNode } from '../../../src/surfaces/cli/doctor-checks.ts';
import { CLI } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-repository.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const minimum = manifest.engines.node.replace('>=', '');

/** A process that takes itself for another version of Node. */
function runAs(version: string, ...args: string[]) {
  const { path, write } = temporaryFolder();
  write('pretend.cjs', `Object.defineProperty(process.versions, 'node', { value: '${version}' });\n`);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--require', join(path, 'pretend.cjs'), CLI, ...args],
    { cwd: path, encoding: 'utf8', input: '' },
  );
  return { status, stdout, stderr };
}

describe('the oldest Node that will do', () => {
  it('is the same in the manifest, the README, the guide for contributors and the doctor', () => {
    expect(minimum).toMatch(/^\d+\.\d+$/);
    expect(JSON.parse(read('package-lock.json')).packages[''].engines).toEqual(manifest.engines);
    for (const page of ['README.md', 'CONTRIBUTING.md', 'docs/adr/README.md']) {
      const named = [...read(page).matchAll(/Node (\d+\.\d+) (?:or|and) newer/g)].map(
        ([, version]) => version,
      );
      expect(named.length, page).toBeGreaterThan(0);
      expect(new Set(named), page).toEqual(new Set([minimum]));
    }
    expect(checkNode('v18.20.8').detail).toBe(`v18.20.8 is too old; ${minimum} or newer is needed`);
    expect(checkNode(`v${minimum}.0`).state).toBe('good');
  });

  it.each(['18.20.8', '20.18.3', '6.17.1'])('is asked for in one sentence by %s', (version) => {
    const sentence = `loadout: Node ${minimum} or newer is needed, and this is ${version}\n`;
    for (const args of [['pack', 'x'], ['scan'], ['doctor'], ['--help'], []])
      expect(runAs(version, ...args)).toEqual({ status: 2, stdout: '', stderr: sentence });
    // a hook never stops an agent
    expect(runAs(version, 'hook', 'user-prompt-submit')).toEqual({
      status: 0,
      stdout: '{}\n',
      stderr: sentence,
    });
  });

  it('is not asked for the version', () => {
    expect(runAs('18.20.8', '--version')).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });

  it.each([`${minimum}.0`, '22.4.0', '100.0.0'])('%s will do', (version) => {
    expect(runAs(version, '--help').stdout).toContain('Usage: loadout');
  });

  it('finds nothing in the launcher that it cannot read', async () => {
    const source = read('bin/loadout.js');
    const [old, now] = await Promise.all(
      ['es2015', 'esnext'].map((target) => transform(source, { target, legalComments: 'none' })),
    );
    expect(old?.code).toBe(now?.code);
    expect(() => execFileSync(process.execPath, ['--check', CLI])).not.toThrow();
  });
});
