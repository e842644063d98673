import { cacheDirectory } from '../platform/cache/user-directories.ts';
import { environment } from '../platform/environment.ts';
import { loadSettings } from './load-settings.ts';
import type { Settings } from './settings.ts';

/** Settings of a library call: what was given, on top of the environment's variables and the defaults. */
export function librarySettings(given: Partial<Settings> = {}): Settings {
  const env = environment();
  const sources = { flags: {}, environment: env, repositoryFile: null, userFile: null, trusted: false };
  const { settings } = loadSettings({ ...sources, defaults: { cacheDir: cacheDirectory(env) } });
  return { ...settings, ...given };
}
