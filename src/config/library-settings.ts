import { cacheDirectory } from '../platform/cache/user-directories.ts';
import { environment } from '../platform/environment.ts';
import { checkArguments, RECORD } from '../schema/check-arguments.ts';
import { loadSettings } from './load-settings.ts';
import type { Settings } from './settings.ts';

/** Settings of a library call: what was given, on top of the environment's variables and the defaults. */
export function librarySettings(given: Partial<Settings> = {}): Settings {
  checkArguments('settings', { settings: given }, { settings: RECORD });
  const env = environment();
  const sources = { flags: {}, environment: env, repositoryFile: null, userFile: null, trusted: false };
  return loadSettings({ ...sources, given, defaults: { cacheDir: cacheDirectory(env) } }).settings;
}
