import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RoleFolders, roleFolders } from '../../../context/roles/role-folders.test-kit.ts';
import { callCli } from '../call-cli.test-kit.ts';

let folders: RoleFolders;
beforeEach(() => {
  folders = roleFolders();
});
afterEach(() => folders.remove());

async function call(...argv: string[]) {
  const env = { HOME: folders.user, LOADOUT_CONFIG_DIR: folders.user };
  const done = await callCli(['--repo', folders.repository, ...argv], { cwd: folders.repository, env });
  return { ...done, json: () => JSON.parse(done.stdout) as Record<string, unknown> };
}

const OVERLAY = 'name: mine\nextends: reviewer\ndescription: Ours\nsystem_prompt_additions: Be kind.\n';

describe('loadout roles list', () => {
  it('shows every role with its origin and the role it extends', async () => {
    folders.write('repository', 'mine.yaml', OVERLAY);
    folders.write('user', 'broken.yaml', 'name: [');
    const { exitCode, stdout } = await call('roles', 'list');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^mine +repository +extends reviewer +Ours$/m);
    expect(stdout).toMatch(/^planner +built-in +- +Breaks /m);
    expect(stdout).toMatch(/^broken +user +broken +see: loadout roles check$/m);
    const { roles: items } = (await call('--json', 'roles', 'list')).json() as { roles: object[] };
    expect(items).toContainEqual({
      name: 'mine',
      description: 'Ours',
      extends: 'reviewer',
      base_role: 'reviewer',
      cli: 'claude',
      place: 'repository',
      file: '.loadout/roles/mine.yaml',
      valid: true,
      findings: [],
    });
    expect(items).toContainEqual(expect.objectContaining({ name: 'broken', valid: false }));
  });
});

describe('loadout roles show', () => {
  it('shows the file as it is written', async () => {
    folders.write('repository', 'mine.yaml', OVERLAY);
    expect(await call('roles', 'show', 'mine')).toMatchObject({ exitCode: 0, stdout: OVERLAY, stderr: '' });
    expect((await call('roles', 'show', 'mine', '--json')).json()).toEqual({
      name: 'mine',
      place: 'repository',
      file: '.loadout/roles/mine.yaml',
      text: OVERLAY,
    });
  });

  it('shows everything the role inherits with --resolved', async () => {
    folders.write('repository', 'mine.yaml', `${OVERLAY}gates: [make]\n`);
    const { stdout, stderr } = await call('roles', 'show', 'mine', '--resolved');
    expect(stdout).toMatch(
      /^# mine \(\.loadout\/roles\/mine\.yaml\) -> reviewer \(built-in:reviewer\.yaml\)\n/,
    );
    expect(stdout).toMatch(/\n {2}Be kind\.\n/);
    expect(stdout).toContain('\nbase_role: reviewer\n');
    expect(stderr).toMatch(/warning: .*mine\.yaml:5:8: gates are withheld/);
    const shown = (await call('roles', 'show', 'mine', '--resolved', '--json')).json();
    expect(shown).toMatchObject({
      role: { name: 'mine', base_role: 'reviewer', system_prompt: expect.stringMatching(/Be kind\.$/) },
      chain: [{ place: 'repository' }, { place: 'built-in' }],
      trusted: false,
      withheld: { flags: [], gates: ['make'] },
      diagnostics: [{ code: 'role-gates-withheld' }, { code: 'role-not-trusted' }],
    });
    expect(shown.role).not.toHaveProperty('gates');
  });

  it('refuses to show a role that does not exist or is not valid', async () => {
    folders.write('repository', 'bad.yaml', 'name: bad\nextends: bad\n');
    expect(await call('roles', 'show', 'plannr')).toMatchObject({
      exitCode: 2,
      stderr: 'loadout: there is no role "plannr"\nhint: did you mean planner?\n',
    });
    expect(await call('roles', 'show', 'bad', '--resolved')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('(chain: bad -> bad)'),
    });
    expect(await call('roles', 'show')).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await call('roles', 'hide')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('use one of list, show, check, new'),
    });
  });

  it('prints nothing from a file that moves the cursor', async () => {
    folders.write('repository', 'mine.yaml', `${OVERLAY}# \u001b[2J\n`);
    expect((await call('roles', 'show', 'mine')).stdout).not.toContain('\u001b');
  });
});

