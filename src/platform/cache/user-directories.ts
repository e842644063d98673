// The folders for Loadout's files, by the rules of each system. `LOADOUT_CACHE_DIR` and `LOADOUT_CONFIG_DIR` win.

import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Environment } from '../environment.ts';

/** Where indexes live. Nothing here is worth a backup. */
export function cacheDirectory(env: Environment): string {
  if (env.LOADOUT_CACHE_DIR) return resolve(env.LOADOUT_CACHE_DIR);
  const xdg = absolute(env.XDG_CACHE_HOME);
  if (xdg) return join(xdg, 'loadout');
  if (process.platform === 'win32') {
    return join(absolute(env.LOCALAPPDATA) ?? join(home(env), 'AppData', 'Local'), 'loadout', 'cache');
  }
  return process.platform === 'darwin'
    ? join(home(env), 'Library', 'Caches', 'loadout')
    : join(home(env), '.cache', 'loadout');
}

/** Where the user's own settings live. */
export function configDirectory(env: Environment): string {
  if (env.LOADOUT_CONFIG_DIR) return resolve(env.LOADOUT_CONFIG_DIR);
  const xdg = absolute(env.XDG_CONFIG_HOME);
  if (xdg) return join(xdg, 'loadout');
  if (process.platform === 'win32') {
    return join(absolute(env.APPDATA) ?? join(home(env), 'AppData', 'Roaming'), 'loadout');
  }
  return join(home(env), '.config', 'loadout');
}

/** The home folder of the given environment, which tests and runs replace. */
function home(env: Environment): string {
  return absolute(process.platform === 'win32' ? env.USERPROFILE : env.HOME) ?? homedir();
}

// The XDG specification: a relative value is invalid and must be ignored.
function absolute(value: string | undefined): string | undefined {
  return value && isAbsolute(value) ? value : undefined;
}
