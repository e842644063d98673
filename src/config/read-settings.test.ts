import { describe, expect, it } from 'vitest';
import { readSettings } from './load-settings.ts';

const read = (repository: Record<string, string>, user: Record<string, string> = {}, config?: string) =>
  readSettings({
    flags: {},
    environment: {},
    trusted: false,
    readRepositoryFile: (name) => repository[name] ?? null,
    readUserFile: (name) => user[name] ?? null,
    userDirectory: '/home/me/.config/loadout',
    configFlagFile: config === undefined ? null : { name: 'mine.yaml', text: config },
  });

describe('readSettings', () => {
  it('finds each kind of file', async () => {
    for (const name of ['loadout.config.json', 'loadout.config.yaml', 'loadout.config.yml']) {
      expect((await read({ [name]: '{"maxFiles": 7}' })).settings.maxFiles).toBe(7);
    }
    for (const name of ['config.json', 'config.yaml', 'config.yml']) {
      expect((await read({}, { [name]: '{"maxFiles": 7}' })).settings.maxFiles).toBe(7);
    }
  });

  it('refuses two files in one place', async () => {
    const both = { 'loadout.config.json': '{}', 'loadout.config.yml': '' };
    await expect(read(both)).rejects.toMatchObject({ code: 'two-config-files' });
  });

  it('puts --config in place of the repository file, on top of the user file', async () => {
    const repository = { 'loadout.config.json': 'not even JSON' };
    const user = { 'config.yaml': 'maxFiles: 1\ntokenBudget: 2k\n' };
    const { settings, provenance } = await read(repository, user, 'maxFiles: 3\n');
    expect(settings).toMatchObject({ maxFiles: 3, tokenBudget: 2000 });
    expect(provenance.maxFiles).toEqual({ source: 'config-flag-file', where: 'mine.yaml:1:11' });
  });

  it('accepts a file in which nothing is set and refuses one that is a list', async () => {
    expect((await read({ 'loadout.config.yaml': '# nothing yet\n' })).settings.maxFiles).toBe(500_000);
    await expect(read({ 'loadout.config.json': '[]' })).rejects.toThrow(
      'loadout.config.json:1:1: a config file',
    );
  });

  it('names the whole path of the file of the user', async () => {
    const bad = read({}, { 'config.yaml': 'maxFiles: none' });
    await expect(bad).rejects.toThrow('/home/me/.config/loadout/config.yaml:1:11: "none" is not');
  });

  it('reads domains with slashes in their keys', async () => {
    const { settings } = await read({ 'loadout.config.yaml': 'domains:\n  src/billing: billing\n' });
    expect(settings.domains).toEqual({ 'src/billing': 'billing' });
  });
});