describe('loadout roles check', () => {
  it.each(['', '  ', '\\n'])('refuses the empty gate "%s", in one file and in all of them', async (gate) => {
    const file = folders.write('repository', 'mine.yaml', `${OVERLAY}gates: [make, "${gate}"]\n`);
    for (const argv of [['check', file], ['check']]) {
      const { exitCode, stdout } = await call('roles', ...argv);
      expect(exitCode).toBe(1);
      expect(stdout).toContain(`mine.yaml:5:15: gates[1] is "${gate}"; allowed is a command line`);
    }
  });

  it('exits with 1 and lists every reason when a file is not valid', async () => {
    folders.write('repository', 'mine.yaml', `${OVERLAY}cli: vim\ntimeout: 3\n`);
    const { exitCode, stdout } = await call('roles', 'check', '.loadout/roles/mine.yaml');
    expect({ exitCode, lines: stdout.split('\n').length }).toEqual({ exitCode: 1, lines: 3 });
    expect(stdout).toContain('error: .loadout/roles/mine.yaml:5:6: cli is "vim"; allowed is "claude" or ');
    const answer = await call('roles', 'check', '.loadout/roles/mine.yaml', '--json');
    expect(answer).toMatchObject({ exitCode: 1 });
    expect(answer.json()).toMatchObject({
      valid: false,
      files: [{ name: 'mine', valid: false, findings: [{ field: 'cli', line: 5 }, { field: 'timeout' }] }],
    });
  });

  it('says yes with exit code 0, also for a file anywhere and for every role', async () => {
    writeFileSync(join(folders.repository, 'mine.yaml'), OVERLAY);
    expect(await call('roles', 'check', 'mine.yaml')).toMatchObject({
      exitCode: 0,
      stdout: `valid: ${folders.repository}/mine.yaml\n`,
    });
    expect(await call('roles', 'check')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('valid: built-in:tester.yaml\n'),
    });
  });

  it('allows a larger budget when the user sets it', async () => {
    folders.write('repository', 'mine.yaml', `${OVERLAY}context: {token_budget: 400000}\n`);
    expect((await call('roles', 'check')).exitCode).toBe(1);
    expect((await call('roles', 'check', '--max-budget', '1m')).exitCode).toBe(0);
    expect((await call('roles', 'check', '--max-budget', 'all')).stderr).toContain('--max-budget: "all"');
  });

  it('reports a file that it cannot read', async () => {
    expect(await call('roles', 'check', 'nowhere.yaml')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('nowhere.yaml: it does not exist'),
    });
    mkdirSync(join(folders.repository, 'folder.yaml'));
    expect((await call('roles', 'check', 'folder.yaml')).exitCode).toBe(2);
  });
});

describe('loadout roles new', () => {
  const target = () => join(folders.repository, '.loadout/roles/mine.yaml');

  it('creates a role that is valid without changes', async () => {
    expect(await call('roles', 'new', 'mine', '--extends', 'tester')).toMatchObject({
      exitCode: 0,
      stdout: 'wrote .loadout/roles/mine.yaml\n',
    });
    expect(readdirSync(join(folders.repository, '.loadout/roles'))).toEqual(['mine.yaml']);
    expect(await call('roles', 'check', target())).toMatchObject({ exitCode: 0 });
    expect((await folders.loader().load('mine')).role).toMatchObject({
      extends: 'tester',
      baseRole: 'implementer',
    });
    expect((await call('roles', 'new', 'other', '--extends', 'mine', '--json')).json()).toEqual({
      name: 'other',
      file: '.loadout/roles/other.yaml',
      extends: 'mine',
    });
  });

  it('never overwrites', async () => {
    folders.write('repository', 'mine.yml', OVERLAY);
    expect(await call('roles', 'new', 'mine', '--extends', 'tester')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('.loadout/roles/mine.yml already exists'),
    });
    expect(existsSync(target())).toBe(false);
    folders.write('repository', 'twin.yaml', 'name: twin\n');
    expect((await call('roles', 'new', 'twin', '--extends', 'tester')).exitCode).toBe(2);
    expect(readFileSync(join(folders.repository, '.loadout/roles/twin.yaml'), 'utf8')).toBe('name: twin\n');
  });

  it.each([
    [['../mine', '--extends', 'tester'], '"../mine" is not a name'],
    [['mine'], 'needs --extends ROLE'],
    [['mine', '--extends', 'nobody-of-that-name'], 'there is no role "nobody-of-that-name"'],
  ])('refuses %j', async (argv, message) => {
    const { exitCode, stderr } = await call('roles', 'new', ...argv);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
    expect(existsSync(join(folders.repository, '.loadout'))).toBe(false);
  });

  it('writes nothing through a link', async () => {
    const outside = join(folders.repository, '../outside');
    mkdirSync(outside);
    symlinkSync(outside, join(folders.repository, '.loadout'));
    const { exitCode } = await call('roles', 'new', 'mine', '--extends', 'tester');
    expect({ exitCode, outside: readdirSync(outside) }).toEqual({ exitCode: 2, outside: [] });
  });
});
