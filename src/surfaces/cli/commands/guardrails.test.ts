import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandFixture, commandFixture } from '../command-fixture.test-kit.ts';

let environment: CommandFixture;
beforeEach(() => {
  environment = commandFixture({ 'src/x.ts': 'export const x = 1;\n' });
});
afterEach(() => environment.remove());

describe('loadout guardrails', () => {
  it('lists the guidelines by priority, also as JSON', async () => {
    const { exitCode, stdout } = await environment.run(['guardrails', 'list']);
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')[0]).toMatch(/^900 +no-private-keys +built-in +path_restriction/);
    const { guidelines } = JSON.parse((await environment.run(['--json', 'guardrails', 'list'])).stdout);
    expect(guidelines.map(({ id }: { id: string }) => id)).toContain('context-package-enforcement');
  });

  it('says which guidelines would apply, and why', async () => {
    const argv = ['guardrails', 'check', '--agent', 'backend', '--action', 'implement', '--path', 'src/x.ts'];
    const { stdout } = await environment.run(argv);
    expect(stdout).toContain('applies  context-package-enforcement (built-in): the agent backend is one of');
    expect(stdout).toContain('does not  review-changes-nothing (built-in): the agent backend is not one of');
    const json = JSON.parse((await environment.run(['--json', ...argv, '--tool', 'Edit'])).stdout);
    expect(json).toMatchObject({ situation: { agent: 'backend', paths: ['src/x.ts'] }, denial: null });
  });

  it('reads a task, shows how it was read, and gives flags precedence', async () => {
    const situation = async (...more: string[]) =>
      JSON.parse((await environment.run(['--json', 'guardrails', 'check', ...more])).stdout).situation;
    const task = 'Fix the export in src/x.ts';
    expect(await situation(task)).toMatchObject({ action: 'fix', paths: ['src/x.ts'] });
    expect(await situation('See nowhere/y.ts', '--path', 'src/x.ts')).toMatchObject({ paths: ['src/x.ts'] });
    expect(await situation(task, '--action', 'review', '--domain', 'shop')).toMatchObject({
      action: 'review',
      domains: expect.arrayContaining(['shop']),
      paths: ['src/x.ts'],
    });
    const { stdout } = await environment.run(['guardrails', 'check', task, '--agent', 'backend']);
    expect(stdout.split('\n')[0]).toMatch(/^the task: action fix, .*paths src\/x\.ts$/);
    expect(stdout).toContain('applies  context-package-enforcement');
  });

  it('bootstrap writes once and never over an edit; in the user folder tools are refused', async () => {
    const file = join(environment.repository, '.loadout/guidelines/context-package-enforcement.json');
    expect((await environment.run(['guardrails', 'bootstrap'])).stdout).toContain(
      'wrote .loadout/guidelines/',
    );
    writeFileSync(file, readFileSync(file, 'utf8').replace('750', '10'));
    const again = await environment.run(['guardrails', 'bootstrap']);
    expect(again.stdout).toContain('kept as it is: .loadout/guidelines/context-package-enforcement.json');
    expect(readFileSync(file, 'utf8')).toContain('"priority": 10');
    const check = ['guardrails', 'check', '--agent', 'reviewer', '--tool', 'Edit'];
    expect((await environment.run(check)).stdout).toContain('no guideline refuses Edit');
    await environment.run(['guardrails', 'bootstrap', '--user']);
    expect(existsSync(join(environment.config, 'guidelines/review-changes-nothing.json'))).toBe(true);
    expect((await environment.run(check)).stdout).toContain('Edit is refused by review-changes-nothing');
  });

  it('names an unknown action', async () => {
    const { exitCode, stderr } = await environment.run(['guardrails', 'show']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('list, check, bootstrap');
  });
});

describe('loadout gap', () => {
  it('keeps a gap, with its task if that is known, and forgets when asked', async () => {
    const given = ['gap', '--package', 'abcd1234', '--task', 'Fix x', 'the limits in src/x.ts'];
    const kept = JSON.parse((await environment.run(['--json', ...given])).stdout);
    expect(kept).toMatchObject({
      package: 'abcd1234',
      task: 'Fix x',
      text: 'the limits in src/x.ts',
      count: 1,
    });
    expect((await environment.run(['gap', '--package', 'abcd1234', 'y'])).stdout).toContain('give --task');
    expect((await environment.run(['gap', '--forget'])).stdout).toBe('forgot 2 gaps\n');
  });

  it.each([
    [['gap', 'x'], '--package'],
    [['gap', '--package', '../../x', 'x'], 'is not the id of a package'],
    [['gap', '--package', 'abcd1234'], 'the gap description is empty'],
  ])('%j is refused', async (argv, message) => {
    const { exitCode, stderr } = await environment.run(argv);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});
