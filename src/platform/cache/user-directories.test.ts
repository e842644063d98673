import { describe, expect, it } from 'vitest';
import { cacheDirectory, configDirectory } from './user-directories.ts';

describe.skipIf(process.platform !== 'linux')('user directories', () => {
  it('follow our own variables first', () => {
    const env = { LOADOUT_CACHE_DIR: '/c', LOADOUT_CONFIG_DIR: '/d', XDG_CACHE_HOME: '/x', HOME: '/home/u' };
    expect(cacheDirectory(env)).toBe('/c');
    expect(configDirectory(env)).toBe('/d');
  });

  it('follow XDG, but not when it is relative or empty', () => {
    expect(cacheDirectory({ XDG_CACHE_HOME: '/x', HOME: '/home/u' })).toBe('/x/loadout');
    expect(configDirectory({ XDG_CONFIG_HOME: '/x', HOME: '/home/u' })).toBe('/x/loadout');
    expect(cacheDirectory({ XDG_CACHE_HOME: 'x', HOME: '/home/u' })).toBe('/home/u/.cache/loadout');
    expect(configDirectory({ XDG_CONFIG_HOME: '', HOME: '/home/u' })).toBe('/home/u/.config/loadout');
  });

  it('are absolute even without a home variable', () => {
    expect(cacheDirectory({})).toMatch(/^\/.*\/loadout$/);
    expect(configDirectory({ LOADOUT_CONFIG_DIR: 'relative' })).toBe(`${process.cwd()}/relative`);
  });
});
