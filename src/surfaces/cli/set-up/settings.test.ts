import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { commandFixture } from '../command-fixture.test-kit.ts';

function fixture(files: Record<string, string> = {}) {
  const made = commandFixture({ 'a.txt': 'x\n', ...files });
  onTestFinished(() => made.remove());
  const file = (name: string) => readFileSync(join(made.repository, name), 'utf8');
  return { ...made, file };
}

it('sets, shows and removes a setting in the file of the repository', async () => {
  const { run, file } = fixture({ 'loadout.config.yaml': '# ours\nenabled: true\n' });
  const set = await run(['settings', 'set', 'tokenBudget', '30k']);
  expect(set).toMatchObject({
    exitCode: 0,
    stdout: 'tokenBudget is set in loadout.config.yaml\n',
    stderr: '',
  });
  expect(file('loadout.config.yaml')).toBe('# ours\nenabled: true\ntokenBudget: 30k\n');
  const json = JSON.parse((await run(['settings', 'set', 'include', 'src/**,docs/*.md', '--json'])).stdout);
  expect(json).toMatchObject({ setting: 'include', written: ['src/**', 'docs/*.md'], changed: true });
  expect(json.effective.source).toBe('repository-file');
  await run(['settings', 'unset', 'tokenBudget']);
  expect(file('loadout.config.yaml')).toBe('# ours\nenabled: true\ninclude: [ src/**, docs/*.md ]\n');
});

it('removes nothing where there is no file, and makes none', async () => {
  const { run, repository, config } = fixture();
  const unset = await run(['settings', 'unset', 'tokenBudget']);
  expect(unset).toMatchObject({ exitCode: 0, stdout: 'tokenBudget was not set in loadout.config.yaml\n' });
  expect(existsSync(join(repository, 'loadout.config.yaml'))).toBe(false);
  const missing = await run(['settings', 'unset', 'tokenBudget', '--config', 'none.json']);
  expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('none.json') });
  expect(existsSync(join(repository, 'none.json'))).toBe(false);
  await run(['settings', 'unset', 'tokenBudget', '--user']);
  expect(readdirSync(config).filter((name) => name.startsWith('config'))).toEqual([]);
});

it('writes nothing when the value, the name or the rest of the file is wrong', async () => {
  const { run, file } = fixture({ 'loadout.config.json': '{ "astWeight": 0 }\n' });
  for (const [words, message] of [
    [['set', 'tokenBudget', 'lots'], '"lots" is not a valid tokenBudget'],
    [['set', 'tokenBuget', '1'], 'did you mean tokenBudget?'],
    [['set', 'tokenBudget'], 'needs a value'],
    [['set'], 'needs the name of a setting'],
    [['set', 'semanticWeight', '0'], 'both 0'],
    [['turn'], 'there is no action'],
  ] as const) {
    const { exitCode, stderr } = await run(['settings', ...words]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  }
  expect(file('loadout.config.json')).toBe('{ "astWeight": 0 }\n');
});

it('does not put into a repository what only users may set, and says why', async () => {
  const { run, repository, config } = fixture();
  const refused = await run(['settings', 'set', 'cacheDir', '/tmp/x']);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toMatch(
    /cacheDir cannot be set in loadout\.config\.yaml: .*only users.*\nhint: .*--user/,
  );
  expect((await run(['settings', 'set', 'store', 'team'])).stderr).toContain('no repository may decide that');
  expect(readdirSync(repository)).toEqual(['a.txt']);
  expect((await run(['settings', 'set', 'hookGate', 'strict', '--user'])).exitCode).toBe(0);
  expect(readFileSync(join(config, 'config.yaml'), 'utf8')).toBe('hookGate: strict\n');
});

it('says when a stronger place hides what was set', async () => {
  const { run } = fixture({ 'loadout.config.json': '{ "tokenBudget": 5 }\n' });
  const { stderr } = await run(['settings', 'set', 'tokenBudget', '9k', '--user']);
  expect(stderr).toContain('note: here it is 5, from loadout.config.json:1:');
});

it('follows a link of the user, and none of a repository', async () => {
  const { run, home, config, repository } = fixture();
  mkdirSync(config);
  writeFileSync(join(home, 'dotfile.yaml'), 'enabled: true\n');
  symlinkSync(join(home, 'dotfile.yaml'), join(config, 'config.yaml'));
  await run(['settings', 'set', 'hookGate', 'off', '--user']);
  expect(readFileSync(join(home, 'dotfile.yaml'), 'utf8')).toBe('enabled: true\nhookGate: off\n');
  symlinkSync(join(home, 'dotfile.yaml'), join(repository, 'loadout.config.yaml'));
  expect(await run(['settings', 'set', 'tokenBudget', '5'])).toMatchObject({ exitCode: 2 });
  expect(readFileSync(join(home, 'dotfile.yaml'), 'utf8')).not.toContain('tokenBudget');
});

it('writes an example once, and with --force keeps the former file', async () => {
  const { run, file, repository } = fixture();
  expect(await run(['config', 'init'])).toMatchObject({ exitCode: 0, stdout: 'wrote loadout.config.yaml\n' });
  expect(file('loadout.config.yaml')).toContain('# tokenBudget: 100000');
  expect(await run(['settings'])).toMatchObject({ exitCode: 0 });
  writeFileSync(join(repository, 'loadout.config.yaml'), 'enabled: false\n');
  expect((await run(['config', 'init'])).stderr).toContain('already exists');
  expect(file('loadout.config.yaml')).toBe('enabled: false\n');
  expect((await run(['config', 'init', '--force'])).exitCode).toBe(0);
  expect(file('loadout.config.yaml.backup')).toBe('enabled: false\n');
});

it('needs an editor and a terminal to edit', async () => {
  const { run, repository } = fixture();
  expect((await run(['settings', 'edit'])).stderr).toMatch(/no editor is set\nhint: set the variable EDITOR/);
  expect(existsSync(join(repository, 'loadout.config.yaml'))).toBe(false);
});

it('does not replace a file that is read-only', async () => {
  const { run, file, repository } = fixture({ 'loadout.config.yaml': 'enabled: true\n' });
  chmodSync(join(repository, 'loadout.config.yaml'), 0o444);
  const { exitCode, stderr } = await run(['settings', 'set', 'tokenBudget', '30k']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('loadout.config.yaml is read-only');
  expect(file('loadout.config.yaml')).toBe('enabled: true\n');
});
