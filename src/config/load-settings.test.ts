import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConfigDocument, readConfigDocument } from './config-file.ts';
import { loadSettings, type SettingsSources } from './load-settings.ts';
import { SETTING_NAMES, settingByName } from './settings.ts';

const load = (sources: Partial<SettingsSources>) =>
  loadSettings({
    flags: {},
    environment: {},
    repositoryFile: null,
    userFile: null,
    trusted: false,
    ...sources,
  });
const json = (content: unknown, name = 'loadout.config.json'): Promise<ConfigDocument> =>
  readConfigDocument({ name, text: JSON.stringify(content, null, 2) });

describe('loadSettings', () => {
  it('gives every setting a value and a provenance', () => {
    const { settings, provenance, diagnostics } = load({});
    expect(Object.keys(settings)).toEqual(SETTING_NAMES);
    expect(new Set(Object.values(provenance).map((place) => place.source))).toEqual(new Set(['default']));
    expect(settings).toMatchObject({
      enabled: true,
      tokenBudget: 100_000,
      astWeight: 0.6,
      semanticWeight: 0.4,
      minRelevance: 0.2,
      summaryMaxTokens: 4000,
      conventionsMaxTokens: 300,
      scanInterval: 300_000,
      scanMode: 'incremental',
      maxFileBytes: 2_000_000,
    });
    expect(diagnostics).toEqual([]);
  });

  it('takes the strongest source, whichever are there', async () => {
    const variable = settingByName('tokenBudget')!.env;
    const repositoryFile = await json({ tokenBudget: 3 });
    const userFile = await json({ tokenBudget: 4 }, 'config.json');
    const order = ['flag', 'environment', 'repository-file', 'user-file', 'default'];
    fc.assert(
      fc.property(fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean()), (present) => {
        const { settings, provenance } = load({
          flags: present[0] ? { tokenBudget: '1' } : {},
          environment: present[1] ? { [variable]: '2' } : {},
          repositoryFile: present[2] ? repositoryFile : null,
          userFile: present[3] ? userFile : null,
        });
        const winner = [...present, true].indexOf(true);
        expect(settings.tokenBudget).toBe([1, 2, 3, 4, 100_000][winner]);
        expect(provenance.tokenBudget.source).toBe(order[winner]);
      }),
    );
  });

  it('names variable, value and allowed values', () => {
    expect(() => load({ environment: { CONTEXT_PACKAGE_TOKEN_BUDGET: 'lots' } })).toThrow(
      'CONTEXT_PACKAGE_TOKEN_BUDGET: "lots" is not a valid tokenBudget; allowed is a number of tokens such as 30000 or 30k, 1 or more',
    );
    expect(() => load({ flags: { scanMode: 'quick' } })).toThrow(
      '--mode: "quick" is not a valid scanMode; allowed is "incremental" or "full"',
    );
  });

  it('names file, line and column of a bad value, in JSON and in YAML', async () => {
    const repositoryFile = await json({ enabled: true, minRelevance: 2 });
    expect(() => load({ repositoryFile })).toThrow('loadout.config.json:3:19: 2 is not a valid minRelevance');
    const userFile = await readConfigDocument({ name: 'config.yaml', text: '# mine\nminRelevance: high\n' });
    expect(() => load({ userFile })).toThrow('config.yaml:2:15: "high" is not a valid minRelevance');
  });

  it('refuses a setting it does not know and offers the nearest', async () => {
    const file = await json({ tokenBuget: 1 });
    expect(() => load({ repositoryFile: file })).toThrow(
      'no setting "tokenBuget"; did you mean tokenBudget?',
    );
    const far = await json({ zzzzzzzz: 1 });
    expect(() => load({ repositoryFile: far })).toThrow('known are enabled, tokenBudget');
    const schema = await json({ $schema: './schema.json' });
    expect(load({ repositoryFile: schema }).diagnostics).toEqual([]);
  });

  it('does not let a repository set what only users may, until it is trusted', async () => {
    const repositoryFile = await json({ cacheDir: '/tmp/theirs' });
    const held = load({ repositoryFile, defaults: { cacheDir: '/home/me/.cache' } });
    expect(held.settings.cacheDir).toBe('/home/me/.cache');
    expect(held.diagnostics).toMatchObject([{ code: 'setting-ignored', severity: 'warning' }]);
    expect(held.diagnostics[0]!.message).toContain('loadout.config.json:2:15: cacheDir is ignored');
    expect(load({ repositoryFile, trusted: true }).settings.cacheDir).toBe('/tmp/theirs');
    expect(load({ userFile: repositoryFile }).settings.cacheDir).toBe('/tmp/theirs');
    expect(load({ configFlagFile: repositoryFile }).settings.cacheDir).toBe('/tmp/theirs');
  });

  it('holds back every user-only setting of an untrusted repository, whatever its value', () => {
    const userOnly = SETTING_NAMES.filter((name) => settingByName(name)!.trust === 'user');
    fc.assert(
      fc.property(fc.constantFrom(...userOnly), fc.jsonValue(), (name, value) => {
        const entries = new Map([[name as string, { value, position: { line: 1, column: 1 } }]]);
        const { provenance } = load({ repositoryFile: { name: 'loadout.config.json', entries } });
        expect(provenance[name].source).toBe('default');
      }),
    );
  });

  it('takes the address of a team store from no repository, trusted or not, and says so', () => {
    const owners = SETTING_NAMES.filter((name) => settingByName(name)!.trust === 'owner');
    expect(owners).toEqual(expect.arrayContaining(['stores', 'store', 'storeRepository', 'storeBranch']));
    const stores = { team: { url: ['https://evil.example'], team: 'red' } };
    for (const name of owners)
      for (const trusted of [false, true]) {
        const value = name === 'stores' ? stores : 'evil';
        const entries = new Map([[name as string, { value, position: { line: 1, column: 1 } }]]);
        const { provenance, diagnostics } = load({
          repositoryFile: { name: 'loadout.config.json', entries },
          trusted,
        });
        expect({ name, trusted, source: provenance[name].source }).toEqual({
          name,
          trusted,
          source: 'default',
        });
        expect(diagnostics).toMatchObject([{ code: 'setting-ignored', severity: 'warning' }]);
      }
  });

  it('has no setting that turns redaction off', () => {
    expect(SETTING_NAMES.filter((name) => /redact|secret/i.test(name))).toEqual([]);
    for (const name of ['redact', 'noRedact'])
      for (const trusted of [false, true]) {
        const entries = new Map([[name, { value: false, position: { line: 1, column: 1 } }]]);
        expect(() => load({ repositoryFile: { name: 'loadout.config.json', entries }, trusted })).toThrow(
          `there is no setting "${name}"`,
        );
      }
  });

  it('normalises the two weights together', () => {
    const environment = { CONTEXT_PACKAGE_AST_WEIGHT: '3', CONTEXT_PACKAGE_SEMANTIC_WEIGHT: '1' };
    expect(load({ environment }).settings).toMatchObject({ astWeight: 0.75, semanticWeight: 0.25 });
    const none = { CONTEXT_PACKAGE_AST_WEIGHT: '0', CONTEXT_PACKAGE_SEMANTIC_WEIGHT: '0' };
    expect(() => load({ environment: none })).toThrow(
      'CONTEXT_PACKAGE_AST_WEIGHT: astWeight and semanticWeight',
    );
  });

  it('takes an empty variable as not set and a list flag as given', () => {
    const { settings } = load({ environment: { REPO_SCAN_MODE: ' ' }, flags: { include: ['a,b', 'c'] } });
    expect(settings.scanMode).toBe('incremental');
    expect(settings.include).toEqual(['a,b', 'c']);
  });

  it('cuts long values in messages and never throws anything but its own error', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SETTING_NAMES), fc.string({ maxLength: 300 }), (name, text) => {
        try {
          load({ environment: { [settingByName(name)!.env]: text } });
        } catch (error) {
          expect(error).toMatchObject({ name: 'LoadoutError', code: 'bad-setting' });
          expect((error as Error).message.length).toBeLessThan(400);
        }
      }),
      { numRuns: 500 },
    );
  });
});
