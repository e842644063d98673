import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../config/settings.ts';
import { isSetting, serverFingerprint } from './program-identity.ts';

describe('the fingerprint of a server', () => {
  const env = { HOME: '/home/someone', LOADOUT_CACHE_DIR: '/cache', PATH: '/bin', SHLVL: '1' };

  it('is the same whatever the order of the environment, and whatever no setting depends on', () => {
    const { HOME, ...others } = env;
    expect(serverFingerprint({ ...others, HOME })).toBe(serverFingerprint(env));
    expect(serverFingerprint({ ...env, SHLVL: '2', PATH: '/usr/bin', LOADOUT_SERVER_TOKEN: 'x' })).toBe(
      serverFingerprint(env),
    );
    expect(serverFingerprint({ ...env, LOADOUT_STORE: undefined })).toBe(serverFingerprint(env));
  });

  it.each([
    { CONTEXT_PACKAGE_ENABLED: 'false' },
    { LOADOUT_TOKEN_BUDGET: '9k' },
    { XDG_CONFIG_HOME: '/elsewhere' },
    { HOME: '/home/another' },
  ])('is another one with %j', (change) => {
    expect(serverFingerprint({ ...env, ...change })).not.toBe(serverFingerprint(env));
  });

  it('covers every variable that a setting is read from', () => {
    const names = Object.values(SETTINGS).map(({ env: name }) => name);
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !isSetting(name))).toEqual(['LOADOUT_WARM_SERVER']);
  });
});
