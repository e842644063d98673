import { describe, expect, it } from 'vitest';
import { temporaryRepository } from '../../../test/support/temporary-repository.ts';
import { storesKind } from '../../config/stores-kind.ts';
import { originName } from '../../platform/git/locate-repository.ts';
import { chooseTeamStore } from './team-store.ts';

const stores = (store: object) => storesKind.fromFile({ team: store });
const choose = (store: object, env: Record<string, string> = {}) =>
  chooseTeamStore({ store: 'team', stores: stores(store)! }, env);

describe('the setting of a store', () => {
  it('needs an address and a team', () => {
    expect(stores({ url: 'https://search.example/', team: 'red' })?.team).toMatchObject({
      url: ['https://search.example'],
      team: 'red',
      index: 'loadout',
    });
    expect(stores({ url: 'http://a:1, http://b:2', team: 'red' })?.team?.url).toEqual([
      'http://a:1',
      'http://b:2',
    ]);
  });

  it.each([
    { team: 'red' },
    { url: 'https://search.example' },
    { url: 'ftp://search.example', team: 'red' },
    { url: 'https://ann:secret@search.example', team: 'red' },
    { url: 'https://search.example?key=1', team: 'red' },
    { url: [], team: 'red' },
    { url: 'https://search.example', team: 'red', index: '../other' },
    { url: 'https://search.example', team: 'red', index: '*' },
    { url: 'https://search.example', team: 'red', password: 'secret' },
    { url: 'https://search.example', team: 'red', kind: 'solr' },
    { url: 'https://search.example', team: 'red', shards: 0 },
  ])('is not %j', (store) => expect(stores(store)).toBeUndefined());

  it('can be given as JSON, and comes back as it was', () => {
    const value = stores({ url: 'https://search.example', team: 'red', keyEnv: 'KEY' })!;
    expect(storesKind.fromText(storesKind.show(value))).toEqual(value);
    expect(storesKind.fromText('{')).toBeUndefined();
  });
});

describe('opening a store', () => {
  it('names what there is when the name is wrong', () => {
    const table = stores({ url: 'https://search.example', team: 'red' })!;
    for (const store of ['teem', 'constructor', '__proto__'])
      expect(() => chooseTeamStore({ store, stores: table }, {})).toThrow(/known stores: team/);
  });

  it('takes credentials only from the environment', () => {
    const setting = { url: 'https://search.example', team: 'red', userEnv: 'U', passwordEnv: 'P' };
    expect(() => choose(setting, { U: 'ann' })).toThrow('the variable P is not set');
    expect(choose(setting, { U: 'ann', P: 'x' }).team).toBe('red');
  });

  it('sends credentials over https, or to this machine', () => {
    const at = (url: string) => choose({ url, team: 'red', keyEnv: 'K' }, { K: 'x' });
    expect(() => at('http://search.example')).toThrow('https only');
    expect(() => at('http://127.0.0.1:9200, http://search.example')).toThrow('https only');
    expect(at('http://127.0.0.1:9200').name).toBe('team');
  });

  it('says which file with an authority cannot be read', () => {
    expect(() => choose({ url: 'https://search.example', team: 'red', caFile: '/nowhere/ca.pem' })).toThrow(
      'caFile /nowhere/ca.pem cannot be read',
    );
  });
});

describe('the name of a repository', () => {
  it.each([
    ['https://example.org/org/app.git', 'org/app'],
    ['https://ann:secret@example.org/org/app', 'org/app'],
    ['git@example.org:org/app.git', 'org/app'],
    ['ssh://git@example.org:22/group/sub/app.git', 'sub/app'],
    ['/srv/git/app.git', 'git/app'],
  ])('of %s is %s', (address, name) => {
    const repository = temporaryRepository({ a: 'x' });
    repository.git('remote', 'add', 'other', 'https://example.org/not/this.git');
    repository.git('remote', 'add', 'origin', address);
    expect(originName(`${repository.path}/.git`)).toBe(name);
  });

  it('is empty without origin', () => {
    expect(originName(`${temporaryRepository({ a: 'x' }).path}/.git`)).toBe('');
  });
});
