import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asNobody } from '../../../../test/support/as-nobody.ts';
import { type CommandFixture, commandFixture } from '../command-fixture.test-kit.ts';

const ROLE = `name: builder
extends: implementer
description: Builds
flags: [--dangerous]
gates: [make all]
config: {model: opus}
`;

let environment: CommandFixture;
beforeEach(() => {
  environment = commandFixture({
    'a.ts': 'export const a = 1;\n',
    '.loadout/roles/builder.yaml': ROLE,
    '.loadout/roles/planner.yaml': 'name: planner\nextends: planner\nsystem_prompt: |\n  Plan\n  badly.\n',
    '.loadout/templates/short.j2': '{{ task }}\n',
    'loadout.config.yaml': 'packer: repomix\ntokenBudget: 5000\n',
  });
});
afterEach(() => environment.remove());

const shown = async () => {
  const { stdout } = await environment.run(['roles', 'show', 'builder', '--resolved', '--json']);
  return JSON.parse(stdout) as { role: Record<string, unknown>; trusted: boolean };
};

describe('loadout trust', () => {
  it('shows the requests of the repository, and decides nothing', async () => {
    const { exitCode, stdout } = await environment.run(['trust', '--show']);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('not trusted');
    expect(stdout).toContain('sets packer to "repomix" (loadout.config.yaml:1:9)');
    expect(stdout).toContain('runs "make all" as a gate of builder (.loadout/roles/builder.yaml)');
    expect(stdout).toContain('gives the agent of builder the flags ["--dangerous"]');
    expect(stdout).toContain('lets the agent of builder use the model "opus" (.loadout/roles/builder.yaml)');
    expect(stdout).toContain(
      'says in the system prompt of planner: "Plan badly." (.loadout/roles/planner.yaml)',
    );
    expect(stdout).toContain('brings the prompt template short (.loadout/templates/short.j2)');
    expect(stdout).not.toContain('tokenBudget');
    expect((await shown()).trusted).toBe(false);
  });

  it('refuses without a terminal and without --yes, with exit code 2', async () => {
    const { exitCode, stderr } = await environment.run(['trust']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('there is no terminal to ask');
    expect((await shown()).trusted).toBe(false);
  });

  it('asks on a terminal, and takes only a yes for one', async () => {
    for (const text of ['\n', 'n\n', 'no\n', 'yep\n', '']) {
      const { exitCode, stderr } = await environment.run(['trust'], { text, isTerminal: true });
      expect(stderr).toContain('Trust this repository as it is now? [y/N]');
      expect(exitCode).toBe(1);
    }
    expect((await environment.run(['trust'], { text: 'y\n', isTerminal: true })).exitCode).toBe(0);
    expect((await shown()).trusted).toBe(true);
  });

  it('gives roles their gates and flags, and settings their values, until a byte changes', async () => {
    const before = await environment.run(['settings', '--json']);
    expect(before.stderr).toContain('packer is ignored');
    expect((await environment.run(['trust', '--yes'])).exitCode).toBe(0);
    const { role, trusted } = await shown();
    expect(trusted).toBe(true);
    expect(role).toMatchObject({ gates: ['make all'], flags: ['--dangerous'] });
    const after = await environment.run(['settings', '--json']);
    expect(after.stderr).toBe('');
    expect(after.stdout).toContain('repomix');

    environment.write('.loadout/roles/builder.yaml', `${ROLE}# a comment\n`);
    expect((await shown()).role).not.toHaveProperty('gates');
    const changed = await environment.run(['settings', '--json']);
    expect(changed.stderr).toContain('no longer trusted (changed since: .loadout/roles/builder.yaml)');
    expect(changed.stderr).toContain('packer is ignored');
  });

  it('can be revoked', async () => {
    await environment.run(['trust', '--yes']);
    expect((await environment.run(['trust', '--show'])).exitCode).toBe(0);
    expect((await environment.run(['trust', '--revoke'])).stdout).toBe('no longer trusted\n');
    expect((await environment.run(['trust', '--show'])).exitCode).toBe(1);
    expect((await environment.run(['trust', '--revoke'])).stdout).toBe('it was not trusted\n');
  });

  it('prints JSON for other programs', async () => {
    const { stdout } = await environment.run(['trust', '--yes', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      trusted: true,
      reason: 'trusted',
      settings: [{ name: 'packer', value: 'repomix', where: 'loadout.config.yaml:1:9' }],
      roles: [
        { name: 'builder', gates: ['make all'], flags: ['--dangerous'], model: 'opus', systemPrompts: [] },
        { name: 'planner', gates: [], flags: [], model: null, systemPrompts: ['Plan\nbadly.\n'] },
      ],
      problems: [],
    });
  });

  it('also shows files that cannot be read', async () => {
    environment.write('.loadout/roles/broken.yaml', 'name: [\n');
    environment.write('loadout.config.json', '{}');
    const { stdout } = await environment.run(['trust', '--show']);
    expect(stdout).toContain('not shown: .loadout/roles/broken.yaml');
    expect(stdout).toContain('not shown: both loadout.config.json and loadout.config.yaml');
  });

  it.skipIf(process.platform === 'win32')('names each file that cannot be read, and why', async () => {
    const at = (name: string) => join(environment.repository, '.loadout/roles', name);
    symlinkSync('/etc/hosts', at('link.yaml'));
    execFileSync('mkfifo', [at('fifo.yaml')]);
    environment.write('.loadout/roles/bytes.yaml', '\0\x01');
    environment.write('.loadout/roles/large.yaml', '#'.repeat(300_000));
    environment.write('.loadout/roles/closed.yaml', ROLE);
    chmodSync(at('closed.yaml'), 0);
    rmSync(join(environment.repository, 'loadout.config.yaml'));
    symlinkSync('/etc/hosts', join(environment.repository, 'loadout.config.json'));
    // as another user, whom permissions stop
    execFileSync('chmod', ['755', environment.home]);
    const { stdout, stderr, exitCode } = await asNobody(() => environment.run(['trust', '--show']));
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout.split('\n').filter((line) => line.includes('not shown'))).toEqual([
      '  not shown: loadout.config.json: the file cannot be read: it is a link, and links are not followed',
      '  not shown: .loadout/roles/bytes.yaml:1:1: the file cannot be read: it is not a text file',
      '  not shown: .loadout/roles/closed.yaml:1:1: the file cannot be read: it cannot be opened; check its permissions',
      '  not shown: .loadout/roles/fifo.yaml:1:1: the file cannot be read: it is not a regular file',
      '  not shown: .loadout/roles/large.yaml:1:1: the file cannot be read: it has more than 262144 bytes',
      '  not shown: .loadout/roles/link.yaml:1:1: the file cannot be read: it is a link, and links are not followed',
    ]);
  });
});
