import { describe, expect, it } from 'vitest';
import { readConfigDocument } from './config-file.ts';
import { editConfig } from './edit-config.ts';
import { exampleConfig } from './example-config.ts';
import { loadSettings } from './load-settings.ts';
import { SETTING_NAMES, settingByName } from './settings.ts';
import { settingsJsonSchema } from './settings-schema.ts';

const yaml = (text: string, setting: string, value?: unknown) =>
  editConfig({ name: 'loadout.config.yaml', text }, { setting, value });
const json = (text: string, setting: string, value?: unknown) =>
  editConfig({ name: 'loadout.config.json', text }, { setting, value });

describe('editConfig', () => {
  it('changes one value and keeps comments, blank lines and order', async () => {
    const text = '# mine\n\nenabled: true # why\ninclude:\n  - a\n  # b too\n  - b\n\n# end\nmaxFiles: 3\n';
    expect(await yaml(text, 'enabled', false)).toBe(text.replace('true', 'false'));
    expect(await yaml(text, 'maxFiles', 4)).toBe(text.replace('3', '4'));
    const shorter = await yaml(text, 'include', ['c']);
    expect(shorter).toContain('# mine\n\nenabled: true # why\ninclude:\n');
    expect(shorter).toContain('# end\nmaxFiles: 3\n');
  });

  it('adds at the end, or behind the commented default of an example', async () => {
    expect(await yaml('', 'maxFiles', 4)).toBe('maxFiles: 4\n');
    expect(await yaml('enabled: true', 'maxFiles', 4)).toBe('enabled: true\nmaxFiles: 4\n');
    expect(await yaml('# maxFiles: 9\n\n# x: 1\n', 'maxFiles', 4)).toBe(
      '# maxFiles: 9\nmaxFiles: 4\n\n# x: 1\n',
    );
    expect(await yaml('enabled:\r\n', 'enabled', true)).toBe('enabled: true\r\n');
  });

  it('removes a setting with its lines and nothing else', async () => {
    expect(await yaml('a: 1\ninclude:\n  - a\n  - b\nb: 2\n', 'include')).toBe('a: 1\nb: 2\n');
    expect(await yaml('maxFiles: 3 # x', 'maxFiles')).toBe('');
    expect(await yaml('a: 1\n', 'maxFiles')).toBe('a: 1\n');
    expect(await json('{\n  "a": 1,\n  "maxFiles": 3\n}\n', 'maxFiles')).toBe('{\n  "a": 1\n}\n');
  });

  it('keeps the indentation of JSON', async () => {
    expect(await json('{\n\t"a": 1\n}\n', 'maxFiles', 3)).toBe('{\n\t"a": 1,\n\t"maxFiles": 3\n}\n');
  });

  it('refuses a file that it cannot change without harm', async () => {
    await expect(yaml('{ enabled: true }\n', 'maxFiles', 3)).rejects.toMatchObject({ code: 'cannot-edit' });
    await expect(yaml('enabled: [\n', 'maxFiles', 3)).rejects.toMatchObject({ name: 'LoadoutError' });
  });
});

describe('exampleConfig', () => {
  it('names every setting, and is valid as it is and with every line in use', async () => {
    const text = exampleConfig('user');
    for (const name of SETTING_NAMES) expect(text).toMatch(new RegExp(`^# ${name}: `, 'm'));
    const used = text.replace(new RegExp(`^# (${SETTING_NAMES.join('|')}): `, 'gm'), '$1: ');
    for (const one of [text, used]) {
      const userFile = await readConfigDocument({ name: 'config.yaml', text: one });
      loadSettings({ flags: {}, environment: {}, repositoryFile: null, userFile, trusted: false });
    }
    expect(exampleConfig('repository')).not.toMatch(/^# cacheDir: /m);
  });
});

describe('settingsJsonSchema', () => {
  const { properties } = settingsJsonSchema() as { properties: Record<string, Record<string, unknown>> };

  it('has every setting with its help, and allows a file to name its schema', () => {
    expect(Object.keys(properties)).toEqual(['$schema', ...SETTING_NAMES]);
    for (const name of SETTING_NAMES)
      expect(properties[name]!.description).toContain(
        settingByName(name)!.help.replaceAll('`', '').slice(0, 20),
      );
  });

  it('has patterns of amounts that agree with the reader', () => {
    const [, { pattern }] = properties.scanInterval!.anyOf as [unknown, { pattern: string }];
    for (const text of ['30', '500ms', '2S', '1_000 s', '5 m', '5d', 'soon', '', '-1', '1.5h'])
      expect({ text, fits: new RegExp(pattern, 'u').test(text) }).toEqual({
        text,
        fits: settingByName('scanInterval')!.kind.fromFile(text) !== undefined,
      });
    expect(properties.hookGate).toMatchObject({ enum: ['off', 'normal', 'strict'], default: 'normal' });
  });
});
