import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { checkNode } from '../../../src/surfaces/cli/commands/doctor.ts';
import { CLI } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-repository.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
/** As people say it: `20.19+ or 22.12+`. */
const NEEDED = '20.19+ or 22.12+';
/** `zlib.crc32`, which the index needs, came with 20.15 and 22.2, and never to 21. */
const TOO_OLD = ['6.17.1', '18.20.8', '20.18.3', '21.0.0', '21.7.3', '22.0.0', '22.1.0', '22.11.0'];
const WILL_DO = ['20.19.0', '20.20.2', '22.12.0', '22.18.0', '23.0.0', '24.1.0', '100.0.0'];

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

describe('the oldest supported Node', () => {
  it('is the same in the manifest, the README, the guide for contributors and the doctor', () => {
    expect(manifest.engines.node).toBe('^20.19.0 || >=22.12.0');
    expect(JSON.parse(read('package-lock.json')).packages[''].engines).toEqual(manifest.engines);
    for (const page of ['README.md', 'CONTRIBUTING.md', 'docs/adr/README.md', 'docs/adr/0001-node-20.md']) {
      const named = [...read(page).matchAll(/Node (\d+\.\d+\+(?: or \d+\.\d+\+)?)/g)].map(
        ([, needed]) => needed,
      );
      expect(new Set(named), page).toEqual(new Set([NEEDED]));
      expect(read(page), page).not.toMatch(/Node 2[01]\S* (?:or|and) newer/);
    }
    for (const version of TOO_OLD)
      expect(checkNode(`v${version}`), version).toMatchObject({
        state: 'broken',
        detail: `v${version} is not supported; ${NEEDED} is needed`,
      });
    for (const version of WILL_DO) expect(checkNode(`v${version}`).state, version).toBe('ok');
  });

  it.each(TOO_OLD)('is asked for in one sentence by %s', (version) => {
    const sentence = `loadout: Node ${NEEDED} is needed, and this is ${version}\n`;
    for (const args of [['pack', 'x'], ['doctor'], []])
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

  it.each(WILL_DO)('%s is supported', (version) => {
    expect(runAs(version, '--help').stdout).toContain('Usage: loadout');
  });

  it('can parse the launcher', async () => {
    const source = read('bin/loadout.js');
    const [old, now] = await Promise.all(
      ['es2015', 'esnext'].map((target) => transform(source, { target, legalComments: 'none' })),
    );
    expect(old?.code).toBe(now?.code);
    expect(() => execFileSync(process.execPath, ['--check', CLI])).not.toThrow();
  });
});
